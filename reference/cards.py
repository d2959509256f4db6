"""Playing cards for the games of CSE 231: a card, and a deck of 52. Students import this module and may not change it.

A test may choose the edition, state the deck or fix the random numbers, by the environment variables PROVIDED_EDITION,
PROVIDED_DECK and PROVIDED_RANDOM_SEED. Without them cards are padded and shuffling is random.
"""

import os
import random
import sys

FACES = "padded", "lab", "letters"
SHUFFLES = "unshuffled", "seeded", "random"
RANKS = "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"
SYMBOLS = "♣♦♥♠"
LETTERS = "cdhs"
REST = "..."
DEFAULT_SEED = 10

_face, _, _shuffle = os.environ.get("PROVIDED_EDITION", "padded-random").partition("-")
_stated = os.environ.get("PROVIDED_DECK")
_seed = int(os.environ.get("PROVIDED_RANDOM_SEED", DEFAULT_SEED))
if _face not in FACES or _shuffle not in SHUFFLES:
    print(f"PROVIDED_EDITION is {os.environ['PROVIDED_EDITION']!r}; cards has {FACES} and {SHUFFLES}", file=sys.stderr)
    sys.exit(2)
if "PROVIDED_RANDOM_SEED" in os.environ:
    random.seed(_seed)


class Card:
    """A card: rank 1 (ace) to 13 (king), suit 1 to 4 (clubs, diamonds, hearts, spades). Any other is a blank card."""

    def __init__(self, rank: int = 0, suit: int = 0) -> None:
        valid = type(rank) is int and type(suit) is int and 1 <= rank <= 13 and 1 <= suit <= 4
        self.__rank = rank if valid else 0
        self.__suit = suit if valid else 0
        self.__face_up = valid

    def rank(self) -> int:
        """The rank: 1 for an ace, 11, 12 and 13 for jack, queen and king, 0 for a blank card."""
        return self.__rank

    def value(self) -> int:
        """The value: 1 for an ace, 10 for ten, jack, queen and king."""
        return min(self.__rank, 10)

    def suit(self) -> int:
        """The suit: 1 clubs, 2 diamonds, 3 hearts, 4 spades, 0 for a blank card."""
        return self.__suit

    def is_face_up(self) -> bool:
        """Whether the card shows its face."""
        return self.__face_up

    def flip_card(self) -> None:
        """Turn the card over."""
        self.__face_up = not self.__face_up

    def __str__(self) -> str:
        suits = LETTERS if _face == "letters" else SYMBOLS
        shown = self.__rank and self.__face_up
        text = RANKS[self.__rank - 1] + suits[self.__suit - 1] if shown else "XX"
        return text.rjust(3) if _face == "padded" else text

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and (self.__rank, self.__suit) == (other.__rank, other.__suit)

    __hash__ = None  # type: ignore[assignment]


class Deck:
    """A deck of cards: the ace of clubs at the bottom, the king of spades on top, until it is shuffled."""

    def __init__(self) -> None:
        self.__deck = _new_deck()

    def shuffle(self) -> None:
        """Shuffle the deck as the edition does it. A stated deck stays as it is."""
        if _stated is not None or _shuffle == "unshuffled":
            return
        if _shuffle == "seeded":
            random.seed(_seed)
        random.shuffle(self.__deck)

    def deal(self) -> Card | None:
        """Take the top card off the deck and return it; None when the deck is empty."""
        return self.__deck.pop() if self.__deck else None

    def is_empty(self) -> bool:
        """Whether no card is left."""
        return not self.__deck

    def display(self, cols: int = 13) -> None:
        """Print the deck from bottom to top, so many cards to a line."""
        for index, card in enumerate(self.__deck):
            if index % cols == 0:
                print()
            print(f"{card!s:3} ", end="")
        print()
        print()

    def __len__(self) -> int:
        return len(self.__deck)

    def __str__(self) -> str:
        return ", ".join(str(card) for card in self.__deck)

    def __repr__(self) -> str:
        return str(self)


def _new_deck() -> list[Card]:
    cards = [Card(rank, suit) for suit in range(1, 5) for rank in range(1, 14)]
    if _stated is None:
        return cards
    names = _stated.split()
    top_first = [_card(name) for name in names if name != REST]
    if names[-1:] == [REST]:
        top_first += [card for card in reversed(cards) if card not in top_first]
    return top_first[::-1]


def _card(name: str) -> Card:
    """The card of a name such as 10♠ or Qh."""
    rank, suit = name[:-1].upper(), name[-1:].lower()
    suits = SYMBOLS if suit in SYMBOLS else LETTERS
    if rank not in RANKS or suit not in suits:
        print(f"PROVIDED_DECK names {name!r}; expected a card such as 10♠ or Qh", file=sys.stderr)
        sys.exit(2)
    return Card(RANKS.index(rank) + 1, suits.index(suit) + 1)
