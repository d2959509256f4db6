from random import seed, shuffle
from collections import defaultdict

NB_OF_CARDS = 32


def unicode_of(card):
    suit, value = divmod(card, 8)
    first = (0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1)[suit]
    return chr(first + (6, 7, 8, 9, 10, 12, 13, 0)[value])


def pairs(square):
    locations = defaultdict(list)
    for location, card in enumerate(square):
        locations[card // 8].append(location)
    result = []
    for suit in locations:
        while len(locations[suit]) > 1:
            result.append(locations[suit].pop(0))
            result.append(locations[suit].pop(0))
    return sorted(result)


def play(seed_value):
    deck = list(range(NB_OF_CARDS))
    seed(seed_value)
    shuffle(deck)
    square = [deck.pop() for _ in range(4)]
    squares = [tuple(square)]
    while deck:
        locations = pairs(square)
        if not locations:
            break
        # At the very end there can be fewer cards than locations
        drawn = [deck.pop() for _ in range(min(len(locations), len(deck)))]
        if len(drawn) < len(locations):
            square = drawn
        else:
            for location, card in zip(locations, drawn):
                square[location] = card
        squares.append(tuple(square))
    return squares, len(deck)


def simulate(n, i):
    data = defaultdict(lambda: defaultdict(int))
    for seed_value in range(i, i + n):
        squares, left = play(seed_value)
        data[left][len(squares)] += 1
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left in sorted(data):
        total = f'{sum(data[left].values()) / n * 100:.2f}%'
        for index, nb_of_rounds in enumerate(sorted(data[left])):
            if len(data[left]) > 1:
                rounds = f'{nb_of_rounds:2} ({data[left][nb_of_rounds] / n * 100:.2f}%)'
            else:
                rounds = f'{nb_of_rounds:2}'
            if index == 0:
                print(f'{left:20} | {rounds:16} | {total:>9}')
            else:
                print(f'{" " * 20} | {rounds:16} |')


if __name__ == '__main__':
    squares, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    print('So sorry that you lost! \u2639\ufe0f' if left else 'So glad that you won! \U0001f60a')
    while squares:
        print()
        for a, b in (0, 1), (2, 3):
            print(''.join(f'    {unicode_of(square[a])} {unicode_of(square[b])}' for square in squares[:6]))
        squares = squares[6:]
