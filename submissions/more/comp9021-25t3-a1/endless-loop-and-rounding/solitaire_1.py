from random import seed, shuffle


def all_cards():
    """the 32 cards as unicode characters, in the order of their numbers"""
    cards = []
    for hundreds in 'BCDA':
        for last in '789ABDE1':
            cards.append(chr(int('1F0' + hundreds + last, 16)))
    return cards


def suits_on_table(square):
    return [card // 8 for card in square]


def remove_and_replace(square, deck):
    """gives the new square, or the same square if nothing changes"""
    suits = suits_on_table(square)
    seen = {}
    remove = set()
    for location in range(4):
        suit = suits[location]
        if suit in seen:
            # that makes a pair with the one before
            remove.add(seen[suit])
            remove.add(location)
            del seen[suit]
        else:
            seen[suit] = location
    result = square.copy()
    for location in sorted(remove, reverse=True):
        del result[location]
    for location in sorted(remove):
        if len(deck) > 0:
            result.insert(location, deck.pop())
    return result


def play(x):
    deck = list(range(32))
    seed(x)
    shuffle(deck)
    square = []
    for _ in range(4):
        square.append(deck.pop())
    squares = [square]
    while len(deck) > 0:
        square = remove_and_replace(squares[-1], deck)
        if square == squares[-1]:
            break
        squares.append(square)
    return squares, len(deck)


def simulate(n, i):
    games = []
    for x in range(i, i + n):
        squares, left = play(x)
        games.append((left, len(squares)))
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left in sorted({game[0] for game in games}):
        rounds_list = [game[1] for game in games if game[0] == left]
        rounds_set = sorted(set(rounds_list))
        percentage = len(rounds_list) / n * 100
        if len(rounds_set) == 1:
            print(f'{left:20} | {rounds_set[0]:2}               | {percentage:8.2f}%')
        else:
            for rounds in rounds_set:
                part = f'({rounds_list.count(rounds) / n * 100:.2f}%)'
                if rounds == rounds_set[0]:
                    print(f'{left:20} | {rounds:2} {part:13} | {percentage:8.2f}%')
                else:
                    print(f'                     | {rounds:2} {part:13} |')


def print_line_of_squares(squares):
    cards = all_cards()
    upper = ''
    for square in squares:
        upper += '    ' + cards[square[0]] + ' ' + cards[square[1]]
    # the last square may have no second row, find the last one that has
    end = len(squares)
    while len(squares[end - 1]) < 4:
        end = max(end - 1, 1)
    lower = ''
    for square in squares[:end]:
        lower += '    ' + cards[square[2]] + ' ' + cards[square[3]]
    print()
    print(upper)
    print(lower)


if __name__ == '__main__':
    squares, left = play(int(input('Enter an integer to pass to the seed() function: ')))
    if left > 0:
        print('So sorry that you lost! \u2639\uFE0F')
    else:
        print('So glad that you won! \U0001F60A')
    for k in range(0, len(squares), 6):
        print_line_of_squares(squares[k:k + 6])
