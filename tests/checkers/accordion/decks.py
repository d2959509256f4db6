"""Small decks, small enough to try everything, and an Accordion player that knows nothing of the product."""

from collections.abc import Iterator
from itertools import permutations

Piles = tuple[tuple[int, ...], ...]


def deck(suits: int, ranks: int) -> tuple[int, ...]:
    """The lowest cards of some suits."""
    return tuple(13 * suit + rank for suit in range(suits) for rank in range(ranks))


def deals(suits: int, ranks: int) -> Iterator[tuple[int, ...]]:
    """All deals, but one for those that differ only in the names of suits and ranks."""
    for deal in permutations(deck(suits, ranks)):
        first_suits = list(dict.fromkeys(card // 13 for card in deal))
        first_ranks = list(dict.fromkeys(card % 13 for card in deal))
        if first_suits == sorted(first_suits) and first_ranks == sorted(first_ranks):
            yield deal


def brute_force(deal: tuple[int, ...]) -> set[Piles]:
    """Every tableau of every game: cards are dealt one at a time, with any moves before each."""
    found: set[tuple[int, Piles]] = set()

    def play(dealt: int, piles: Piles) -> None:
        if (dealt, piles) in found:
            return
        found.add((dealt, piles))
        if dealt < len(deal):
            play(dealt + 1, (*piles, (deal[dealt],)))
        for source in range(len(piles)):
            for target in (source - 1, source - 2):
                if target < 0:
                    continue
                one, other = piles[source][0], piles[target][0]
                if one // 13 != other // 13 and one % 13 != other % 13:
                    continue
                for taken in {1, len(piles[source])}:
                    after = [list(pile) for pile in piles]
                    after[target] = [*piles[source][:taken], *piles[target]]
                    after[source] = list(piles[source][taken:])
                    play(dealt, tuple(tuple(pile) for pile in after if pile))

    play(0, ())
    return {piles for dealt, piles in found if dealt == len(deal)}


def candidates(deal: tuple[int, ...]) -> Iterator[Piles]:
    """Every tableau whose bottoms are in the order of the deal and in which no card is moved right."""

    def put(count: int) -> Iterator[Piles]:
        if count == 0:
            yield ()
            return
        card = deal[count - 1]
        for piles in put(count - 1):
            yield (*piles, (card,))
            for place, pile in enumerate(piles):
                for height in range(len(pile)):
                    new = (*pile[:height], card, *pile[height:])
                    yield (*piles[:place], new, *piles[place + 1 :])

    return put(len(deal))
