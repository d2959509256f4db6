import random
from collections import Counter

# each card is written as suit letter and value, for example 'H7' or 'SA'
DECK = [suit + value for suit in 'HDCS' for value in '789TJQKA']
UNICODE = dict(zip(DECK, '🂷🂸🂹🂺🂻🂽🂾🂱🃇🃈🃉🃊🃋🃍🃎🃁🃗🃘🃙🃚🃛🃝🃞🃑🂧🂨🂩🂪🂫🂭🂮🂡'))


def deal(seed_number):
    numbers = list(range(32))
    random.seed(seed_number)
    random.shuffle(numbers)
    return [DECK[number] for number in numbers]


def cards_to_discard(square):
    suits = ''.join(card[0] for card in square)
    to_discard = []
    for suit, count in Counter(suits).items():
        if count == 1:
            continue
        first = suits.find(suit)
        second = suits.find(suit, first + 1)
        to_discard += [square[first], square[second]]
        if count == 4:
            to_discard = list(square)
    return to_discard


def play(seed_number):
    deck = deal(seed_number)
    square = deck[:-5:-1]
    del deck[-4:]
    squares = [square]
    while deck:
        to_discard = cards_to_discard(square)
        if not to_discard:
            break
        drawn = deck[:-len(to_discard) - 1:-1]
        del deck[-len(to_discard):]
        if len(drawn) < len(to_discard):
            square = drawn
        else:
            square = [drawn.pop(0) if card in to_discard else card for card in square]
        squares.append(square)
    return squares, len(deck)


def print_rows(squares):
    print()
    print(*(f'    {UNICODE[square[0]]} {UNICODE[square[1]]}' for square in squares), sep='')
    print(*(f'    {UNICODE[square[2]]} {UNICODE[square[3]]}' for square in squares if len(square) == 4), sep='')


def simulate(n, i):
    counts = Counter()
    for seed_number in range(i, i + n):
        squares, left = play(seed_number)
        counts[left, len(squares)] += 1
    totals = Counter()
    for (left, rounds), count in counts.items():
        totals[left] += count
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    last_left = -1
    for left, rounds in sorted(counts):
        text = str(rounds).rjust(2)
        if counts[left, rounds] != totals[left]:
            text += f' ({counts[left, rounds] / n * 100:.2f}%)'
        if left == last_left:
            print(' ' * 20, '|', text.ljust(16), '|')
        else:
            print(str(left).rjust(20), '|', text.ljust(16), '|', f'{totals[left] / n * 100:8.2f}%')
        last_left = left


if __name__ == '__main__':
    squares, left = play(int(input('Enter an integer to pass to the seed() function:')))
    if left == 0:
        print('So glad that you won! 😊')
    else:
        print('So sorry that you lost! ☹\uFE0F')
    while squares:
        print_rows(squares[:6])
        del squares[:6]
