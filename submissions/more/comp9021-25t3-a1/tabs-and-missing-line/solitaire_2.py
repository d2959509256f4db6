# Assignment 1 -- Solitaire 2
import random

card_pictures = []
for code in [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1]:
    for step in range(14):
        if step != 11:
            card_pictures.append(chr(code + step))

OK = ' \U0001F60A\uFE0F'
NOT_OK = ' \u2639\uFE0F'


def rank(card):
    return card % 13 + 1


def color(card):
    if card < 26:
        return 'red'
    else:
        return 'black'


def find(card, lines):
    # position of the line which can be extended, -1 if there is none
    for position in range(len(lines)):
        last = lines[position][-1]
        if rank(last) + 2 == rank(card) and color(last) != color(card):
            return position
    return -1


def show_piles(out, stack, pile):
    out.append(']' * len(stack))
    if len(pile) == 0:
        out.append('')
    else:
        out.append('[' * (len(pile) - 1) + card_pictures[pile[-1]])


def show_table(out, columns, rows):
    for height in [7, 6, 5, 4, 3, 2, 1]:
        line = ''
        for c in range(4):
            if c < len(columns) and height <= len(columns[c]):
                line = line + card_pictures[columns[c][height - 1]]
            line = line + '\t'
        line = line + '\t'
        r = 7 - height
        if r < len(rows):
            pictures = []
            for card in rows[r]:
                pictures.append(card_pictures[card])
            line = line + ' '.join(pictures)
        out.append(line.rstrip())


def play_one(number):
    stack = list(range(52))
    random.seed(number)
    random.shuffle(stack)
    columns = []
    rows = []
    pile = []
    out = []
    for round_number in [1, 2, 3]:
        if round_number == 1:
            out.append('Starting first round...')
        elif round_number == 2:
            out.append('')
            out.append('Starting second round...')
        else:
            out.append('')
            out.append('Starting third round...')
        while len(stack) > 0:
            card = stack.pop()
            success = True
            out.append('')
            if rank(card) == 1:
                columns.append([card])
                out.append('Starting a column' + OK)
            elif rank(card) == 2:
                rows.append([card])
                out.append('Starting a row' + OK)
            elif rank(card) % 2 == 1 and find(card, columns) >= 0:
                columns[find(card, columns)].append(card)
                out.append('Extending a column by using the card drawn from the stack' + OK)
            elif rank(card) % 2 == 0 and find(card, rows) >= 0:
                rows[find(card, rows)].append(card)
                out.append('Extending a row by using the card drawn from the stack' + OK)
            else:
                pile.append(card)
                out.append('Cannot use the card drawn from the stack' + NOT_OK)
                success = False
            show_piles(out, stack, pile)
            if success:
                show_table(out, columns, rows)
            while success and len(pile) > 0:
                out.append('')
                card = pile[-1]
                if rank(card) % 2 == 1 and find(card, columns) >= 0:
                    columns[find(card, columns)].append(card)
                    pile.pop()
                    out.append('Extending a column by using the top card of the discard pile' + OK)
                elif rank(card) % 2 == 0 and find(card, rows) >= 0:
                    rows[find(card, rows)].append(card)
                    pile.pop()
                    out.append('Extending a row by using the top card of the discard pile' + OK)
                else:
                    out.append('Cannot use the top card of the discard pile' + NOT_OK)
                    success = False
                if success:
                    show_piles(out, stack, pile)
                    show_table(out, columns, rows)
        if len(pile) == 0:
            break
        if round_number < 3:
            while len(pile) > 0:
                stack.append(pile.pop())
    return out, len(pile)


def simulate(n, i):
    left_list = []
    for number in range(i, i + n):
        out, left = play_one(number)
        left_list.append(left)
    print('Number of cards left | Frequency')
    print('--------------------------------')
    for left in sorted(set(left_list)):
        print('{:20} | {:8.2f}%'.format(left, left_list.count(left) * 100 / n))


def valid_number(text, maximum):
    if len(text) == 0:
        return False
    for character in text:
        if character not in '0123456789':
            return False
    return 1 <= int(text) <= maximum


def main():
    number = int(input('Enter an integer to pass to the seed() function: '))
    out, left = play_one(number)
    size = len(out)
    print()
    print(f'There are {size} lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {size})')
        print(f'       a first line number (between -1 and -{size})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {size})')
        request = input('       ').strip(' ')
        if request == 'q':
            break
        to_print = []
        if valid_number(request, size):
            to_print = out[:int(request)]
        elif request.startswith('-') and valid_number(request[1:], size):
            to_print = out[-int(request[1:]):]
        elif '--' in request:
            position = request.find('--')
            m = request[:position].rstrip(' ')
            n = request[position + 2:].lstrip(' ')
            if valid_number(m, size) and valid_number(n, size) and int(m) <= int(n):
                to_print = out[int(m) - 1:int(n)]
        for line in to_print:
            print(line)
        print()


if __name__ == '__main__':
    main()
