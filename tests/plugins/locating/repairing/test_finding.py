"""Repairs are for the instructor: no export for students has them."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.grading.result_cache import ResultCache
from grader.grading.student_view import student_views
from grader.plugins.locating.repairing.failing import MendedProgram
from grader.plugins.locating.repairing.finding import (
    ProgramRepair,
    Repairs,
    SearchResult,
    code_diff,
    repair_words,
    with_others,
)
from grader.plugins.locating.repairing.kept import kept_result
from grader.store.database import open_store
from tests.grading.hidden_example import ASSIGNMENT, CLASS
from tests.plugins.exporting.test_hidden_parts import exports_for_students

SECRET = "unmistakable change"
REPAIR = ProgramRepair(
    program="double.py",
    changes=(SECRET,),
    mistake=SECRET,
    tokens=2,
    diff=f"+{SECRET}",
    repaired_tests=("t",),
    failing=0,
)


def test_no_export_for_students_has_a_repair(tmp_path: Path) -> None:
    rows = tuple(replace(row, graded=replace(row.graded, findings=(Repairs((REPAIR,)),))) for row in CLASS.rows)
    files = exports_for_students(tmp_path, replace(CLASS, rows=rows))
    assert len(files) > 5
    assert [name for name, content in files.items() if SECRET.encode() in content or b"repairs" in content] == []
    assert [student_views(ASSIGNMENT)(row).graded.findings for row in rows] == [()] * len(rows)


@pytest.mark.parametrize(
    ("repair", "words"),
    [
        (replace(REPAIR, sessions=40), " The program also agrees with the reference in 40 random sessions."),
        (
            replace(REPAIR, sessions=3, differs=True),
            " It is proved on the tests only: in a random session, the program differs from the reference.",
        ),
        (
            replace(REPAIR, smaller_untried=True),
            " The search ended at its limit before all smaller changes were tried.",
        ),
    ],
)
def test_words_tell_what_the_proof_lacks(repair: ProgramRepair, words: str) -> None:
    assert repair_words(repair) == f"{repair_words(REPAIR)}{words}"


def test_students_with_the_same_mistake_are_named() -> None:
    other = replace(REPAIR, mistake="another")
    found = with_others({"ann": Repairs((REPAIR,)), "ben": Repairs((other, REPAIR)), "cy": Repairs(())})
    assert found["ann"].programs[0].shared_with == ("ben",)
    assert [repair.shared_with for repair in found["ben"].programs] == [(), ("ann",)]
    assert "cy" not in found


@pytest.mark.parametrize(
    ("tests", "failing", "words"),
    [
        (1, 0, "With this change 1 failed test passes, and no test that passed fails."),
        (2, 1, "With this change 2 failed tests pass, and no test that passed fails. 1 other test still fails."),
        (2, 3, "With this change 2 failed tests pass, and no test that passed fails. 3 other tests still fail."),
    ],
)
def test_words_of_a_repair(tests: int, failing: int, words: str) -> None:
    assert repair_words(replace(REPAIR, repaired_tests=("t",) * tests, failing=failing)) == words


def test_the_diff_shows_the_changed_line() -> None:
    assert code_diff("a.py", "a\nb\n", "a\nc\n").split("\n")[3:] == [" a", "-b", "+c"]


@pytest.mark.parametrize("result", [SearchResult(REPAIR), SearchResult(None)], ids=["repair", "none"])
def test_a_result_is_kept(tmp_path: Path, result: SearchResult) -> None:
    results = iter([result])
    with open_store(tmp_path / "store") as store:
        for _ in range(2):
            assert kept_result(ResultCache(store, "harness"), PROGRAM, ["x"], lambda: next(results)) == result
        with pytest.raises(StopIteration):
            kept_result(ResultCache(store, "harness"), PROGRAM, ["y"], lambda: next(results))


def test_a_search_that_ran_out_of_time_is_made_again(tmp_path: Path) -> None:
    results = iter([SearchResult(None, out_of_time=True), SearchResult(REPAIR)])
    with open_store(tmp_path / "store") as store:
        for expected in (SearchResult(None, out_of_time=True), SearchResult(REPAIR), SearchResult(REPAIR)):
            assert kept_result(ResultCache(store, "harness"), PROGRAM, [], lambda: next(results)) == expected


GRADED = CLASS.rows[0].graded
PROGRAM = MendedProgram(name="double.py", text="", graded=GRADED, results=GRADED.results)
