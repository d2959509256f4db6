"""What the searches share: positions in letters, moves, the list of all that can be reached, and a limit of time.

A search works on the cards of one deal. It calls them by letters in the order in which they are dealt, so that a pile
is a short string and "dealt earlier" is "smaller".
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from accordion_solver.cards import Card, Tableau, match

_FIRST_LETTER = ord("A")


State = tuple[str, ...]
"""A tableau in letters: piles from left to right, each with its top card first."""


Step = tuple[State, int, int, bool]
"""How a state was reached: the state before, the places of source and target, and whether the whole pile moved."""


@dataclass(frozen=True)
class Move:
    """A pile or its top card is moved from place `source` onto the pile at place `target`, one or two to its left.

    Places count from 0 at the left, before the move.
    """

    source: int
    target: int
    whole: bool


@dataclass(frozen=True)
class Rules:
    """Which moves are allowed: how far to the left, onto which cards, of whole piles and of single top cards.

    The defaults are the rules of the handout.
    """

    distances: tuple[int, ...] = (1, 2)
    fits: Callable[[Card, Card], bool] = match
    piles: bool = True
    tops: bool = True


HANDOUT = Rules()


@dataclass(frozen=True)
class Deal:
    """The cards of one deal under their letters, and the rules of the game."""

    cards: tuple[Card, ...]
    rules: Rules = HANDOUT

    @cached_property
    def letters(self) -> dict[Card, str]:
        """The letter of each card."""
        return {card: chr(_FIRST_LETTER + place) for place, card in enumerate(self.cards)}

    @cached_property
    def partners(self) -> dict[str, frozenset[str]]:
        """The letters of the cards that match, by letter; a card counts among its own partners."""
        return {
            letter: frozenset(other for card2, other in self.letters.items() if self.rules.fits(card, card2))
            for card, letter in self.letters.items()
        }

    @cached_property
    def start(self) -> State:
        """All cards dealt, none moved."""
        return tuple(self.letters[card] for card in self.cards)

    def card(self, letter: str) -> Card:
        """The card of a letter."""
        return self.cards[ord(letter) - _FIRST_LETTER]

    def state(self, tableau: Tableau) -> State:
        """A tableau in letters."""
        return tuple("".join(self.letters[card] for card in pile) for pile in tableau)

    def tableau(self, state: State) -> Tableau:
        """A state in cards."""
        return tuple(tuple(self.card(letter) for letter in pile) for pile in state)


def moved(state: State, source: int, target: int, *, whole: bool) -> State:
    """The state after a move, which is not checked."""
    pile = state[source]
    left, between, right = state[:target], state[target + 1 : source], state[source + 1 :]
    if whole:
        return left + (pile + state[target],) + between + right  # noqa: RUF005 - twice as fast as unpacking
    return left + (pile[0] + state[target],) + between + (pile[1:],) + right  # noqa: RUF005


def path(steps: Mapping[State, Step | None], end: State) -> tuple[Move, ...]:
    """The moves that lead to `end`, given how each state was reached; the first one has none."""
    moves = []
    while (step := steps.get(end)) is not None:
        end, source, target, whole = step
        moves.append(Move(source, target, whole))
    return tuple(reversed(moves))


def reachable(deal: Deal, limit: int) -> Mapping[State, Step | None] | None:
    """Every state that can be reached, with one way to reach it; None when there are more than `limit`."""
    partners = deal.partners
    steps: dict[State, Step | None] = {deal.start: None}
    waiting = [deal.start]
    for state in waiting:
        for source in range(1, len(state)):
            pile = state[source]
            fitting = partners[pile[0]]
            for target in range(source - 1, max(source - 3, -1), -1):
                if state[target][0] not in fitting:
                    continue
                for whole in (True, False) if len(pile) > 1 else (True,):
                    new = moved(state, source, target, whole=whole)
                    if new not in steps:
                        if len(steps) >= limit:
                            return None
                        steps[new] = (state, source, target, whole)
                        waiting.append(new)
    return steps


@dataclass(frozen=True)
class Budget:
    """A time on the clock of the processor at which to give up; waiting for the processor costs nothing."""

    ends: float

    @classmethod
    def of(cls, seconds: float) -> "Budget":
        """A budget of so many seconds from now."""
        return cls(time.process_time() + seconds)

    def is_spent(self) -> bool:
        """Whether it is time to give up."""
        return time.process_time() >= self.ends
