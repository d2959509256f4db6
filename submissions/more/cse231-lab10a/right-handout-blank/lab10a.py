##
## Demonstrate some of the operations of the Deck and Card classes
##
import cards
import random

# Seed the random number generator to a specific value so every execution
# of the program uses the same sequence of random numbers (for testing).
random.seed(100)

my_deck = cards.Deck()
my_deck.shuffle()
print("===== shuffled deck =====")
my_deck.display()

player1_list = []
player2_list = []
for i in range(5):
    player1_list.append(my_deck.deal())
    player2_list.append(my_deck.deal())

print("Dealt five cards to each player (alternating)")
print()
print("===== player #1 =====")
print()
print(player1_list)
print()
print("===== player #2 =====")
print()
print(player2_list)
print()
print("===== remaining cards in deck =====")
my_deck.display()

card1 = player1_list.pop(0)
print("First card dealt to player #1:", card1)
print("Player #1 hand:", player1_list)
card2 = player2_list.pop(0)
print("First card dealt to player #2:", card2)
print("Player #2 hand:", player2_list)
print()
if card1.rank() > card2.rank():
    print("Player #1 wins:", card1, "of higher rank than", card2)
elif card1.rank() < card2.rank():
    print("Player #2 wins:", card2, "of higher rank than", card1)
else:
    print("Tie:", card1, "of same rank as", card2)
print()

card1 = player1_list.pop(0)
print("Second card dealt to player #1:", card1)
print("Player #1 hand:", player1_list)
print()
card2 = player2_list.pop(0)
print("Second card dealt to player #2:", card2)
print("Player #2 hand:", player2_list)
print()
if card1.rank() > card2.rank():
    print(card1, "of higher rank than", card2)
elif card1.rank() < card2.rank():
    print(card2, "of higher rank than", card1)

card1 = player1_list[-1]
print("Last card in hand of player #1:", card1)
print()
card2 = player2_list[-1]
print("Last card in hand of player #2:", card2)
print()
if card1.rank() > card2.rank():
    print(card1, "of higher rank than", card2)
elif card1.rank() < card2.rank():
    print(card2, "of higher rank than", card1)
