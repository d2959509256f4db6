"""Statistics of tests."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.analysis.item_statistics import item_statistics
from grader.model.judgement import Judgement, Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from tests.reports.graded_example import GAME

TESTS = tuple(replace(GAME, id=name, points=Decimal(1)) for name in ("easy", "telling", "odd"))
FILE = SubmittedFile("double.py", Path("double.py"))


def submission(passed: str, files: tuple[SubmittedFile, ...] = (FILE,)) -> GradedSubmission:
    """A submission that passed the tests with a 1."""
    verdicts = [Verdict.PASSED if mark == "1" else Verdict.WRONG_OUTPUT for mark in passed]
    results = (
        TestResult(test=test, judgement=Judgement(verdict=one), outcome=None, expected="")
        for test, one in zip(TESTS, verdicts, strict=True)
    )
    return GradedSubmission(
        submission=Submission(student="x", files=files, submitted=None, time_source=TimeSource.NONE, notes=()),
        results=tuple(results),
        variants={},
    )


def test_difficulty_and_discrimination() -> None:
    easy, telling, odd = item_statistics([submission(passed) for passed in ("110", "110", "101", "001")])
    assert (easy.count, easy.passed, telling.passed, odd.passed) == (4, 0.75, 0.5, 0.5)
    assert odd.discrimination == pytest.approx(-0.9045, abs=1e-4)
    assert telling.discrimination is not None
    assert odd.discrimination is not None
    assert telling.discrimination > odd.discrimination


def test_a_test_that_all_pass_tells_nothing() -> None:
    easy, *_ = item_statistics([submission("110"), submission("101")])
    assert easy.discrimination is None


def test_who_handed_in_nothing_is_not_counted() -> None:
    easy, *_ = item_statistics([submission("110"), submission("000", files=())])
    assert (easy.count, easy.passed) == (1, 1.0)


def test_nobody() -> None:
    assert item_statistics([]) == ()
