"""Few candidates that reach together whatever any of them reaches."""

from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

Goal = TypeVar("Goal", bound=Hashable)


def cover(reached: Sequence[Collection[Goal]]) -> list[int]:
    """Indexes into `reached` that together have every goal, those that reach most first.

    Greedy: the one that adds most goals is taken, of several the first; in the end, each one is dropped whose goals
    the others have. The same for the same input; at most ln(n) + 1 times as many as the fewest possible, for n goals.
    """
    bits: dict[Goal, int] = {}
    # Iterating the goals decides nothing but which bit stands for which.
    masks = [sum(1 << bits.setdefault(goal, len(bits)) for goal in set(goals)) for goals in reached]
    first = {mask: index for index, mask in reversed(list(enumerate(masks)))}
    waiting = sorted(first.values())
    chosen: list[int] = []
    covered = 0
    while waiting:
        waiting = [index for index in waiting if masks[index] & ~covered]
        if waiting:
            best = max(waiting, key=lambda index: ((masks[index] & ~covered).bit_count(), -index))
            covered |= masks[best]
            chosen.append(best)
    for index in reversed(chosen.copy()):
        others = 0
        for other in chosen:
            others |= masks[other] if other != index else 0
        if others == covered:
            chosen.remove(index)
    return chosen
