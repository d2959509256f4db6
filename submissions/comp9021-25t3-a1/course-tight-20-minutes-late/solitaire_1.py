import unicodedata
from random import seed, shuffle

# A card is a pair such as ('SEVEN', 'HEARTS'), and Unicode finds the picture.
suits = 'HEARTS', 'DIAMONDS', 'CLUBS', 'SPADES'
values = 'SEVEN', 'EIGHT', 'NINE', 'TEN', 'JACK', 'QUEEN', 'KING', 'ACE'


def picture(card):
    value, suit = card
    return unicodedata.lookup(f'PLAYING CARD {value} OF {suit}')


def draw_from(deck):
    number = deck.pop()
    return values[number % 8], suits[number // 8]


def same_suit(card1, card2):
    return card1[1] == card2[1]


def discard(cards):
    """Replace by None the cards to discard; say how many there are."""
    count = 0
    for i in range(4):
        for j in range(i + 1, 4):
            if cards[i] and cards[j] and same_suit(cards[i], cards[j]):
                cards[i] = None
                cards[j] = None
                count += 2
    return count


def fill(cards, deck):
    for i in range(4):
        if cards[i] is None and deck:
            cards[i] = draw_from(deck)


def game(seed_number):
    deck = list(range(32))
    seed(seed_number)
    shuffle(deck)
    cards = [None, None, None, None]
    fill(cards, deck)
    squares = [cards.copy()]
    while len(deck) > 0 and discard(cards) > 0:
        fill(cards, deck)
        squares.append(cards.copy())
    return squares, len(deck)


def show(squares):
    first_row = ''
    second_row = ''
    for card1, card2, card3, card4 in squares:
        first_row += f'    {picture(card1)} {picture(card2)}'
        if card3 is not None:
            second_row += f'    {picture(card3)} {picture(card4)}'
    print()
    print(first_row)
    print(second_row)


def simulate(n, i):
    results = {}
    for k in range(n):
        squares, left = game(i + k)
        if left in results:
            results[left].append(len(squares))
        else:
            results[left] = [len(squares)]
    print('Number of cards left | Number of rounds | Frequency')
    print('---------------------------------------------------')
    for left in sorted(results):
        rounds = results[left]
        frequency = '{:.2f}%'.format(100 * len(rounds) / n)
        kinds = sorted(set(rounds))
        if len(kinds) == 1:
            print('{:>20} | {:>2}               | {:>9}'.format(left, kinds[0], frequency))
        for k in kinds:
            if len(kinds) > 1:
                share = '({:.2f}%)'.format(100 * rounds.count(k) / n)
                if k == kinds[0]:
                    print('{:>20} | {:>2} {:13} | {:>9}'.format(left, k, share, frequency))
                else:
                    print('{:>20} | {:>2} {:13} |'.format('', k, share))


if __name__ == '__main__':
    squares, left = game(int(input('Enter an integer to pass to the seed() function: ')))
    if left > 0:
        print('So sorry that you lost! \u2639\uFE0F')
    else:
        print('So glad that you won! \U0001F60A')
    for start in 0, 6, 12:
        if start < len(squares):
            show(squares[start:start + 6])
