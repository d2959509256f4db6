# COMP9021 Assignment 1, first game.
# I play the whole game into a list of squares, then print what is needed from it.

from random import seed, shuffle


def card_to_char(card):
    suit = card // 8
    value = card % 8
    start = [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1][suit]
    if value == 7:
        return chr(start)
    if value >= 5:
        # skip the knight
        return chr(start + value + 7)
    return chr(start + value + 6)


def make_deck(s):
    cards = list(range(32))
    seed(s)
    shuffle(cards)
    return cards


def which_to_discard(square):
    """Return the locations (0 to 3) which have to be discarded."""
    to_discard = []
    for suit in range(4):
        places = []
        for k in range(4):
            if square[k] // 8 == suit:
                places.append(k)
        if len(places) == 2 or len(places) == 3:
            to_discard.append(places[0])
            to_discard.append(places[1])
        elif len(places) == 4:
            to_discard.extend(places)
    to_discard.sort()
    return to_discard


def play(s):
    """Return the list of all squares, and the number of cards left in the deck."""
    cards = make_deck(s)
    square = []
    for _ in range(4):
        square.append(cards.pop())
    squares = [square[:]]
    while len(cards) > 0:
        discard = which_to_discard(square)
        if len(discard) == 0:
            break
        if len(cards) < len(discard):
            # only 2 cards are left to replace all 4
            square = [cards.pop(), cards.pop()]
        else:
            for k in discard:
                square[k] = cards.pop()
        squares.append(square[:])
    return squares, len(cards)


def build_output(s):
    """Return all lines that are printed for one game, and the game's result."""
    squares, left = play(s)
    lines = []
    if left == 0:
        lines.append('So glad that you won! \U0001F60A')
    else:
        lines.append('So sorry that you lost! \u2639\uFE0F')
    for start in range(0, len(squares), 6):
        group = squares[start:start + 6]
        top = ''
        bottom = ''
        for square in group:
            top += '    ' + card_to_char(square[0]) + ' ' + card_to_char(square[1])
            if len(square) == 4:
                bottom += '    ' + card_to_char(square[2]) + ' ' + card_to_char(square[3])
        lines.append('')
        lines.append(top)
        lines.append(bottom)
    return lines, left, len(squares)


def simulate(n, i):
    results = {}
    for s in range(i, i + n):
        lines, left, rounds = build_output(s)
        if left not in results:
            results[left] = {}
        if rounds not in results[left]:
            results[left][rounds] = 0
        results[left][rounds] += 1
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left in sorted(results):
        total = 0
        for rounds in results[left]:
            total += results[left][rounds]
        total_text = '{:.2f}%'.format(total / n * 100)
        if len(results[left]) == 1:
            for rounds in results[left]:
                print('{:20} | {:2}               | {:>9}'.format(left, rounds, total_text))
        else:
            first = True
            for rounds in sorted(results[left]):
                share = '({:.2f}%)'.format(results[left][rounds] / n * 100)
                cell = '{:2} {}'.format(rounds, share)
                if first:
                    print('{:20} | {:16} | {:>9}'.format(left, cell, total_text))
                    first = False
                else:
                    print('{:20} | {:16} |'.format('', cell))


if __name__ == '__main__':
    the_seed = int(input('Enter an integer to pass to the seed() function: '))
    for line in build_output(the_seed)[0]:
        print(line)
