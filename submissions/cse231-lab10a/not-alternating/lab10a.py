'''Lab 10a: deals five cards to two players and compares some of them.'''
import random
from cards import Deck


def title(text):
    print('=====', text, '=====')


def higher(a, b):
    if a.rank() > b.rank():
        return '{} of higher rank than {}'.format(a, b)
    if b.rank() > a.rank():
        return '{} of higher rank than {}'.format(b, a)


def main():
    random.seed(100)
    deck = Deck()
    deck.shuffle()
    title('shuffled deck')
    deck.display()
    hands = {1: [], 2: []}
    for i in range(10):
        hands[i // 5 + 1].append(deck.deal())
    print('Dealt five cards to each player (alternating)\n')
    for player in hands:
        title('player #%d' % player)
        print('\n%s\n' % hands[player])
    title('remaining cards in deck')
    deck.display()
    for word in 'First', 'Second':
        played = []
        for player in hands:
            played.append(hands[player].pop(0))
            print(word, 'card dealt to player #%d:' % player, played[-1])
            print('Player #%d hand:' % player, hands[player])
            if word == 'Second' and player == 1:
                print()
        print()
        result = higher(*played)
        if result:
            if word == 'First':
                print('Player #%d wins:' % (1 if played[0].rank() > played[1].rank() else 2), end=' ')
            print(result + '\n')
    for player in hands:
        print('Last card in hand of player #%d:' % player, hands[player][-1])
    print()
    result = higher(hands[1][-1], hands[2][-1])
    if result:
        print(result)


main()
