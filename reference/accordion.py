"""CS 509, spring 2003, assignment 3: is a tableau of Accordion derivable from a deal, and is it a winning one?"""

import heapq
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile
from typing import NoReturn

RANKS = "A23456789TJQK"
SUITS = "CDHS"
LISTABLE = 30_000
WIDTH = 3

Tableau = tuple[str, ...]
Read = tuple[str, int, int]  # a card with its line and column

# While it searches, the program calls the cards by letters in the order in which they are dealt, so that a pile is a
# short text, its top card first, and a tableau is a tuple of piles. All cards are dealt before the first move: a move
# concerns only piles to the left of the card moved, so that loses nothing.


def bad_input(line: int, column: int, reason: str) -> NoReturn:
    sys.exit(f"accordion: line {line}, column {column}: {reason}")


def read_cards(number: int, line: str) -> list[Read]:
    """Return the cards of a line, each with its line and column."""
    signs = [(column, sign.upper()) for column, sign in enumerate(line, 1) if not sign.isspace()]
    for column, sign in signs:
        if sign not in RANKS + SUITS:
            bad_input(number, column, f"{sign!r} is neither a rank nor a suit")
    cards = []
    for (column, first), (_, second) in zip(signs[::2], signs[1::2], strict=False):
        rank, suit = (first, second) if second in SUITS else (second, first)
        if rank not in RANKS or suit not in SUITS:
            bad_input(number, column, f"{first + second!r} is not a card: expected a rank and a suit")
        cards.append((rank + suit, number, column))
    if len(signs) % 2:
        bad_input(number, signs[-1][0], f"{signs[-1][1]!r} is half a card")
    return cards


def check_once(cards: list[Read], where: str) -> set[str]:
    seen: set[str] = set()
    for card, line, column in cards:
        if card in seen:
            bad_input(line, column, f"{card} is {where} twice")
        seen.add(card)
    return seen


