from random import seed, shuffle

cards_unicode = {
    'hearts': ['\U0001F0B7', '\U0001F0B8', '\U0001F0B9', '\U0001F0BA', '\U0001F0BB', '\U0001F0BD', '\U0001F0BE', '\U0001F0B1'],
    'diamonds': ['\U0001F0C7', '\U0001F0C8', '\U0001F0C9', '\U0001F0CA', '\U0001F0CB', '\U0001F0CD', '\U0001F0CE', '\U0001F0C1'],
    'clubs': ['\U0001F0D7', '\U0001F0D8', '\U0001F0D9', '\U0001F0DA', '\U0001F0DB', '\U0001F0DD', '\U0001F0DE', '\U0001F0D1'],
    'spades': ['\U0001F0A7', '\U0001F0A8', '\U0001F0A9', '\U0001F0AA', '\U0001F0AB', '\U0001F0AD', '\U0001F0AE', '\U0001F0A1'],
}
all_suits = ['hearts', 'diamonds', 'clubs', 'spades']


def get_suit(card):
    return all_suits[card // 8]


def get_unicode(card):
    return cards_unicode[get_suit(card)][card % 8]


def count_suits(the_four):
    count = {'hearts': 0, 'diamonds': 0, 'clubs': 0, 'spades': 0}
    for card in the_four:
        count[get_suit(card)] += 1
    return count


def discard_and_draw(the_four, deck):
    """Changes the_four. Returns False if there is nothing to discard."""
    count = count_suits(the_four)
    if max(count.values()) == 1:
        return False
    # go through the cards and see how many of the suit still have to be discarded
    for suit in all_suits:
        if count[suit] == 3:
            count[suit] = 2
        elif count[suit] == 1:
            count[suit] = 0
    for location in range(3, -1, -1):
        suit = get_suit(the_four[location])
        if count[suit] > 0:
            count[suit] -= 1
            the_four[location] = None
    for location in range(4):
        if the_four[location] is None and deck:
            the_four[location] = deck.pop()
    return True


def play(deck):
    the_four = []
    while len(the_four) < 4:
        the_four.append(deck.pop())
    squares = [the_four.copy()]
    while deck:
        if not discard_and_draw(the_four, deck):
            break
        squares.append(the_four.copy())
    return squares


def get_deck(s):
    deck = list(range(32))
    seed(s)
    shuffle(deck)
    return deck


def simulate(n, i):
    how_often = {}
    for s in range(i, i + n):
        deck = get_deck(s)
        nb_of_rounds = len(play(deck))
        nb_of_cards = len(deck)
        if nb_of_cards not in how_often:
            how_often[nb_of_cards] = {}
        how_often[nb_of_cards][nb_of_rounds] = how_often[nb_of_cards].get(nb_of_rounds, 0) + 1
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for nb_of_cards in sorted(how_often):
        rounds = how_often[nb_of_cards]
        lines = []
        for nb_of_rounds in sorted(rounds):
            line = f'{nb_of_rounds:>2}'
            if len(rounds) > 1:
                line += f' ({rounds[nb_of_rounds] / n * 100:.2f}%)'
            lines.append(f' | {line:<16} |')
        lines[0] += f' {sum(rounds.values()) / n * 100:>8.2f}%'
        print(f'{nb_of_cards:>20}' + lines[0])
        for line in lines[1:]:
            print(' ' * 20 + line)


if __name__ == '__main__':
    s = int(input('Enter an integer to pass to the seed() function: '))
    deck = get_deck(s)
    squares = play(deck)
    if deck:
        print('So sorry that you lost! \u2639\uFE0F')
    else:
        print('So glad that you won! \U0001F60A')
    for i in range((len(squares) + 5) // 6):
        print()
        for j in (0, 2):
            for square in squares[6 * i:6 * i + 6]:
                if square[j] is not None:
                    print('   ', get_unicode(square[j]), get_unicode(square[j + 1]), end='')
            print()
