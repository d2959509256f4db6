"""What is said of the rules that a program may have got wrong."""

import pytest

from accordion_solver.cards import Card, Tableau, read_card
from accordion_solver.derive import Derivable, derive
from accordion_solver.other_rules import needed_moves, wider_rules
from accordion_solver.search import Budget, Deal


def cards(text: str) -> tuple[Card, ...]:
    found = [read_card(word) for word in text.split()]
    assert None not in found
    return tuple(card for card in found if card is not None)


def piles(*texts: str) -> Tableau:
    return tuple(map(cards, texts))


@pytest.mark.parametrize(
    ("deal", "tableau", "said"),
    [
        ("AC 2C", ("2C AC",), ", which takes moves such as 2C onto AC (the next pile to the left, by suit)"),
        (
            "AC KH AD",
            ("AD AC", "KH"),
            ", which takes moves such as AD onto AC (over the one pile between them, by rank)",
        ),
        (
            "AC 3D 2D 2C",
            ("2C 2D 3D AC",),
            ", which takes moves such as 2D onto 3D (the next pile to the left, by suit), 2C onto 2D (by rank), "
            "the pile of 3 cards with 2C onto AC (as a whole pile)",
        ),
        ("AC 2D", ("AC", "2D"), ""),
    ],
)
def test_the_moves_that_a_derivation_takes(deal: str, tableau: tuple[str, ...], said: str) -> None:
    dealt, wanted = cards(deal), piles(*tableau)
    found = derive(Deal(dealt), wanted, Budget.of(5))
    assert isinstance(found, Derivable)
    assert needed_moves(dealt, wanted, found) == said


@pytest.mark.parametrize(
    ("deal", "tableau", "said"),
    [
        ("AC KH QD 2C", ("2C AC", "KH", "QD"), "; it could if a move might go three piles to the left"),
        ("AC KH QD 3C 2C", ("3C AC", "KH", "QD", "2C"), "; it could if a move might go three piles to the left"),
        ("AC KS", ("KS AC",), "; it could if cards of the same colour matched"),
        ("AC 2D", ("2D AC",), "; it could if cards of neighbouring ranks matched"),
        ("AC 9D", ("9D AC",), "; it could if any two cards matched"),
        ("AC 2C", ("AC 2C",), "; it could if the lines were read from the other end"),
        ("AC 2D", ("2D", "AC"), ""),
    ],
)
def test_other_rules_by_which_a_tableau_could_be_derived(deal: str, tableau: tuple[str, ...], said: str) -> None:
    assert wider_rules(cards(deal), piles(*tableau)) == said
