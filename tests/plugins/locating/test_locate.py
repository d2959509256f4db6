"""The lines at fault are found in programs that pass some tests and fail some, and marks stay what they were."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.grading.submission_step import grade_with_steps
from grader.model.assignment import Assignment
from grader.model.outcome import CodeLine
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.locating.line_record import LineWatch
from grader.plugins.locating.locate import recorded_tests
from grader.plugins.locating.step import STEP
from grader.plugins.locating.suspects import ProgramSuspects, SmallRepair, Suspects
from grader.run.environment import RunEnvironment
from grader.spec.course import Course
from grader.store.database import open_store
from grader.store.stored_rows import StoreError
from tests.conftest import RIGHT, SmallCourse

HALF_RIGHT = """\
number = int(input("Number: "))
if number > 11:
    number += 1
print("Double:", 2 * number)
"""


def assignment_of(course: SmallCourse) -> Assignment:
    return Course(course.folder).assignment("doubles")


def submission(course: SmallCourse, double: str) -> Submission:
    folder = course.hand_in("ann", double)
    return Submission(
        student="ann",
        files=tuple(SubmittedFile(name, folder / name) for name in ("double.py", "triple.py")),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=(),
    )


def located(course: SmallCourse, handed_in: Submission, outcomes: OutcomeSource) -> GradedSubmission:
    assignment = assignment_of(course)
    transcripts = load_transcripts(assignment, assignment.tests)
    return grade_with_steps(assignment, transcripts, handed_in, outcomes, steps=(STEP,), tick=lambda: None)


def suspects(graded: GradedSubmission) -> tuple[ProgramSuspects, ...]:
    return tuple(each for finding in graded.findings if isinstance(finding, Suspects) for each in finding.programs)


@pytest.mark.slow
def test_the_line_that_only_failing_tests_run_comes_first(
    small_course: SmallCourse, everywhere: RunEnvironment
) -> None:
    graded = located(small_course, submission(small_course, HALF_RIGHT), OutcomeSource(everywhere))
    [found] = suspects(graded)
    assert (found.program, found.failed, found.passed) == ("double.py", 1, 2)
    first = found.lines[0]
    assert (first.place, first.failed, first.passed) == (CodeLine("double.py", 3), 1, 0)


@pytest.mark.slow
def test_all_else_is_as_without(small_course: SmallCourse, environment: RunEnvironment, tmp_path: Path) -> None:
    handed_in = submission(small_course, HALF_RIGHT)
    assignment = assignment_of(small_course)
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_store(tmp_path / "store") as store:
        outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
        plain = grade_submission(assignment, assignment.tests, transcripts, handed_in, outcomes, tick=lambda: None)
        assert replace(located(small_course, handed_in, outcomes), findings=()) == plain


@pytest.mark.parametrize(
    "program", [RIGHT, RIGHT.replace("2 *", "3 *"), "print('"], ids=["right", "wrong", "unreadable"]
)
def test_programs_that_pass_or_fail_everything_have_none(
    program: str, small_course: SmallCourse, environment: RunEnvironment
) -> None:
    assert located(small_course, submission(small_course, program), OutcomeSource(environment)).findings == ()


@pytest.mark.slow
def test_what_was_recorded_is_kept(small_course: SmallCourse, environment: RunEnvironment, tmp_path: Path) -> None:
    handed_in = submission(small_course, HALF_RIGHT)
    with open_store(tmp_path / "store") as store:
        outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
        first = located(small_course, handed_in, outcomes)
        with patch.object(store, "keep") as keep:
            assert located(small_course, handed_in, outcomes) == first
    keep.assert_not_called()
    assert suspects(first)


def test_a_program_that_spoils_its_record_keeps_its_marks(
    small_course: SmallCourse, environment: RunEnvironment
) -> None:
    spoilt = f"import os\nos.closerange(3, 100)\n{HALF_RIGHT}"
    graded = located(small_course, submission(small_course, spoilt), OutcomeSource(environment))
    assert str(graded.raw) == "9"


def test_of_provided_modules_and_other_files_nothing_is_recorded(small_course: SmallCourse) -> None:
    assignment = assignment_of(small_course)
    handed_in = submission(small_course, RIGHT)
    text = SubmittedFile("notes.txt", small_course.folder / "notes.txt")
    tests = recorded_tests(assignment, replace(handed_in, files=(*handed_in.files, text)), assignment.tests)
    assert {test.start.watch for test in tests} == {LineWatch(("double.py", "triple.py"))}
    assert [test.id for test in tests] == [test.id for test in assignment.tests]


def test_a_store_that_cannot_be_used_ends_the_work(
    small_course: SmallCourse, environment: RunEnvironment, tmp_path: Path
) -> None:
    with open_store(tmp_path / "store") as store:
        outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
        full = patch.object(store, "keep", side_effect=[*[None] * 4, StoreError("full")])
        with full, pytest.raises(StoreError):
            located(small_course, submission(small_course, HALF_RIGHT), outcomes)


@pytest.mark.slow
def test_what_runs_after_the_first_wrong_output_is_not_at_fault(
    small_course: SmallCourse, environment: RunEnvironment
) -> None:
    program = """\
