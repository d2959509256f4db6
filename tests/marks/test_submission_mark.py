"""The mark of a graded submission, and when there is none yet."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.judge.causes.text import TEXT
from grader.marks.submission_mark import submission_mark
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.mark import StudentExtension
from grader.model.program import Limits, Program
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, TimeSource
from grader.model.test import Visibility
from grader.plugins.late_policies.falling_cap import FallingCap
from tests.building import TEST

DUE = datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney"))
DAY = timedelta(days=1)
TESTS = tuple(
    replace(
        TEST,
        id=name,
        part="play",
        visibility=Visibility.HIDDEN,
        points=Decimal(points),
    )
    for name, points in (("big", "12"), ("small", "0.7"), ("tiny", "0.3"))
)
ASSIGNMENT = Assignment(
    id="demo",
    title="Demo",
    folder=Path("demo"),
    programs=(Program(file="game.py", reference=Path("game.py"), variants=("canonical",)),),
    parts=(Part(id="play", title="Playing", marks=Decimal(13)),),
    due=DUE,
    late=FallingCap(Decimal(5), 5),
    limits=Limits(),
    tests=TESTS,
)


def graded(submitted: datetime | None, *verdicts: Verdict, readable: bool = True) -> GradedSubmission:
    submission = Submission(
        student="student", files=(), submitted=submitted, time_source=TimeSource.NONE, notes=(), readable=readable
    )
    results = tuple(
        TestResult(
            test=test,
            judgement=Judgement(verdict=verdict, diagnosis=Diagnosis(TEXT, "a cause")),
            outcome=None,
            expected="",
        )
        for test, verdict in zip(TESTS, verdicts, strict=True)
    )
    return GradedSubmission(submission=submission, results=results, variants={"game.py": "canonical"})


PASSED, WRONG, MISSING, INTERNAL = Verdict.PASSED, Verdict.WRONG_OUTPUT, Verdict.MISSING_FILE, Verdict.INTERNAL_ERROR


def test_points_of_passed_tests_count_and_lateness_caps_them() -> None:
    mark = submission_mark(ASSIGNMENT, graded(DUE + 2 * DAY, PASSED, WRONG, PASSED))
    assert mark is not None
    assert (mark.raw, mark.cap, mark.adjusted) == (Decimal("12.3"), Decimal("11.7"), Decimal("11.7"))


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict not in (PASSED, INTERNAL)])
def test_no_other_verdict_gives_points(verdict: Verdict) -> None:
    mark = submission_mark(ASSIGNMENT, graded(DUE, PASSED, PASSED, verdict))
    assert mark is not None
    assert mark.adjusted == Decimal("12.7")


def test_an_extension_moves_the_due_date() -> None:
    late = graded(DUE + 2 * DAY, PASSED, PASSED, PASSED)
    extended = submission_mark(ASSIGNMENT, late, StudentExtension(due=DUE + DAY))
    assert extended is not None
    assert (extended.late_days, extended.adjusted) == (1, Decimal("12.35"))
    in_time = submission_mark(ASSIGNMENT, late, StudentExtension(due=DUE + 2 * DAY))
    assert in_time is not None
    assert (in_time.late, in_time.adjusted) == (timedelta(0), Decimal(13))


@pytest.mark.parametrize("others", [(PASSED, PASSED), (WRONG, MISSING)])
def test_no_mark_while_a_test_must_be_rerun(others: tuple[Verdict, Verdict]) -> None:
    assert submission_mark(ASSIGNMENT, graded(DUE, INTERNAL, *others)) is None
    assert submission_mark(ASSIGNMENT, graded(None, INTERNAL, *others)) is None


def test_no_mark_for_a_folder_that_could_not_be_read() -> None:
    unread = graded(None, MISSING, MISSING, MISSING, readable=False)
    assert submission_mark(ASSIGNMENT, unread) is None


@pytest.mark.parametrize("extended", [None, DUE + DAY])
def test_no_mark_for_points_without_a_time(extended: datetime | None) -> None:
    untimed = graded(None, WRONG, PASSED, WRONG)
    untimed = replace(untimed, submission=replace(untimed.submission, source="ann"))
    assert submission_mark(ASSIGNMENT, untimed, StudentExtension(due=extended)) is None


def test_points_of_a_student_who_handed_in_nothing_are_never_late() -> None:
    mark = submission_mark(ASSIGNMENT, graded(None, WRONG, PASSED, WRONG))
    assert mark is not None
    assert (mark.raw, mark.adjusted, mark.late) == (Decimal("0.7"), Decimal("0.7"), timedelta(0))
    assert [str(step) for step in mark.steps] == ["Points: 0.7 of 13.", "Mark: 0.7."]


@pytest.mark.parametrize("submitted", [None, DUE - DAY, DUE + 2 * DAY, DUE + 30 * DAY])
def test_nothing_handed_in_is_a_mark_of_zero(submitted: datetime | None) -> None:
    mark = submission_mark(ASSIGNMENT, graded(submitted, MISSING, MISSING, MISSING))
    assert mark is not None
    assert (mark.raw, mark.adjusted) == (Decimal(0), Decimal(0))
