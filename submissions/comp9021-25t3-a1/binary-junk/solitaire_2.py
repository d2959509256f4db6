import random

RED = 'red'
BLACK = 'black'
GOOD = '\U0001f60a\ufe0f'
BAD = '\u2639\ufe0f'


def unicode_card(card):
    value = card % 13 + 1
    if value >= 12:
        value += 1
    if card // 13 == 0:
        return chr(0x1F0B0 + value)
    if card // 13 == 1:
        return chr(0x1F0C0 + value)
    if card // 13 == 2:
        return chr(0x1F0D0 + value)
    return chr(0x1F0A0 + value)


def color_of(card):
    return RED if card // 13 in (0, 1) else BLACK


# What is on the table is one list of [is_column, cards], in order of creation.

def columns_of(table):
    return [cards for is_column, cards in table if is_column]


def rows_of(table):
    return [cards for is_column, cards in table if not is_column]


def extend(table, card):
    for is_column, cards in table:
        if card % 13 - cards[-1] % 13 == 2 and color_of(card) != color_of(cards[-1]):
            cards.append(card)
            return True
    return False


def word(card):
    return 'row' if card % 13 % 2 == 1 else 'column'


def describe(stack, pile, table=None):
    lines = [']' * len(stack)]
    if pile == []:
        lines.append('')
    else:
        lines.append('[' * (len(pile) - 1) + unicode_card(pile[-1]))
    if table is not None:
        columns = columns_of(table)
        rows = rows_of(table)
        for level in [6, 5, 4, 3, 2, 1, 0]:
            line = ''
            for number in range(5):
                if number < len(columns) and level < len(columns[number]):
                    line += unicode_card(columns[number][level])
                line += '\t'
            if 6 - level < len(rows):
                line += ' '.join(unicode_card(card) for card in rows[6 - level])
            lines.append(line.rstrip('\t'))
    return lines


def turn_over_pile(stack, pile, table):
    """Uses cards of the pile for as long as possible (recursively)."""
    if pile == []:
        return []
    if not extend(table, pile[-1]):
        return ['', 'Cannot use the top card of the discard pile ' + BAD]
    card = pile.pop()
    lines = ['', 'Extending a ' + word(card) + ' by using the top card of the discard pile ' + GOOD]
    return lines + describe(stack, pile, table) + turn_over_pile(stack, pile, table)


def draw(stack, pile, table):
    card = stack.pop()
    if card % 13 in (0, 1):
        table.append([card % 13 == 0, [card]])
        lines = ['', 'Starting a ' + word(card) + ' ' + GOOD]
    elif extend(table, card):
        lines = ['', 'Extending a ' + word(card) + ' by using the card drawn from the stack ' + GOOD]
    else:
        pile.append(card)
        return ['', 'Cannot use the card drawn from the stack ' + BAD] + describe(stack, pile)
    return lines + describe(stack, pile, table) + turn_over_pile(stack, pile, table)


def play(x):
    cards = list(range(52))
    random.seed(x)
    random.shuffle(cards)
    table = []
    lines = []
    for ordinal in ['first', 'second', 'third']:
        pile = []
        lines.append('Starting ' + ordinal + ' round...')
        while cards != []:
            lines += draw(cards, pile, table)
        if pile == [] or ordinal == 'third':
            break
        cards = [card for card in reversed(pile)]
        lines += ['', '']
    return lines, len(pile)


def simulate(n, i):
    how_many = {}
    for x in range(i, i + n):
        lines, left = play(x)
        how_many[left] = how_many.get(left, 0) + 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(how_many.keys()):
        print('{:>20} | {:>8.2f}%'.format(left, how_many[left] / n * 100))


def split_request(request):
    """('', '5') for 5, ('-', '5') for -5, ('2', '5') for 2--5, None for everything else"""
    request = request.strip(' ')
    if '--' in request:
        i = request.index('--')
        parts = request[:i].rstrip(' '), request[i + 2:].lstrip(' ')
        if not parts[0].isdecimal():
            return None
    elif request[:1] == '-':
        parts = '-', request[1:]
    else:
        parts = '', request
    if not parts[1].isdecimal() or not request.isascii():
        return None
    return parts


def main():
    lines, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    n = len(lines)
    print()
    print('There are {} lines of output; what do you want me to do?'.format(n))
    print()
    while True:
        print('Enter: q to quit')
        print('       a last line number (between 1 and {})'.format(n))
        print('       a first line number (between -1 and -{})'.format(n))
        print('       a range of line numbers (of the form m--n with 1 <= m <= n <= {})'.format(n))
        request = input('       ')
        if request.strip(' ') == 'q':
            return
        parts = split_request(request)
        if parts is not None:
            b = int(parts[1])
            if parts[0] == '':
                a = 1
            elif parts[0] == '-':
                a, b = n - b + 1, n
            else:
                a = int(parts[0])
            if 1 <= a <= b <= n:
                for line in lines[a - 1:b]:
                    print(line)
        print()


if __name__ == '__main__':
    main()
