"""Pairs items so that as many as possible have a partner (Kuhn's algorithm for bipartite matching)."""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TypeAlias

# The maximum number of paired items to move to make room for another; deeper searches are slow and find little.
_MAX_MOVED = 200

Candidates: TypeAlias = Callable[[int, Container[int], Container[int]], Iterable[int]]
"""A function that returns the places that fit an index, given the taken places and the places already tried, which it
may omit. It should return free places first.
"""


def paired(indexes: Iterable[int], candidates: Candidates, pairs: Mapping[int, int]) -> dict[int, int]:
    """Extend `pairs` with as many of the `indexes` as possible, and return each index with its place."""
    pairing = _Pairing(candidates, {place: index for index, place in pairs.items()})
    for index in indexes:
        pairing.place(index, set())
    return {index: place for place, index in pairing.taken_by.items()}


class _Pairing:
    def __init__(self, candidates: Candidates, taken_by: dict[int, int]) -> None:
        self._candidates = candidates
        self.taken_by = taken_by

    def place(self, index: int, asked: set[int]) -> bool:
        """Find a place for this item, moving its current holder to another place."""
        for place in self._candidates(index, self.taken_by, asked):
            if place in asked:
                continue
            asked.add(place)
            holder = self.taken_by.get(place)
            if holder is None or (len(asked) < _MAX_MOVED and self.place(holder, asked)):
                self.taken_by[place] = index
                return True
        return False
