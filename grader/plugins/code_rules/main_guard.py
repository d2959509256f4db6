"""The rule that the program begins in `main`, which is called under the main guard."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.rule import RuleFinding
from grader.plugins.code_rules.functions import find_function
from grader.plugins.code_rules.module_names import module_functions
from grader.rules.code_rule import SourceRule
from grader.rules.source import FunctionDefinition, ParsedSource
from grader.text.escape import quote
from grader.text.sentence import say

_MAIN = "main"


@dataclass(frozen=True)
class MainGuard(SourceRule):
    """The program defines `main`, and calls it under the main guard and nowhere else."""

    name = "main-guard"
    broken_by = (
        'There is no `main`, or it is not called under `if __name__ == "__main__":`. The rule is also broken if code '
        "outside functions calls `input` or `print`, or contains a `while` loop that calls functions of the program. "
        "Class bodies and default values are outside functions."
    )

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield findings for a missing or unused `main`, and for calls outside functions."""
        found = find_function(source, _MAIN)
        if found is None:
            yield source.absence(say("there is no function {function}", function="main()"))
        guarded: list[ast.stmt] = []
        outside: list[ast.stmt] = []
        for node in source.tree.body:
            inside, others = _split_by_guard(node)
            guarded += inside
            outside += others
        for statement, called in ((node, call) for node in outside for call in _calls(node)):
            if called.name == _MAIN and (wrong := _wrong_guard(statement)):
                message = say('the main guard compares with {text}; expected `"__main__"`', text=quote(wrong))
                yield source.finding(statement.lineno, message)
            elif called.name == _MAIN:
                yield source.finding(called.line, say('main() is called without `if __name__ == "__main__":`'))
            elif called.name in ("input", "print"):
                yield source.finding(
                    called.line, say("{function}() is called outside all functions", function=called.name)
                )
        yield from _loops_outside_functions(source, [*guarded, *outside])
        executed = (inner for node in outside for inner in _executed_immediately(node))
        if found and not any(map(_uses_main, (*executed, *(inner for node in guarded for inner in ast.walk(node))))):
            file, function = found
            yield file.finding(function.lineno if function else None, say("main() is never called"))


def _uses_main(node: ast.AST) -> bool:
    """Return whether a node calls `main` or passes it on, for example to a thread; a mere mention does not count."""
    names = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.Name) and child.id == _MAIN]
    return not isinstance(node, ast.Expr) and any(isinstance(child.ctx, ast.Load) for child in names)


def _loops_outside_functions(source: ParsedSource, outside: list[ast.stmt]) -> Iterator[RuleFinding]:
    """Yield the loops outside all functions that do the work of `main`."""
    functions = source.once(module_functions).keys() - {_MAIN}
    for node in (inner for statement in outside for inner in _executed_immediately(statement)):
        if isinstance(node, ast.While):
            called = {call.name for call in _calls(node)} & functions
            if called:
                yield source.finding(
                    node.lineno, say("the loop that calls {function}() is outside all functions", function=min(called))
                )


def _split_by_guard(node: ast.stmt) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Split a statement of the module into the parts under the main guard and the parts outside."""
    match node:
        case ast.If(test, body, others) if _asks_for_main(test):
            return body, others
        case ast.If(ast.UnaryOp(ast.Not(), test), body, others) if _asks_for_main(test):
            return others, body
        case ast.If(ast.Compare(left, [ast.NotEq() | ast.IsNot()], right), body, others):
            if _asks_for_main(ast.Compare(left, [ast.Eq()], right)):
                return others, body
        case ast.If(ast.Compare(left, [ast.NotIn()], right), body, others):
            if _asks_for_main(ast.Compare(left, [ast.In()], right)):
                return others, body
        case ast.Match(ast.Name("__name__"), cases):
            guarded = [inner for case in cases for inner in case.body if _is_main(case)]
            return guarded, [inner for case in cases for inner in case.body if not _is_main(case)]
    return [], [node]


def _wrong_guard(node: ast.AST) -> str:
    """Return the text that a misspelt main guard compares `__name__` with; empty for any other statement."""
    match node:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant(str() as text)])):
            return f'"{text}"'
    return ""


def _is_main(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchValue) and ast.unparse(case.pattern.value) == "'__main__'"


def _asks_for_main(test: ast.expr) -> bool:
    """Return whether this compares `__name__` with `"__main__"` by `==`, `in` or `is`, alone or inside a condition."""
    match test:
        case ast.BoolOp(ast.And(), values):
            return any(map(_asks_for_main, values))
        case ast.Compare(left, [ast.In()], [ast.Set([name]) | ast.List([name]) | ast.Tuple([name])]):
            return _asks_for_main(ast.Compare(left, [ast.Eq()], [name]))
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            sides = (side.value if isinstance(side, ast.NamedExpr) else side for side in (left, right))
            return sorted(map(ast.unparse, sides)) == ["'__main__'", "__name__"]
    return False


@dataclass(frozen=True)
class _Call:
    name: str
    line: int


def _calls(node: ast.AST) -> Iterator[_Call]:
    for inner in _executed_immediately(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            yield _Call(inner.func.id, inner.lineno)


def _executed_immediately(start: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run immediately: everything but the bodies of functions."""
    pending = [start]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, FunctionDefinition | ast.Lambda):
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            pending += [*decorators, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        else:
            pending += ast.iter_child_nodes(node)
