"""What a realistic failure of a COMP9021 game is made of: the expected transcripts, and ways to change them."""

from dataclasses import dataclass, replace

from grader.model.outcome import Outcome
from grader.model.test import Test
from tests.judge.sessions import at_prompt, expected_transcript, game

LOST = expected_transcript("s1-lost.canonical")
WON = expected_transcript("s1-won.canonical")
SECOND = expected_transcript("s2-lost.canonical")
MENU = expected_transcript("s2-invalid-capital-q.canonical")
COURSE = expected_transcript("s2-invalid-capital-q.course")
SQUARES = expected_transcript("s1-13-squares-74.canonical")
SIMULATE = expected_transcript("s1-simulate-10-0.canonical")
TWICE = expected_transcript("s2-simulate-twice.canonical")

LOST_GAME, WON_GAME, SQUARES_GAME = game("0"), game("3"), game("74")
SECOND_GAME = game("167", "1--660", "-113", "q")
MENU_GAME = game("32", "Q", "q")
SIMULATION = at_prompt("from solitaire_1 import simulate", "simulate(10, 0)")
TWO_SIMULATIONS = at_prompt("from solitaire_2 import simulate", "simulate(30, 7)", "simulate(30, 7)")
TWO_SIMULATIONS = replace(TWO_SIMULATIONS, program="solitaire_2.py")


@dataclass(frozen=True)
class Failure:
    """A session that does not pass, and the diagnosis it must get."""

    id: str
    test: Test
    expected: str
    outcome: Outcome
    cause: str
    sentence: str


def changed(text: str, old: str, new: str, count: int = 1) -> str:
    """`text` with a change that is really there."""
    assert text.count(old) >= max(count, 1)
    return text.replace(old, new, count)


def without_lines(text: str, first: int, last: int) -> str:
    """`text` without some lines, counted from 1."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[: first - 1] + lines[last:])


def first_lines(text: str, count: int) -> str:
    return "".join(text.splitlines(keepends=True)[:count])


def reordered(text: str, *order: int) -> str:
    """`text` with the lines that stand in `order`, counted from 1, sorted that way."""
    lines = text.splitlines(keepends=True)
    for place, line in zip(sorted(order), order, strict=True):
        lines[place - 1] = text.splitlines(keepends=True)[line - 1]
    return "".join(lines)
