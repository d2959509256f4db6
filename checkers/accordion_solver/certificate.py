"""A certificate: the moves of a game, written down so that they can be replayed.

A line per move, `pile QS KS` or `top QS KS`: the pile with QS on top, or QS alone, is moved onto the pile with KS on
top. All cards are dealt first. Spaces, blank lines and letter case do not matter.

Replaying shares nothing with the searches but the meaning of a card: it is the small, slow, independent verifier.
"""

from collections.abc import Iterable, Sequence

from accordion_solver.cards import Card, Tableau, name, read_card
from accordion_solver.search import Move


class NotLegalError(ValueError):
    """A certificate that proves nothing; the message says which move fails and why."""


def replay(deal: Sequence[Card], moves: Iterable[Move]) -> Tableau:
    """The tableau after `moves`. Raises NotLegalError when one is against the rules."""
    piles = [[card] for card in deal]
    for number, move in enumerate(moves, 1):
        _make(piles, move, number)
    return tuple(tuple(pile) for pile in piles)


def write_certificate(deal: Sequence[Card], moves: Iterable[Move]) -> str:
    """The certificate of `moves`. Raises NotLegalError when one is against the rules."""
    piles = [[card] for card in deal]
    lines = []
    for number, move in enumerate(moves, 1):
        kind = "pile" if move.whole else "top"
        lines.append(f"{kind} {name(piles[move.source][0])} {name(piles[move.target][0])}\n")
        _make(piles, move, number)
    return "".join(lines)


def replay_certificate(deal: Sequence[Card], text: str) -> Tableau:
    """The tableau that a certificate leads to. Raises NotLegalError when it is not one, or a move is not legal."""
    piles = [[card] for card in deal]
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for number, words in enumerate(lines, 1):
        _make(piles, _read_move(words, piles, number), number)
    return tuple(tuple(pile) for pile in piles)


def _read_move(words: list[str], piles: list[list[Card]], number: int) -> Move:
    if len(words) != 3 or words[0].lower() not in ("pile", "top"):
        found = " ".join(words)[:40]
        raise NotLegalError(f"move {number}: found {found!r}; expected such as `pile QS KS` or `top QS KS`")
    places = [_place(word, piles, number) for word in words[1:]]
    return Move(places[0], places[1], words[0].lower() == "pile")


def _place(word: str, piles: list[list[Card]], number: int) -> int:
    card = read_card(word) if len(word) == 2 else None
    for place, pile in enumerate(piles):
        if pile[0] == card:
            return place
    raise NotLegalError(f"move {number}: no pile has {word[:10]!r} on top")


def _make(piles: list[list[Card]], move: Move, number: int) -> None:
    if move.source - move.target not in (1, 2) or move.target < 0 or move.source >= len(piles):
        raise NotLegalError(f"move {number}: a move goes to the pile one or two to the left")
    moving, target = name(piles[move.source][0]), name(piles[move.target][0])
    if moving[0] != target[0] and moving[1] != target[1]:
        raise NotLegalError(f"move {number}: {moving} and {target} do not match")
    count = len(piles[move.source]) if move.whole else 1
    piles[move.target][:0] = piles[move.source][:count]
    del piles[move.source][:count]
    if not piles[move.source]:
        del piles[move.source]
