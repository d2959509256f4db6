"""Judges a program that played with an interactor."""

from grader.judge.judge import judge_answer, judge_ending
from grader.model.general_causes import NEEDS_REVIEW
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.plugins.interactors.causes import INTERACTOR
from grader.text.sentence import say


def judge_play(test: Test, outcome: Outcome) -> Judgement:
    """Judge a program that played with an interactor.

    A limit or a crash comes first, then the interactor's answer, then the way in which the program ended. A game is
    played only once, so a person has to decide if a busy machine may have ended it.
    """
    if outcome.is_starved:
        return Judgement.without_verdict(
            NEEDS_REVIEW,
            say("A person must decide: the program ran out of time on a busy machine, and no game is played twice."),
        )
    judgement = judge_ending(test, "", outcome)
    if outcome.answer is None or judgement.verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return judgement
    judgement_of_game = judge_answer(outcome.answer, INTERACTOR)
    return judgement if judgement_of_game.verdict is Verdict.PASSED is not judgement.verdict else judgement_of_game
