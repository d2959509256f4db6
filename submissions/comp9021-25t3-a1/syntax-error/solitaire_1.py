from random import seed, shuffle

pictures = ('🂷', '🂸', '🂹', '🂺', '🂻', '🂽', '🂾', '🂱',
            '🃇', '🃈', '🃉', '🃊', '🃋', '🃍', '🃎', '🃁',
            '🃗', '🃘', '🃙', '🃚', '🃛', '🃝', '🃞', '🃑',
            '🂧', '🂨', '🂩', '🂪', '🂫', '🂭', '🂮', '🂡')


def discarded_locations(a, b, c, d):
    suits = (a // 8, b // 8, c // 8, d // 8)
    match len(set(suits)):
        case 4:
            return ()
        case 1:
            return (0, 1, 2, 3)
        case 2 if suits.count(suits[0]) == 2:
            return (0, 1, 2, 3)
    # exactly one suit has two or three cards
    for suit in suits:
        if suits.count(suit) > 1:
            first = suits.index(suit)
            return (first, suits.index(suit, first + 1))


def play_game(seed_value):
    cards = list(range(32))
    seed(seed_value)
    shuffle(cards)
    table = [cards.pop(), cards.pop(), cards.pop(), cards.pop()]
    squares = [tuple(table)]
    while cards:
        locations = discarded_locations(*table)
        if len(locations) == 0
            break
        if len(locations) > len(cards):
            squares.append((cards.pop(), cards.pop()))
            break
        for location in locations:
            table[location] = cards.pop()
        squares.append(tuple(table))
    return squares, len(cards)


def simulate(n, i):
    outcomes = []
    for seed_value in range(i, i + n):
        squares, cards_left = play_game(seed_value)
        outcomes.append((cards_left, len(squares)))
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for cards_left in range(33):
        rounds = [outcome[1] for outcome in outcomes if outcome[0] == cards_left]
        if not rounds:
            continue
        rows = []
        for r in range(16):
            if r in rounds:
                rows.append(f'{r:2} ({rounds.count(r) / n * 100:.2f}%)')
        if len(rows) == 1:
            rows = [rows[0][:2]]
        print(f'{cards_left:20} | {rows[0]:16} | {len(rounds) / n * 100:8.2f}%')
        for row in rows[1:]:
            print(f'{"":20} | {row:16} |')


if __name__ == '__main__':
    squares, cards_left = play_game(int(input('Enter an integer to pass to the seed() function: ')))
    print('So glad that you won! 😊' if cards_left == 0 else 'So sorry that you lost! ☹️')
    for i in range(0, len(squares), 6):
        print()
        print(''.join(f'    {pictures[s[0]]} {pictures[s[1]]}' for s in squares[i:i + 6]))
        print(''.join(f'    {pictures[s[2]]} {pictures[s[3]]}' for s in squares[i:i + 6] if len(s) > 2))
