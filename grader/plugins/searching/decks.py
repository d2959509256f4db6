"""Decks of cards for provided modules: the usual pack, shuffled decks, and decks with only the top stated."""

from collections.abc import Sequence
from random import Random

from grader.model.test import Test

PACK = tuple(rank + suit for suit in "♣♦♥♠" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K"))
"""The 52 cards that are shuffled unless a pack is stated."""
REST = "..."
"""A placeholder in a deck for the remaining cards, as the module deals them."""


def shuffled_deck(pack: Sequence[str], seed: int, count: int | None) -> str:
    """Shuffle the pack by this seed and return its first `count` cards, or all if `count` is None."""
    cards = list(pack)
    Random(seed).shuffle(cards)
    return " ".join(cards[:count])


def cards_stated(test: Test) -> int | None:
    """Count the cards in the deck of a test; return None without a deck, or if the deck continues after these cards."""
    cards = (test.provision.deck or "").split()
    return None if not cards or cards[-1] == REST else len(cards)
