"""The general hint of a test is about what the program does, so it is only shown where the program ran."""

from dataclasses import replace

import pytest

from grader.grading.student_view import student_views
from grader.judge.judge import judge
from grader.model.general_causes import MISSING_FILE
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import CallResult
from grader.model.results import TestResult
from grader.model.test import CauseHint, Hints
from tests.grading.hidden_example import ASSIGNMENT, CLASS, HIDDEN
from tests.judge.sessions import exited, game

HINTS = Hints("Mind the last card.", (CauseHint("syntax-error", "Run it once."),))
GAME = replace(game("4"), hints=HINTS)
UNREADABLE = '  File "solitaire_1.py", line 3\n    for card in deck\n                    ^\n'
UNREADABLE += "SyntaxError: expected ':'\n"
IN_MODULE = 'Traceback (most recent call last):\n  File "solitaire_1.py", line 1, in <module>\n'
NO_MODULE = f"{IN_MODULE}    import card\nModuleNotFoundError: No module named 'card'\n"
CRASHED = f"{IN_MODULE}    play()\nIndexError: pop from empty list\n"


def played(transcript: str) -> TestResult:
    outcome = exited(GAME, transcript, 1)
    return TestResult(test=GAME, judgement=judge(GAME, "Card: 4\nLost\n", outcome), outcome=outcome, expected="")


@pytest.mark.parametrize(
    ("transcript", "hints"),
    [
        (UNREADABLE, ("Run it once.",)),
        (NO_MODULE, ()),
        (CRASHED, ("Mind the last card.",)),
        (f"Card: 4\n{CRASHED}", ("Mind the last card.",)),
        ("Card: 4\nWon\n", ("Mind the last card.",)),
    ],
)
def test_a_hint_is_shown_where_the_program_ran(transcript: str, hints: tuple[str, ...]) -> None:
    assert played(transcript).hints == hints


@pytest.mark.parametrize(("reached", "hints"), [(False, ()), (True, ("Mind the last card.",))])
def test_a_hint_on_a_function_is_shown_where_the_program_was_imported(reached: bool, hints: tuple[str, ...]) -> None:
    result = played(CRASHED)
    assert result.outcome
    assert replace(result, outcome=replace(result.outcome, call=CallResult(reached=reached))).hints == hints


def test_the_hint_of_a_hidden_test_is_not_shown_where_the_program_did_not_run() -> None:
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    for ran, hints in ((played("Card: 4\nWon\n"), ("Mind the last card.",)), (played(UNREADABLE), ("Run it once.",))):
        test = replace(HIDDEN, hints=HINTS, hidden_twin_of=None)
        results = (public, replace(hidden, test=test, judgement=ran.judgement, outcome=ran.outcome))
        view = student_views(ASSIGNMENT)(replace(row, graded=replace(row.graded, results=results)))
        assert view.graded.results[1].hints == hints


def test_a_hint_is_not_shown_for_a_missing_program() -> None:
    missing = Judgement(verdict=Verdict.MISSING_FILE, diagnosis=Diagnosis(MISSING_FILE, "There is no file."))
    assert TestResult(test=GAME, judgement=missing, outcome=None, expected="").hints == ()
