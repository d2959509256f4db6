"""Spider (CSE 231, project 9): the rules on random games. Whole games: test_specs/cse231-proj09."""

import random
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model.interaction import ReplSession
from tests.reference.conftest import Play
from tests.reference.programs import load

Card = load("cards_spider").Card
STACKS = st.integers(min_value=0, max_value=11)


def test_importing_prints_nothing_and_asks_for_nothing(play: Play) -> None:
    printed = play("proj09.py", "import proj09", cards="cards_spider.py", kind=ReplSession)
    assert printed == ">>> import proj09\n>>> \n"


def test_the_first_board(play: Play) -> None:
    rows = play("proj09.py", "1", "q", cards="cards_spider.py").split("Tableau:\n")[1].splitlines()
    assert rows[0] == "\t  1\t  2\t  3\t  4\t  5\t  6\t  7\t  8\t  9\t 10"
    assert rows[1:5] == ["\t XX" * 10] * 4
    assert rows[5].startswith("\t XX" * 4)
    assert rows[6].endswith("\t   " * 6)
    assert "XX" not in rows[6]
    assert rows[7:12] == ["----------", "Stock: 50 cards left", "", "Score: 500", "Moves: 0"]


def shown(game: Any) -> object:
    return [[str(card) for card in stack] for stack in game.stacks], game.score, game.moves


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    one_suit=st.booleans(),
    commands=st.lists(st.one_of(st.none(), st.tuples(st.integers(1, 8), STACKS, STACKS)), max_size=150),
    seed=st.integers(0, 10_000),
)
def test_random_games_keep_the_rules(
    proj09: ModuleType, one_suit: bool, commands: list[tuple[int, int, int] | None], seed: int
) -> None:
    random.seed(seed)
    game = proj09.Game()
    game.one_suit = one_suit
    for command in commands:
        before = shown(game)
        try:
            game.deal() if command is None else game.move(*command)
        except proj09.IllegalMoveError:
            assert shown(game) == before
        in_play = game.stock.cards_left() + sum(map(len, game.stacks))
        runs, rest = divmod(104 - in_play, 13)
        assert rest == 0
        assert game.score == 500 - game.moves + 100 * runs
        assert all(str(stack[-1]) != " XX" for stack in game.stacks if stack)
