"""Playing cards for Spider (CSE 231, project 9). Students import it as `cards` and may not change it.

A test may state the deck or fix the random numbers, by the environment variables PROVIDED_DECK and
PROVIDED_RANDOM_SEED. The stated cards lie on top, the first one topmost; the others of all packs follow.
"""

import os
import random
import sys

RANKS = "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"
SUITS = "CDHS"

_stated = os.environ.get("PROVIDED_DECK")
if "PROVIDED_RANDOM_SEED" in os.environ:
    random.seed(int(os.environ["PROVIDED_RANDOM_SEED"]))


class Card:
    """A card: rank 1 (ace) to 13 (king), suit `C`, `D`, `H` or `S`."""

    def __init__(self, rank: int, suit: str) -> None:
        self.__rank = rank
        self.__suit = suit
        self.__hidden = False

    def get_rank(self) -> int:
        """The rank: 1 for an ace, 11, 12 and 13 for jack, queen and king."""
        return self.__rank

    def get_suit(self) -> str:
        """The letter of the suit."""
        return self.__suit

    def set_hidden(self) -> None:
        """Turn the card face down."""
        self.__hidden = True

    def show_card(self) -> None:
        """Turn the card face up."""
        self.__hidden = False

    def is_hidden(self) -> bool:
        """Whether the card is face down."""
        return self.__hidden

    def __str__(self) -> str:
        return " XX" if self.__hidden else f"{RANKS[self.__rank - 1]}{self.__suit}".rjust(3)

    def __repr__(self) -> str:
        return str(self)


class Deck:
    """A deck that starts as one pack of 52 cards."""

    def __init__(self) -> None:
        self.__cards: list[Card] = []
        self.add_deck()

    def add_deck(self) -> None:
        """Add another pack of 52 cards."""
        self.__cards += [Card(rank, suit) for suit in SUITS for rank in range(1, 14)]
        self.__stack()

    def shuffle(self) -> None:
        """Shuffle the deck. A stated deck stays as it is."""
        if _stated is None:
            random.shuffle(self.__cards)

    def deal(self) -> Card | None:
        """Take the top card off the deck and return it; None when the deck is empty."""
        return self.__cards.pop() if self.__cards else None

    def cards_left(self) -> int:
        """How many cards are left."""
        return len(self.__cards)

    def __str__(self) -> str:
        return ", ".join(str(card) for card in self.__cards)

    def __stack(self) -> None:
        """Bring the stated cards to the top, as many of them as there are."""
        stated = []
        for name in (_stated or "").split():
            rank, suit = _rank_and_suit(name)
            found = next((card for card in self.__cards if (card.get_rank(), card.get_suit()) == (rank, suit)), None)
            if found:
                self.__cards.remove(found)
                stated.append(found)
        self.__cards += reversed(stated)


def _rank_and_suit(name: str) -> tuple[int, str]:
    """The rank and suit of a name such as 10C or Qs."""
    rank, suit = name[:-1].upper(), name[-1:].upper()
    if rank not in RANKS or suit not in SUITS:
        print(f"PROVIDED_DECK names {name!r}; expected a card such as 10C or QS", file=sys.stderr)
        sys.exit(2)
    return RANKS.index(rank) + 1, suit
