import random
import re

PICTURES = {}
for position, base in enumerate((0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0)):
    for place, code in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14)):
        PICTURES[13 * position + place] = chr(base + code)
EMOJIS = {True: '\U0001F60A\ufe0f', False: '\u2639\ufe0f'}
ROUNDS = 'first', 'second', 'third'


class Output(list):
    """A list of lines which knows how to show things."""

    def message(self, text, success):
        if len(self) > 0:
            self.append('')
        self.append(f'{text} {EMOJIS[success]}')

    def hidden_and_discarded(self, hidden, discarded):
        self.append(']' * len(hidden))
        self.append(''.join(['['] * (len(discarded) - 1) + [PICTURES[card] for card in discarded[-1:]]))

    def table(self, columns, rows):
        for height in range(7, 0, -1):
            first_part = [PICTURES[column[height - 1]] if height <= len(column) else '' for column in columns]
            first_part.extend([''] * (4 - len(columns)))
            second_part = ''
            if 7 - height < len(rows):
                second_part = ' '.join(PICTURES[card] for card in rows[7 - height])
            self.append(('\t'.join(first_part) + '\t\t' + second_part).rstrip())


def extend(card, columns, rows):
    """The word column or row, or None."""
    for word, lines in ('column', columns), ('row', rows):
        for line in lines:
            previous = line[-1]
            if card % 13 == previous % 13 + 2 and {card // 26, previous // 26} == {0, 1}:
                line.append(card)
                return word
    return None


def play_one_round(hidden, columns, rows, output):
    discarded = []
    while hidden:
        card = hidden.pop()
        if card % 13 == 0:
            columns.append([card])
            output.message('Starting a column', True)
        elif card % 13 == 1:
            rows.append([card])
            output.message('Starting a row', True)
        else:
            word = extend(card, columns, rows)
            if word is None:
                discarded.append(card)
                output.message('Cannot use the card drawn from the stack', False)
                output.hidden_and_discarded(hidden, discarded)
                continue
            output.message(f'Extending a {word} by using the card drawn from the stack', True)
        output.hidden_and_discarded(hidden, discarded)
        output.table(columns, rows)
        while discarded:
            word = extend(discarded[-1], columns, rows)
            if word is None:
                output.message('Cannot use the top card of the discard pile', False)
                break
            del discarded[-1]
            output.message(f'Extending a {word} by using the top card of the discard pile', True)
            output.hidden_and_discarded(hidden, discarded)
            output.table(columns, rows)
    return discarded


def play(number):
    hidden = list(range(52))
    random.seed(number)
    random.shuffle(hidden)
    columns, rows, output = [], [], Output()
    for name in ROUNDS:
        if name != 'first':
            output.extend(['', ''])
        output.append(f'Starting {name} round...')
        left = play_one_round(hidden, columns, rows, output)
        hidden = left[::-1]
        if not hidden:
            break
    return output, len(left)


def simulate(n, i):
    statistics = {}
    for number in range(i, i + n):
        _, left = play(number)
        statistics[left] = statistics.get(left, 0) + 1
    result = 'Number of cards left | Frequency\n' + '-' * 32
    for left, games in sorted(statistics.items()):
        result += f'\n{left:20} | {games / n * 100:8.2f}%'
    return result


def interact(output):
    total = len(output)
    print(f'\nThere are {total} lines of output; what do you want me to do?\n')
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {total})')
        print(f'       a first line number (between -1 and -{total})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {total})')
        wish = input(' ' * 7).strip(' ')
        if wish == 'q':
            return
        match = re.fullmatch('(-?)([0-9]+)|([0-9]+) *-- *([0-9]+)', wish)
        first = last = 0
        if match and match.group(3):
            first, last = int(match.group(3)), int(match.group(4))
        elif match and match.group(1):
            first, last = total + 1 - int(match.group(2)), total
        elif match:
            first, last = 1, int(match.group(2))
        if 0 < first <= last <= total:
            print(*output[first - 1:last], sep='\n')
        print()


if __name__ == '__main__':
    interact(play(int(input('Enter an integer to pass to the seed() function: ')))[0])
