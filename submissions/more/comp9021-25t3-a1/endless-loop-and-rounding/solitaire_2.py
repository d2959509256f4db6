from random import seed, shuffle

hexadecimal = '123456789ABDE'


def picture(card):
    return chr(int('1F0' + 'BCDA'[card // 13] + hexadecimal[card % 13], 16))


def is_black(card):
    return card >= 26


class Line:
    """A column or a row of cards, which remembers what it needs next"""

    def __init__(self, card):
        self.cards = []
        self.add(card)

    def add(self, card):
        self.cards.append(card)
        self.needs_value = card % 13 + 2
        self.needs_black = not is_black(card)

    def can_take(self, card):
        return card % 13 == self.needs_value and is_black(card) == self.needs_black


class Game:

    def __init__(self, x):
        self.stack = list(range(52))
        seed(x)
        shuffle(self.stack)
        self.pile = []
        self.columns = []
        self.rows = []
        self.lines = []

    def add_line(self, line=''):
        self.lines.append(line)

    def which(self, card):
        if card % 13 % 2 == 0:
            return 'column', self.columns
        return 'row', self.rows

    def can_extend(self, card):
        name, candidates = self.which(card)
        return any(candidate.can_take(card) for candidate in candidates)

    def extend(self, card):
        name, candidates = self.which(card)
        for candidate in candidates:
            if candidate.can_take(card):
                candidate.add(card)
                return

    def add_piles(self):
        self.add_line(']' * len(self.stack))
        if len(self.pile) > 0:
            self.add_line('[' * (len(self.pile) - 1) + picture(self.pile[-1]))
        else:
            self.add_line()

    def add_table(self):
        for k in range(7):
            line = ''
            for c in range(4):
                if len(self.columns) > c and len(self.columns[c].cards) > 6 - k:
                    line += picture(self.columns[c].cards[6 - k])
                line += '\t'
            line += '\t'
            if len(self.rows) > k:
                line += ' '.join(picture(card) for card in self.rows[k].cards)
            self.add_line(line.rstrip())

    def draw_card(self):
        card = self.stack.pop()
        name, candidates = self.which(card)
        self.add_line()
        if card % 13 <= 1:
            candidates.append(Line(card))
            self.add_line(f'Starting a {name} 😊️')
        elif self.can_extend(card):
            self.extend(card)
            self.add_line(f'Extending a {name} by using the card drawn from the stack 😊️')
        else:
            self.pile.append(card)
            self.add_line('Cannot use the card drawn from the stack ☹️')
            self.add_piles()
            return
        self.add_piles()
        self.add_table()
        self.look_at_pile()

    def look_at_pile(self):
        while len(self.pile) > 0:
            self.add_line()
            if not self.can_extend(self.pile[-1]):
                self.add_line('Cannot use the top card of the discard pile ☹️')
                return
            card = self.pile.pop()
            self.extend(card)
            self.add_line(f'Extending a {self.which(card)[0]} by using the top card of the discard pile 😊️')
            self.add_piles()
            self.add_table()

    def play(self):
        self.add_line('Starting first round...')
        while len(self.stack) > 0:
            self.draw_card()
        for name in 'second', 'third':
            if len(self.pile) == 0:
                return
            while len(self.pile) > 0:
                self.stack.append(self.pile.pop())
            self.add_line()
            self.add_line()
            self.add_line(f'Starting {name} round...')
            while len(self.stack) > 0:
                self.draw_card()


def simulate(n, i):
    results = []
    for x in range(i, i + n):
        game = Game(x)
        game.play()
        results.append(len(game.pile))
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(set(results)):
        frequency = str(round(results.count(left) / n * 100, 2)) + '%'
        print(f'{left:20} | {frequency:>9}')


def number(text):
    """gives 0 for everything which is not a positive number"""
    for character in text:
        if not ('0' <= character <= '9'):
            return 0
    if len(text) == 0:
        return 0
    return int(text)


def main():
    game = Game(int(input('Enter an integer to pass to the seed() function: ')))
    game.play()
    total = len(game.lines)
    print()
    print(f'There are {total} lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {total})')
        print(f'       a first line number (between -1 and -{total})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {total})')
        text = input('       ').strip(' ')
        if text == 'q':
            break
        first = 0
        last = 0
        if '--' in text:
            dashes = text.index('--')
            first = number(text[:dashes].rstrip(' '))
            last = number(text[dashes + 2:].lstrip(' '))
        elif text.startswith('-'):
            if number(text[1:]) > 0:
                first = total - number(text[1:]) + 1
                last = total
        elif number(text) > 0:
            first = 1
            last = number(text)
        if 1 <= first <= last <= total:
            for line in game.lines[first - 1:last]:
                print(line)
        print()


if __name__ == '__main__':
    main()
