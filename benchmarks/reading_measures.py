"""Measures of how a package reads: cohesion of modules, order of constants, names of variables, wording of docstrings.

The figures show where to look. They prove nothing without a reader.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.code_measures import reachable
from benchmarks.source_package import Module, Package

VAGUE_NAMES = {
    "apart",
    "around",
    "beside",
    "found",
    "kept",
    "known",
    "left",
    "made",
    "one",
    "other",
    "own",
    "said",
    "such",
    "there",
    "these",
    "told",
    "wanted",
}
_VERBS = """
    add advance append apply ask assert build cache call check choose clean close collect compare
    compile compute connect convert copy count create cut decide decode delete describe detect determine
    display drop encode end ensure evaluate execute explain export extract fetch fill filter find finish
    fit fork format generate get give grade group guard handle hash hide hold ignore import initialize
    insert install iterate join judge keep kill launch list load locate lock log look make map mark
    match measure merge move name normalize note open order parse pass pick plan prepare print put raise
    rank read receive record register release remove rename render repair replace replay report request
    resolve restore return run save say search select send serve set shorten show sign skip sort split
    start stop store strip sum take tell test translate try turn type undo unpack update use validate
    verify wait walk watch wrap write yield
"""
_BEGINS_WITH_VERB = re.compile(rf"({'|'.join(_VERBS.split())})(s|es|ing)?\b", re.IGNORECASE)
_BEGINS_WITH_CLAUSE = re.compile(r"(What|Who|Whether|Where|Whose|When|How|Why)\b")
FOREIGN_TURNS = {
    "is none, is no": re.compile(r"\b(is|are|was) (none\b|no [a-z]+\b)"),
    "those that, that of": re.compile(r"\b(those|that|these) (that|which|of)\b"),
    "of it, to them at an end": re.compile(r"\b(of|for|by|with|to) (it|them|these|those|that|both)[.,;:]"),
    "is told": re.compile(r"\b(is|are|was|were|be) told\b"),
    "stands": re.compile(r"\bstand(s|ing)?\b"),
    "lies": re.compile(r"\b(lies|lie|lay)\b"),
}
_MIN_ISLAND = 25


def modules_of_islands(package: Package) -> list[str]:
    """List the modules with two or more groups of definitions that never mention each other."""
    groups = {module.name: list(_islands(module)) for module in package.modules}
    return [
        f"{name}: {' | '.join(', '.join(group[:3]) for group in parts)}"
        for name, parts in groups.items()
        if len(parts) > 1
    ]


def _islands(module: Module) -> Iterator[Sequence[str]]:
    definitions = {name: statement for statement in module.tree.body for name in _bound_names(statement)}
    links = _links(definitions)
    seen: set[str] = set()
    for name in definitions:
        group = ({name} | reachable(links, name)) - seen
        seen |= group
        lines = sum((definitions[part].end_lineno or 0) - definitions[part].lineno + 1 for part in group)
        if lines >= _MIN_ISLAND:
            yield sorted(part for part in group if not part.startswith("_")) or sorted(group)


def _links(definitions: Mapping[str, ast.stmt]) -> Mapping[str, set[str]]:
    links: dict[str, set[str]] = defaultdict(set)
    for name, statement in definitions.items():
        for used in map(_mention, ast.walk(statement)):
            if used in definitions and used != name:
                links[name].add(used)
                links[used].add(name)
    return links


def _mention(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return node.id if isinstance(node, ast.Name) else ""


def modules_of_late_constants(package: Package) -> list[str]:
    """List the modules with a constant below the first function or class."""
    return [module.name for module in package.modules if _has_late_constant(module.tree)]


def _has_late_constant(tree: ast.Module) -> bool:
    is_late = False
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            is_late = True
        elif is_late and any(name.lstrip("_").isupper() for name in _bound_names(statement)):
            return True
    return False


def vague_bindings(package: Package) -> float:
    """Return how many of 1,000 variables and parameters have a name that says nothing about their value."""
    names = [name for module in package.modules for name in map(_bound_variable, module.nodes) if name]
    return _share(name in VAGUE_NAMES for name in names) * 1000


def docstrings_with_verb(package: Package) -> float:
    """Return the percentage of function docstrings that begin with a verb."""
    return _share(bool(_BEGINS_WITH_VERB.match(text)) for text in _function_docstrings(package)) * 100


def docstrings_with_clause(package: Package) -> float:
    """Return the percentage of function docstrings that begin with What, Who, Whether or the like."""
    return _share(bool(_BEGINS_WITH_CLAUSE.match(text)) for text in _function_docstrings(package)) * 100


def foreign_turns(package: Package, turn: str) -> float:
    """Return how often a turn of `FOREIGN_TURNS` occurs per 1,000 words of docstrings."""
    texts = [text for module in package.modules for text in module.docstrings]
    words = sum(len(text.split()) for text in texts)
    return 1000 * sum(len(FOREIGN_TURNS[turn].findall(text)) for text in texts) / max(words, 1)


def lines_of_core(package: Package, elsewhere: Sequence[str]) -> int:
    """Return the lines of code outside the sub-packages `elsewhere`, given by dotted name."""
    return sum(module.code_lines for module in package.modules if not f"{module.name}.".startswith(tuple(elsewhere)))


def _share(hits: Iterator[bool]) -> float:
    values = list(hits)
    return sum(values) / max(len(values), 1)


def _function_docstrings(package: Package) -> Iterator[str]:
    for module in package.modules:
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _docstring(node)


def _docstring(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    text = ast.get_docstring(node)
    return [text] if text else []


def _bound_variable(node: ast.AST) -> str:
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def _bound_names(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.If):
        return [name for inner in (*statement.body, *statement.orelse) for name in _bound_names(inner)]
    targets: Sequence[ast.expr] = ()
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]
