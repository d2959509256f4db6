"""Two runs are compared by what they wrote."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from grader.model.results import ClassResult
from grader.plugins.comparing.comparison import RunComparison, compare, comparison_csv, comparison_json, comparison_text
from grader.plugins.comparing.results_reader import ResultsError, read_run
from grader.reports.results_json import results_json
from tests.reports import rubric_example
from tests.reports.decided_example import BEFORE, CLASS


def comparison_of(first: ClassResult, second: ClassResult) -> RunComparison:
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("first.json", "second.json")]
        for file, graded in zip(files, (first, second), strict=True):
            file.write_text(results_json(graded))
        return compare(*map(read_run, files))


def reasons(comparison: RunComparison) -> dict[str, set[tuple[str, str]]]:
    return {change.student: {(reason.kind, reason.what) for reason in change.reasons} for change in comparison.changes}


@pytest.mark.parametrize("graded", [BEFORE, CLASS, rubric_example.CLASS])
def test_the_same_run_differs_in_nothing(graded: ClassResult) -> None:
    assert comparison_of(graded, graded).changes == ()


def test_every_change_has_its_reasons() -> None:
    comparison = comparison_of(BEFORE, CLASS)
    assert comparison.students == 7
    assert reasons(comparison) == {
        '=HYPERLINK("x")': {
            ("submission", "handed in"),
            ("lateness", "deduction"),
            ("lateness", "days that count"),
            ("lateness", "days from the bank"),
            ("rounding", "mark"),
        },
        "Dvořák, Łucja": {("override", "mark")},
        "excused": {("consideration", "excused")},
        "gone": set(),
        "verdict": {("test", "small"), ("override", "test small"), ("rounding", "mark")},
        "waived": set(),
    }


def test_the_difference_is_exact_and_there_is_none_without_two_marks() -> None:
    differences = {change.student: change.difference for change in comparison_of(BEFORE, CLASS).changes}
    assert differences["Dvořák, Łucja"] == 1
    assert differences["verdict"] == Decimal("0.8")
    assert [differences[student] for student in ("excused", "gone", "waived")] == [None, None, None]


def test_rules_and_marks_by_hand_are_reasons() -> None:
    confirmed, opened, waived = rubric_example.CLASS.rows
    graded = replace(confirmed.graded, submission=opened.graded.submission)
    before = replace(rubric_example.CLASS, rows=(opened,))
    after = replace(rubric_example.CLASS, rows=(replace(confirmed, graded=graded),))
    (change,) = (change for change in comparison_of(before, after).changes if change.student == "open")
    found = {(reason.kind, reason.what): reason.points for reason in change.reasons}
    assert (found["rule", "main"], found["by hand", "names"]) == (Decimal(-1), Decimal(1))
    assert waived.student not in reasons(comparison_of(before, after))


def other_assignment(content: dict[str, Any]) -> None:
    content["assignment"]["id"] = "other"


def newer(content: dict[str, Any]) -> None:
    content["format"] = "grader-results/99"


def damaged(content: dict[str, Any]) -> None:
    del content["submissions"][0]["tests"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_assignment, "The runs are on different assignments: doubles and other."),
        (newer, "format grader-results/99; expected grader-results/1. Upgrade this grader"),
        (damaged, "is damaged"),
    ],
)
def test_what_cannot_be_compared(change: Callable[[dict[str, Any]], None], message: str, tmp_path: Path) -> None:
    content = json.loads(results_json(CLASS))
    (tmp_path / "first.json").write_text(json.dumps(content))
    change(content)
    (tmp_path / "second.json").write_text(json.dumps(content))
    with pytest.raises(ResultsError) as caught:
        compare(read_run(tmp_path / "first.json"), read_run(tmp_path / "second.json"))
    assert message in str(caught.value)


def test_a_folder_of_reports_is_not_one_run(tmp_path: Path) -> None:
    (tmp_path / "doubles").mkdir()
    (tmp_path / "doubles" / "results.json").write_text(results_json(CLASS))
    assert read_run(tmp_path / "doubles").assignment == "doubles"
    with pytest.raises(ResultsError, match="Name one of the folders in it: doubles"):
        read_run(tmp_path)
    (tmp_path / "text").write_text("no JSON")
    with pytest.raises(ResultsError, match="is no JSON"):
        read_run(tmp_path / "text")


@pytest.mark.parametrize("written", [comparison_text, comparison_json, comparison_csv])
def test_each_format_is_as_stored(written: Callable[[RunComparison], str]) -> None:
    """To accept a change, write what is printed to the file in golden/ and commit it."""
    name = written.__name__.replace("_text", ".txt").replace("_", ".")
    stored = (Path(__file__).parent / "golden" / name).read_bytes().decode()
    assert written(comparison_of(BEFORE, CLASS)) == stored
