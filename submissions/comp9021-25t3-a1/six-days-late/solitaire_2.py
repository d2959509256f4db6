import random

PICS = ('🂱🂲🂳🂴🂵🂶🂷🂸🂹🂺🂻🂽🂾'
        '🃁🃂🃃🃄🃅🃆🃇🃈🃉🃊🃋🃍🃎'
        '🃑🃒🃓🃔🃕🃖🃗🃘🃙🃚🃛🃝🃞'
        '🂡🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂭🂮')


def next_cards(card):
    '''the two cards that can come after a card in a column or row'''
    value = card % 13 + 2
    if value > 12:
        return []
    if card < 26:
        return [26 + value, 39 + value]
    return [value, 13 + value]


def where(card, columns, rows):
    '''finds the place for a card: (name, index), index -1 means a new column or row, or None'''
    if card % 13 == 0:
        return 'column', -1
    if card % 13 == 1:
        return 'row', -1
    for k in range(len(columns)):
        if card in next_cards(columns[k][-1]):
            return 'column', k
    for k in range(len(rows)):
        if card in next_cards(rows[k][-1]):
            return 'row', k
    return None


def place(card, spot, columns, rows):
    name, k = spot
    lines = columns if name == 'column' else rows
    if k == -1:
        lines.append([card])
    else:
        lines[k].append(card)


def state(stack, pile):
    if len(pile) == 0:
        return ']' * len(stack) + '\n'
    return ']' * len(stack) + '\n' + '[' * (len(pile) - 1) + PICS[pile[-1]]


def draw_table(columns, rows):
    text = ''
    for k in range(7):
        level = 6 - k
        line = ''
        for column in columns:
            if level < len(column):
                line += PICS[column[level]]
            line += '\t'
        line += '\t' * (5 - len(columns))
        if k < len(rows):
            for card in rows[k]:
                line += PICS[card] + ' '
        text += '\n' + line.rstrip()
    return text


def play(the_seed):
    '''plays the game, returns all text as one string and the number of cards left'''
    stack = [*range(52)]
    random.seed(the_seed)
    random.shuffle(stack)
    pile = []
    columns = []
    rows = []
    text = 'Starting first round...'
    round_number = 1
    while True:
        while len(stack) > 0:
            card = stack.pop()
            spot = where(card, columns, rows)
            if spot is None:
                pile.append(card)
                text += '\n\nCannot use the card drawn from the stack ☹️\n' + state(stack, pile)
            else:
                place(card, spot, columns, rows)
                if spot[1] == -1:
                    text += '\n\nStarting a ' + spot[0] + ' 😊️\n'
                else:
                    text += '\n\nExtending a ' + spot[0] + ' by using the card drawn from the stack 😊️\n'
                text += state(stack, pile) + draw_table(columns, rows)
                while len(pile) > 0:
                    spot = where(pile[-1], columns, rows)
                    if spot is None:
                        text += '\n\nCannot use the top card of the discard pile ☹️'
                        break
                    place(pile.pop(), spot, columns, rows)
                    text += '\n\nExtending a ' + spot[0] + ' by using the top card of the discard pile 😊️\n'
                    text += state(stack, pile) + draw_table(columns, rows)
        round_number += 1
        if len(pile) == 0 or round_number == 4:
            return text, len(pile)
        while len(pile) > 0:
            stack.append(pile.pop())
        text += '\n\n\nStarting ' + ('second' if round_number == 2 else 'third') + ' round...'


def simulate(n, i):
    stats = {}
    for s in range(i, i + n):
        left = play(s)[1]
        if left not in stats:
            stats[left] = 0
        stats[left] += 1
    print('Number of cards left', 'Frequency', sep=' | ')
    print(32 * '-')
    for left in sorted(stats):
        print('%20d | %8.2f%%' % (left, stats[left] / n * 100))


def check(answer, n):
    '''returns [m, n] for the lines to print or [] if the input is invalid'''
    answer = answer.strip(' ')
    negative = False
    if len(answer) > 1 and answer[0] == '-' and answer[1] != '-':
        negative = True
        answer = answer[1:]
    # cut the input into digits and dashes
    left = ''
    while answer != '' and answer[0] in '0123456789':
        left += answer[0]
        answer = answer[1:]
    if left == '':
        return []
    if answer == '':
        if int(left) < 1 or int(left) > n:
            return []
        if negative:
            return [n - int(left) + 1, n]
        return [1, int(left)]
    answer = answer.strip(' ')
    if negative or answer[0:2] != '--':
        return []
    right = answer[2:].strip(' ')
    for c in right:
        if c not in '0123456789':
            return []
    if right == '':
        return []
    if 1 <= int(left) <= int(right) <= n:
        return [int(left), int(right)]
    return []


def main():
    text, _ = play(int(input('Enter an integer to pass to the seed() function: ')))
    lines = text.split('\n')
    n = len(lines)
    print('\nThere are', n, 'lines of output; what do you want me to do?\n')
    while True:
        print('Enter: q to quit')
        print('       a last line number (between 1 and', str(n) + ')')
        print('       a first line number (between -1 and -' + str(n) + ')')
        print('       a range of line numbers (of the form m--n with 1 <= m <= n <=', str(n) + ')')
        answer = input('       ')
        if answer.strip(' ') == 'q':
            break
        wanted = check(answer, n)
        if wanted != []:
            print('\n'.join(lines[wanted[0] - 1:wanted[1]]))
        print()


if __name__ == '__main__':
    main()
