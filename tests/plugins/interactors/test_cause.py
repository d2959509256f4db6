"""An interactor that finds a program wrong is named as the cause, and one that cannot tell is not."""

from dataclasses import replace
from pathlib import Path

from grader.checkers import CheckResult, unknown, wrong
from grader.model.judgement import Judgement
from grader.plugins.interactors.causes import INTERACTOR
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.judge import judge_play
from grader.plugins.interactors.settings import InteractorSettings
from tests.judge.causes.test_examples import cause_of
from tests.judge.sessions import exited, game


def played(answer: CheckResult) -> Judgement:
    """The judgement on a program that an interactor played with."""
    settings = InteractorSettings(name="dealer", file=Path("dealer.py"), content="")
    test = replace(game(), interaction=InteractorRun(settings))
    return judge_play(test, replace(exited(test, "4\n"), answer=answer))


def test_a_game_shows_the_cause_and_a_close_one_does_not() -> None:
    assert cause_of(played(wrong("A card was dealt twice."))) == INTERACTOR.id
    assert cause_of(played(unknown("hard"))) == "needs-review"
