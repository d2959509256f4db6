"""A seal tells the first wrong line, and holds nothing of what is right."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge import seal as seals
from grader.judge.seal import WrongLine, first_wrong_line, seal
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.text.difference import find_first_difference

TEXTS = st.text("ab \n", max_size=12)
WITHOUT_BLANKS = ComparisonPolicy(ignore=frozenset({IgnoredDifference.TRAILING_WHITESPACE}))
WITHOUT_EMPTY_LINES = ComparisonPolicy(ignore=frozenset({IgnoredDifference.BLANK_LINES}))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost is no part of what is tested here."""
    monkeypatch.setattr(seals, "_COST", 2)


@settings(max_examples=100)
@given(TEXTS, TEXTS)
def test_the_first_wrong_line_is_where_the_transcripts_part(expected: str, actual: str) -> None:
    found = first_wrong_line(seal(expected, ComparisonPolicy()), actual, ComparisonPolicy())
    parting = find_first_difference(expected, actual)
    assert (found and found.number) == (parting and parting.line)


@given(TEXTS)
def test_nothing_is_wrong_with_the_transcript_itself(text: str) -> None:
    for comparison in (ComparisonPolicy(), WITHOUT_BLANKS, WITHOUT_EMPTY_LINES):
        assert first_wrong_line(seal(text, comparison), text, comparison) is None


@pytest.mark.parametrize(
    ("actual", "found"),
    [
        ("one\ntwo\nthree\n", None),
        ("one\nTwo\nthree\n", WrongLine(2)),
        ("one\ntwo\nthree", WrongLine(3)),
        ("one\ntwo\n", WrongLine(3, is_missing=True)),
        ("one\ntwo\nthree\nfour\nfive\n", WrongLine(4, is_too_much=True)),
        ("", WrongLine(1, is_missing=True)),
    ],
)
def test_what_is_wrong_with_it(actual: str, found: WrongLine | None) -> None:
    assert first_wrong_line(seal("one\ntwo\nthree\n", ComparisonPolicy()), actual, ComparisonPolicy()) == found


@pytest.mark.parametrize(
    ("comparison", "actual"),
    [
        (WITHOUT_BLANKS, "Total: 1 \t\n\nEnd\n  "),
        (WITHOUT_EMPTY_LINES, "\nTotal: 1\nEnd"),
        (ComparisonPolicy(ignore=frozenset({IgnoredDifference.CASE})), "TOTAL: 1\n\nend\n"),
        (ComparisonPolicy(ignore=frozenset({IgnoredDifference.SPACE_CHANGE})), "Total:   1\n\nEnd\n"),
        (ComparisonPolicy(ignore_characters="\ufe0f"), "Total\ufe0f: 1\n\nEnd\n"),
    ],
)
def test_what_costs_nothing_is_no_difference(comparison: ComparisonPolicy, actual: str) -> None:
    expected = "Total: 1\n\nEnd\n"
    assert first_wrong_line(seal(expected, comparison), actual, comparison) is None
    assert first_wrong_line(seal(expected, comparison), actual.replace("1", "2"), comparison) is not None
    assert first_wrong_line(seal(expected, ComparisonPolicy()), actual, ComparisonPolicy()) is not None


def test_the_number_is_that_of_the_students_line() -> None:
    sealed = seal("a\nb\n", WITHOUT_EMPTY_LINES)
    assert first_wrong_line(sealed, "\n\na\n\nc\n", WITHOUT_EMPTY_LINES) == WrongLine(5)


def test_equal_lines_and_equal_transcripts_have_different_digests() -> None:
    one, other = seal("a\na\na\n", ComparisonPolicy()), seal("a\na\na\n", ComparisonPolicy())
    assert len({*one.digests, *other.digests}) == 6


def test_a_digest_depends_on_all_lines_before() -> None:
    sealed = seal("a\nb\nc\n", ComparisonPolicy())
    swapped = replace(sealed, digests=(*sealed.digests[1::-1], sealed.digests[2]))
    assert first_wrong_line(swapped, "b\na\nc\n", ComparisonPolicy()) == WrongLine(1)
