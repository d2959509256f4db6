"""What a state must still allow when a given tableau is to be reached from it.

All of it follows from two facts: cards only ever move left, and a card leaves a pile only from its top or with the
whole pile. A pile keeps its bottom card as long as it exists, so it is named by it: "pile b". In the given tableau,
every card y has a *home* (the pile it ends in) and, unless it is a bottom, a card x = below(y) that it ends on.

- y can only be in a pile at or to the right of its home.
- A pile whose bottom is a bottom of the given tableau (a *lasting* pile) never moves as a whole. In y's home, y can
  never leave, so exactly the cards that end below it must be below it.
- If y does not match x, it never lies on x by moving alone. So it has to stay the bottom of its own pile, where it was
  dealt, until that whole pile is put on x. From then on nothing from x downward can ever leave that pile, so all of it
  must lie as it ends. Such a y is *bound*. Pile y then needs a top card that matches x, the *helper*. A helper that is
  bound itself, or that arrives at its own home, stays above y for good, together with all cards between them.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile

from accordion_solver.search import Deal, State


@dataclass(frozen=True, kw_only=True)
class _Bond:
    """A bound card with the card it has to be put on, and the helpers that could do it.

    `settled_helpers` are those left when x has already reached its home.
    """

    bound: str
    below: str
    home: str
    helpers: tuple[str, ...]
    settled_helpers: tuple[str, ...]


class Target:
    """The given tableau, in the letters of the deal; piles are in the order of the deal and no card is moved right."""

    def __init__(self, deal: Deal, goal: State) -> None:
        self.goal = goal
        self._farthest = max(deal.rules.distances)
        self.lasting = frozenset(pile[-1] for pile in goal)
        self.below = {upper: lower for pile in goal for upper, lower in pairwise(pile)}
        self.home = {letter: pile[-1] for pile in goal for letter in pile}
        self.bound = frozenset(upper for upper, lower in self.below.items() if lower not in deal.partners[upper])
        bottoms = sorted(self.lasting)
        self._lasting_before = {letter: bisect_left(bottoms, letter) for letter in deal.start}
        self.bonds = tuple(self._bonds(deal))
        self._misplaced: dict[str, int | None] = {}

    def misplaced(self, pile: str) -> int | None:
        """How many cards have to leave `pile` one by one; None when the goal cannot be reached with it."""
        if pile not in self._misplaced:
            self._misplaced[pile] = self._count_misplaced(pile)
        return self._misplaced[pile]

    def may_lose_top(self, pile: str) -> bool:
        """Whether the top card of `pile` may leave it alone."""
        return len(pile) > 1 and pile[0] not in self.bound and self.home[pile[0]] != pile[-1]

    def is_hopeless(self, state: State) -> bool:
        """Whether a bound card can no longer be put where it ends. Every pile of `state` must be a possible one."""
        place, buried = self._places(state)
        return any(place[bond.bound] == bond.bound and self._is_broken(bond, place, buried) for bond in self.bonds)

    def helpers(self, bond: _Bond, place: str) -> tuple[str, ...]:
        """The cards that could be the helper while x is in pile `place`."""
        return bond.settled_helpers if place == bond.home else bond.helpers

    def is_too_far(self, bond: _Bond, place: str) -> bool:
        """Return whether too many lasting piles stand between `place`, where x is, and the bound card to jump them.

        x only gets farther away, and lasting piles never go.
        """
        between = self._lasting_before[bond.bound] - self._lasting_before[place] - (place in self.lasting)
        return between >= self._farthest

    def can_be_put(self, deal: Deal, card: str) -> bool:
        """Whether there is a pile in which `card`, the bottom of its own, can be put on x = below(card) with all on it.

        The pile of x is x's home, or it is pile c for a c that ends between x and the home's bottom, x included. In
        pile c, all from c up to `card` lie as they end, so no card among them was dealt before c. They stay together
        from now on, so pile c must be put on below(c) as a whole, which is the same question about c. A helper that
        does not stay above `card` has to leave pile c, or the home, to the left: its own home is farther left.
        """
        pile = next(pile for pile in self.goal if card in pile)
        depth = pile.index(card)
        bond = self._bond_in(deal, pile, depth)
        stays = self._stays(pile, depth)
        under = pile[depth + 1 :]
        for place, least in zip(under, accumulate(under, min), strict=True):
            lies = place == least and place < card and not self.is_too_far(bond, place)
            helped = any(one in stays or self.home[one] < place for one in bond.helpers)
            if lies and helped and (place == bond.home or self.can_be_put(deal, place)):
                return True
        return False

    def _is_broken(self, bond: _Bond, place: dict[str, str], buried: set[str]) -> bool:
        below = place[bond.below]
        if self.is_too_far(bond, below):
            return True
        return all(place[one] < bond.bound or one in buried for one in self.helpers(bond, below))

    def _places(self, state: State) -> tuple[dict[str, str], set[str]]:
        """The pile of every card, and the cards that can never be on top of a pile again."""
        place: dict[str, str] = {}
        buried: set[str] = set()
        for pile in state:
            bottom = pile[-1]
            if len(pile) == 1:
                place[bottom] = bottom
                continue
            for letter in pile:
                place[letter] = bottom
            depth = self._settled_depth(pile)
            if depth:
                buried.update(pile[-depth:])
        return place, buried

    def _settled_depth(self, pile: str) -> int:
        """How many cards, from the bottom, have another card on them for good."""
        lower = pile[-1]
        lasts = lower in self.lasting
        depth = 0
        for height, upper in enumerate(pile[-2::-1], 1):
            if self.below.get(upper) != lower:
                break
            if lasts or upper in self.bound:
                depth = height
            lower = upper
        return depth

    def _count_misplaced(self, pile: str) -> int | None:
        bottom = lower = pile[-1]
        if self.home[bottom] > bottom:
            return None
        misplaced = 0
        for upper in pile[-2::-1]:
            if self.home[upper] > bottom:
                return None
            if misplaced or self.below.get(upper) != lower:
                misplaced += 1
                if upper in self.bound or self.home[upper] == bottom:
                    return None
            lower = upper
        return misplaced

    def _bonds(self, deal: Deal) -> Iterator[_Bond]:
        for pile in self.goal:
            for depth, bound in enumerate(pile):
                if bound in self.bound:
                    yield self._bond_in(deal, pile, depth)

    def _stays(self, pile: str, depth: int) -> frozenset[str]:
        """The cards that can be in the pile of the card at `depth`, above it, when everything in it stays for good."""
        return frozenset(takewhile(pile[depth].__lt__, pile[:depth][::-1]))

    def _bond_in(self, deal: Deal, pile: str, depth: int) -> _Bond:
        """The bond of one card; a helper is dealt later and cannot end to the right of where it helps."""
        bound, stays = pile[depth], self._stays(pile, depth)
        below, home = self.below[bound], self.home[bound]
        helpers = [
            one
            for one in sorted(deal.partners[below])
            if one > bound and self.home[one] <= bound and (one in stays or one not in self.bound)
        ]
        settled = tuple(one for one in helpers if self.home[one] < home or one in stays)
        return _Bond(bound=bound, below=below, home=home, helpers=tuple(helpers), settled_helpers=settled)