number = int(input("Number: "))
answer = 2 * number
print("Double:", answer + (number > 11))
if number > 11:
    answer = 0
"""
    [found] = suspects(located(small_course, submission(small_course, program), OutcomeSource(environment)))
    assert [line.place.line for line in found.lines] == [3, 2, 1]


@pytest.mark.slow
def test_a_line_that_raises_an_exception_moves_up(small_course: SmallCourse, environment: RunEnvironment) -> None:
    program = """\
number = int(input("Number: "))
for part in [12, number]:
    [0][part > 11 and number > 11]
print("Double:", 2 * number)
"""
    [found] = suspects(located(small_course, submission(small_course, program), OutcomeSource(environment)))
    assert (found.lines[0].place.line, found.lines[0].raised) == (3, 1)


@pytest.mark.slow
def test_a_statement_in_which_a_small_change_mends_the_program_comes_first(
    small_course: SmallCourse, environment: RunEnvironment
) -> None:
    program = """\
most = 12
number = int(input("Number: "))
answer = 2 * number
if number < most:
    print("Double:", answer)
else:
    print("Double:", answer + 1)
"""
    [found] = suspects(located(small_course, submission(small_course, program), OutcomeSource(environment)))
    repairs = {line.place.line: line.repair for line in found.lines}
    assert repairs[1] == SmallRepair(passed=3, tried=3)
    assert repairs[2] is None
    assert {line.place.line for line in found.lines[:3]} == {1, 4, 7}


@pytest.mark.slow
def test_a_change_that_loops_for_ever_does_not_stop_the_search(
    small_course: SmallCourse, environment: RunEnvironment
) -> None:
    # Without the `not` it loops, and no other change does: each of those takes seconds.
    program = """\
number = int(input("Number: "))
while not number:
    pass
print("Double:", 2 * number + (number > 11))
"""
    [found] = suspects(located(small_course, submission(small_course, program), OutcomeSource(environment)))
    assert found.lines[0].place.line == 4
    assert found.lines[0].repair == SmallRepair(passed=3, tried=3)


def test_a_program_that_cannot_be_changed_is_ranked_without(
    small_course: SmallCourse, environment: RunEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("grader.plugins.locating.locate.small_repairs", fail)
    [found] = suspects(located(small_course, submission(small_course, HALF_RIGHT), OutcomeSource(environment)))
    assert found.lines[0].place == CodeLine("double.py", 3)
    assert found.lines[0].repair is None


@pytest.mark.slow
def test_a_fault_in_the_search_costs_no_mark(
    small_course: SmallCourse, environment: RunEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_traced: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("grader.plugins.locating.locate.suspects_in", fail)
    graded = located(small_course, submission(small_course, HALF_RIGHT), OutcomeSource(environment))
    assert (str(graded.raw), graded.findings) == ("9", ())
