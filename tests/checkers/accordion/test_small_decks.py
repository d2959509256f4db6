"""On small decks solver, decision procedure and verifiers agree with trying everything, everywhere."""

import random
from itertools import pairwise

import pytest

from accordion_solver.arguments import Argument, Ground, quick_argument
from accordion_solver.certificate import replay
from accordion_solver.derive import Derivable, Impossible, derive
from accordion_solver.fewest import fewest_piles
from accordion_solver.search import Budget, Deal, reachable
from accordion_solver.verify import all_reachable, argument_holds
from tests.checkers.accordion.decks import brute_force, candidates, deals, deck

LIMIT = 10_000


def check_deal(cards: tuple[int, ...]) -> set[Ground]:
    """Everything about one deal; returns the grounds on which tableaux were found impossible."""
    deal = Deal(cards)
    reached = brute_force(cards)
    states = reachable(deal, LIMIT)
    assert states is not None
    assert {deal.tableau(state) for state in states} == reached == all_reachable(cards, LIMIT)
    fewest = fewest_piles(deal, Budget.of(60))
    assert (fewest.piles, fewest.exact) == (min(map(len, reached)), True)
    assert len(replay(cards, fewest.moves)) == fewest.piles
    grounds = set()
    for tableau in candidates(cards):
        answer = derive(deal, tableau, Budget.of(60))
        assert isinstance(answer, Derivable if tableau in reached else Impossible), tableau
        if isinstance(answer, Derivable):
            assert replay(cards, answer.moves) == tableau
        elif isinstance(answer, Impossible):
            assert argument_holds(answer.argument, cards, tableau, LIMIT)
            grounds.add(answer.argument.ground)
    assert reached <= set(candidates(cards))
    for tableau in reached:
        for pair in (pair for pile in tableau for pair in pairwise(pile)):
            for ground in (Ground.NO_HELPER, Ground.TOO_FAR, Ground.NO_WAY):
                assert not argument_holds(Argument(ground, pair), cards, tableau, LIMIT)
    return grounds


@pytest.mark.parametrize(("suits", "ranks"), [(1, 4), (2, 2), (4, 1)])
def test_every_deal_and_tableau(suits: int, ranks: int) -> None:
    for cards in list(deals(suits, ranks))[:: 1 if suits * ranks < 6 else 4]:
        check_deal(cards)


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "ranks"), [(2, 3), (3, 2)])
def test_every_tableau_of_many_deals_of_six_cards(suits: int, ranks: int) -> None:
    grounds = set()
    for cards in list(deals(suits, ranks))[::3]:
        grounds |= check_deal(cards)
    assert {Ground.NO_LAST_MOVE, Ground.NO_HELPER, Ground.NO_WAY, Ground.EXHAUSTED} <= grounds


@pytest.mark.slow
def test_some_deals_of_seven_cards_of_the_whole_deck() -> None:
    rng = random.Random(1)
    for _ in range(5):
        check_deal(tuple(rng.sample(deck(4, 13), 7)))


def test_a_tableau_that_breaks_the_order_is_impossible_at_once() -> None:
    for cards in deals(2, 2):
        allowed = set(candidates(cards))
        for tableau in brute_force(cards):
            for wrong in (tableau[::-1], (*tableau[1:], tableau[0]), tuple(pile[::-1] for pile in tableau)):
                if wrong not in allowed:
                    argument = quick_argument(Deal(cards), wrong)
                    assert argument is not None
                    assert argument_holds(argument, cards, wrong, LIMIT)
