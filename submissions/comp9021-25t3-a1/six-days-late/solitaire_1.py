import random


def get_pic(c):
    '''get the unicode picture of a card'''
    rows = '🂷🂸🂹🂺🂻🂽🂾🂱' '🃇🃈🃉🃊🃋🃍🃎🃁' '🃗🃘🃙🃚🃛🃝🃞🃑' '🂧🂨🂩🂪🂫🂭🂮🂡'
    return rows[c]


def squares_of_game(deck):
    '''yields one square after the other; takes the cards out of the deck'''
    sq = [deck.pop(), deck.pop(), deck.pop(), deck.pop()]
    yield sq
    while deck:
        away = []
        for lo, hi in ((0, 8), (8, 16), (16, 24), (24, 32)):
            of_suit = [c for c in sq if lo <= c < hi]
            if len(of_suit) == 4 or len(of_suit) == 2:
                away.extend(of_suit)
            if len(of_suit) == 3:
                away.extend(of_suit[0:2])
        if away == []:
            return
        new_sq = []
        for c in sq:
            if c not in away:
                new_sq.append(c)
            else:
                try:
                    new_sq.append(deck.pop())
                except IndexError:
                    break
        sq = new_sq
        yield sq


def get_deck(the_seed):
    deck = [*range(32)]
    random.seed(the_seed)
    random.shuffle(deck)
    return deck


def simulate(n, i):
    stats = {}
    for s in range(i, i + n):
        deck = get_deck(s)
        rounds = 0
        for sq in squares_of_game(deck):
            rounds += 1
        key = len(deck) * 100 + rounds
        if key not in stats:
            stats[key] = 0
        stats[key] += 1
    print('Number of cards left', 'Number of rounds', 'Frequency', sep=' | ')
    print(51 * '-')
    done = []
    for key in sorted(stats):
        left = key // 100
        rounds = key % 100
        total = 0
        how_many = 0
        for other in stats:
            if other // 100 == left:
                total += stats[other]
                how_many += 1
        second = '%2d' % rounds
        if how_many > 1:
            second = second + ' (%.2f%%)' % (stats[key] / n * 100)
        if left in done:
            print('%20s | %-16s |' % ('', second))
        else:
            print('%20d | %-16s | %8.2f%%' % (left, second, total / n * 100))
            done.append(left)


def print_game():
    deck = get_deck(int(input('Enter an integer to pass to the seed() function: ')))
    all_squares = list(squares_of_game(deck))
    print('So sorry that you lost! ☹️' if deck else 'So glad that you won! 😊')
    upper = lower = ''
    count = 0
    for sq in all_squares:
        upper += '    ' + get_pic(sq[0]) + ' ' + get_pic(sq[1])
        if len(sq) > 2:
            lower += '    ' + get_pic(sq[2]) + ' ' + get_pic(sq[3])
        count += 1
        if count % 6 == 0 or count == len(all_squares):
            print('\n' + upper + '\n' + lower)
            upper = lower = ''


if __name__ == '__main__':
    print_game()
