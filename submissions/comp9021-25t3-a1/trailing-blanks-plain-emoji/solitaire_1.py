from random import *

# Heart, Diamond, Club, Spade
SUITS = [127152, 127168, 127184, 127136]
VALUES = [7, 8, 9, 10, 11, 13, 14, 1]


def symbol(card):
    return chr(SUITS[card // 8] + VALUES[card % 8])


def take(deck, how_many):
    # takes the cards from the top
    taken = []
    for _ in range(how_many):
        if deck != []:
            taken.append(deck.pop())
    return taken


def one_game(x):
    deck = list(range(32))
    seed(x)
    shuffle(deck)
    on_table = take(deck, 4)
    history = [on_table[:]]
    finished = False
    while not finished:
        if deck == []:
            finished = True
            continue
        suits = [card // 8 for card in on_table]
        go = [False] * 4
        for suit in range(4):
            nb = suits.count(suit)
            if nb >= 2:
                # remove 2 cards, or 4
                if nb == 3:
                    nb = 2
                for j in range(4):
                    if suits[j] == suit and nb > 0:
                        go[j] = True
                        nb -= 1
        if True not in go:
            finished = True
            continue
        new_cards = take(deck, go.count(True))
        for j in range(4):
            if go[j]:
                on_table[j] = new_cards.pop(0) if new_cards != [] else None
        history.append(on_table[:])
    return history, len(deck)


def show(history):
    for k in range(0, len(history), 6):
        line1 = '    '
        line2 = '    '
        for square in history[k:k + 6]:
            line1 += symbol(square[0]) + ' ' + symbol(square[1]) + '    '
            if square[2] is not None:
                line2 += symbol(square[2]) + ' ' + symbol(square[3]) + '    '
        print()
        print(line1)
        print(line2)


def simulate(n, i):
    outcomes = {}
    for x in range(i, i + n):
        history, left = one_game(x)
        if (left, len(history)) in outcomes:
            outcomes[left, len(history)] += 1
        else:
            outcomes[left, len(history)] = 1
    totals = {}
    for left, rounds in outcomes:
        totals[left] = totals.get(left, []) + [rounds]
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left in sorted(totals):
        total = sum(outcomes[left, rounds] for rounds in totals[left])
        percent = f'{total / n * 100:.2f}%'
        column1 = f'{left:>20}'
        column3 = f' {percent:>9}'
        for rounds in sorted(totals[left]):
            column2 = f'{rounds:>2}'
            if len(totals[left]) >= 2:
                column2 += f' ({outcomes[left, rounds] / n * 100:.2f}%)'
            print(column1 + ' | ' + column2.ljust(16) + ' |' + column3)
            column1 = ' ' * 20
            column3 = ''


if __name__ == '__main__':
    x = int(input('Enter an integer to pass to the seed() function: '))
    history, left = one_game(x)
    if left == 0:
        print('So glad that you won! 😊')
    else:
        print('So sorry that you lost! ☹️')
    show(history)
