"""Finds a small part of a sequence of edits that still has an effect (delta debugging).

Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28, 2002.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")


def minimised(items: Sequence[_T], first_that_works: Callable[[Sequence[Sequence[_T]]], int | None]) -> Sequence[_T]:
    """Return a part of `items` from which no single item can be left out; all of them must work.

    `first_that_works` gets parts of `items`, and returns the place of the first that works, or None.
    """
    parts = 2
    while len(items) > 1:
        length = max(1, len(items) // parts)
        pieces = [items[start : start + length] for start in range(0, len(items), length)]
        without = [[*items[:start], *items[start + length :]] for start in range(0, len(items), length)]
        candidates = [part for part in (*(pieces if parts == 2 else ()), *without) if part]
        place = first_that_works(candidates)
        if place is not None:
            kept = candidates[place]
            parts = max(min(parts - 1, len(kept)), 2)
            items = kept
        elif length == 1:
            break
        else:
            parts = min(len(items), parts * 2)
    return items
