"""All tableaux that can be reached from a deal, where they are few enough to be listed (tame deals)."""

from collections.abc import Mapping

from grader.checkers.accordion.moves import Deal, State, Step, moved


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
                    new = moved(state, source, target, whole)
                    if new not in steps:
                        if len(steps) >= limit:
                            return None
                        steps[new] = (state, source, target, whole)
                        waiting.append(new)
    return steps
