"""Tests and outcomes to judge, made from a transcript and what is typed in it."""

from dataclasses import replace

from grader.judge.judge import judge
from grader.model.interaction import Dialogue, ReplSession, typed_lines
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.test import Test
from grader.text.difference import find_first_difference
from tests import ROOT
from tests.building import TEST

EXPECTED = ROOT / "test_specs" / "comp9021-25t3-a1" / "expected"


def expected_transcript(name: str) -> str:
    """A stored expected transcript of the COMP9021 games, such as "s1-won.canonical"."""
    return (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


def game(*lines: str) -> Test:
    """A test that runs solitaire_1.py and types `lines`."""
    return replace(
        TEST,
        id="game",
        program="solitaire_1.py",
        part="part",
        interaction=Dialogue(lines),
    )


def at_prompt(*lines: str) -> Test:
    """A test that types `lines` at Python's prompt."""
    return replace(game(*lines), interaction=ReplSession(lines))


def exited(test: Test, transcript: str, exit_code: int = 0) -> Outcome:
    """A session in which the lines of `test` were typed where they stand in `transcript`, one after the other."""
    typed: list[TypedLine] = []
    position = 0
    for line in typed_lines(test.interaction):
        found = transcript.find(f"{line}\n", position)
        if found < 0:
            break
        typed.append(TypedLine(found, line))
        position = found + len(line) + 1
    return Outcome(
        transcript=transcript,
        typed=tuple(typed),
        ending=Termination.EXITED,
        exit_code=exit_code,
        signal=None,
        unsent=len(typed_lines(test.interaction)) - len(typed),
        wall_seconds=0.1,
        cpu_seconds=0.1,
    )


def ended(outcome: Outcome, ending: Termination, signal: int | None = None) -> Outcome:
    """The same session with another ending than an exit, after half a minute of work."""
    return replace(outcome, ending=ending, exit_code=None, signal=signal, wall_seconds=30.0, cpu_seconds=28.0)


def explain(test: Test, expected: str, outcome: Outcome) -> tuple[str, str]:
    """The cause and the sentence for a session that must not pass."""
    judgement: Judgement = judge(test, expected, outcome)
    assert judgement.diagnosis is not None
    assert outcome.in_build or judgement.divergence == find_first_difference(expected, outcome.transcript)
    return judgement.diagnosis.cause.id, judgement.diagnosis.sentence
