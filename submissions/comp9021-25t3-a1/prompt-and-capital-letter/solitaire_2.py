import random
import re
from collections import Counter

DECK = [suit + value for suit in 'HDCS' for value in 'A23456789TJQK']
UNICODE = dict(zip(DECK, '🂱🂲🂳🂴🂵🂶🂷🂸🂹🂺🂻🂽🂾🃁🃂🃃🃄🃅🃆🃇🃈🃉🃊🃋🃍🃎🃑🃒🃓🃔🃕🃖🃗🃘🃙🃚🃛🃝🃞🂡🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂭🂮'))
NEXT_VALUE = dict(zip('A23456789TJ', '3456789TJQK'))
SUCCESS = '😊\uFE0F'
FAILURE = '☹\uFE0F'


def deal(seed_number):
    numbers = list(range(52))
    random.seed(seed_number)
    random.shuffle(numbers)
    return [DECK[number] for number in numbers]


def can_be_after(card, other):
    """Whether card can be put after other"""
    other_colour = 'HD' if other[0] in 'CS' else 'CS'
    return card[0] in other_colour and card[1] == NEXT_VALUE.get(other[1])


def extend_line(card, lines):
    for line in lines:
        if can_be_after(card, line[-1]):
            line.append(card)
            return True
    return False


def place(card, columns, rows):
    """Return the beginning of the message, or None"""
    if card[1] == 'A':
        columns.append([card])
        return 'Starting a Column'
    if card[1] == '2':
        rows.append([card])
        return 'Starting a Row'
    if extend_line(card, columns):
        return 'Extending a column by using the'
    if extend_line(card, rows):
        return 'Extending a row by using the'
    return None


def describe_cards(stack, discard_pile):
    yield ']' * len(stack)
    if discard_pile:
        yield '[' * (len(discard_pile) - 1) + UNICODE[discard_pile[-1]]
    else:
        yield ''


def describe_table(columns, rows):
    padded = [[''] * (7 - len(column)) + [UNICODE[card] for card in reversed(column)] for column in columns]
    while len(padded) < 5:
        padded.append([''] * 7)
    last = [' '.join(UNICODE[card] for card in row) for row in rows]
    padded.append(last + [''] * (7 - len(last)))
    for cells in zip(*padded):
        yield '\t'.join(cells).rstrip()


def play(seed_number):
    stack = deal(seed_number)
    columns, rows, text = [], [], []
    for round_name in 'first', 'second', 'third':
        text.append(f'Starting {round_name} round...')
        discard_pile = []
        while stack:
            card = stack.pop()
            start = place(card, columns, rows)
            if start is None:
                discard_pile.append(card)
                text += ['', f'Cannot use the card drawn from the stack {FAILURE}']
                text += describe_cards(stack, discard_pile)
                continue
            if start[-3:] == 'the':
                start += ' card drawn from the stack'
            text += ['', f'{start} {SUCCESS}']
            text += describe_cards(stack, discard_pile)
            text += describe_table(columns, rows)
            while discard_pile:
                start = place(discard_pile[-1], columns, rows)
                if start is None:
                    text += ['', f'Cannot use the top card of the discard pile {FAILURE}']
                    break
                discard_pile.pop()
                text += ['', f'{start} top card of the discard pile {SUCCESS}']
                text += describe_cards(stack, discard_pile)
                text += describe_table(columns, rows)
        if discard_pile == [] or round_name == 'third':
            return text, len(discard_pile)
        stack = list(reversed(discard_pile))
        text += ['', '']


def simulate(n, i):
    counts = Counter(play(seed_number)[1] for seed_number in range(i, i + n))
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(counts):
        print(str(left).rjust(20), '|', f'{counts[left] / n * 100:8.2f}%')


def parse(answer, size):
    """Return a pair of line numbers, or None if the answer is not right"""
    if match := re.match(r'^ *([0-9]+) *$', answer):
        pair = 1, int(match[1])
    elif match := re.match(r'^ *-([0-9]+) *$', answer):
        pair = size - int(match[1]) + 1, size
    elif match := re.match(r'^ *([0-9]+) *-- *([0-9]+) *$', answer):
        pair = int(match[1]), int(match[2])
    else:
        return None
    return pair if 1 <= pair[0] <= pair[1] <= size else None


if __name__ == '__main__':
    text, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    size = len(text)
    print(f'\nThere are {size} lines of output; what do you want me to do?\n')
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {size})')
        print(f'       a first line number (between -1 and -{size})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {size})')
        answer = input('       ')
        if re.match(r'^ *q *$', answer):
            break
        pair = parse(answer, size)
        if pair is not None:
            print(*text[pair[0] - 1:pair[1]], sep='\n')
        print()
