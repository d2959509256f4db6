"""`compare` in the spec files: the nearest one holds, as a whole."""

from decimal import Decimal
from pathlib import Path

import pytest

from grader.model.expectation import Tolerance
from grader.model.test import ComparisonPolicy, IgnoredDifference
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

CASE = ComparisonPolicy(ignore=frozenset({IgnoredDifference.CASE}))
TWO_TESTS = TESTS.replace("points: 1", "points: 0.5") + "  - {id: two, input: [1], compare: COMPARE}\n"


def compared(folder: Path, assignment: str, file: str, test: str) -> list[ComparisonPolicy]:
    tests = TWO_TESTS.replace("COMPARE", test).replace("part: play", f"part: play\n{file}")
    found = load(write_assignment(folder, ASSIGNMENT + assignment, play=tests)).tests
    return [test.comparison for test in found]


def test_without_it_every_character_counts(tmp_path: Path) -> None:
    assert [test.comparison for test in load(write_assignment(tmp_path)).tests] == [ComparisonPolicy()]


def test_the_nearest_one_holds(tmp_path: Path) -> None:
    words = ComparisonPolicy(wildcard_lines=("a *",), wildcard_texts=("b *",), wildcard_excludes=("c",))
    own = "{wildcard_lines: [a *], wildcard_texts: [b *], wildcard_excludes: [c]}"
    assert compared(tmp_path / "a", "compare: {ignore: [case]}\n", "", own) == [CASE, words]
    assert compared(tmp_path / "b", "compare: {wildcard_lines: [x]}\n", "compare: {ignore: [case]}", "{}") == [
        CASE,
        ComparisonPolicy(),
    ]


def test_all_keys(tmp_path: Path) -> None:
    assignment = "compare: {tolerance: 0.10, ignore_characters: [U+FE0F, u+1F0A1]}\n".replace("u+", "U+")
    assert compared(tmp_path, assignment, "", "{}")[0] == ComparisonPolicy(
        tolerance=Tolerance(Decimal("0.1")), ignore_characters="\ufe0f\U0001f0a1"
    )


@pytest.mark.parametrize(
    ("compare", "problem"),
    [
        ("exact", "found `exact`; expected a mapping (key: value)"),
        ("{ignore: [blanks]}", "found `blanks`; expected `trailing-whitespace`, "),
        ("{ignore: [case, case]}", "`case` is given twice"),
        ("{ignore_characters: [FE0F]}", "found `FE0F`; expected a code point such as U+FE0F"),
        ("{ignore_characters: [U+110000]}", "found `U+110000`; expected a code point such as U+FE0F"),
        ("{tolerance: -1}", "found `-1`; expected at least 0"),
        ("{any: x}", "unknown key `any`"),
        ("{ignore_case: true}", "unknown key `ignore_case`; did you mean `ignore: [case]`?"),
    ],
)
def test_slips(compare: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write_assignment(tmp_path, f"{ASSIGNMENT}compare: {compare}\n"))
