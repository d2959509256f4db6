##############################################
# CSE 231 Lab 10 part B: War
##############################################
import cards

deck = cards.Deck()
first = []
second = []


def high(card):
    """The rank of a card, aces are the highest."""
    return card.rank() if card.rank() != 1 else 14


def fight():
    """One battle; whoever wins takes both cards."""
    one = first.pop(0)
    two = second.pop(0)
    if high(one) > high(two):
        winner = 1
    elif high(two) > high(one):
        winner = 2
    print("Battle was 1: {}, 2: {}. Player {} wins battle.".format(one, two, winner))
    if winner == 1:
        first.extend([one, two])
    else:
        second.extend([two, one])


def tell_winner():
    """Say who has more cards."""
    if len(first) > len(second):
        print("Player 1 wins!!!")
    elif len(second) > len(first):
        print("Player 2 wins!!!")
    else:
        print("No winner")


def main():
    """Play until a hand is empty or the user stops."""
    for number in range(5):
        first.append(deck.deal())
        second.append(deck.deal())
    print("Starting Hands")
    print("Hand1:", first)
    print("Hand2:", second)
    print()
    going = True
    while going:
        fight()
        print("hand1:", first)
        print("hand2:", second)
        if first and second:
            going = input("Keep Going: (Nn) to stop:").lower() != "n"
        else:
            going = False
    tell_winner()


if __name__ == "__main__":
    main()
