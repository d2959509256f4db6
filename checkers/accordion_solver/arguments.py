"""Arguments that a tableau cannot be derived from a deal, and the quick ones among them.

Each is a sentence that a student can check by hand; `verify` checks it independently.
"""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from accordion_solver.cards import Card, Tableau, match, name
from accordion_solver.search import HANDOUT, Deal
from accordion_solver.target import Target


class Ground(Enum):
    """Why a tableau is impossible; the value is the sentence, with the names of the cards to be filled in."""

    FIRST_CARD = "the first pile ends with {1}, but {0}, the first card dealt, can never leave its place there"
    PILE_ORDER = "the bottom card {0} stands left of the bottom card {1}, but was dealt after it"
    MOVED_RIGHT = "{0} was dealt before {1}, the bottom card of its pile, and cards never move to the right"
    NO_FIRST_MOVE = "no two cards that are dealt within two places match, so no move is possible at all"
    NO_LAST_MOVE = "no pile shows a card that can have been moved last"
    NO_HELPER = "{0} lies on {1} without matching it, and no card can have brought the pile of {0} there"
    TOO_FAR = "{0} lies on {1} without matching it, and was dealt too far away to be put there with its pile"
    NO_WAY = "{0} lies on {1} without matching it, and in no pile could both have come together so that they get there"
    EXHAUSTED = "no sequence of moves leads to it; all were tried"


@dataclass(frozen=True)
class Argument:
    """A ground with the cards that it is about.

    When everything was tried, `states` were looked at, and the cards are two that never come together.
    """

    ground: Ground
    cards: tuple[Card, ...] = ()
    states: int = 0

    @property
    def words(self) -> str:
        """The argument as part of a sentence."""
        together = ", and none brings {0} onto {1} on the way" if self.states and self.cards else ""
        return (self.ground.value + together).format(*map(name, self.cards))


def quick_argument(deal: Deal, tableau: Tableau) -> Argument | None:
    """Return the first argument that applies, found without search; None when there is none.

    By other rules than the handout's, cards still never move to the right.
    """
    finders = (_by_place, _by_first_move, _by_last_move, _by_bonds) if deal.rules == HANDOUT else (_by_place,)
    for find in finders:
        argument = find(deal, tableau)
        if argument:
            return argument
    return None


def _by_place(deal: Deal, tableau: Tableau) -> Argument | None:
    dealt = {card: number for number, card in enumerate(deal.cards)}
    bottoms = [pile[-1] for pile in tableau]
    if bottoms[0] != deal.cards[0]:
        return Argument(Ground.FIRST_CARD, (deal.cards[0], bottoms[0]))
    for left, right in pairwise(bottoms):
        if dealt[left] > dealt[right]:
            return Argument(Ground.PILE_ORDER, (left, right))
    for pile in tableau:
        for card in pile:
            if dealt[card] < dealt[pile[-1]]:
                return Argument(Ground.MOVED_RIGHT, (card, pile[-1]))
    return None


def _by_first_move(deal: Deal, tableau: Tableau) -> Argument | None:
    cards = deal.cards
    near = [pair for steps in (1, 2) for pair in zip(cards, cards[steps:], strict=False)]
    if len(tableau) < len(cards) and not any(match(*pair) for pair in near):
        return Argument(Ground.NO_FIRST_MOVE)
    return None


def _by_last_move(deal: Deal, tableau: Tableau) -> Argument | None:
    """A pile moved last came from one or two places to the right; its bottom card was dealt there."""
    dealt = {card: number for number, card in enumerate(deal.cards)}
    if len(tableau) == len(deal.cards):
        return None
    for place, pile in enumerate(tableau):
        end = dealt[tableau[place + 2][-1]] if place + 2 < len(tableau) else len(dealt)
        for height in range(1, len(pile)):
            if match(pile[0], pile[height]):
                from_a_pile = height == 1 and place + 1 < len(tableau)
                bottom = dealt[pile[height - 1]]
                if from_a_pile or (bottom < end and all(dealt[card] >= bottom for card in pile[:height])):
                    return None
    return Argument(Ground.NO_LAST_MOVE)


def _by_bonds(deal: Deal, tableau: Tableau) -> Argument | None:
    target = Target(deal, deal.state(tableau))
    for bond in target.bonds:
        cards = deal.card(bond.bound), deal.card(bond.below)
        if not target.helpers(bond, bond.below):
            return Argument(Ground.NO_HELPER, cards)
        if target.is_too_far(bond, bond.below):
            return Argument(Ground.TOO_FAR, cards)
    for bond in target.bonds:
        if not target.can_be_put(deal, bond.bound):
            return Argument(Ground.NO_WAY, (deal.card(bond.bound), deal.card(bond.below)))
    return None
