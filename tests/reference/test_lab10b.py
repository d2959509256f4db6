"""War (CSE 231, lab 10, part B), the simple version: both samples, and the rules on random hands."""

from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model.program import ProvidedSettings
from tests.reference.conftest import Play
from tests.reference.programs import SAMPLES, load

Card = load("cards").Card
TEST_1 = ProvidedSettings("lab-unshuffled", "3♠ 8♠ 4♠ 9♠ 5♠ Q♠ 6♠ K♠ J♠ 10♠")
RANKS = st.integers(min_value=1, max_value=13)


def sample(name: str) -> str:
    return (SAMPLES / "lab10" / f"war-test1-{name}.transcript.txt").read_text()


def test_prints_the_sample(play: Play) -> None:
    typed = (SAMPLES / "lab10" / "war-test1.input.txt").read_text().splitlines()
    assert play("lab10b.py", *typed, provision=TEST_1) == sample("printed")


def test_prints_the_sample_of_the_other_variant(play: Play) -> None:
    assert play("lab10b.py", *["y"] * 20, provision=TEST_1, variant="winner-first") == sample("winner-first")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hands=st.tuples(*[st.lists(st.builds(Card, RANKS, st.just(4)), min_size=1, max_size=5)] * 2))
def test_a_battle(lab10b: ModuleType, hands: tuple[list[Any], list[Any]], capsys: pytest.CaptureFixture[str]) -> None:
    hand1, hand2 = (list(hand) for hand in hands)
    capsys.readouterr()
    lab10b.battle(hand1, hand2)
    (first, *rest1), (second, *rest2) = hands
    strength1, strength2 = ((card.rank() - 2) % 13 for card in (first, second))
    if strength1 == strength2:
        assert (hand1, hand2) == ([*rest1, first], [*rest2, second])
        result = "Battle was a draw."
    elif strength1 > strength2:
        assert (hand1, hand2) == ([*rest1, second, first], rest2)
        result = "Player 1 wins battle."
    else:
        assert (hand1, hand2) == (rest1, [*rest2, first, second])
        result = "Player 2 wins battle."
    assert capsys.readouterr().out == f"Battle was 1: {first}, 2: {second}. {result}\n"
