from random import seed, shuffle

suits_unicode = ['\U0001F0B1', '\U0001F0C1', '\U0001F0D1', '\U0001F0A1']
emoji_good = '\U0001F60A\uFE0F'
emoji_bad = '\u2639\uFE0F'


def get_value(card):
    return card % 13 + 1


def get_colour(card):
    return ['red', 'red', 'black', 'black'][card // 13]


def get_unicode(card):
    ace = ord(suits_unicode[card // 13])
    if get_value(card) > 11:
        return chr(ace + get_value(card))
    return chr(ace + get_value(card) - 1)


class Table:

    def __init__(self):
        self.columns = [None, None, None, None]
        self.rows = [None, None, None, None]

    def use(self, card):
        """Returns 'Starting a column' and so on, or '' if the card cannot be used"""
        if get_value(card) % 2 == 1:
            name = 'column'
            lines = self.columns
        else:
            name = 'row'
            lines = self.rows
        if get_value(card) in (1, 2):
            lines[lines.index(None)] = [card]
            return 'Starting a ' + name
        for line in lines:
            if line is not None:
                last = line[-1]
                if get_value(last) == get_value(card) - 2 and get_colour(last) != get_colour(card):
                    line.append(card)
                    return 'Extending a ' + name
        return ''

    def get_lines(self):
        lines = []
        for i in range(7):
            line = ''
            for column in self.columns:
                if column is not None and len(column) >= 7 - i:
                    line += get_unicode(column[6 - i])
                line += '\t'
            line += '\t'
            if i < 4 and self.rows[i] is not None:
                line += ' '.join([get_unicode(card) for card in self.rows[i]])
            lines.append(line.rstrip('\t'))
        return lines


def get_stack_and_pile(stack, pile):
    lines = [']' * len(stack), '']
    if pile:
        lines[1] = '[' * (len(pile) - 1) + get_unicode(pile[-1])
    return lines


def play_round(stack, table, lines):
    pile = []
    while stack:
        card = stack.pop()
        message = table.use(card)
        if not message:
            pile.append(card)
            lines.append('')
            lines.append(f'Cannot use the card drawn from the stack {emoji_bad}')
            lines.extend(get_stack_and_pile(stack, pile))
        else:
            if message.startswith('Extending'):
                message += ' by using the card drawn from the stack'
            lines.append('')
            lines.append(f'{message} {emoji_good}')
            lines.extend(get_stack_and_pile(stack, pile))
            lines.extend(table.get_lines())
            message = 'go on'
            while pile and message:
                message = table.use(pile[-1])
                lines.append('')
                if message:
                    pile.pop()
                    lines.append(f'{message} by using the top card of the discard pile {emoji_good}')
                    lines.extend(get_stack_and_pile(stack, pile))
                    lines.extend(table.get_lines())
                else:
                    lines.append(f'Cannot use the top card of the discard pile {emoji_bad}')
    return pile


def play(s):
    stack = list(range(52))
    seed(s)
    shuffle(stack)
    table = Table()
    lines = ['Starting first round...']
    pile = play_round(stack, table, lines)
    if pile:
        lines.extend(['', '', 'Starting second round...'])
        pile = play_round(pile[::-1], table, lines)
    if pile:
        lines.extend(['', '', 'Starting third round...'])
        pile = play_round(pile[::-1], table, lines)
    return lines, len(pile)


def simulate(n, i):
    how_often = {}
    for s in range(i, i + n):
        nb_of_cards = play(s)[1]
        how_often[nb_of_cards] = how_often.get(nb_of_cards, 0) + 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for nb_of_cards in sorted(how_often):
        print(f'{nb_of_cards:>20} | {how_often[nb_of_cards] / n * 100:>8.2f}%')


def is_positive_integer(text):
    if not text:
        return False
    for c in text:
        if c not in '0123456789':
            return False
    return int(text) > 0


def treat(text, lines):
    text = text.strip(' ')
    nb_of_lines = len(lines)
    if is_positive_integer(text):
        if int(text) <= nb_of_lines:
            for i in range(int(text)):
                print(lines[i])
    elif text.startswith('-') and is_positive_integer(text[1:]):
        if int(text[1:]) <= nb_of_lines:
            # from this line to the last one
            start = nb_of_lines - int(text[1:]) + 1
            for i in range(start, nb_of_lines):
                print(lines[i])
    else:
        parts = text.split('--')
        if len(parts) == 2:
            m = parts[0].rstrip(' ')
            n = parts[1].lstrip(' ')
            if is_positive_integer(m) and is_positive_integer(n):
                if int(m) <= int(n) <= nb_of_lines:
                    for i in range(int(m) - 1, int(n)):
                        print(lines[i])


if __name__ == '__main__':
    s = int(input('Enter an integer to pass to the seed() function: '))
    lines, nb_of_cards = play(s)
    print()
    print(f'There are {len(lines)} lines of output; what do you want me to do?')
    print()
    finished = False
    while not finished:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {len(lines)})')
        print(f'       a first line number (between -1 and -{len(lines)})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {len(lines)})')
        text = input('       ')
        if text.strip(' ') == 'q':
            finished = True
        else:
            treat(text, lines)
            print()
