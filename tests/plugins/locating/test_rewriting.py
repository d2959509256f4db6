"""A program with a part changed is written as if all of it were written anew."""

import ast
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.model.results import TestResult
from grader.plugins.locating.repairing.changes import changed_programs
from grader.plugins.locating.rewriting import RewrittenProgram, parts
from grader.plugins.locating.small_changes import small_changes
from grader.plugins.locating.stand_ins import right_until

PROGRAM = '''\
"""A program of many kinds of statements."""
import functools


class Deck:
    """Cards."""

    size = 52

    @functools.cache
    def top(self, count=1):
        if count == 1:
            return 1
        elif count == 2:
            for card in range(3):
                print(f"{card}\\n  {count + 4}")
            else:
                return 5
        elif count == 6:
            try:
                return 7
            except ValueError as error:
                return 8
            finally:
                print("a\\nb", 9)
        else:
            while count < 10: count += 11
        match count:
            case 12:
                return 13
            case _:
                with open("x") as file:
                    return lambda: 14


if __name__ == "__main__":
    print(Deck().top(15))
'''


def test_one_statement_is_written_as_all_of_them() -> None:
    program = RewrittenProgram.of(PROGRAM)
    assert program is not None
    constants = [part for part in parts(program.tree) if isinstance(part.node, ast.Constant)]
    numbers = [part for part in constants if isinstance(part.node, ast.Constant) and type(part.node.value) is int]
    for part in numbers:
        put = [part.put(ast.Constant(99))]
        whole = program.with_puts(program.tree, put)
        assert ast.dump(ast.parse(program.with_puts(part.statement, put))) == ast.dump(ast.parse(whole))
        assert ast.unparse(program.tree) == program.text
    assert len(numbers) == 18


def test_every_change_can_be_parsed() -> None:
    texts = [change.text for change in changed_programs(PROGRAM)]
    assert len(texts) > 100
    assert all(ast.parse(text) for text in texts)


def test_changes_name_the_lines_of_the_program_itself() -> None:
    lines = PROGRAM.splitlines()
    [line] = {change.line for change in small_changes(PROGRAM) if "Deck().top(16)" in change.text}
    assert lines[line - 1] == "    print(Deck().top(15))"


def test_a_change_is_only_written_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[ast.AST] = []
    unparse = ast.unparse

    def counted(node: ast.AST) -> str:
        written.append(node)
        return unparse(node)

    monkeypatch.setattr(ast, "unparse", counted)
    first, *_ = changed_programs(PROGRAM)
    assert first.text
    assert len(written) == 2


def result(expected: str, actual: str, *, compared: tuple[str, str] | None) -> TestResult:
    texts = compared and SimpleNamespace(expected=compared[0], actual=compared[1])
    content: Any = SimpleNamespace(expected=expected, outcome=SimpleNamespace(transcript=actual), compared=texts)
    return cast("TestResult", content)


@pytest.mark.parametrize(
    ("actual", "compared", "right"),
    [
        ("a\nb\nx\n", None, "a\nb\n"),
        ("a  \n\n b\nx\n", ("a\nb\nc\n", "a\nb\nx\n"), "a  \n\n b"),
        ("a  \n", ("a\nb\nc\n", "a\n"), "a"),
    ],
)
def test_differences_that_are_ignored_do_not_end_the_right_output(
    actual: str, compared: tuple[str, str] | None, right: str
) -> None:
    assert right_until(result("a\nb\nc\n", actual, compared=compared)) == len(right)
