"""CSE 231, lab 10, part B: War, full version, which the handout leaves optional.

Cards of equal rank prolong a battle: each player turns two more cards, and the second ones decide. The winner puts all
cards of the battle at the bottom of the hand, his own first, each player's in the order played. Who cannot turn two
cards loses the game; if neither can, it is a draw.
"""

from cards import Card, Deck

ACE = 1
ABOVE_KING = 14
TURNED_AFTER_A_DRAW = 2


def deal_hands(deck: Deck) -> tuple[list[Card], list[Card]]:
    """Deal the whole deck to two players, alternating."""
    dealt = [card for _ in range(len(deck)) if (card := deck.deal())]
    return dealt[0::2], dealt[1::2]


def rank_aces_high(card: Card) -> int:
    """Return the rank of a card; an ace is above a king."""
    return ABOVE_KING if card.rank() == ACE else card.rank()


def battle(hand1: list[Card], hand2: list[Card]) -> bool:
    """Play one battle to its end. Return False when a player cannot go on with it."""
    played1, played2 = [hand1.pop(0)], [hand2.pop(0)]
    while True:
        card1, card2 = played1[-1], played2[-1]
        print(f"Battle was 1: {card1}, 2: {card2}. ", end="")
        if rank_aces_high(card1) > rank_aces_high(card2):
            print("Player 1 wins battle.")
            hand1.extend(played1 + played2)
            return True
        if rank_aces_high(card1) < rank_aces_high(card2):
            print("Player 2 wins battle.")
            hand2.extend(played2 + played1)
            return True
        print("Battle was a draw.")
        if min(len(hand1), len(hand2)) < TURNED_AFTER_A_DRAW:
            return False
        for hand, played in ((hand1, played1), (hand2, played2)):
            played += [hand.pop(0) for _ in range(TURNED_AFTER_A_DRAW)]


def announce_unfinished(hand1: list[Card], hand2: list[Card]) -> None:
    """Say who could have gone on with the battle that a player could not complete."""
    able1, able2 = (len(hand) >= TURNED_AFTER_A_DRAW for hand in (hand1, hand2))
    if able1 == able2:
        print("The game is a draw!!!")
    else:
        print(f"Player {1 if able1 else 2} wins!!!")


def announce_winner(hand1: list[Card], hand2: list[Card]) -> None:
    """Say whose hand is larger."""
    if len(hand1) == len(hand2):
        print("The game is a draw!!!")
    else:
        print(f"Player {1 if len(hand1) > len(hand2) else 2} wins!!!")


def main() -> None:
    """Play until a hand is empty, a battle cannot be completed or the players stop."""
    deck = Deck()
    deck.shuffle()
    hand1, hand2 = deal_hands(deck)
    print(f"Starting Hands\nHand1: {hand1}\nHand2: {hand2}\n")
    while hand1 and hand2:
        completed = battle(hand1, hand2)
        print(f"hand1: {hand1}\nhand2: {hand2}")
        if not completed:
            announce_unfinished(hand1, hand2)
            return
        if hand1 and hand2 and input("Keep Going: (Nn) to stop:") in ("n", "N"):
            break
    announce_winner(hand1, hand2)


if __name__ == "__main__":
    main()
