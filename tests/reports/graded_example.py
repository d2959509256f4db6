"""A small graded class, made by hand, with one of everything that a report must show."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.grading.student_result import student_result
from grader.judge.judge import judge
from grader.model.assignment import Assignment, Part
from grader.model.general_causes import INTERNAL_ERROR
from grader.model.interaction import Dialogue
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.program import Limits, Program
from grader.model.results import ClassResult, GradedSubmission, StudentResult, TestResult
from grader.model.submission import Submission, TimeSource
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.plugins.late_policies.falling_cap import FallingCap
from tests.building import TEST

SYDNEY = ZoneInfo("Australia/Sydney")
DUE = datetime(2025, 10, 27, 11, 59, tzinfo=SYDNEY)
EXPECTED = "Number: 4\nDouble: 8 \u263a\ufe0f\n"

GAME = replace(
    TEST,
    id="small",
    title="a small number",
    program="double.py",
    part="doubles",
    points=Decimal("1.50"),
    interaction=Dialogue(("4",)),
    comparison=ComparisonPolicy(ignore=frozenset({IgnoredDifference.TRAILING_WHITESPACE})),
)

ASSIGNMENT = Assignment(
    id="doubles",
    title="Doubling numbers",
    folder=Path("test_specs/doubles"),
    programs=(Program(file="double.py", reference=Path("reference/double.py"), variants=("canonical", "wordy")),),
    parts=(Part(id="doubles", title="Doubling", marks=Decimal("1.50")),),
    due=DUE,
    late=FallingCap(Decimal(5), 5),
    limits=Limits(),
    tests=(GAME,),
)


def row(
    student: str, transcript: str, *, late: timedelta = timedelta(0), variant: str = "canonical", exit_code: int = 0
) -> StudentResult:
    """A student whose program printed `transcript`."""
    outcome = Outcome(
        transcript=transcript,
        typed=(TypedLine(8, "4"),),
        ending=Termination.EXITED,
        exit_code=exit_code,
        signal=None,
        unsent=0,
        wall_seconds=0.0123456,
        cpu_seconds=0.01,
    )
    submission = Submission(
        student=student, files=(), submitted=DUE + late, time_source=TimeSource.SUBMISSION_FILE, notes=()
    )
    result = TestResult(test=GAME, judgement=judge(GAME, EXPECTED, outcome), outcome=outcome, expected=EXPECTED)
    return student_result(
        ASSIGNMENT, GradedSubmission(submission=submission, results=(result,), variants={"double.py": variant}), {}
    )


def rerun_row(student: str) -> StudentResult:
    """A student whose test could not be run."""
    diagnosis = Diagnosis(INTERNAL_ERROR, "The grader could not run this test: no terminal is left")
    result = TestResult(
        test=GAME,
        judgement=Judgement(verdict=Verdict.INTERNAL_ERROR, diagnosis=diagnosis),
        outcome=None,
        expected=EXPECTED,
    )
    submission = Submission(
        student=student, files=(), submitted=DUE, time_source=TimeSource.FILE_TIME, notes=("triple.py is missing",)
    )
    return student_result(
        ASSIGNMENT, GradedSubmission(submission=submission, results=(result,), variants={"double.py": "canonical"}), {}
    )


CLASS = ClassResult(
    assignment=ASSIGNMENT,
    rows=(
        row("a right, late one", EXPECTED.replace("\n", " \n"), late=timedelta(days=1, minutes=1), variant="wordy"),
        row("b [bold]wrong", EXPECTED.replace("\ufe0f", "\x1b[31m")),
        rerun_row("c"),
    ),
    not_graded=("d",),
    notes=("notes.txt: passed over",),
)
