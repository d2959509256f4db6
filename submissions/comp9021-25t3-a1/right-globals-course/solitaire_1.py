from random import seed, shuffle

# Global variables, they all get their values in play_game()
deck = []
table = []
top_rows = []
bottom_rows = []
number_of_rounds = 0

hearts = ['🂷', '🂸', '🂹', '🂺', '🂻', '🂽', '🂾', '🂱']
diamonds = ['🃇', '🃈', '🃉', '🃊', '🃋', '🃍', '🃎', '🃁']
clubs = ['🃗', '🃘', '🃙', '🃚', '🃛', '🃝', '🃞', '🃑']
spades = ['🂧', '🂨', '🂩', '🂪', '🂫', '🂭', '🂮', '🂡']
all_cards = hearts + diamonds + clubs + spades


def draw():
    if len(deck) == 0:
        return None
    return deck.pop()


def record_square():
    global number_of_rounds
    number_of_rounds += 1
    top_rows.append('    ' + all_cards[table[0]] + ' ' + all_cards[table[1]])
    if table[2] is not None:
        bottom_rows.append('    ' + all_cards[table[2]] + ' ' + all_cards[table[3]])


def discard_pairs():
    # Empty locations hold None
    found = False
    for suit in range(4):
        locations = []
        for j in range(4):
            if table[j] is not None and table[j] // 8 == suit:
                locations.append(j)
        while len(locations) >= 2:
            table[locations.pop(0)] = None
            table[locations.pop(0)] = None
            found = True
    return found


def play_game(x):
    global deck, table, top_rows, bottom_rows, number_of_rounds
    deck = list(range(32))
    seed(x)
    shuffle(deck)
    top_rows = []
    bottom_rows = []
    number_of_rounds = 0
    table = [draw(), draw(), draw(), draw()]
    record_square()
    while deck != [] and discard_pairs():
        for j in range(4):
            if table[j] is None:
                table[j] = draw()
        record_square()


def simulate(n, i):
    results = []
    for x in range(i, i + n):
        play_game(x)
        results.append((len(deck), number_of_rounds))
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for cards in range(33):
        group = [r for r in results if r[0] == cards]
        if group == []:
            continue
        different_rounds = sorted(set(group))
        is_first = True
        for pair in different_rounds:
            if is_first:
                line = str(cards).rjust(20) + ' | '
            else:
                line = ' ' * 20 + ' | '
            cell = str(pair[1]).rjust(2)
            if len(different_rounds) > 1:
                cell += ' (%.2f%%)' % (group.count(pair) * 100 / n)
            line += cell.ljust(16) + ' |'
            if is_first:
                line += ' ' + ('%.2f%%' % (len(group) * 100 / n)).rjust(9)
            print(line)
            is_first = False


def main():
    play_game(int(input('Enter an integer to pass to the seed() function: ')))
    if deck == []:
        print('So glad that you won! 😊')
    else:
        print('So sorry that you lost! \u2639\ufe0f')
    j = 0
    while j < number_of_rounds:
        print()
        print(''.join(top_rows[j:j + 6]))
        print(''.join(bottom_rows[j:j + 6]))
        j += 6


if __name__ == '__main__':
    main()
