"""Rules that a program may follow in place of the handout's, with fewer moves or with more.

A derivation is said to need a rule only after everything possible without it was tried. Wider rules are said to be
enough only after a derivation by them was found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accordion_solver.cards import Card, Tableau, match, name
from accordion_solver.derive import Derivable, Impossible, derive
from accordion_solver.search import Budget, Deal, Move, Rules

_SECONDS = 0.5
_FIRST = 2


def _same_suit(one: Card, other: Card) -> bool:
    return one // 13 == other // 13


def _same_rank(one: Card, other: Card) -> bool:
    return one % 13 == other % 13


def _next_rank(one: Card, other: Card) -> bool:
    return match(one, other) or abs(one % 13 - other % 13) == 1


def _same_colour(one: Card, other: Card) -> bool:
    return match(one, other) or one // 13 % 3 == other // 13 % 3


_NARROWER = (
    (Rules(distances=(1,)), "over the one pile between them"),
    (Rules(distances=(2,)), "the next pile to the left"),
    (Rules(fits=_same_suit), "by rank"),
    (Rules(fits=_same_rank), "by suit"),
    (Rules(piles=False), "as a whole pile"),
    (Rules(tops=False), "as a top card alone"),
)
_WIDER = (
    (Rules(distances=(1, 2, 3)), "a move might go three piles to the left"),
    (Rules(fits=_same_colour), "cards of the same colour matched"),
    (Rules(fits=_next_rank), "cards of neighbouring ranks matched"),
    (Rules(fits=lambda *_: True), "any two cards matched"),
)


@dataclass(frozen=True)
class _Step:
    """A move by its cards: how far to the left, which card onto which, and how many cards of a pile of how many."""

    distance: int
    card: Card
    onto: Card
    count: int
    of: int

    @property
    def words(self) -> str:
        pile = f"the pile of {self.of} cards with " if self.count > 1 else ""
        return f"{pile}{name(self.card)} onto {name(self.onto)}"

    def is_allowed(self, rules: Rules) -> bool:
        """Return whether other rules allow this move."""
        fits = self.distance in rules.distances and rules.fits(self.card, self.onto)
        return fits and (rules.piles or self.count == 1) and (rules.tops or self.count == self.of)


def needed_moves(deal: Sequence[Card], tableau: Tableau, found: Derivable) -> str:
    """Say which moves it takes: the first one of each kind without which the tableau cannot be derived."""
    steps = list(_steps(deal, found.moves))
    kinds_of: dict[_Step, list[str]] = {}
    for rules, words in _NARROWER:
        step = next((step for step in steps if not step.is_allowed(rules)), None)
        if step and isinstance(_derived(deal, tableau, rules), Impossible):
            kinds_of.setdefault(step, []).append(words)
    if kinds_of:
        moves = [f"{step.words} ({', '.join(kinds)})" for step, kinds in kinds_of.items()]
        return f", which takes moves such as {', '.join(moves)}"
    return f"; it may begin with {', then '.join(step.words for step in steps[:_FIRST])}" if steps else ""


def wider_rules(deal: Sequence[Card], tableau: Tableau) -> str:
    """Say under which other rules the tableau could be derived; nothing where none of these will do."""
    turned = tuple(pile[::-1] for pile in tableau)
    if isinstance(_derived(deal, turned, Rules()), Derivable):
        return "; it could if the lines were read from the other end"
    for rules, words in _WIDER:
        if isinstance(_derived(deal, tableau, rules), Derivable):
            return f"; it could if {words}"
    return ""


def _derived(deal: Sequence[Card], tableau: Tableau, rules: Rules) -> Derivable | Impossible | None:
    return derive(Deal(tuple(deal), rules), tableau, Budget.of(_SECONDS))


def _steps(deal: Sequence[Card], moves: Sequence[Move]) -> Iterator[_Step]:
    piles = [[card] for card in deal]
    for move in moves:
        source, target = piles[move.source], piles[move.target]
        count = len(source) if move.whole else 1
        yield _Step(move.source - move.target, source[0], target[0], count, len(source))
        target[:0] = source[:count]
        del source[:count]
        if not source:
            del piles[move.source]
