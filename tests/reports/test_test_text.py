"""How a failed test is shown: the line that tells how to repeat it."""

from dataclasses import replace

import pytest

from grader.model.interaction import Dialogue, ReplSession
from grader.model.judgement import Judgement, Verdict
from grader.model.program import ProvidedSettings
from grader.model.results import TestResult
from grader.model.test import Test
from grader.reports.terminal.diff import all_differences
from grader.reports.terminal.test_result import failure_text
from tests.reports.graded_example import GAME


@pytest.mark.parametrize(
    ("test", "line"),
    [
        (GAME, "run: python3 double.py   type: 4"),
        (replace(GAME, interaction=Dialogue(())), "run: python3 double.py"),
        (replace(GAME, interaction=ReplSession(("", "a b"))), "run: python3   type: '' ⏎ a b"),
        (
            replace(GAME, interaction=Dialogue(("1",) * 9)),
            "run: python3 double.py   type: 1 ⏎ 1 ⏎ 1 ⏎ 1 ⏎ 1 ⏎ 1 … (3 more)",
        ),
        (
            replace(GAME, interaction=Dialogue(()), provision=ProvidedSettings("lab", "3♠ 10♥", 5)),
            "run: PROVIDED_EDITION=lab PROVIDED_DECK='3♠ 10♥' PROVIDED_RANDOM_SEED=5 python3 double.py",
        ),
        (
            replace(GAME, interaction=ReplSession(()), provision=ProvidedSettings(edition="lab")),
            "run: PROVIDED_EDITION=lab python3",
        ),
    ],
)
def test_how_to_repeat(test: Test, line: str) -> None:
    result = TestResult(
        test=test,
        judgement=Judgement(verdict=Verdict.CRASH),
        outcome=None,
        expected="",
    )
    assert [str(text) for text in failure_text(result)][1] == f"  {line}"


def test_a_full_report_shows_all_that_is_typed() -> None:
    test = replace(GAME, interaction=Dialogue(tuple("123456789")))
    result = TestResult(test=test, judgement=Judgement(verdict=Verdict.CRASH), outcome=None, expected="")
    shown = [str(text) for text in failure_text(result, diff_text=all_differences)][1]
    assert shown == "  run: python3 double.py   type: 1 ⏎ 2 ⏎ 3 ⏎ 4 ⏎ 5 ⏎ 6 ⏎ 7 ⏎ 8 ⏎ 9"
