from random import *

SUITS = [127152, 127168, 127184, 127136]
VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]
HAPPY = '😊'
SAD = '☹️'


def symbol(card):
    return chr(SUITS[card // 13] + VALUES[card % 13])


class Solitaire:

    def __init__(self, x):
        self.stack = list(range(52))
        seed(x)
        shuffle(self.stack)
        self.discarded = []
        # columns at index 0 to 3, rows at index 4 to 7
        self.lines = [[], [], [], [], [], [], [], []]
        self.text = []

    def places(self, card):
        return range(0, 4) if card % 2 == (card // 13) % 2 else range(4, 8)

    def put(self, card):
        '''Tries to put the card, returns the first words of the message or None'''
        places = self.places(card)
        name = 'column' if 0 in places else 'row'
        for j in places:
            line = self.lines[j]
            if card % 13 in (0, 1):
                if line == []:
                    line.append(card)
                    return f'Starting a {name}'
            elif line != [] and line[-1] % 13 + 2 == card % 13 and (line[-1] < 26) != (card < 26):
                line.append(card)
                return f'Extending a {name}'

    def write_state(self, with_table):
        self.text.append(']' * len(self.stack))
        if self.discarded:
            self.text.append('[' * (len(self.discarded) - 1) + symbol(self.discarded[-1]))
        else:
            self.text.append('')
        if with_table:
            for k in range(7):
                parts = []
                for column in self.lines[:4]:
                    parts.append(symbol(column[6 - k]) if len(column) >= 7 - k else '')
                parts.append('')
                parts.append(' '.join(symbol(card) for card in self.lines[4 + k]) if k < 4 else '')
                self.text.append('\t'.join(parts).rstrip('\t'))

    def play_round(self):
        while self.stack:
            card = self.stack.pop()
            message = self.put(card)
            if message is None:
                self.discarded.append(card)
                self.text += ['', f'Cannot use the card drawn from the stack {SAD}']
                self.write_state(False)
            else:
                if message[0] == 'E':
                    message += ' by using the card drawn from the stack'
                self.text += ['', f'{message} {HAPPY}']
                self.write_state(True)
                self.use_discarded()

    def use_discarded(self):
        if self.discarded == []:
            return
        message = self.put(self.discarded[-1])
        if message is None:
            self.text += ['', f'Cannot use the top card of the discard pile {SAD}']
        else:
            self.discarded.pop()
            self.text += ['', f'{message} by using the top card of the discard pile {HAPPY}']
            self.write_state(True)
            # and again with the new top card
            self.use_discarded()

    def play(self):
        self.text.append('Starting first round...')
        self.play_round()
        for ordinal in 'second', 'third':
            if self.discarded != []:
                self.stack = self.discarded[::-1]
                self.discarded = []
                self.text += ['', '', f'Starting {ordinal} round...']
                self.play_round()


def simulate(n, i):
    outcomes = {}
    for x in range(i, i + n):
        game = Solitaire(x)
        game.play()
        left = len(game.discarded)
        outcomes[left] = outcomes.get(left, 0) + 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(outcomes):
        print(f'{left:>20} | {outcomes[left] / n * 100:>8.2f}%')


def digits_only(s):
    for c in s:
        if not '0' <= c <= '9':
            return False
    return s != ''


def get_lines(s, text):
    s = s.strip(' ')
    if digits_only(s) and 1 <= int(s) <= len(text):
        return text[:int(s)]
    if s.startswith('-') and digits_only(s[1:]) and 1 <= int(s[1:]) <= len(text):
        return text[len(text) - int(s[1:]):]
    if s.count('-') == 2 and '--' in s:
        m, n = s.split('--')
        m = m.rstrip(' ')
        n = n.lstrip(' ')
        if digits_only(m) and digits_only(n) and 1 <= int(m) <= int(n) <= len(text):
            return text[int(m) - 1:int(n)]
    return []


if __name__ == '__main__':
    game = Solitaire(int(input('Enter an integer to pass to the seed() function: ')))
    game.play()
    nb = len(game.text)
    print()
    print(f'There are {nb} lines of output; what do you want me to do?')
    print()
    answer = ''
    while answer != 'q':
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {nb})')
        print(f'       a first line number (between -1 and -{nb})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {nb})')
        answer = input('       ').strip(' ')
        if answer != 'q':
            for line in get_lines(answer, game.text):
                print(line)
            print()
