"""Judges the tests that a student wrote: good programs must pass them, and the bad one must fail."""

from dataclasses import replace
from typing import assert_never

from grader.judge.judge import judge_ending
from grader.model.general_causes import INTERNAL_ERROR
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.plugins.own_tests import causes
from grader.plugins.own_tests.interaction import OwnTests
from grader.plugins.own_tests.trial_result import TrialEnd, TrialResult, trials_of
from grader.text.sentence import say


def judge_own_tests(test: Test, programs: OwnTests, outcome: Outcome) -> Judgement:
    """Judge the results of the student's tests. If they reject a good program, catching a bad one does not count."""
    trials = trials_of(outcome)
    for result in trials:
        if result.number < len(programs.good) and result.end is not TrialEnd.PASSED:
            return _refused(test, programs, result)
    if outcome.ending is not Termination.EXITED:
        judgement = judge_ending(test, "", outcome)
        slow = outcome.ending is Termination.TIMED_OUT
        return replace(judgement, diagnosis=causes.do_not_end(test.program)) if slow else judgement
    if len(trials) < len(programs.programs):
        return Judgement.without_verdict(
            INTERNAL_ERROR, say("What the tests found was not reported; they must be run again.")
        )
    last = trials[-1]
    # Tests that skip themselves when they recognise a wrong program do not reject it.
    if programs.bad is not None and last.end in {TrialEnd.PASSED, TrialEnd.NO_TESTS}:
        diagnosis = causes.bad_accepted(test.title or test.id, last)
        return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=diagnosis)
    return Judgement(verdict=Verdict.PASSED)


def _refused(test: Test, programs: OwnTests, result: TrialResult) -> Judgement:
    """Judge tests that reject a good program."""
    name = programs.good[result.number].name
    match result.end:
        case TrialEnd.FAILED | TrialEnd.PASSED:
            verdict, diagnosis = Verdict.WRONG_OUTPUT, causes.good_refused(name, result)
        case TrialEnd.NEEDS_PYTEST:
            return Judgement.without_verdict(INTERNAL_ERROR, causes.needs_pytest(test.program))
        case TrialEnd.IMPORT:
            verdict, diagnosis = Verdict.CRASH, causes.cannot_be_imported(test.program, result)
        case TrialEnd.NO_TESTS:
            verdict, diagnosis = Verdict.WRONG_OUTPUT, causes.no_tests(test.program)
        case TrialEnd.ENDED:
            verdict, diagnosis = Verdict.EXIT_STATUS, causes.end_early(test.program)
        case TrialEnd.ENDLESS:
            verdict, diagnosis = Verdict.TIMEOUT, causes.endless_with(test.program, name)
        case _:
            assert_never(result.end)
    return Judgement(verdict=verdict, diagnosis=diagnosis)


def found_by_tests(programs: OwnTests, outcome: Outcome) -> str:
    """List the results of the reference's tests, one line per program, for the expected file."""
    return "".join(f"{programs.programs[trial.number].name}: {_result_words(trial)}\n" for trial in trials_of(outcome))


def _result_words(result: TrialResult) -> str:
    if result.end in {TrialEnd.PASSED, TrialEnd.NO_TESTS}:
        return "accepted"
    return f"refused by {result.test}" if result.test else "refused"
