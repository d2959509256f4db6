import random

PICTURES = {}
for position, base in enumerate((0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0)):
    for place, code in enumerate((7, 8, 9, 10, 11, 13, 14, 1)):
        PICTURES[8 * position + place] = chr(base + code)


def shuffled_cards():
    cards = list(range(32))
    random.shuffle(cards)
    return cards


def next_square(square, cards):
    """The next square, or None when the game is over."""
    if not cards:
        return None
    stay = []
    for suit in range(4):
        same = [card for card in square if card // 8 == suit]
        if len(same) % 2 == 1:
            stay.append(same[-1])
    if len(stay) == 4:
        return None
    new_square = []
    for card in square:
        if card in stay:
            new_square.append(card)
        elif cards:
            new_square.append(cards.pop())
    return new_square


def play():
    cards = shuffled_cards()
    square = [cards.pop() for _ in range(4)]
    squares = []
    while square is not None:
        squares.append(square)
        square = next_square(square, cards)
    return squares, len(cards)


def simulate(n, i):
    random.seed(i)
    wins_and_losses = [play() for _ in range(n)]
    statistics = {}
    for squares, left in wins_and_losses:
        statistics.setdefault(left, []).append(len(squares))
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left, rounds in sorted(statistics.items()):
        frequency = f'{len(rounds) / n * 100:.2f}%'
        values = sorted(set(rounds))
        for value in values:
            text = f'{value:2}'
            if len(values) > 1:
                text += f' ({rounds.count(value) / n * 100:.2f}%)'
            if value == min(values):
                print(f'{left:20} | {text:16} | {frequency:>9}')
            else:
                print(f'{"":20} | {text:16} |')


def print_game():
    random.seed(int(input('Enter an integer to pass to the seed() function: ')))
    squares, left = play()
    print(['So glad that you won! \U0001F60A', 'So sorry that you lost! \u2639\ufe0f'][left > 0])
    for number, square in enumerate(squares):
        if number % 6 == 0:
            rows = ['', '']
        rows[0] += '    ' + ' '.join(PICTURES[card] for card in square[:2])
        if square[2:]:
            rows[1] += '    ' + ' '.join(PICTURES[card] for card in square[2:])
        if number % 6 == 5 or number == len(squares) - 1:
            print('', *rows, sep='\n')


if __name__ == '__main__':
    print_game()
