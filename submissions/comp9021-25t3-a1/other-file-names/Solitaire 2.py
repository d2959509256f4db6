# COMP9021 Assignment 1, second game.
# All the output of the game is first collected in a list of lines,
# and then the user asks for some of them.

from random import seed, shuffle

HAPPY = '\U0001F60A\uFE0F'
SAD = '\u2639\uFE0F'


def card_to_char(card):
    suit = card // 13
    value = card % 13
    start = [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1][suit]
    if value >= 11:
        # skip the knight
        value += 1
    return chr(start + value)


def is_red(card):
    return card < 26


def value_of(card):
    return card % 13 + 1


def can_follow(card, previous):
    return value_of(card) == value_of(previous) + 2 and is_red(card) != is_red(previous)


def find_place(card, columns, rows):
    """Return the list (a column or a row) that the card extends, or None."""
    if value_of(card) % 2 == 1:
        candidates = columns
    else:
        candidates = rows
    for candidate in candidates:
        if can_follow(card, candidate[-1]):
            return candidate
    return None


def kind_of_line(card):
    if value_of(card) % 2 == 1:
        return 'column'
    return 'row'


def stack_lines(stack, discard):
    result = [']' * len(stack)]
    if len(discard) == 0:
        result.append('')
    else:
        result.append('[' * (len(discard) - 1) + card_to_char(discard[-1]))
    return result


def table_lines(columns, rows):
    result = []
    for i in range(7):
        line = ''
        for c in range(4):
            if c < len(columns) and len(columns[c]) > 6 - i:
                line += card_to_char(columns[c][6 - i])
            line += '\t'
        line += '\t'
        if i < len(rows):
            line += ' '.join([card_to_char(card) for card in rows[i]])
        result.append(line.rstrip())
    return result


def play(s):
    """Return all lines of output, and the number of cards left."""
    stack = list(range(52))
    seed(s)
    shuffle(stack)
    discard = []
    columns = []
    rows = []
    output = []
    for name in ['first', 'second', 'third']:
        if name != 'first':
            if len(discard) == 0:
                break
            stack = discard
            stack.reverse()
            discard = []
            output.append('')
            output.append('')
        output.append('Starting ' + name + ' round...')
        while len(stack) > 0:
            card = stack.pop()
            used = False
            if value_of(card) == 1:
                columns.append([card])
                message = 'Starting a column ' + HAPPY
                used = True
            elif value_of(card) == 2:
                rows.append([card])
                message = 'Starting a row ' + HAPPY
                used = True
            else:
                place = find_place(card, columns, rows)
                if place is not None:
                    place.append(card)
                    message = 'Extending a ' + kind_of_line(card) + ' by using the card drawn from the stack ' + HAPPY
                    used = True
                else:
                    discard.append(card)
                    message = 'Cannot use the card drawn from the stack ' + SAD
            output.append('')
            output.append(message)
            output.extend(stack_lines(stack, discard))
            if used:
                output.extend(table_lines(columns, rows))
            while used and len(discard) > 0:
                card = discard[-1]
                place = find_place(card, columns, rows)
                output.append('')
                if place is not None:
                    discard.pop()
                    place.append(card)
                    message = 'Extending a ' + kind_of_line(card) + ' by using the top card of the discard pile ' + HAPPY
                    output.append(message)
                    output.extend(stack_lines(stack, discard))
                    output.extend(table_lines(columns, rows))
                else:
                    output.append('Cannot use the top card of the discard pile ' + SAD)
                    used = False
    return output, len(discard)


def simulate(n, i):
    results = {}
    for s in range(i, i + n):
        output, left = play(s)
        if left in results:
            results[left] += 1
        else:
            results[left] = 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(results):
        print('{:20} | {:>9}'.format(left, '{:.2f}%'.format(results[left] / n * 100)))


def is_number(text):
    if text == '':
        return False
    for c in text:
        if c not in '0123456789':
            return False
    return True


def requested_lines(request, output):
    """Return the lines the user wants, or an empty list if the request is invalid."""
    n = len(output)
    request = request.strip(' ')
    if '--' in request:
        position = request.index('--')
        first = request[:position].rstrip(' ')
        last = request[position + 2:].lstrip(' ')
        if is_number(first) and is_number(last):
            if 1 <= int(first) <= int(last) <= n:
                return output[int(first) - 1:int(last)]
    elif request[:1] == '-':
        if is_number(request[1:]) and 1 <= int(request[1:]) <= n:
            return output[n - int(request[1:]):]
    elif is_number(request):
        if 1 <= int(request) <= n:
            return output[:int(request)]
    return []


def main():
    the_seed = int(input('Enter an integer to pass to the seed() function: '))
    output, left = play(the_seed)
    n = len(output)
    print()
    print('There are', n, 'lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print('       a last line number (between 1 and ' + str(n) + ')')
        print('       a first line number (between -1 and -' + str(n) + ')')
        print('       a range of line numbers (of the form m--n with 1 <= m <= n <= ' + str(n) + ')')
        request = input('       ')
        if request.strip(' ') == 'q':
            break
        for line in requested_lines(request, output):
            print(line)
        print()


if __name__ == '__main__':
    main()
