from dataclasses import replace

import pytest

from grader.judge.judge import judge, judge_sealed
from grader.judge.seal import seal
from grader.model.ending import ExitsBetween
from grader.model.interaction import ReplSession
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Termination
from grader.model.test import ComparisonPolicy
from tests.judge.causes.failures import LOST, LOST_GAME, SIMULATE, SIMULATION, WON, first_lines
from tests.judge.causes.failures_in_endings import IN_PLAY, NO_SIMULATE, OUT_OF_MEMORY, THEN_UNKNOWN
from tests.judge.sessions import ended, exited, game


def test_equal_transcripts_pass() -> None:
    assert judge(LOST_GAME, LOST, exited(LOST_GAME, LOST)) == Judgement(verdict=Verdict.PASSED)


def test_any_other_character_does_not_pass() -> None:
    judgement = judge(LOST_GAME, LOST, exited(LOST_GAME, LOST.replace("\ufe0f", "")))
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.divergence is not None
    assert (judgement.divergence.line, judgement.divergence.column) == (2, 26)


@pytest.mark.parametrize(
    ("exit_code", "wanted", "verdict"),
    [(0, 0, Verdict.PASSED), (3, 3, Verdict.PASSED), (1, 0, Verdict.EXIT_STATUS), (0, 1, Verdict.EXIT_STATUS)],
)
def test_exit_status(exit_code: int, wanted: int, verdict: Verdict) -> None:
    test = replace(LOST_GAME, ending=ExitsBetween(wanted, wanted))
    assert judge(test, LOST, exited(test, LOST, exit_code)).verdict is verdict


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (Termination.TIMED_OUT, Verdict.TIMEOUT),
        (Termination.OUTPUT_LIMIT, Verdict.OUTPUT_LIMIT),
        (Termination.SIGNALLED, Verdict.CRASH),
        (Termination.CANCELLED, Verdict.INTERNAL_ERROR),
        (Termination.KEEPS_READING, Verdict.EXIT_STATUS),
    ],
)
def test_another_ending_does_not_pass_though_the_output_is_right(ending: Termination, verdict: Verdict) -> None:
    judgement = judge(LOST_GAME, LOST, ended(exited(LOST_GAME, LOST), ending))
    assert judgement.verdict is verdict
    assert judgement.divergence is None
    assert judgement.diagnosis is not None


def test_limits_come_before_what_was_printed() -> None:
    outcome = ended(exited(LOST_GAME, IN_PLAY), Termination.TIMED_OUT)
    judgement = judge(LOST_GAME, LOST, outcome)
    assert judgement.diagnosis is not None
    assert (judgement.verdict, judgement.diagnosis.cause.id) == (Verdict.TIMEOUT, "timeout")


@pytest.mark.parametrize(
    ("transcript", "exit_code", "verdict"),
    [
        (first_lines(LOST, 1) + IN_PLAY, 1, Verdict.CRASH),
        (first_lines(LOST, 1) + OUT_OF_MEMORY, 1, Verdict.MEMORY_LIMIT),
        (first_lines(LOST, 1) + IN_PLAY + "Sorry\n", 0, Verdict.WRONG_OUTPUT),
        (WON, 1, Verdict.WRONG_OUTPUT),
    ],
)
def test_only_an_exception_that_ends_the_program_is_a_crash(transcript: str, exit_code: int, verdict: Verdict) -> None:
    assert judge(LOST_GAME, LOST, exited(LOST_GAME, transcript, exit_code)).verdict is verdict


def test_an_exception_at_the_prompt_is_a_crash_though_python_ends_well() -> None:
    transcript = first_lines(SIMULATE, 1) + NO_SIMULATE + ">>> simulate(10, 0)\n" + THEN_UNKNOWN + ">>> \n"
    assert judge(SIMULATION, SIMULATE, exited(SIMULATION, transcript)).verdict is Verdict.CRASH


