"""Whether a given tableau can be derived from a deal.

Quick arguments come first (`arguments`). Then a forward search that looks at the given tableau all the time: states
from which it cannot be reached any more are dropped (`target`), the others are ranked by how many cards still have to
be moved. A beam is repeated with new random numbers, and wider from time to time. A beam that never had to drop a
state for want of room has seen everything: the tableau is impossible.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from accordion_solver.arguments import Argument, Ground, quick_argument
from accordion_solver.cards import Card, Tableau
from accordion_solver.search import Budget, Deal, Move, State, Step, moved, path
from accordion_solver.target import Target

_FIRST_WIDTH = 3
_BEAMS_PER_WIDTH = 6
_WIDENING = 1.5
_NOISE = 1.0
_COST_OF_MISPLACED = 1.5


@dataclass(frozen=True)
class Derivable:
    """The tableau is reached by `moves`."""

    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Impossible:
    """The tableau cannot be reached; `argument` says why."""

    argument: Argument


def derive(deal: Deal, tableau: Tableau, budget: Budget, seed: int = 0) -> Derivable | Impossible | None:
    """Whether `tableau`, which has the cards of `deal`, can be reached; None when the budget does not allow to tell."""
    argument = quick_argument(deal, tableau)
    if argument:
        return Impossible(argument)
    goal = deal.state(tableau)
    if goal == deal.start:
        return Derivable(())
    target = Target(deal, goal)
    rng = random.Random(seed)
    width = _FIRST_WIDTH
    beams = 0
    while not budget.is_spent():
        steps, complete = _beam(deal, target, width, rng, budget)
        if goal in steps:
            return Derivable(path(steps, goal))
        if complete:
            return Impossible(Argument(Ground.EXHAUSTED, _never_together(deal, target, steps), len(steps)))
        beams += 1
        if beams % _BEAMS_PER_WIDTH == 0:
            width = int(width * _WIDENING) + 1
    return None


def _never_together(deal: Deal, target: Target, states: Iterable[State]) -> tuple[Card, ...]:
    """Return the lowest two cards of a goal pile of which one is on the other in no state; empty if none are."""
    met = {pair for state in states for pile in state for pair in pairwise(pile)}
    for pile in target.goal:
        for upper, lower in reversed(list(pairwise(pile))):
            if (upper, lower) not in met:
                return deal.card(upper), deal.card(lower)
    return ()


def _beam(
    deal: Deal, target: Target, width: int, rng: random.Random, budget: Budget
) -> tuple[dict[State, Step | None], bool]:
    """How states were reached, and whether these are all from which the goal might be reached."""
    steps: dict[State, Step | None] = {deal.start: None}
    beam = [deal.start]
    complete = True
    while beam and target.goal not in steps:
        if budget.is_spent():
            return steps, False
        costs: dict[State, float] = {}
        for state in beam:
            for new, source, goes_to, whole in _useful_moves(deal, target, state):
                if new not in steps:
                    steps[new] = (state, source, goes_to, whole)
                    costs[new] = _cost(target, new) + rng.random() * _NOISE
        beam, all_taken = _best(target, costs, width)
        complete = complete and all_taken
    return steps, complete


def _best(target: Target, costs: Mapping[State, float], width: int) -> tuple[list[State], bool]:
    """The cheapest states that are not hopeless, at most `width`, and whether these are all."""
    best: list[State] = []
    for state in sorted(costs, key=costs.__getitem__):
        if not target.is_hopeless(state):
            if len(best) == width:
                return best, False
            best.append(state)
    return best, True


def _cost(target: Target, state: State) -> float:
    return len(state) + _COST_OF_MISPLACED * sum([target.misplaced(pile) or 0 for pile in state if len(pile) > 1])


def _useful_moves(deal: Deal, target: Target, state: State) -> Iterator[Step]:
    """The moves after which the changed pile may still lead to the goal: new state, source, target, whole."""
    rules = deal.rules
    for source in range(1, len(state)):
        pile = state[source]
        fitting = deal.partners[pile[0]]
        goes_whole = pile[-1] not in target.lasting and (rules.piles or len(pile) == 1)
        goes_alone = rules.tops and target.may_lose_top(pile)
        for distance in rules.distances:
            place = source - distance
            if place < 0 or state[place][0] not in fitting:
                continue
            below = state[place]
            if goes_whole and target.misplaced(pile + below) is not None:
                yield moved(state, source, place, whole=True), source, place, True
            if goes_alone and target.misplaced(pile[0] + below) is not None:
                yield moved(state, source, place, whole=False), source, place, False
