"""CSE 231, lab 10, part B: War, simple version.

The handout says in two ways how won cards go to the bottom of the winner's hand. Variants: `canonical`, as its Test 1
shows it, the loser's card first; `winner-first`, as its note 3 says it. Its rules deal the whole deck, its note 9 five
cards to each player: `five-cards` and `five-cards-winner-first`.
"""

import os
import sys

from cards import Card, Deck

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


VARIANTS = "canonical", "winner-first", "five-cards", "five-cards-winner-first"
VARIANT = os.environ.get("REFERENCE_VARIANT", "canonical")
if VARIANT not in VARIANTS:
    print(f"REFERENCE_VARIANT is {VARIANT!r}; lab10b knows {', '.join(VARIANTS)}", file=sys.stderr)
    sys.exit(2)

WINNER_FIRST = VARIANT.endswith("winner-first")
CARDS_DEALT = 10 if VARIANT.startswith("five-cards") else 52

ACE = 1
ABOVE_KING = 14
HIGHER_WINS = "the card of the higher rank wins both, and an ace is above a king"
DEALT = f"the cards are dealt one at a time, in turn, until both have {CARDS_DEALT // 2}"
GOES_ON = "the game goes on until n or N is typed or a hand is empty"
TOP_CARD = "each player plays the top card, the first one shown of the hand"
SAME_IS_A_DRAW = "cards of the same rank are a draw; each goes to the bottom of its own hand"
FIRST_TO_THE_BOTTOM = f"the {'winner' if WINNER_FIRST else 'loser'}'s card first, whoever wins"
SHOWN = "a hand is shown from its top"
AFTER_A_WIN = f"{SHOWN}; won cards went to its bottom, {FIRST_TO_THE_BOTTOM}"
AFTER_A_DRAW = f"{SHOWN}; after a draw each card went to the bottom of its own hand"


def deal_hands(deck: Deck) -> tuple[list[Card], list[Card]]:
    """Deal the whole deck, or what the variant deals of it, to two players, alternating."""
    dealt = [card for _ in range(min(CARDS_DEALT, len(deck))) if (card := deck.deal())]
    return dealt[0::2], dealt[1::2]


def rank_aces_high(card: Card) -> int:
    """Return the rank of a card; an ace is above a king."""
    return ABOVE_KING if card.rank() == ACE else card.rank()


def battle(hand1: list[Card], hand2: list[Card]) -> str:
    """Play the top card of each hand; the winner gets both, or each player his own back. Return the rule for that."""
    card1, card2 = hand1.pop(0), hand2.pop(0)
    shown = because(TOP_CARD, f"{card1}, 2: {card2}. ")
    print(f"{because(GOES_ON, 'Battle was 1: ')}{shown}", end="")
    if rank_aces_high(card1) > rank_aces_high(card2):
        print(because(HIGHER_WINS, "Player 1 wins battle."))
        take(hand1, card1, card2)
        return AFTER_A_WIN
    if rank_aces_high(card1) < rank_aces_high(card2):
        print(because(HIGHER_WINS, "Player 2 wins battle."))
        take(hand2, card2, card1)
        return AFTER_A_WIN
    print(because(SAME_IS_A_DRAW, "Battle was a draw."))
    hand1.append(card1)
    hand2.append(card2)
    return AFTER_A_DRAW


def take(hand: list[Card], own: Card, won: Card) -> None:
    """Put the cards of a won battle at the bottom of the winner's hand."""
    hand.extend([own, won] if WINNER_FIRST else [won, own])


def wants_to_go_on() -> bool:
    """Ask the players; only n and N mean no."""
    return input("Keep Going: (Nn) to stop:") not in ("n", "N")


def announce_winner(hand1: list[Card], hand2: list[Card]) -> None:
    """Say whose hand is larger, and why the game is over."""
    is_over = "n or N stops the game" if hand1 and hand2 else "the game ends when a hand is empty"
    if len(hand1) == len(hand2):
        print(because(f"{is_over}; hands of the same size are a draw", "The game is a draw!!!"))
    else:
        print(because(f"{is_over}; the larger hand wins", f"Player {1 if len(hand1) > len(hand2) else 2} wins!!!"))


def main() -> None:
    """Play until a hand is empty or the players stop."""
    deck = Deck()
    deck.shuffle()
    hand1, hand2 = deal_hands(deck)
    print("Starting Hands")
    print(because(DEALT, f"Hand1: {hand1}\nHand2: {hand2}"))
    print()
    while True:
        rule = battle(hand1, hand2)
        print(because(rule, f"hand1: {hand1}\nhand2: {hand2}"))
        if not hand1 or not hand2 or not wants_to_go_on():
            break
    announce_winner(hand1, hand2)


if __name__ == "__main__":
    main()
