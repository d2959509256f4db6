from random import seed, shuffle

ordinals = {1: 'first', 2: 'second', 3: 'third'}


def new_deck(value):
    deck = []
    for card in range(52):
        deck.append(card)
    seed(value)
    shuffle(deck)
    return deck


def face(card):
    suits = [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1]
    return chr(suits[card // 13] + card % 13)


def rank(card):
    return card % 13 + 1


def is_red(card):
    return card in range(26)


def try_to_extend(card, columns, rows):
    lines = columns if rank(card) % 2 == 1 else rows
    for line in lines:
        if rank(line[-1]) == rank(card) - 2 and is_red(line[-1]) is not is_red(card):
            line.append(card)
            return True
    return False


def column_or_row(card):
    return 'column' if rank(card) % 2 == 1 else 'row'


def state(stack, discarded):
    first_line = ''.join(']' for _ in stack)
    second_line = ''.join('[' for _ in discarded[:-1]) + ''.join(face(card) for card in discarded[-1:])
    return [first_line, second_line]


def table(columns, rows):
    result = []
    for i in range(7):
        line = []
        for column in columns:
            line.append(face(column[6 - i]) if len(column) > 6 - i else '')
        while len(line) < 5:
            line.append('')
        if i < len(rows):
            line.append(' '.join(face(card) for card in rows[i]))
        result.append('\t'.join(line).rstrip('\t'))
    return result


def play(value):
    happy = '\U0001F60A\ufe0f'
    sad = '\u2639\ufe0f'
    stack = new_deck(value)
    discarded, columns, rows, out = [], [], [], []
    round_number = 1
    while round_number <= 3 and len(stack) > 0:
        if round_number > 1:
            out += ['', '']
        out += ['Starting ' + ordinals[round_number] + ' round...']
        while len(stack) > 0:
            card = stack.pop()
            if rank(card) == 1:
                columns.append([card])
                out += ['', 'Starting a column ' + happy]
            elif rank(card) == 2:
                rows.append([card])
                out += ['', 'Starting a row ' + happy]
            elif try_to_extend(card, columns, rows):
                out += ['', f'Extending a {column_or_row(card)} by using the card drawn from the stack {happy}']
            else:
                discarded.append(card)
                out += ['', 'Cannot use the card drawn from the stack ' + sad] + state(stack, discarded)
                continue
            out += state(stack, discarded) + table(columns, rows)
            while len(discarded) > 0:
                card = discarded[-1]
                if not try_to_extend(card, columns, rows):
                    out += ['', 'Cannot use the top card of the discard pile ' + sad]
                    break
                discarded.pop()
                out += ['', f'Extending a {column_or_row(card)} by using the top card of the discard pile {happy}']
                out += state(stack, discarded) + table(columns, rows)
        round_number += 1
        if round_number <= 3:
            stack = discarded
            stack.reverse()
            discarded = []
    return out, len(discarded)


def simulate(n, i):
    number_of_games = {}
    for value in range(i, i + n):
        left = play(value)[1]
        number_of_games[left] = number_of_games.get(left, 0) + 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in range(0, 53):
        if left in number_of_games:
            print(f'{left:>20} | {number_of_games[left] * 100 / n:>8.2f}%')


def to_number(text):
    """-1 if the text is not a number"""
    if text == '' or not all(c in '0123456789' for c in text):
        return -1
    return int(text)


def answer(text, out):
    text = text.strip(' ')
    if '--' in text:
        left, right = text.split('--', 1)
        m = to_number(left.rstrip(' '))
        n = to_number(right.lstrip(' '))
    elif '-' in text:
        k = to_number(text[1:]) if text[0] == '-' else -1
        m = len(out) - k + 1 if k > 0 else -1
        n = len(out)
    else:
        m = 1
        n = to_number(text)
    if m < 1 or n < m or n > len(out):
        return []
    return out[m - 1:n]


if __name__ == '__main__':
    out, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    print()
    print(f'There are {len(out)} lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {len(out)})')
        print(f'       a first line number (between -1 and -{len(out)})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {len(out)})')
        text = input('       ')
        if text.strip(' ') == 'q':
            break
        for line in answer(text, out):
            print(line)
        print()
