"""The wording of problems."""

from pathlib import Path

import pytest

from grader.errors import Problem, SourceLocation, SpecError, closest, nearest, plain_reason, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "``"),
        ("a b", "`a b`"),
        ("é😀", "`é😀`"),
        ("a\nb\t\x1b[2J", "`a\\nb\\t\\x1b[2J`"),
        ("\u202e\ud800", "`\\u202e\\ud800`"),
        ("x" * 60, f"`{'x' * 60}`"),
        ("x" * 61, f"`{'x' * 60}…`"),
    ],
)
def test_quoted_text_shows_everything_and_does_nothing_to_a_terminal(text: str, shown: str) -> None:
    assert quoted(text) == shown


def test_a_slip_suggests_the_closest_name() -> None:
    assert closest("solitare", ["solitaire", "spider"]) == "solitaire"
    assert closest("bridge", ["solitaire", "spider"]) is None
    assert nearest("solitare", ["spider", "solitaire"]) == "; did you mean `solitaire`?"


def test_a_name_like_no_other_lists_a_few_choices_but_not_a_whole_class() -> None:
    assert nearest("x", ["spider", "solitaire"]) == "; expected one of: solitaire, spider"
    assert nearest("x", []) == ""
    assert nearest("x", [f"student{number}" for number in range(300)]) == ""


def test_problems_are_told_once_by_file_line_and_column() -> None:
    places = [
        SourceLocation(Path("b"), 1, 1),
        SourceLocation(Path("a"), 10, 2),
        SourceLocation(Path("a"), 9, 3),
        SourceLocation(Path("a"), 9, 3),
    ]
    error = SpecError(Problem(place, "wrong") for place in places)
    assert str(error) == "a:9:3: wrong\na:10:2: wrong\nb:1:1: wrong"
    assert len(error.problems) == 3


def test_a_reason_has_no_number_of_the_system() -> None:
    assert plain_reason(OSError(13, "Permission denied", "a.py")) == "Permission denied: a.py"
    assert plain_reason(OSError(28, "No space left on device")) == "No space left on device"
    assert plain_reason(ValueError("no number")) == "no number"
