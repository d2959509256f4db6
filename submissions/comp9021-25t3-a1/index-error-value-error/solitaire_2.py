from random import seed, shuffle
from collections import defaultdict

NB_OF_CARDS = 52
YES = '\U0001f60a\ufe0f'
NO = '\u2639\ufe0f'


def unicode_of(card):
    suit, value = divmod(card, 13)
    first = (0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1)[suit]
    return chr(first + value + (value > 10))


def follows(card, previous):
    return card % 13 - previous % 13 == 2 and card // 26 != previous // 26


def try_to_place(card, table):
    """table[0] has the columns, table[1] has the rows"""
    lines = table[card % 13 % 2]
    if card % 13 < 2:
        lines.append([card])
        return True
    for line in lines:
        if follows(card, line[-1]):
            line.append(card)
            return True
    return False


def describe(card, source):
    line = ['column', 'row'][card % 13 % 2]
    if card % 13 < 2:
        return 'Starting a ' + line
    return 'Extending a ' + line + ' by using the ' + source


def add_state(output, stack, discard_pile, table=None):
    output.append(']' * len(stack))
    output.append('' if not discard_pile else (len(discard_pile) - 1) * '[' + unicode_of(discard_pile[-1]))
    if table is None:
        return
    columns, rows = table
    for i in range(7):
        fields = [''] * 6
        for j, column in enumerate(columns):
            if len(column) + i > 6:
                fields[j] = unicode_of(column[6 - i])
        if len(rows) > i:
            fields[5] = ' '.join([unicode_of(card) for card in rows[i]])
        while fields and fields[-1] == '':
            fields.pop()
        output.append('\t'.join(fields))


def play(seed_value):
    stack = list(range(NB_OF_CARDS))
    seed(seed_value)
    shuffle(stack)
    table = [], []
    output = []
    discard_pile = []
    rounds = ['first', 'second', 'third']
    while rounds:
        output.append(f'Starting {rounds.pop(0)} round...')
        while stack:
            card = stack.pop()
            output.append('')
            if not try_to_place(card, table):
                discard_pile.append(card)
                output.append(f'Cannot use the card drawn from the stack {NO}')
                add_state(output, stack, discard_pile)
                continue
            output.append(f"{describe(card, 'card drawn from the stack')} {YES}")
            add_state(output, stack, discard_pile, table)
            while discard_pile:
                output.append('')
                if not try_to_place(discard_pile[-1], table):
                    output.append(f'Cannot use the top card of the discard pile {NO}')
                    break
                card = discard_pile.pop()
                output.append(f"{describe(card, 'top card of the discard pile')} {YES}")
                add_state(output, stack, discard_pile, table)
        if not discard_pile or not rounds:
            break
        output.extend(['', ''])
        discard_pile.reverse()
        stack, discard_pile = discard_pile, stack
    return output, len(discard_pile)


def simulate(n, i):
    data = defaultdict(int)
    for seed_value in range(i, i + n):
        data[play(seed_value)[1]] += 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(data):
        percentage = f'{data[left] / n * 100:.2f}%'
        print(f'{left:20} | {percentage:>9}')


def bounds(request, total):
    """Return the first and last line to print, (0, 0) if the request cannot be satisfied."""
    if '+' in request:
        return 0, 0
    if '--' in request:
        first, last = request.split('--')
        first, last = int(first), int(last)
    else:
        number = int(request)
        if number < 0:
            first, last = total + number + 1, total
        else:
            first, last = 1, number
    if 1 <= first <= last <= total:
        return first, last
    return 0, 0


if __name__ == '__main__':
    output, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    total = len(output)
    print()
    print('There are', total, 'lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {total})')
        print(f'       a first line number (between -1 and -{total})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {total})')
        request = input('       ')
        if request.strip(' ') == 'q':
            break
        first, last = bounds(request, total)
        if first:
            for line in output[first - 1:last]:
                print(line)
        print()
