from random import seed, shuffle


def new_deck(value):
    deck = []
    for card in range(32):
        deck.append(card)
    seed(value)
    shuffle(deck)
    return deck


def face(card):
    """Unicode: 1 is the ace, 11 the jack, 12 is not used, 13 the queen, 14 the king."""
    suits = [0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0]
    faces = [7, 8, 9, 10, 11, 13, 14, 1]
    return chr(suits[card // 8] + faces[card % 8])


def remove_pairs(square):
    """Removes pairs (puts None); True if at least one pair was there."""
    for i in range(3):
        for j in range(i + 1, 4):
            if square[i] is not None and square[j] is not None and square[i] // 8 == square[j] // 8:
                square[i] = square[j] = None
    return None in square


def refill(square, deck):
    for i in range(4):
        if square[i] is None and len(deck) > 0:
            square[i] = deck.pop(0)


def play(value):
    deck = new_deck(value)
    square = [None] * 4
    refill(square, deck)
    all_squares = [list(square)]
    while len(deck) > 0 and remove_pairs(square):
        refill(square, deck)
        all_squares.append(list(square))
    return all_squares, len(deck)


def row(squares, i):
    text = ''
    for square in squares:
        if square[i] is not None:
            text += '    ' + face(square[i]) + ' ' + face(square[i + 1])
    return text


def simulate(n, i):
    number_of_games = {}
    for value in range(i, i + n):
        all_squares, left = play(value)
        key = left, len(all_squares)
        number_of_games[key] = number_of_games.get(key, 0) + 1
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for cards in range(0, 29, 2):
        keys = sorted(key for key in number_of_games if key[0] == cards)
        total = sum(number_of_games[key] for key in keys)
        for key in keys:
            share = ''
            if len(keys) > 1:
                share = f' ({number_of_games[key] * 100 / n:.2f}%)'
            cell = f'{key[1]:>2}{share}'
            if key == keys[0]:
                print(f'{cards:>20} | {cell:<16} | {total * 100 / n:>8.2f}%')
            else:
                print(f'{"":>20} | {cell:<16} |')


if __name__ == '__main__':
    all_squares, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    if left == 0:
        print('So glad that you won! \U0001F60A')
    else:
        print('So sorry that you lost! \u2639\ufe0f')
    for k in range(0, len(all_squares), 6):
        print()
        print(row(all_squares[k:k + 6], 0))
        print(row(all_squares[k:k + 6], 2))
