"""Simple syntax errors are mended, and others are left alone."""

import pytest

from grader.plugins.locating.repairing.syntax import mended_syntax

RIGHT = """\
def total(numbers):
    result = 0
    for n in numbers:
        if n == 1:
            result += n  # add it
    return result


print("The sum is", total([1, 2]))
"""


@pytest.mark.parametrize(
    ("right", "wrong", "fix"),
    [
        ("numbers):\n    res", "numbers)\n    res", "`:` added"),
        ("in numbers:", "in numbers", "`:` added"),
        ("n == 1", "n = 1", "`==` for `=`"),
        ("2]))", "2])", "`)` added"),
        ("2]))", "2])))", "without `)`"),
        ('is", ', "is, ", '`"` added'),
        ("            result", "        result", "another indentation of `result += n  # add it`"),
        ("    return", "   return", "another indentation of `return result`"),
        ("    result = 0", "  result = 0", "another indentation of `result = 0`"),
    ],
)
def test_a_simple_error_is_mended(right: str, wrong: str, fix: str) -> None:
    assert (RIGHT, (fix,)) in [(version.text, version.fixes) for version in mended_syntax(RIGHT.replace(right, wrong))]


def test_two_errors_are_mended() -> None:
    wrong = RIGHT.replace("in numbers:", "in numbers").replace("2]))", "2])")
    assert RIGHT in [version.text for version in mended_syntax(wrong)]


@pytest.mark.parametrize("text", ["print('\n+++ (((\n", "def\n", "\x00", "(" * 500, "1 1 1 1 1\n" * 9])
def test_other_errors_are_left_alone(text: str) -> None:
    assert mended_syntax(text) == []
