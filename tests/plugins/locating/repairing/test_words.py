"""A repair is described by its change and its place, alike for programs with other names around it."""

import pytest

from grader.plugins.locating.repairing.edits import edits_between
from grader.plugins.locating.repairing.program_lines import program_lines
from grader.plugins.locating.repairing.words import repair_changes

DEAL = "def deal(n):\n    for i in range(n):\n        if i < 3:\n            print(i)\n    return n\n"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("i < 3", "i <= 3", "`<=` for `<` in the condition of deal"),
        ("range(n)", "range(n + 1)", "`+ 1` added in the loop of deal"),
        ("            print(i)", "            pass", "`pass` for `print(i)` in the condition of deal"),
        ("    return n", "    n += 1\n    return n", "`n += 1` added in the result of deal"),
        ("    return n\n", "", "without `return n` in the result of deal"),
        ("    return n", "        return n", "another indentation of `return n` in the result of deal"),
        ("range(n)", "range(1, len(n))", "`for i in range(1, len(n)):` for `for i in range(n):` in the loop of deal"),
        ("def deal(n)", "def deal(n, m)", "`, m` added in deal"),
    ],
)
def test_words(old: str, new: str, words: str) -> None:
    edits = edits_between(program_lines(DEAL), program_lines(DEAL.replace(old, new)))
    assert repair_changes(program_lines(DEAL), edits) == (words,)


def test_a_change_outside_functions() -> None:
    edits = edits_between(program_lines("x = 1\nprint(x)"), program_lines("x = 2\nprint(x)"))
    assert repair_changes(program_lines("x = 1\nprint(x)"), edits) == ("`2` for `1` outside functions",)
