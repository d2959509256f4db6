"""A test that fails in a fork of an interpreter runs again as a process; what passes only then is left to a person."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.general_causes import NEEDS_REVIEW
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from tests.conftest import RIGHT, SmallCourse
from tests.sandbox import needs_sandbox

WRONG = RIGHT.replace("2 *", "3 *")

# A fork has the command line of the interpreter that was prepared.
RIGHT_AS_A_PROCESS = f"""
forked = "double.py" not in open("/proc/self/cmdline").read()
exec({RIGHT!r} if not forked else {WRONG!r})
"""
RIGHT_AS_A_FORK = RIGHT_AS_A_PROCESS.replace("not forked", "forked")


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[RunEnvironment]:
    with sandboxed_environment(()) as environment:
        yield environment


def graded(
    course: SmallCourse, program: str, environment: RunEnvironment, ids: tuple[str, ...] = ("small", "hidden-11")
) -> GradedSubmission:
    assignment = Course(course.folder).assignment("doubles")
    tests = [test for test in assignment.tests if test.id in ids]
    file = course.folder / "double.py"
    file.write_text(program)
    submission = Submission(
        student="ann",
        files=(SubmittedFile("double.py", file),),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=(),
    )
    transcripts = load_transcripts(assignment, tests)
    return grade_submission(assignment, tests, transcripts, submission, OutcomeSource(environment), tick=lambda: None)


@needs_sandbox
def test_what_passes_only_when_run_again_is_left_to_a_person(
    small_course: SmallCourse, sandboxes: RunEnvironment
) -> None:
    found = graded(small_course, RIGHT_AS_A_PROCESS, sandboxes)
    assert {result.verdict for result in found.results} == {Verdict.INTERNAL_ERROR}
    assert {result.judgement.diagnosis and result.judgement.diagnosis.cause for result in found.results} == {
        NEEDS_REVIEW
    }
    assert found.raw == 0
    assert found.needs_rerun


@needs_sandbox
def test_the_second_run_is_reported_and_explained_where_it_differs(
    small_course: SmallCourse, sandboxes: RunEnvironment
) -> None:
    crash = "raise ValueError('as a process')"
    program = f"if 'double.py' in open('/proc/self/cmdline').read(): {crash}\n{WRONG}"
    [result] = graded(small_course, program, sandboxes, ("small",)).results
    assert result.verdict is Verdict.CRASH
    assert result.outcome is not None
    assert "as a process" in result.outcome.transcript
    assert result.judgement.diagnosis is not None
    assert "ValueError" in str(result.judgement.diagnosis.sentence)


@needs_sandbox
def test_the_time_of_the_second_run_is_reported(small_course: SmallCourse, sandboxes: RunEnvironment) -> None:
    slowly = f"import time\nif 'double.py' in open('/proc/self/cmdline').read(): time.sleep(0.5)\n{WRONG}"
    [result] = graded(small_course, slowly, sandboxes, ("small",)).results
    assert result.verdict is Verdict.WRONG_OUTPUT
    assert result.outcome is not None
    assert result.outcome.wall_seconds >= 0.5


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "verdict"),
    [(RIGHT, Verdict.PASSED), (RIGHT_AS_A_FORK, Verdict.PASSED), (WRONG, Verdict.WRONG_OUTPUT)],
    ids=["right", "right as a fork", "wrong"],
)
def test_what_passes_at_once_or_fails_twice_is_settled(
    program: str, verdict: Verdict, small_course: SmallCourse, sandboxes: RunEnvironment
) -> None:
    found = graded(small_course, program, sandboxes)
    assert {result.verdict for result in found.results} == {verdict}


@needs_sandbox
@pytest.mark.parametrize(
    ("right", "verdict"),
    [("forked", Verdict.PASSED), ("not forked", Verdict.INTERNAL_ERROR), ("False", Verdict.WRONG_OUTPUT)],
)
def test_a_call_in_a_fork_is_settled_in_the_same_way(
    right: str, verdict: Verdict, small_course: SmallCourse, sandboxes: RunEnvironment
) -> None:
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(f"{tests.read_text()}  - {{id: called, call: twice(2), points: 0}}\n")
    (small_course.expected / "called.canonical.json").write_text('{"returned": 4, "printed": ""}')
    (small_course.expected / "called.wordy.json").write_text('{"returned": 4, "printed": ""}')
    program = "forked = 'child' not in open('/proc/self/cmdline').read()\n"
    program += f"def twice(number):\n    return 4 if {right} else 5\n"
    [result] = graded(small_course, program, sandboxes, ("called",)).results
    assert result.verdict is verdict, result.judgement


@needs_sandbox
def test_a_checker_judges_the_first_run_too(small_course: SmallCourse, sandboxes: RunEnvironment) -> None:
    small_course.judge_by("passed()")
    found = graded(small_course, RIGHT_AS_A_PROCESS, sandboxes)
    assert {result.test.id: result.verdict for result in found.results} == {
        "small": Verdict.PASSED,
        "hidden-11": Verdict.INTERNAL_ERROR,
    }


def test_without_a_sandbox_a_failing_program_runs_once(small_course: SmallCourse, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.touch()
    program = f"with open({str(runs)!r}, 'a') as file: print(1, file=file)\n{WRONG}"
    with open_environment() as environment:
        found = graded(small_course, program, environment)
    assert {result.verdict for result in found.results} == {Verdict.WRONG_OUTPUT}
    assert len(runs.read_text().split()) == len(found.results)
