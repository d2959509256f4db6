"""CSE 231, lab 10, part A: five cards to each of two players, and the comparisons that the handout asks for.

Variants: `canonical`, as the course's transcript has it, the last cards on lines that follow each other;
`handout-blank`, as the handout prints them, with an empty line between.
"""

import os
import random
import sys

from cards import Card, Deck

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


VARIANTS = "canonical", "handout-blank"
VARIANT = os.environ.get("REFERENCE_VARIANT", "canonical")
if VARIANT not in VARIANTS:
    print(f"REFERENCE_VARIANT is {VARIANT!r}; lab10a knows {', '.join(VARIANTS)}", file=sys.stderr)
    sys.exit(2)

CARDS_EACH = 5
DEALT = "the cards are dealt alternately: the first one to player 1, the second one to player 2"
PLAYED = "the first card of a hand is played, and a hand is shown without the cards that were played"
LAST = "the last card of each player's own hand is shown"
EQUAL = "the two cards are of equal rank, so no line says that one is higher"


def deal_hands(deck: Deck) -> tuple[list[Card], list[Card]]:
    """Deal five cards to each player, alternating."""
    dealt = [card for _ in range(2 * CARDS_EACH) if (card := deck.deal())]
    return dealt[0::2], dealt[1::2]


def play(ordinal: str, number: int, hand: list[Card]) -> Card:
    """Take the top card of a player's hand; show it and what is left of the hand."""
    card = hand.pop(0)
    print(because(PLAYED, f"{ordinal} card dealt to player #{number}: {card}"))
    print(because(PLAYED, f"Player #{number} hand: {hand}"))
    return card


def compare(card1: Card, card2: Card) -> tuple[str, str] | None:
    """Say which card is of higher rank (aces are low), and the rule for that; None when neither is."""
    if card1.rank() == card2.rank():
        return None
    high, low = (card1, card2) if card1.rank() > card2.rank() else (card2, card1)
    ranks = f"the rank of {high} is {high.rank()}, that of {low} is {low.rank()}"
    rule = f"{ranks}; an ace is 1, and the higher card is named first"
    return rule, f"{high} of higher rank than {low}"


def main() -> None:
    """Print everything that the handout shows."""
    random.seed(100)
    deck = Deck()
    deck.shuffle()
    print("===== shuffled deck =====")
    deck.display()
    hand1, hand2 = deal_hands(deck)
    print("Dealt five cards to each player (alternating)\n")
    for number, hand in enumerate((hand1, hand2), 1):
        print(f"===== player #{number} =====\n\n{because(DEALT, str(hand))}\n")
    print("===== remaining cards in deck =====")
    deck.display()

    card1, card2 = play("First", 1, hand1), play("First", 2, hand2)
    print()
    if first := compare(card1, card2):
        winner = 1 if card1.rank() > card2.rank() else 2
        print(because(first[0], f"Player #{winner} wins: {first[1]}\n"))

    card1 = play("Second", 1, hand1)
    print()
    card2 = play("Second", 2, hand2)
    print()
    if second := compare(card1, card2):
        print(because(second[0], f"{second[1]}\n"))

    head = "Last card in hand of player #1: "
    print(f"{head if second else because(EQUAL, head)}{because(LAST, str(hand1[-1]))}")
    if VARIANT == "handout-blank":
        print()
    print(because(LAST, f"Last card in hand of player #2: {hand2[-1]}\n"))
    if last := compare(hand1[-1], hand2[-1]):
        print(because(*last))


if __name__ == "__main__":
    main()