def test_an_expected_traceback_is_not_a_crash() -> None:
    expected = first_lines(LOST, 1) + IN_PLAY
    test = replace(LOST_GAME, ending=ExitsBetween(1, 1))
    assert judge(test, expected, exited(test, expected, 1)).verdict is Verdict.PASSED
    assert judge(test, expected + "a\n", exited(test, expected + "b\n", 1)).verdict is Verdict.WRONG_OUTPUT


AT_PROMPT = """\
>>> fib('a')
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
{}TypeError: no number
>>> fib(1)
1
>>>
"""
BY_LOOP = """\
  File "/w/fib.py", line 4, in fib
    for _ in range(n):
             ~~~~~^^^
"""
BY_RECURSION = """\
  File "/w/fib.py", line 3, in fib
    return fib(n - 1)
           ^^^^^^^^^^
  [Previous line repeated 3 more times]
"""


def test_which_lines_an_exception_at_the_prompt_passed_through_is_not_compared() -> None:
    test = replace(SIMULATION, interaction=ReplSession(("fib('a')", "fib(1)", "")))
    expected, printed = AT_PROMPT.format(BY_LOOP), AT_PROMPT.format(BY_RECURSION)
    assert judge(test, expected, exited(test, printed)).verdict is Verdict.PASSED
    for wrong in ("ValueError: no number", "TypeError: a text"):
        other = printed.replace("TypeError: no number", wrong)
        judgement = judge(test, expected, exited(test, other))
        assert judgement.verdict is not Verdict.PASSED
        assert judgement.mended is None or "range(n)" not in judgement.mended.expected
    assert judge(test, expected, exited(test, printed.replace("\n1\n", "\n2\n"))).verdict is Verdict.WRONG_OUTPUT
    assert judge(test, expected, exited(test, f">>> fib('a')\n{expected[-16:]}")).verdict is not Verdict.PASSED


def test_nor_is_it_where_the_transcript_is_sealed() -> None:
    test = replace(SIMULATION, interaction=ReplSession(("fib('a')", "fib(1)", "")))
    sealed = seal(AT_PROMPT.format(BY_LOOP), test.comparison)
    printed = AT_PROMPT.format(BY_RECURSION)
    assert judge_sealed(test, sealed, exited(test, printed)).verdict is Verdict.PASSED
    wrong = judge_sealed(test, sealed, exited(test, printed.replace("\n1\n", "\n2\n")))
    assert (wrong.verdict, wrong.wrong_line) == (Verdict.WRONG_OUTPUT, 10)


ASKS_ON = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 41, in <module>
    input()
EOFError: EOF when reading a line
"""


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [(LOST, Verdict.EXIT_STATUS), (LOST + "Again? ", Verdict.WRONG_OUTPUT), (first_lines(LOST, 2), Verdict.CRASH)],
)
def test_asking_for_more_after_all_that_is_expected_is_no_crash(printed: str, verdict: Verdict) -> None:
    judgement = judge(LOST_GAME, LOST, exited(LOST_GAME, printed + ASKS_ON, 1))
    assert judgement.verdict is verdict
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.cause.id == "reads-past-input"


@pytest.mark.parametrize("policy", [ComparisonPolicy(), ComparisonPolicy(wildcard_lines=("Seed*",))])
def test_a_program_that_prints_what_should_be_typed_does_not_pass(policy: ComparisonPolicy) -> None:
    test = replace(game("5", ""), comparison=policy)
    faked = replace(exited(test, "Seed: 5\n\nbye\n"), typed=(), unsent=2)
    judgement = judge(test, "Seed: 5\n\nbye\n", faked)
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.diagnosis is not None
    assert str(judgement.diagnosis.sentence).endswith("never asks for the input `5`: it prints it itself.")
    assert judge(test, "Seed: 5\n\nbye\n", replace(faked, unsent=1)).verdict is Verdict.PASSED
