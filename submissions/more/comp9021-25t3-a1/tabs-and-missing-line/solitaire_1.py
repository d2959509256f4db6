# Assignment 1 -- Solitaire 1
import random

card_pictures = []
for code in [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1]:
    for step in range(6, 14):
        if step != 11:
            card_pictures.append(chr(code + step))
    card_pictures.append(chr(code))


def suit(card):
    if card < 8:
        return 'H'
    elif card < 16:
        return 'D'
    elif card < 24:
        return 'C'
    else:
        return 'S'


def find_cards_to_replace(cards):
    s = [suit(card) for card in cards]
    positions = []
    for letter in ['H', 'D', 'C', 'S']:
        if s.count(letter) == 2 or s.count(letter) == 3:
            p = s.index(letter)
            positions.append(p)
            positions.append(s.index(letter, p + 1))
        if s.count(letter) == 4:
            positions = [0, 1, 2, 3]
    positions.sort()
    return positions


def play_one(number):
    deck = list(range(32))
    random.seed(number)
    random.shuffle(deck)
    cards = [deck.pop(), deck.pop(), deck.pop(), deck.pop()]
    squares = [list(cards)]
    while len(deck) != 0:
        positions = find_cards_to_replace(cards)
        if len(positions) == 0:
            return squares, deck
        if len(positions) == 4 and len(deck) == 2:
            cards = [deck.pop(), deck.pop()]
            squares.append(cards)
            return squares, deck
        for p in positions:
            cards[p] = deck.pop()
        squares.append(list(cards))
    return squares, deck


def print_squares(squares):
    while len(squares) > 0:
        group = squares[:6]
        squares = squares[6:]
        print()
        first_line = ''
        second_line = ''
        for s in group:
            first_line += f'\t{card_pictures[s[0]]} {card_pictures[s[1]]}'
            if len(s) == 4:
                second_line += f'\t{card_pictures[s[2]]} {card_pictures[s[3]]}'
        print(first_line)
        print(second_line)


def simulate(n, i):
    left_list = []
    both_list = []
    for number in range(i, i + n):
        squares, deck = play_one(number)
        left_list.append(len(deck))
        both_list.append((len(deck), len(squares)))
    print('Number of cards left | Number of rounds | Frequency')
    print('---------------------------------------------------')
    for left in sorted(set(left_list)):
        rounds = sorted(set([pair[1] for pair in both_list if pair[0] == left]))
        total = '{:.2f}%'.format(left_list.count(left) * 100 / n)
        for r in rounds:
            if len(rounds) == 1:
                middle = '{:2}'.format(r)
            else:
                middle = '{:2} ({:.2f}%)'.format(r, both_list.count((left, r)) * 100 / n)
            if r == rounds[0]:
                print('{:20} | {:16} | {:>9}'.format(left, middle, total))
            else:
                print('{:20} | {:16} |'.format('', middle))


if __name__ == '__main__':
    number = int(input('Enter an integer to pass to the seed() function: '))
    squares, deck = play_one(number)
    if len(deck) == 0:
        print('So glad that you won! \U0001F60A')
    else:
        print('So sorry that you lost! \u2639\uFE0F')
    print_squares(squares)
