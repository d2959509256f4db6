"""Checks what the searches claim, with code of its own: small, slow, and without their letters and tables.

Moves are replayed by `certificate`. Here are the arguments: that a tableau is impossible, and that fewer piles are.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from accordion_solver.arguments import Argument, Ground
from accordion_solver.cards import Card, Tableau, match


def all_reachable(deal: Sequence[Card], limit: int, target: Tableau | None = None) -> set[Tableau] | None:
    """Every tableau that can be reached from the deal; None when there are more than `limit`.

    With a `target`, those are left out from which it cannot be reached because of what lies in one of their piles.
    """
    start: Tableau = tuple((card,) for card in deal)
    found = {start}
    waiting = [start]
    while waiting:
        for following in _following(waiting.pop()):
            if following not in found and (target is None or _may_become(following, target, deal)):
                if len(found) >= limit:
                    return None
                found.add(following)
                waiting.append(following)
    return found


def fewest_is(deal: Sequence[Card], piles: int, limit: int) -> bool:
    """Whether looking at every reachable tableau, at most `limit`, shows that `piles` is the smallest number."""
    found = all_reachable(deal, limit)
    return found is not None and min(map(len, found)) == piles


def argument_holds(argument: Argument, deal: Sequence[Card], tableau: Tableau, limit: int) -> bool:
    """Whether the argument proves the tableau impossible; False also when checking it is too much work."""
    dealt = {card: number for number, card in enumerate(deal)}
    cards = argument.cards
    match argument.ground:
        case Ground.FIRST_CARD:
            return tableau[0][-1] != deal[0]
        case Ground.PILE_ORDER:
            bottoms = [pile[-1] for pile in tableau]
            return bottoms.index(cards[0]) < bottoms.index(cards[1]) and dealt[cards[0]] > dealt[cards[1]]
        case Ground.MOVED_RIGHT:
            return dealt[cards[0]] < dealt[cards[1]] and any(cards[0] in p and p[-1] == cards[1] for p in tableau)
        case Ground.NO_FIRST_MOVE:
            return len(tableau) < len(deal) and not any(True for _ in _following(tuple((card,) for card in deal)))
        case Ground.NO_LAST_MOVE:
            return len(tableau) < len(deal) and not any(_last_moves(tableau, dealt))
        case Ground.NO_HELPER:
            return _lies_on(cards, tableau) and not any(
                _may_help(card, cards, cards[1], deal, tableau) for card in deal if match(card, cards[1])
            )
        case Ground.TOO_FAR:
            lasting = {dealt[pile[-1]] for pile in tableau}
            between = lasting & set(range(dealt[cards[1]] + 1, dealt[cards[0]]))
            return _lies_on(cards, tableau) and len(between) > 1
        case Ground.NO_WAY:
            return _lies_on(cards, tableau) and not _may_be_put(cards[0], deal, tableau)
        case Ground.EXHAUSTED:
            found = all_reachable(deal, limit, tableau)
            return found is not None and tableau not in found


def _following(tableau: Tableau) -> Iterator[Tableau]:
    """The tableaux that one move makes."""
    for source in range(1, len(tableau)):
        for target in {source - 1, max(source - 2, 0)}:
            if match(tableau[source][0], tableau[target][0]):
                for count in {1, len(tableau[source])}:
                    piles = [list(pile) for pile in tableau]
                    piles[target] = piles[source][:count] + piles[target]
                    piles[source] = piles[source][count:]
                    yield tuple(tuple(pile) for pile in piles if pile)


def _last_moves(tableau: Tableau, dealt: dict[Card, int]) -> Iterator[bool]:
    """Whether each cut through a pile can be where the last move put something on it."""
    for place, pile in enumerate(tableau):
        for count in range(1, len(pile)):
            if match(pile[0], pile[count]):
                came = dealt[pile[count - 1]]
                right = [dealt[other[-1]] for other in tableau[place + 1 :]]
                whole = min(dealt[card] for card in pile[:count]) == came and (len(right) < 2 or came < right[1])
                yield whole or (count == 1 and bool(right))


def _pile_of(card: Card, tableau: Tableau) -> tuple[Card, ...]:
    return next(pile for pile in tableau if card in pile)


def _lies_on(cards: tuple[Card, ...], tableau: Tableau) -> bool:
    """Whether the first card lies directly on the second without matching it."""
    pile = _pile_of(cards[0], tableau)
    return cards in list(pairwise(pile)) and not match(*cards)


def _may_be_put(upper: Card, deal: Sequence[Card], tableau: Tableau) -> bool:
    """Whether `upper` may have been put, with its pile, on the card below it in some pile that then got to its place.

    The bottom of that pile is the one of the tableau, or a card below `upper` that was dealt before all between; then
    it was put in its turn, with all on it, on the card below it.
    """
    dealt = {card: number for number, card in enumerate(deal)}
    pile = _pile_of(upper, tableau)
    below = pile[pile.index(upper) + 1 :]
    for count, bottom in enumerate(below, 1):
        is_last = bottom == pile[-1]
        if dealt[bottom] > dealt[upper] or any(dealt[card] < dealt[bottom] for card in below[:count]):
            continue
        if sum(dealt[bottom] < dealt[other[-1]] < dealt[upper] for other in tableau) > 1:
            continue
        helpers = [card for card in deal if match(card, below[0])]
        if any(_may_help(card, (upper, below[0]), bottom, deal, tableau) for card in helpers) and (
            is_last or _may_be_put(bottom, deal, tableau)
        ):
            return True
    return False


def _may_help(helper: Card, cards: tuple[Card, ...], bottom: Card, deal: Sequence[Card], tableau: Tableau) -> bool:
    """Whether `helper` may have been on top of the pile of the first card when that was put on the second one.

    The second card was in a pile with this bottom card, or with one to the left of it.
    """
    dealt = {card: number for number, card in enumerate(deal)}
    upper = cards[0]
    home, pile = _pile_of(helper, tableau), _pile_of(upper, tableau)
    if dealt[helper] <= dealt[upper] or dealt[home[-1]] > dealt[upper]:
        return False
    if home is pile and helper in pile[: pile.index(upper)]:
        between = pile[pile.index(helper) : pile.index(upper)]
        if all(dealt[card] > dealt[upper] for card in between):
            return True
    below = home[home.index(helper) + 1 :]
    if below and not match(helper, below[0]):
        return False
    return dealt[home[-1]] < dealt[bottom]


def _may_become(tableau: Tableau, target: Tableau, deal: Sequence[Card]) -> bool:
    dealt = {card: number for number, card in enumerate(deal)}
    return all(_pile_may_become(pile, target, dealt) for pile in tableau if len(pile) > 1)


def _pile_may_become(pile: tuple[Card, ...], target: Tableau, dealt: dict[Card, int]) -> bool:
    """Whether a pile holds no card in a place that it can neither keep nor leave on the way to `target`."""
    for depth, card in enumerate(pile[:-1]):
        home = _pile_of(card, target)
        if dealt[home[-1]] > dealt[pile[-1]]:
            return False
        below = home[home.index(card) + 1 :]
        stays = home[-1] == pile[-1] or (bool(below) and not match(card, below[0]))
        if stays and below[: len(pile) - depth - 1] != pile[depth + 1 :]:
            return False
    return True
