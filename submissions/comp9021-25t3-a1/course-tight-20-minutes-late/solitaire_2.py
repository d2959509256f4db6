import unicodedata
from random import seed, shuffle

suits = 'HEARTS', 'DIAMONDS', 'CLUBS', 'SPADES'
values = ('ACE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE', 'TEN', 'JACK', 'QUEEN', 'KING')
pictures = [unicodedata.lookup(f'PLAYING CARD {value} OF {suit}') for suit in suits for value in values]
smiley = '\N{SMILING FACE WITH SMILING EYES}\N{VARIATION SELECTOR-16}'
sad_face = '\N{WHITE FROWNING FACE}\N{VARIATION SELECTOR-16}'


def value(card):
    return card % 13


def different_colours(card1, card2):
    return (card1 < 26) != (card2 < 26)


def line_that_fits(card, columns, rows):
    """The column or row that the card extends; a new empty one for an Ace or a Two; or None"""
    lines = rows if value(card) % 2 else columns
    if value(card) <= 1:
        lines.append([])
        return lines[-1]
    for line in lines:
        if value(line[-1]) + 2 == value(card) and different_colours(line[-1], card):
            return line
    return None


def message_for(card, source):
    name = 'row' if value(card) % 2 else 'column'
    if value(card) <= 1:
        return f'Starting a {name} {smiley}'
    return f'Extending a {name} by using the {source} {smiley}'


def piles(stack, discarded):
    top = '[' * (len(discarded) - 1) + pictures[discarded[-1]] if discarded else ''
    return [']' * len(stack), top]


def picture_of_table(columns, rows):
    lines = []
    for k in range(7):
        line = ''
        for c in range(4):
            try:
                line += pictures[columns[c][6 - k]]
            except IndexError:
                pass
            line += '\t'
        if k < len(rows):
            line += '\t' + ' '.join(pictures[card] for card in rows[k])
        lines.append(line.rstrip('\t'))
    return lines


def play_round(stack, columns, rows):
    """Return the cards that were discarded, and the text of the round as blocks of lines"""
    discarded = []
    blocks = []
    while stack:
        card = stack.pop()
        line = line_that_fits(card, columns, rows)
        if line is None:
            discarded.append(card)
            blocks.append([f'Cannot use the card drawn from the stack {sad_face}', *piles(stack, discarded)])
            continue
        line.append(card)
        blocks.append([message_for(card, 'card drawn from the stack'),
                       *piles(stack, discarded), *picture_of_table(columns, rows)])
        while discarded and (line := line_that_fits(discarded[-1], columns, rows)) is not None:
            card = discarded.pop()
            line.append(card)
            blocks.append([message_for(card, 'top card of the discard pile'),
                           *piles(stack, discarded), *picture_of_table(columns, rows)])
        if discarded:
            blocks.append([f'Cannot use the top card of the discard pile {sad_face}'])
    return discarded, blocks


def game(seed_number):
    stack = list(range(52))
    seed(seed_number)
    shuffle(stack)
    columns = []
    rows = []
    lines = []
    for ordinal in ['first', 'second', 'third']:
        if ordinal != 'first':
            lines += ['', '']
        lines.append(f'Starting the {ordinal} round...')
        discarded, blocks = play_round(stack, columns, rows)
        for block in blocks:
            lines += ['', *block]
        if not discarded:
            break
        stack = discarded[::-1]
    return lines, len(discarded)


def simulate(n, i):
    results = [0] * 53
    for k in range(n):
        results[game(i + k)[1]] += 1
    print('Number of cards left | Frequency')
    print('--------------------------------')
    for left in range(53):
        if results[left] > 0:
            print('{:>20} | {:>9}'.format(left, '{:.2f}%'.format(100 * results[left] / n)))


def is_natural(text):
    return len(text) > 0 and set(text) <= set('0123456789')


def analyse(request, total):
    """Return first and last line number as a tuple, or None"""
    request = request.strip(' ')
    before, dashes, after = request.partition('--')
    before = before.rstrip(' ')
    after = after.lstrip(' ')
    if dashes and is_natural(before) and is_natural(after):
        first, last = int(before), int(after)
    elif is_natural(request):
        first, last = 1, int(request)
    elif request.startswith('-') and is_natural(request[1:]):
        first, last = total - int(request[1:]) + 1, total
    else:
        return None
    if first < 1 or first > last or last > total:
        return None
    return first, last


if __name__ == '__main__':
    lines, left = game(int(input('Enter an integer to pass to the seed() function: ')))
    print()
    if left == 0:
        print('You placed all cards, you won \N{THUMBS UP SIGN}')
    elif left == 1:
        print('You could not place 1 card, you lost \N{THUMBS DOWN SIGN}')
    else:
        print(f'You could not place {left} cards, you lost \N{THUMBS DOWN SIGN}')
    print()
    total = len(lines)
    print(f'There are {total} lines of output; what do you want me to do?')
    print()
    question = f'''Enter: q to quit
       a last line number (between 1 and {total})
       a first line number (between -1 and -{total})
       a range of line numbers (of the form m--n with 1 <= m <= n <= {total})
       '''
    request = input(question)
    while request.strip(' ') != 'q':
        wanted = analyse(request, total)
        if wanted:
            for line in lines[wanted[0] - 1:wanted[1]]:
                print(line)
        print()
        request = input(question)
