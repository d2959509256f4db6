"""A small graded class, made by hand, with one of everything that a report must show."""

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.grading.student_result import graded_row
from grader.judge.judge import judge
from grader.model.assignment import Assignment, Part
from grader.model.interaction import Start
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, Typed
from grader.model.policy import FallingCap
from grader.model.program import Program
from grader.model.results import GradedSubmission, TestResult
from grader.model.student_result import GradedClass, Row
from grader.model.submission import Submission, TimeSource
from grader.model.test import Comparison, Leniency, Test, Visibility

SYDNEY = ZoneInfo("Australia/Sydney")
DUE = datetime(2025, 10, 27, 11, 59, tzinfo=SYDNEY)
EXPECTED = "Number: 4\nDouble: 8 \u263a\ufe0f\n"

GAME = Test(
    id="small",
    title="a small number",
    program="double.py",
    part="doubles",
    visibility=Visibility.PUBLIC,
    points=Decimal("1.50"),
    start=Start.PROGRAM,
    lines=("4",),
    echo=True,
    exit_status=0,
    comparison=Comparison(ignore=frozenset({Leniency.TRAILING_BLANKS})),
)

ASSIGNMENT = Assignment(
    id="doubles",
    title="Doubling numbers",
    folder=Path("test_specs/doubles"),
    programs=(Program("double.py", Path("reference/double.py"), ("canonical", "wordy")),),
    parts=(Part("doubles", "Doubling", Decimal("1.50")),),
    due=DUE,
    late=FallingCap(Decimal(5), 5),
    limits=Limits(),
    tests=(GAME,),
)


def row(
    student: str, transcript: str, *, late: timedelta = timedelta(0), variant: str = "canonical", exit_code: int = 0
) -> Row:
    """A student whose program printed `transcript`."""
    outcome = Outcome(
        transcript=transcript,
        typed=(Typed(8, "4"),),
        ending=Ending.EXITED,
        exit_code=exit_code,
        signal=None,
        unsent=0,
        wall_seconds=0.0123456,
        cpu_seconds=0.01,
    )
    submission = Submission(student, (), DUE + late, TimeSource.SUBMISSION_FILE, ())
    result = TestResult(GAME, judge(GAME, EXPECTED, outcome), outcome, EXPECTED)
    return graded_row(ASSIGNMENT, GradedSubmission(submission, (result,), {"double.py": variant}), {})


def rerun_row(student: str) -> Row:
    """A student whose test could not be run."""
    diagnosis = Diagnosis("internal-error", "The grader could not run this test: no terminal is left")
    result = TestResult(GAME, Judgement(Verdict.INTERNAL_ERROR, None, diagnosis), None, EXPECTED)
    submission = Submission(student, (), DUE, TimeSource.FILE_TIME, ("triple.py is missing",))
    return graded_row(ASSIGNMENT, GradedSubmission(submission, (result,), {"double.py": "canonical"}), {})


CLASS = GradedClass(
    ASSIGNMENT,
    rows=(
        row("a right, late one", EXPECTED.replace("\n", " \n"), late=timedelta(days=1, minutes=1), variant="wordy"),
        row("b [bold]wrong", EXPECTED.replace("\ufe0f", "\x1b[31m")),
        rerun_row("c"),
    ),
    not_graded=("d",),
    notes=("notes.txt: passed over",),
)
