"""The smallest number of piles that a deal can end with.

Two searches take turns. One lists all reachable states, which ends soon for tame deals and settles the question. The
other, for wild deals, is a beam search that is repeated with new random numbers: it goes down one pile at a time and
keeps the few states with most matches within two places. Narrow beams that start again often find one pile sooner
than wide ones, because a bad beginning cannot be repaired.
"""

import heapq
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accordion_solver.cards import Tableau
from accordion_solver.search import Budget, Deal, Move, State, Step, moved, path, reachable

_WIDTH = 3
_NOISE = 1.0
_FEW_PILES = 8
_MOST_REARRANGED = 300


# States listed after so many beams: few at first, which costs a wild deal next to nothing.
_LISTINGS = {1: 1_000, 12: 30_000}


@dataclass(frozen=True)
class Fewest:
    """What is known of the smallest number of piles.

    `moves` lead to a tableau of `piles` piles. `exact` says that fewer are impossible: there is only one pile, or
    `listed` is the number of reachable states, all of which were looked at.
    """

    piles: int
    moves: tuple[Move, ...]
    exact: bool
    listed: int | None


def fewest_piles(deal: Deal, budget: Budget, seed: int = 0) -> Fewest:
    """The smallest number of piles, as far as the budget allows to tell."""
    rng = random.Random(seed)
    best = Fewest(len(deal.cards), (), len(deal.cards) == 1, None)
    beams = 0
    while not best.exact and not budget.is_spent():
        steps, end = _beam(deal, rng)
        if len(end) < best.piles:
            best = Fewest(len(end), path(steps, end), len(end) == 1, None)
        beams += 1
        if not best.exact and beams in _LISTINGS:
            best = _listed(deal, _LISTINGS[beams]) or best
    return best


def _listed(deal: Deal, limit: int) -> Fewest | None:
    steps = reachable(deal, limit)
    if steps is None:
        return None
    end = min(steps, key=len)
    return Fewest(len(end), path(steps, end), exact=True, listed=len(steps))


def good_play(deal: Deal, rng: random.Random, piles: int) -> Tableau | None:
    """A tableau of so many piles, found by one beam; None when it does not lead so far."""
    _, end = _beam(deal, rng, piles)
    return deal.tableau(end) if len(end) == piles else None


def _beam(deal: Deal, rng: random.Random, piles: int = 1) -> tuple[dict[State, Step | None], State]:
    """Go down to `piles` piles or as far as one beam leads: how states were reached, and one with the fewest piles."""
    partners = deal.partners
    steps: dict[State, Step | None] = {deal.start: None}
    beam = [deal.start]
    while len(beam[0]) > piles:
        scores: dict[State, float] = {}
        for state in _rearranged(deal, beam, steps):
            for source, target in _matches(partners, state):
                new = moved(state, source, target, whole=True)
                if new not in scores:
                    scores[new] = len(_matches(partners, new)) + rng.random() * _NOISE
                    steps.setdefault(new, (state, source, target, True))
        if not scores:
            break
        beam = heapq.nlargest(_WIDTH, scores, key=scores.__getitem__)
    return steps, beam[0]


def _rearranged(deal: Deal, states: Iterable[State], steps: dict[State, Step | None]) -> list[State]:
    """The states and what moves of single cards make of them: one such move, or many when only few piles are left."""
    found = list(states)
    several = len(found[0]) <= _FEW_PILES
    end = _MOST_REARRANGED if several else len(found)
    seen = set(found)
    for place, state in enumerate(found):
        if place >= end:
            break
        for source, target in _matches(deal.partners, state):
            if len(state[source]) > 1:
                new = moved(state, source, target, whole=False)
                if new not in seen:
                    seen.add(new)
                    found.append(new)
                    steps.setdefault(new, (state, source, target, False))
    return found


def _matches(partners: Mapping[str, frozenset[str]], state: State) -> list[tuple[int, int]]:
    """The places of source and target of every move."""
    found = []
    before = last = ""
    for source, pile in enumerate(state):
        top = pile[0]
        fitting = partners[top]
        if last in fitting:
            found.append((source, source - 1))
        if before in fitting:
            found.append((source, source - 2))
        before, last = last, top
    return found
