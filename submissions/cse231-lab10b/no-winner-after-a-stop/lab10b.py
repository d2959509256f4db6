"""War for two players. Suits do not matter, aces are high."""
from cards import Deck


def strength(card):
    return 14 if card.rank() == 1 else card.rank()


def split(deck):
    hands = [], []
    turn = 0
    while not deck.is_empty():
        hands[turn].append(deck.deal())
        turn = 1 - turn
    return hands


def round_of(one, two):
    a, b = one.pop(0), two.pop(0)
    print(f'Battle was 1: {a}, 2: {b}. ', end='')
    if strength(a) == strength(b):
        print('Battle was a draw.')
        one.append(a)
        two.append(b)
    elif strength(a) > strength(b):
        print('Player 1 wins battle.')
        one += [b, a]
    else:
        print('Player 2 wins battle.')
        two += [a, b]


def show(one, two, word='hand'):
    print(f'{word}1: {one}')
    print(f'{word}2: {two}')


def winner(one, two):
    if len(one) == len(two):
        return 'The game is a draw!!!'
    return f'Player {1 + (len(two) > len(one))} wins!!!'


def main():
    deck = Deck()
    deck.shuffle()
    one, two = split(deck)
    print('Starting Hands')
    show(one, two, 'Hand')
    print()
    while True:
        round_of(one, two)
        show(one, two)
        if not (one and two):
            break
        if input('Keep Going: (Nn) to stop:') in ['n', 'N']:
            return
    print(winner(one, two))


if __name__ == '__main__':
    main()