def read_game(text: str, order: str) -> tuple[list[str], list[list[str]]]:
    """Return the deal and the piles, top first, as lists of cards. Ends the program when the input is bad."""
    lines = [read_cards(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        bad_input(1, 1, "the input is empty; expected the 52 cards dealt")
    deal, *piles = lines
    dealt = check_once(deal, "dealt")
    if len(deal) != 52:
        bad_input(*deal[-1][1:], f"found {len(deal)} cards dealt; expected 52")
    if not piles:
        bad_input(deal[0][1] + 1, 1, "there is no pile")
    if len(piles) > 52:
        bad_input(piles[52][0][1], 1, f"found {len(piles)} piles; there are at most 52")
    cards = [card for pile in piles for card in pile]
    missing = dealt - check_once(cards, "in the tableau")
    if missing:
        bad_input(*cards[-1][1:], f"the tableau ends without {', '.join(sorted(missing))}")
    step = 1 if order == "top-first" else -1
    return [card for card, _, _ in deal], [[card for card, _, _ in pile][::step] for pile in piles]


class Search:
    """The search for tableaux that can be reached from one deal."""

    def __init__(self, deal: list[str]) -> None:
        self.letters = {card: chr(ord("A") + place) for place, card in enumerate(deal)}
        self.cards = {letter: card for card, letter in self.letters.items()}
        self.partners = {
            letter: {other for other in self.cards if set(self.cards[other]) & set(card)}
            for letter, card in self.cards.items()
        }
        self.start: Tableau = tuple(self.cards)

    def tableau(self, piles: list[list[str]]) -> Tableau:
        return tuple("".join(self.letters[card] for card in pile) for pile in piles)

    def moves(self, tableau: Tableau) -> list[tuple[int, int]]:
        """Return the places of source and target of all moves."""
        partners = self.partners
        return [
            (source, target)
            for source in range(1, len(tableau))
            for target in range(max(source - 2, 0), source)
            if tableau[target][0] in partners[tableau[source][0]]
        ]

    def after(self, tableau: Tableau, source: int, target: int, count: int) -> Tableau:
        """Return the tableau after `count` cards were moved."""
        piles = list(tableau)
        piles[target] = piles[source][:count] + piles[target]
        piles[source] = piles[source][count:]
        return tuple(filter(None, piles))

    def all_after(self, tableau: Tableau) -> Iterator[Tableau]:
        for source, target in self.moves(tableau):
            for count in {1, len(tableau[source])}:
                yield self.after(tableau, source, target, count)

    def all_reachable(self) -> list[Tableau] | None:
        """Return all tableaux, or None when they are too many."""
        found = {self.start}
        waiting = [self.start]
        for tableau in waiting:
            for new in self.all_after(tableau):
                if new not in found:
                    if len(found) == LISTABLE:
                        return None
                    found.add(new)
                    waiting.append(new)
        return waiting

    def one_pile(self) -> Tableau:
        """Return a tableau of one pile. It goes down a pile at a time, with the few tableaux that allow most moves."""
        while True:
            beam = [self.start]
            while beam and len(beam[0]) > 1:
                chances: dict[Tableau, float] = {}
                for tableau in beam + self.rearranged(beam):
                    for source, target in self.moves(tableau):
                        new = self.after(tableau, source, target, len(tableau[source]))
                        if new not in chances:
                            chances[new] = len(self.moves(new)) + random.random()
                beam = heapq.nlargest(WIDTH, chances, key=lambda new: chances[new])
            if beam:
                return beam[0]

    def rearranged(self, beam: list[Tableau]) -> list[Tableau]:
        """Return what moves of single cards make of the tableaux."""
        found: dict[Tableau, bool] = {}
        waiting = list(beam)
        for tableau in waiting:
            for source, target in self.moves(tableau):
                if len(tableau[source]) > 1:
                    new = self.after(tableau, source, target, 1)
                    if new not in found:
                        found[new] = True
                        if len(tableau) <= 8 and len(waiting) < 300:
                            waiting.append(new)
        return list(found)

    def is_derivable(self, goal: Tableau) -> bool:
        """Search like one_pile(), with the tableaux that are nearest to the goal; wider each time."""
        bottoms = [pile[-1] for pile in goal]
        if bottoms != sorted(bottoms) or bottoms[0] != "A" or any(min(pile) != pile[-1] for pile in goal):
            return False
        below = {upper: lower for pile in goal for upper, lower in pairwise(pile)}
        home = {letter: pile[-1] for pile in goal for letter in pile}
        bound = {upper for upper, lower in below.items() if lower not in self.partners[upper]}
        cards = [(depth, pile) for pile in goal for depth, card in enumerate(pile) if card in bound]
        if not all(self.may_be_put(depth, pile, home, bound) for depth, pile in cards):
            return False
        width = WIDTH
        while True:
            beam, seen, complete = [self.start], {self.start}, True
            while beam:
                new = {new: True for tableau in beam for new in self.all_after(tableau) if new not in seen}
                if goal in new:
                    return True
                seen |= new.keys()
                costs = dict(self.costs(new, below, home))
                complete = complete and len(costs) <= width
                beam = heapq.nsmallest(width, costs, key=lambda tableau: costs[tableau])
            if complete:
                return False
            width = int(1.2 * width) + 1

    def may_be_put(self, depth: int, pile: str, home: dict[str, str], bound: set[str]) -> bool:
        """Return whether a card of a pile of the goal may have come with its pile onto the card that lies below it.

        That card was in the pile of some card below, with all between as they are in the goal, and that pile came to
        its place in turn. A helper on top matched the card below; it was dealt later. It stays with all that lies
        between, or it left alone, to the left. A move jumps one pile at most, and the piles of the goal never go.
        """
        card, under = pile[depth], pile[depth + 1 :]
        stay = set(takewhile(card.__lt__, reversed(pile[:depth])))
        helpers = [
            other
            for other in self.partners[under[0]]
            if other > card and home[other] <= card and (other in stay or other not in bound)
        ]
        return any(
            bottom == min(under[:count])
            and bottom < card
            and sum(bottom < last < card for last in set(home.values())) <= 1
            and any(other in stay or home[other] < bottom for other in helpers)
            and (bottom == pile[-1] or self.may_be_put(depth + count, pile, home, bound))
            for count, bottom in enumerate(under, 1)
        )

    def costs(
        self, tableaux: Iterable[Tableau], below: dict[str, str], home: dict[str, str]
    ) -> Iterator[tuple[Tableau, float]]:
        """Yield what there is to do until the goal, for the tableaux from which it may be reached."""
        for tableau in tableaux:
            wrong = [count for pile in tableau if (count := self.misplaced(pile, below, home)) is not None]
            if len(wrong) == len(tableau):
                yield tableau, len(tableau) + 1.5 * sum(wrong) + random.random()

    def misplaced(self, pile: str, below: dict[str, str], home: dict[str, str]) -> int | None:
        """Return how many cards have to leave a pile, or None when one of them cannot.

        A card cannot leave its home. A card that does not match the one below it in the goal gets there only as the
        bottom of its pile, and then all below it stays as it is.
        """
        count = 0
        bottom = pile[-1]
        for place in range(len(pile) - 2, -1, -1):
            card, lower = pile[place], pile[place + 1]
            if home[card] > bottom:
                return None
            if count or below.get(card) != lower:
                count += 1
                if home[card] == bottom or (card in below and below[card] not in self.partners[card]):
                    return None
        return count


def answer(deal: list[str], piles: list[list[str]]) -> str | list[list[str]]:
    """Return `impossible`, or the piles to print: those of a winning tableau, or none."""
    random.seed(0)
    search = Search(deal)
    goal = search.tableau(piles)
    if goal != search.start and not search.is_derivable(goal):
        return "impossible"
    reachable = search.all_reachable()
    if reachable is not None:  # noqa: SIM108
        best = min(reachable, key=len)
    else:
        best = search.one_pile() if len(goal) > 1 else goal
    if len(goal) == len(best):
        return []
    return [[search.cards[letter] for letter in pile] for pile in best]


def main() -> None:
    order = sys.argv[1].removeprefix("--order=") if len(sys.argv) > 1 else "top-first"
    if order not in ("top-first", "bottom-first"):
        sys.exit("usage: accordion.py [--order=top-first|--order=bottom-first] < GAME")
    deal, piles = read_game(sys.stdin.read(), order)
    result = answer(deal, piles)
    if isinstance(result, str):
        print(result)
    else:
        for pile in result:
            print(*(pile if order == "top-first" else reversed(pile)))


if __name__ == "__main__":
    main()
