import random


class Card:
    """A card out of 32. Number 0 is the Seven of Hearts, number 31 the Ace of Spades."""

    VALUES = ['7', '8', '9', '10', 'J', 'Q', 'K', 'A']

    def __init__(self, number):
        self.number = number
        self.suit = 'HDCS'[number // 8]
        self.value = Card.VALUES[number % 8]

    def __str__(self):
        base = {'H': 0x1F0B0, 'D': 0x1F0C0, 'C': 0x1F0D0, 'S': 0x1F0A0}[self.suit]
        specials = {'A': 1, 'J': 11, 'Q': 13, 'K': 14}
        if self.value in specials:
            return chr(base + specials[self.value])
        return chr(base + int(self.value))


class Deck:

    def __init__(self, the_seed):
        numbers = list(range(32))
        random.seed(the_seed)
        random.shuffle(numbers)
        self.cards = [Card(number) for number in numbers]

    def draw(self):
        return self.cards.pop()

    def __len__(self):
        return len(self.cards)


class Square:

    def __init__(self, cards):
        self.cards = cards

    def locations_of(self, suit):
        return [loc for loc in range(len(self.cards)) if self.cards[loc].suit == suit]

    def locations_to_empty(self):
        result = set()
        for suit in 'HDCS':
            locations = self.locations_of(suit)
            if len(locations) % 2 == 1:
                # the last one stays
                locations.pop()
            result.update(locations)
        return result

    def half(self, which):
        """The cards in first or second row, as a string (empty if there are none)"""
        cards = self.cards[2 * which:2 * which + 2]
        return ' '.join(str(card) for card in cards)


class Game:

    def __init__(self, the_seed):
        self.deck = Deck(the_seed)
        self.squares = [Square([self.deck.draw() for _ in range(4)])]

    def one_round(self):
        """Returns False if nothing can be discarded"""
        current = self.squares[-1]
        to_empty = current.locations_to_empty()
        if not to_empty:
            return False
        new_cards = []
        for loc in range(4):
            if loc not in to_empty:
                new_cards.append(current.cards[loc])
            elif len(self.deck) > 0:
                new_cards.append(self.deck.draw())
        self.squares.append(Square(new_cards))
        return True

    def play(self):
        while len(self.deck) > 0 and self.one_round():
            pass

    def is_won(self):
        return len(self.deck) == 0

    def display(self):
        if self.is_won():
            print('So glad that you won!', '\N{SMILING FACE WITH SMILING EYES}')
        else:
            print('So sorry that you lost!', '\N{WHITE FROWNING FACE}\N{VARIATION SELECTOR-16}')
        for i in range(0, len(self.squares), 6):
            print()
            for which in (0, 1):
                halves = [square.half(which) for square in self.squares[i:i + 6]]
                print(''.join('    ' + half for half in halves if half != ''))


class Statistics:

    def __init__(self, nb_of_games):
        self.nb_of_games = nb_of_games
        self.counts = {}

    def add(self, game):
        key = (len(game.deck), len(game.squares))
        self.counts[key] = self.counts.get(key, 0) + 1

    def percent(self, count):
        return f'{count / self.nb_of_games * 100:.2f}%'

    def display(self):
        print('Number of cards left | Number of rounds | Frequency')
        print('---------------------------------------------------')
        previous = None
        for left, rounds in sorted(self.counts):
            same_left = [self.counts[key] for key in self.counts if key[0] == left]
            middle = f'{rounds:2}'
            if len(same_left) > 1:
                middle += f' ({self.percent(self.counts[(left, rounds)])})'
            if left != previous:
                print(f'{left:20} | {middle:16} | {self.percent(sum(same_left)):>9}')
            else:
                print(f'{"":20} | {middle:16} |')
            previous = left


def simulate(n, i):
    statistics = Statistics(n)
    for k in range(n):
        game = Game(i + k)
        game.play()
        statistics.add(game)
    statistics.display()


if __name__ == '__main__':
    game = Game(int(input('Enter an integer to pass to the seed() function: ')))
    game.play()
    game.display()
