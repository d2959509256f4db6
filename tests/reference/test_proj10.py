"""Aces Up (CSE 231, project 10): the handout's sample and examples, and the rules on random games."""

import random
from copy import deepcopy
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model.interaction import ReplSession
from grader.model.program import ProvidedSettings
from tests.reference.conftest import Play
from tests.reference.programs import SAMPLES, load

Card, Deck = load("cards").Card, load("cards").Deck
SAMPLE = SAMPLES / "proj10"
SEEDED = ProvidedSettings(edition="padded-seeded")
EVERY_CARD = sorted(str(Deck()).split(", "))
COLUMNS = st.integers(min_value=0, max_value=3)


def card(name: str) -> Any:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    return Card(ranks.index(name[:-1]) + 1, "♣♦♥♠".index(name[-1]) + 1)


def tableau(*columns: str) -> list[list[Any]]:
    return [[card(name) for name in column.split()] for column in columns]


def test_prints_the_sample(play: Play) -> None:
    typed = (SAMPLE / "handout-sample.input.txt").read_text().splitlines()
    expected = (SAMPLE / "handout-sample.transcript.txt").read_text()
    assert play("proj10.py", *typed, provision=SEEDED) == expected


def test_importing_prints_nothing_and_asks_for_nothing(play: Play) -> None:
    assert play("proj10.py", "import proj10", kind=ReplSession) == ">>> import proj10\n>>> \n"


def test_the_examples_of_the_handout(proj10: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    start = tableau("A♥", "", "2♦ 3♥", "4♠ 5♦ 6♦")
    end = tableau("", "", "2♦ 3♥", "4♠ 5♦ 6♦")
    given_tableau = deepcopy(start)
    to_foundation, within = proj10.validate_move_to_foundation, proj10.validate_move_within_tableau
    assert [to_foundation(given_tableau, column) for column in (0, 1, 2)] == [False, False, True]
    assert within(given_tableau, 1, 0) is False
    assert within(given_tableau, 1, 2) is False
    assert within(given_tableau, 3, 1) is True
    assert given_tableau == start
    assert within(end, 1, 0) is False
    assert capsys.readouterr().out == (
        "\nError, cannot move  A♥.\n\nError, empty column: 2\n\nError, target column is not empty: 1\n"
        "\nError, target column is not empty: 3\n\nError, no card in column: 2\n"
    )


@pytest.mark.parametrize(
    ("typed", "option"),
    [
        ("d", ["D"]),
        ("F 2", ["F", 1]),
        ("t 4 1", ["T", 3, 0]),
        ("R", ["R"]),
        ("h", ["H"]),
        ("q", ["Q"]),
        *((wrong, []) for wrong in ("", " ", "F", "f 0", "F 5", "F -1", "F a", "f 1 2", "f1", "T 1", "T a b")),
        *((wrong, []) for wrong in ("T 1 5", "t 1 2 3", "R 1", "quit", "D 1", "z", "F ²", "F 1.0", "1")),
    ],
)
def test_options(
    proj10: ModuleType,
    typed: str,
    option: list[str | int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: typed)
    assert proj10.get_option() == option
    assert capsys.readouterr().out == ("" if option else f"\nError in option: {typed}\n")


def test_dealing_ends_with_the_stock(proj10: ModuleType) -> None:
    stock, columns = Deck(), tableau("", "", "", "")
    for _ in range(50):
        stock.deal()
    proj10.deal_to_tableau(columns, stock)
    assert columns == tableau("2♣", "A♣", "", "")
    proj10.deal_to_tableau(columns, stock)
    assert columns == tableau("2♣", "A♣", "", "")


@pytest.mark.parametrize(
    ("columns", "left", "won"),
    [
        (("A♣", "A♦", "A♥", "A♠"), 0, True),
        (("A♣ A♦", "A♥", "", "A♠"), 0, True),
        (("A♣", "A♦", "A♥", "A♠"), 1, False),
        (("A♣", "A♦", "A♥", "A♠ 2♠"), 0, False),
        (("A♣", "A♦", "A♥", "K♠"), 0, False),
        (("", "", "", ""), 0, False),
    ],
)
def test_winning(proj10: ModuleType, columns: tuple[str, ...], left: int, won: bool) -> None:
    stock = Deck()
    while len(stock) > left:
        stock.deal()
    assert proj10.check_for_win(tableau(*columns), stock) is won


def may_leave(columns: list[list[Any]], column: int) -> bool:
    """Rule 3 of the handout: a higher card of the same suit is at the bottom of another column; aces are high."""
    if not columns[column]:
        return False
    others = [other[-1] for index, other in enumerate(columns) if index != column and other]
    mine = columns[column][-1]
    higher = [one for one in others if one.suit() == mine.suit() and (one.rank() - 2) % 13 > (mine.rank() - 2) % 13]
    return bool(higher)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    moves=st.lists(st.one_of(st.none(), COLUMNS, st.tuples(COLUMNS, COLUMNS)), max_size=60),
)
def test_random_games_keep_the_rules(
    proj10: ModuleType,
    seed: int,
    moves: list[int | tuple[int, int] | None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    random.seed(seed)
    stock, columns, foundation = proj10.init_game()
    assert [len(stock), *map(len, columns), foundation] == [48, 1, 1, 1, 1, []]
    for move in moves:
        before = deepcopy(columns)
        capsys.readouterr()
        if move is None:
            proj10.deal_to_tableau(columns, stock)
            legal = True
        elif isinstance(move, int):
            proj10.move_to_foundation(columns, foundation, move)
            legal = may_leave(before, move)
        else:
            proj10.move_within_tableau(columns, *move)
            legal = bool(before[move[0]]) and not before[move[1]]
        printed = capsys.readouterr().out
        assert (printed == "") is legal
        assert legal or (columns == before and printed.startswith("\nError, "))
        everywhere = [str(one) for pile in (*columns, foundation) for one in pile] + str(stock).split(", ")
        assert sorted(filter(None, everywhere)) == EVERY_CARD
