"""Cards and the format of the input (handout, "Input")."""

from dataclasses import dataclass

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK_SIZE = len(RANKS) * len(SUITS)


Card = int
"""13 times the place of the suit in SUITS plus the place of the rank in RANKS."""


Tableau = tuple[tuple[Card, ...], ...]
"""Piles from left to right, each with its top card first."""


TOP_FIRST = "top-first"
BOTTOM_FIRST = "bottom-first"
ORDERS = TOP_FIRST, BOTTOM_FIRST
"""Which end of a pile a line begins with. The handout's words say the top; its example makes sense the other way."""


class GameSyntaxError(ValueError):
    """Text that is not in the format; `line` and `column` count from 1 and include blank lines and spaces."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason


@dataclass(frozen=True)
class Game:
    """An input: the cards in the order in which they are dealt, and the tableau in question."""

    deal: tuple[Card, ...]
    tableau: Tableau


@dataclass(frozen=True)
class _Written:
    """A card as it was written."""

    card: Card
    line: int
    column: int


def name(card: Card) -> str:
    """A card as two characters, such as `QS`."""
    return RANKS[card % 13] + SUITS[card // 13]


def match(one: Card, other: Card) -> bool:
    """Whether two cards have the same suit or the same rank."""
    return one % 13 == other % 13 or one // 13 == other // 13


def read_game(text: str, order: str = TOP_FIRST) -> Game:
    """The game that `text` describes. Raises GameSyntaxError."""
    lines = _card_lines(text)
    if not lines:
        raise GameSyntaxError(1, 1, "the input is empty; expected a line with the 52 cards dealt")
    deal, *piles = lines
    _check_deal(deal)
    if not piles:
        raise GameSyntaxError(deal[0].line + 1, 1, "there is no pile; expected 1 to 52 lines with piles after the deal")
    _check_piles(piles, {written.card for written in deal})
    return Game(tuple(written.card for written in deal), _tableau(piles, order))


def read_tableau(text: str, deal: tuple[Card, ...], order: str = TOP_FIRST) -> Tableau:
    """The tableau that `text` describes, made of the cards of `deal`. Raises GameSyntaxError."""
    piles = _card_lines(text)
    if not piles:
        raise GameSyntaxError(1, 1, "there is no pile")
    _check_piles(piles, set(deal))
    return _tableau(piles, order)


def write_tableau(tableau: Tableau, order: str = TOP_FIRST) -> str:
    """A line per pile."""
    step = 1 if order == TOP_FIRST else -1
    return "".join(" ".join(map(name, pile[::step])) + "\n" for pile in tableau)


def write_game(game: Game, order: str = TOP_FIRST) -> str:
    """The input that describes `game`."""
    return " ".join(map(name, game.deal)) + "\n" + write_tableau(game.tableau, order)


def read_card(word: str) -> Card | None:
    """The card that two characters stand for, in either order and case; None when they are none."""
    first, second = word[0].upper(), word[1].upper()
    for rank, suit in ((first, second), (second, first)):
        if rank in RANKS and suit in SUITS:
            return SUITS.index(suit) * 13 + RANKS.index(rank)
    return None


def _tableau(piles: list[list[_Written]], order: str) -> Tableau:
    step = 1 if order == TOP_FIRST else -1
    return tuple(tuple(written.card for written in pile)[::step] for pile in piles)


def _card_lines(text: str) -> list[list[_Written]]:
    """The cards of every line that is not blank."""
    numbered = enumerate(text.split("\n"), 1)
    return [_cards_in(number, line) for number, line in numbered if line.strip()]


def _cards_in(number: int, line: str) -> list[_Written]:
    characters = [(column, character) for column, character in enumerate(line, 1) if not character.isspace()]
    for column, character in characters:
        if not character.isascii() or character.upper() not in RANKS + SUITS:
            raise GameSyntaxError(number, column, f"{character!r} is neither a rank nor a suit")
    cards = []
    for index in range(0, len(characters), 2):
        column, first = characters[index]
        if index + 1 == len(characters):
            raise GameSyntaxError(number, column, f"{first!r} is half a card; a card is a rank and a suit")
        second = characters[index + 1][1]
        card = read_card(first + second)
        if card is None:
            raise GameSyntaxError(number, column, f"{first + second!r} is not a card: expected a rank and a suit")
        cards.append(_Written(card, number, column))
    return cards


def _check_deal(deal: list[_Written]) -> None:
    _check_once(deal, "dealt")
    if len(deal) != DECK_SIZE:
        last = deal[-1]
        raise GameSyntaxError(last.line, last.column, f"found {len(deal)} cards dealt; expected {DECK_SIZE}")


def _check_piles(piles: list[list[_Written]], dealt: set[Card]) -> None:
    if len(piles) > len(dealt):
        extra = piles[len(dealt)][0]
        raise GameSyntaxError(extra.line, 1, f"found {len(piles)} piles; there are at most {len(dealt)}")
    cards = [written for pile in piles for written in pile]
    for written in cards:
        if written.card not in dealt:
            raise GameSyntaxError(written.line, written.column, f"{name(written.card)} was not dealt")
    _check_once(cards, "in the tableau")
    missing = dealt - {written.card for written in cards}
    if missing:
        last = cards[-1]
        names = ", ".join(sorted(map(name, missing)))
        raise GameSyntaxError(last.line, last.column, f"the tableau ends without {names}")


def _check_once(cards: list[_Written], where: str) -> None:
    seen: dict[Card, _Written] = {}
    for written in cards:
        first = seen.setdefault(written.card, written)
        if first is not written:
            earlier = f"line {first.line}, column {first.column}"
            raise GameSyntaxError(written.line, written.column, f"{name(written.card)} is {where} twice; see {earlier}")
