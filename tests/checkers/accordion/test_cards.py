"""The input format: what is accepted, and where and why the rest is refused."""

import contextlib
import random

import pytest

from accordion_solver.cards import BOTTOM_FIRST, Game, GameSyntaxError, name, read_game, read_tableau, write_game

CARDS = [name(card) for card in range(52)]
DEAL = " ".join(CARDS)
GAME = Game(tuple(range(52)), (tuple(range(51)), (51,)))
TEXT = write_game(GAME)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.lower(),
        TEXT.replace(" ", ""),
        " ".join(TEXT.replace(" ", "")).replace(" \n ", "\n"),
        "\n \n" + TEXT.replace("\n", "\n\t\n\n"),
        TEXT.rstrip("\n"),
        TEXT.replace("\n", "\r\n"),
        "\n".join(" ".join(card[::-1] for card in line.split()) for line in TEXT.splitlines()),
    ],
)
def test_ways_to_write_the_same(text: str) -> None:
    assert read_game(text) == GAME


def test_the_other_order_of_piles() -> None:
    assert read_game(TEXT, BOTTOM_FIRST).tableau == (tuple(reversed(range(51))), (51,))
    assert read_game(write_game(GAME, BOTTOM_FIRST), BOTTOM_FIRST) == GAME


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "empty"),
        (" \n\t\n", 1, 1, "empty"),
        (DEAL[3:] + "\n" + DEAL, 1, 151, "found 51 cards dealt; expected 52"),
        (DEAL + " AC\n" + DEAL, 1, 157, "AC is dealt twice; see line 1, column 1"),
        (DEAL[:3] + "AC" + DEAL[5:] + "\n", 1, 4, "AC is dealt twice"),
        ("\n X" + DEAL + "\n", 2, 2, "'X' is neither a rank nor a suit"),
        (DEAL + "\nAC 1D\n", 2, 4, "'1' is neither"),
        (DEAL + "\nAC \u00b2D\n", 2, 4, "neither"),
        (DEAL + "\nAC D\n", 2, 4, "'D' is half a card"),
        (DEAL + "\nAC 23\n", 2, 4, "'23' is not a card"),
        (DEAL + "\nAC CD\n", 2, 4, "'CD' is not a card"),
        (DEAL + "\n" + DEAL[3:] + "\n", 2, 151, "the tableau ends without AC"),
        (DEAL + "\n" + DEAL + "\n\nqs\n", 4, 1, "QS is in the tableau twice"),
        (DEAL + "\n", 2, 1, "there is no pile"),
        (DEAL + "\n" + DEAL.replace(" ", "\n") + "\nAC", 54, 1, "found 53 piles"),
    ],
)
def test_what_is_refused(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(GameSyntaxError) as problem:
        read_game(text)
    assert (problem.value.line, problem.value.column) == (line, column)
    assert reason in problem.value.reason


def test_a_tableau_of_other_cards() -> None:
    with pytest.raises(GameSyntaxError, match="KD was not dealt"):
        read_tableau("AC KD", (0, 1))


def test_random_text_is_read_or_refused() -> None:
    rng = random.Random(0)
    for _ in range(300):
        text = list(TEXT)
        for _ in range(rng.randrange(4)):
            text[rng.randrange(len(text))] = rng.choice("\n AaKsqX1é")
        with contextlib.suppress(GameSyntaxError):
            read_game("".join(text))
