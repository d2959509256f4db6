import re

import pytest

from grader.judge.diff import diff_around
from grader.plugins.web.pages.diff_html import diff_html, diff_rows, named
from grader.text.difference import find_first_difference


def rows(expected: str, actual: str) -> list[tuple[str | None, str | None]]:
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    return [
        (
            f"{row.expected.number} {row.expected.text}" if row.expected else None,
            f"{row.actual_number or row.actual.number} {row.actual.text}" if row.actual else None,
        )
        for row in diff_rows(diff_around(expected, actual, divergence))
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ("a\nb\n", "a\nc\n", [("1 a", "1 a"), ("2 b", "2 c")]),
        ("a\nb\nc\n", "a\nc\n", [("1 a", "1 a"), ("2 b", None), ("3 c", "2 c")]),
        ("a\nc\n", "a\nx\ny\nc\n", [("1 a", "1 a"), (None, "2 x"), (None, "3 y"), ("2 c", "4 c")]),
        ("a\nb\nc\n", "x\nc\n", [("1 a", "1 x"), ("2 b", None), ("3 c", "2 c")]),
        ("a\nb\n", "", [("1 a", None), ("2 b", None)]),
    ],
)
def test_lines_stand_beside_those_they_were_paired_with(
    expected: str, actual: str, said: list[tuple[str | None, str | None]]
) -> None:
    assert rows(expected, actual) == said


def test_what_the_marks_stand_for_is_told() -> None:
    divergence = find_first_difference("a b\n", "a\tb \n")
    assert divergence is not None
    diff = diff_around("a b\n", "a\tb \n", divergence)
    assert named(diff) == ["· space", "→ tab (U+0009)"]
    assert "<mark>" in diff_html(diff)


def test_a_missing_line_end_is_told() -> None:
    divergence = find_first_difference("a\n", "a")
    assert divergence is not None
    assert diff_html(diff_around("a\n", "a", divergence)).count("no newline") == 1


@pytest.mark.parametrize(("actual", "apart"), [("a1\nb1\n", 0), ("xx\nb1\n", 1), ("", 0)])
def test_lines_that_have_nothing_in_common_are_kept_apart(actual: str, apart: int) -> None:
    divergence = find_first_difference("a\nb\n", actual)
    assert divergence is not None
    assert diff_html(diff_around("a\nb\n", actual, divergence)).count("apart") == apart


LINES = "".join(f"line {number}\n" for number in range(1, 10))


def test_equal_lines_left_out_are_counted_and_open() -> None:
    expected, actual = f"{LINES}a\n", f"{LINES}b\n"
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    html = diff_html(diff_around(expected, actual, divergence), LINES)
    [fold] = re.findall(r'<details class="equal"><summary>(.*?)</summary>(.*?)</details>', html)
    assert fold[0] == "6 equal lines"
    assert re.findall("line \\d", fold[1]) == [f"line {number}" for number in range(1, 7)]
    assert html.index("</details>") < html.index("line 7")


def test_lines_that_may_differ_are_not_called_equal() -> None:
    expected, actual = f"x\n{LINES}a\n", f"y\n{LINES}b\n"
    divergence = find_first_difference(f"x\n{LINES}a\n", f"x\n{LINES}b\n")
    assert divergence is not None
    assert "details" not in diff_html(diff_around(expected, actual, divergence))
