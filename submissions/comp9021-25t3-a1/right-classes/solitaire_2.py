import random


class Card:
    """A card out of 52. Number 0 is the Ace of Hearts, number 51 the King of Spades."""

    def __init__(self, number):
        self.number = number
        self.suit = number // 13
        self.rank = number % 13 + 1
        self.color = 'red' if self.suit <= 1 else 'black'

    def goes_in_column(self):
        return self.rank % 2 == 1

    def fits_on(self, other):
        return self.rank - other.rank == 2 and self.color != other.color

    def __str__(self):
        base = [0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0][self.suit]
        # after the Jack (11) comes the Knight, which we don't have
        return chr(base + self.rank + (1 if self.rank > 11 else 0))


class Sequence:
    """A column or a row"""

    def __init__(self, card):
        self.cards = [card]

    def accepts(self, card):
        return card.fits_on(self.cards[-1])

    def add(self, card):
        self.cards.append(card)


class Table:

    def __init__(self):
        self.columns = []
        self.rows = []

    def sequences_for(self, card):
        return self.columns if card.goes_in_column() else self.rows

    def start(self, card):
        self.sequences_for(card).append(Sequence(card))

    def extend(self, card):
        """Returns True if the card could be added to a column or row"""
        for sequence in self.sequences_for(card):
            if sequence.accepts(card):
                sequence.add(card)
                return True
        return False

    def lines(self):
        for level in range(6, -1, -1):
            text = ''
            for j in range(4):
                if j < len(self.columns) and level < len(self.columns[j].cards):
                    text += str(self.columns[j].cards[level])
                text += '\t'
            text += '\t'
            if 6 - level < len(self.rows):
                text += ' '.join(str(card) for card in self.rows[6 - level].cards)
            yield text.rstrip('\t')


class Game:

    GOOD = '\N{SMILING FACE WITH SMILING EYES}\N{VARIATION SELECTOR-16}'
    BAD = '\N{WHITE FROWNING FACE}\N{VARIATION SELECTOR-16}'

    def __init__(self, the_seed):
        numbers = list(range(52))
        random.seed(the_seed)
        random.shuffle(numbers)
        self.stack = [Card(number) for number in numbers]
        self.pile = []
        self.table = Table()
        self.output = []

    def write_piles(self):
        self.output.append(']' * len(self.stack))
        if self.pile:
            self.output.append('[' * (len(self.pile) - 1) + str(self.pile[-1]))
        else:
            self.output.append('')

    def write_message(self, message):
        self.output.append('')
        self.output.append(message)

    def write_success(self, message):
        self.write_message(message + ' ' + Game.GOOD)
        self.write_piles()
        self.output.extend(self.table.lines())

    def draw(self):
        """Returns True if the drawn card has been placed"""
        card = self.stack.pop()
        kind = 'column' if card.goes_in_column() else 'row'
        if card.rank <= 2:
            self.table.start(card)
            self.write_success(f'Starting a {kind}')
            return True
        if self.table.extend(card):
            self.write_success(f'Extending a {kind} by using the card drawn from the stack')
            return True
        self.pile.append(card)
        self.write_message('Cannot use the card drawn from the stack ' + Game.BAD)
        self.write_piles()
        return False

    def use_pile(self):
        while self.pile:
            card = self.pile[-1]
            if not self.table.extend(card):
                self.write_message('Cannot use the top card of the discard pile ' + Game.BAD)
                return
            self.pile.pop()
            kind = 'column' if card.goes_in_column() else 'row'
            self.write_success(f'Extending a {kind} by using the top card of the discard pile')

    def play(self):
        for number, name in enumerate(('first', 'second', 'third')):
            if number > 0:
                if not self.pile:
                    return
                self.pile.reverse()
                self.stack, self.pile = self.pile, self.stack
                self.output += ['', '']
            self.output.append(f'Starting {name} round...')
            while self.stack:
                if self.draw():
                    self.use_pile()


class Viewer:

    def __init__(self, lines):
        self.lines = lines
        self.size = len(lines)

    def number(self, text):
        """Returns 0 if the text isn't a number in the right range"""
        if text.isascii() and text.isdigit() and 1 <= int(text) <= self.size:
            return int(text)
        return 0

    def select(self, text):
        text = text.strip(' ')
        if text.count('--') == 1 and '---' not in text:
            m, n = text.split('--')
            m = self.number(m.rstrip(' '))
            n = self.number(n.lstrip(' '))
            if m and n and m <= n:
                return self.lines[m - 1:n]
            return []
        if text.startswith('-'):
            k = self.number(text[1:])
            if k:
                return self.lines[-k:]
            return []
        return self.lines[:self.number(text)]

    def menu(self):
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {self.size})')
        print(f'       a first line number (between -1 and -{self.size})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {self.size})')

    def run(self):
        print()
        print(f'There are {self.size} lines of output; what do you want me to do?')
        print()
        while True:
            self.menu()
            text = input(' ' * 7)
            if text.strip(' ') == 'q':
                return
            for line in self.select(text):
                print(line)
            print()


def simulate(n, i):
    counts = {}
    for k in range(n):
        game = Game(i + k)
        game.play()
        counts[len(game.pile)] = counts.get(len(game.pile), 0) + 1
    print('Number of cards left | Frequency')
    print('--------------------------------')
    for left in sorted(counts):
        print(f'{left:20} | {counts[left] / n * 100:8.2f}%')


if __name__ == '__main__':
    game = Game(int(input('Enter an integer to pass to the seed() function: ')))
    game.play()
    Viewer(game.output).run()
