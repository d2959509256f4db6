"""Rewrites a program the way another student would have written it."""

import ast
import builtins
import random
from itertools import pairwise

_SPELT_OUT = 4


def disguised(program: str, chance: random.Random) -> str:
    """Return the program with other local names in functions, its functions in another order, and no comments."""
    tree = ast.parse(program)
    _rename(tree, chance)
    tree.body = _reordered(tree.body, chance)
    return ast.unparse(tree) + "\n"


def with_misspelling(program: str, chance: random.Random) -> str:
    """Return the program with two letters of a printed text swapped, or the unchanged program if it has no text."""
    tree = ast.parse(program)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_talk(node)]
    texts = [
        node
        for call in calls
        for argument in call.args
        for node in ast.walk(argument)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _places(node.value)
    ]
    if texts:
        text = chance.choice(texts)
        place = chance.choice(_places(str(text.value)))
        letters = list(str(text.value))
        letters[place], letters[place + 1] = letters[place + 1], letters[place]
        text.value = "".join(letters)
    return ast.unparse(tree) + "\n"


def _rename(tree: ast.Module, chance: random.Random) -> None:
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    inside = {
        node.id
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own = (arguments | inside) - _fixed(tree)
    names = {name: f"{chance.choice('abcdefgh')}_{number}" for number, name in enumerate(sorted(own))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)


def _fixed(tree: ast.Module) -> set[str]:
    """Return the names that may not change: names of the module, of keywords, and names stored as text in the tree."""
    found = {"self", "cls", *dir(builtins)}
    for statement in tree.body:
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found.update(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.alias(name=name, asname=other):
                found.add(other or name)
            case ast.ClassDef(body=body):
                found.update(
                    name.id
                    for line in body
                    for name in ast.walk(line)
                    if isinstance(line, ast.AnnAssign) and isinstance(name, ast.Name)
                )
    return found


def _reordered(body: list[ast.stmt], chance: random.Random) -> list[ast.stmt]:
    """Return the statements with adjacent functions in another order."""
    order: list[ast.stmt] = []
    run: list[ast.stmt] = []
    for statement in [*body, ast.Pass()]:
        if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
            run.append(statement)
            continue
        order += [*chance.sample(run, len(run)), statement]
        run = []
    return order[:-1]


def _is_talk(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("print", "input")


def _places(text: str) -> list[int]:
    """Return the positions of two different adjacent letters in a text that is long enough to be prose."""
    if sum(sign.isalpha() for sign in text) < _SPELT_OUT:
        return []
    pairs = enumerate(pairwise(text))
    return [place for place, (one, other) in pairs if one != other and one.isalpha() and other.isalpha()]
