"""A class with late days, rounding, special consideration and decisions of a person."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from grader.grading.student_result import student_result
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, Override, StudentExtension, VerdictOverride
from grader.model.policy import LateTerms, Rounding, RoundingMode
from grader.model.results import ClassResult, StudentResult
from grader.model.submission import StudentIdentity
from grader.plugins.late_policies.percent_per_day import PercentPerDay
from tests.reports import graded_example

ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    late=PercentPerDay(Decimal(10)),
    late_terms=LateTerms(grace=timedelta(minutes=5), late_days=2, max_late_days=1),
    rounding=Rounding(1, RoundingMode.HALF_UP),
)
DIGEST = "3f2a9c01" + "5" * 56
APPEAL = InstructorDecision('appeal, "granted"', "the lecturer")
WRONG = "Number: 4\nDouble: 9\n"


def row(
    student: str,
    transcript: str,
    *overrides: Override,
    late: timedelta = timedelta(0),
    granted: StudentExtension | None = None,
) -> StudentResult:
    """A student whose program printed `transcript`."""
    graded = graded_example.row(student, transcript, late=late).graded
    submission = replace(
        graded.submission,
        identity=StudentIdentity(
            name=student, id="z1", email="-a@school.example", login="a", moodle="17", canvas="900"
        ),
        source=f"{student}_17_assignsubmission_file_",
        attempt=2,
        shape="moodle",
    )
    graded = replace(graded, submission=submission, digest=DIGEST)
    return student_result(ASSIGNMENT, graded, {student: granted} if granted else {}, overrides=overrides)


CLASS = ClassResult(
    assignment=ASSIGNMENT,
    rows=(
        row('=HYPERLINK("x")', graded_example.EXPECTED, late=timedelta(days=2)),
        row("Dvořák, Łucja", WRONG, MarkOverride(Decimal(1), APPEAL)),
        row("excused", WRONG, granted=StudentExtension(excused=True, reason="=certificate, seen")),
        row(
            "other submission",
            WRONG,
            VerdictOverride("small", Verdict.PASSED, None, replace(APPEAL, submission="00000000")),
        ),
        row("verdict", WRONG, VerdictOverride("small", Verdict.PASSED, Decimal("0.5"), APPEAL)),
        row("waived", graded_example.EXPECTED, late=timedelta(days=9), granted=StudentExtension(waived=True)),
    ),
    not_graded=(),
    notes=(),
)

BEFORE = replace(
    CLASS,
    rows=(
        row('=HYPERLINK("x")', graded_example.EXPECTED),
        row("Dvořák, Łucja", WRONG),
        row("excused", WRONG),
        row("gone", WRONG),
        row("other submission", WRONG),
        row("verdict", WRONG),
    ),
)
"""The same class before anything was decided or late."""
