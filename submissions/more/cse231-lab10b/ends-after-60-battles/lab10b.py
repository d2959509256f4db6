##############################################
# CSE 231 Lab 10 part B: War
##############################################
import cards


def aces_high(card):
    """Return the rank of a card, aces are the highest."""
    if card.rank() == 1:
        return 14
    return card.rank()


def deal(deck):
    """Deal the cards one at a time, alternating."""
    hand1 = []
    hand2 = []
    for i in range(5):
        hand1.append(deck.deal())
        hand2.append(deck.deal())
    return hand1, hand2


def battle(hand1, hand2):
    """Fight one battle."""
    card1 = hand1.pop(0)
    card2 = hand2.pop(0)
    if aces_high(card1) > aces_high(card2):
        hand1.append(card1)
        hand1.append(card2)
        result = "Player 1 wins battle."
    elif aces_high(card1) < aces_high(card2):
        hand2.append(card2)
        hand2.append(card1)
        result = "Player 2 wins battle."
    else:
        hand1.append(card1)
        hand2.append(card2)
        result = "Battle was a draw."
    print("Battle was 1: {}, 2: {}. {}".format(card1, card2, result))
    print("hand1:", hand1)
    print("hand2:", hand2)


def main():
    my_deck = cards.Deck()
    # my_deck.shuffle()   commented out for testing
    hand1, hand2 = deal(my_deck)
    print("Starting Hands")
    print("Hand1:", hand1)
    print("Hand2:", hand2)
    print()
    answer = ""
    battles = 0
    while answer != "n" and answer != "N":
        battle(hand1, hand2)
        battles += 1
        if len(hand1) == 0 or len(hand2) == 0 or battles == 60:
            break
        answer = input("Keep Going: (Nn) to stop:")
    if len(hand1) > len(hand2):
        print("Player 1 wins!!!")
    elif len(hand2) > len(hand1):
        print("Player 2 wins!!!")
    else:
        print("The game is a draw!!!")


main()
