from random import seed, shuffle
from collections import Counter
from itertools import groupby

chars = [chr(b + v) for b in (0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0) for v in (7, 8, 9, 10, 11, 13, 14, 1)]


def play(s):
    seed(s)
    shuffle(deck := list(range(32)))
    square = [deck.pop() for _ in range(4)]
    squares = [square]
    while deck:
        suits = [c // 8 for c in square]
        # a card goes if its suit comes an even number of times, or if it is not the last one of its suit
        gone = [suits.count(suits[k]) % 2 == 0 or suits[k] in suits[k + 1:] for k in range(4)]
        if not any(gone):
            break
        square = [deck.pop() if gone[k] else square[k] for k in range(4) if deck or not gone[k]]
        squares.append(square)
    return squares, len(deck)


def simulate(n, i):
    games = Counter((left, len(squares)) for squares, left in map(play, range(i, i + n)))
    print('Number of cards left | Number of rounds | Frequency', '-' * 51, sep='\n')
    for left, keys in groupby(sorted(games), key=lambda key: key[0]):
        keys = list(keys)
        total = f'{sum(games[k] for k in keys) / n * 100:.2f}%'
        for j, k in enumerate(keys):
            share = f' ({games[k] / n * 100:.2f}%)' if len(keys) > 1 else ''
            end = '' if j else f' {total:>9}'
            print(f'{"" if j else left:>20} | {f"{k[1]:2}" + share:16} |{end}')


if __name__ == '__main__':
    squares, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    print('So sorry that you lost! \u2639' if left else 'So glad that you won! \U0001F60A')
    for g in (squares[k:k + 6] for k in range(0, len(squares), 6)):
        print('', *(''.join(f'    {chars[q[r]]} {chars[q[r + 1]]}' for q in g if q[r:]) for r in (0, 2)), sep='\n')
