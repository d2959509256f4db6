from random import seed, shuffle

pictures = ('🂱', '🂲', '🂳', '🂴', '🂵', '🂶', '🂷', '🂸', '🂹', '🂺', '🂻', '🂽', '🂾',
            '🃁', '🃂', '🃃', '🃄', '🃅', '🃆', '🃇', '🃈', '🃉', '🃊', '🃋', '🃍', '🃎',
            '🃑', '🃒', '🃓', '🃔', '🃕', '🃖', '🃗', '🃘', '🃙', '🃚', '🃛', '🃝', '🃞',
            '🂡', '🂢', '🂣', '🂤', '🂥', '🂦', '🂧', '🂨', '🂩', '🂪', '🂫', '🂭', '🂮')
smile = '😊️'
frown = '☹️'

# The messages, {} is column or row
start_message = 'Starting a {} ' + smile
stack_message = 'Extending a {} by using the card drawn from the stack ' + smile
pile_message = 'Extending a {} by using the top card of the discard pile ' + smile


def red(card):
    return 0 <= card <= 25


def place(card, columns, rows):
    match card % 13:
        case 0:
            columns.append([card])
            return True
        case 1:
            rows.append([card])
            return True
        case value if value % 2 == 0:
            lines = columns
        case _:
            lines = rows
    for line in lines:
        if line[-1] % 13 == value - 2 and red(line[-1]) + red(card) == 1:
            line.append(card)
            return True
    return False


def name_of_line(card):
    if card % 13 % 2 == 0:
        return 'column'
    return 'row'


def text_of_piles(stack, pile):
    match len(pile):
        case 0:
            return [']' * len(stack), '']
        case size:
            return [']' * len(stack), '[' * (size - 1) + pictures[pile[-1]]]


def text_of_table(columns, rows):
    text = []
    for k in range(7):
        line = ''
        for c in range(4):
            if c < len(columns) and len(columns[c]) > 6 - k:
                line += pictures[columns[c][6 - k]]
            line += '\t'
        if k < len(rows):
            line += '\t' + ' '.join([pictures[card] for card in rows[k]])
        text.append(line.rstrip())
    return text


def play_game(seed_value):
    stack = list(range(52))
    seed(seed_value)
    shuffle(stack)
    columns, rows, pile, text = [], [], [], []
    for turn in range(3):
        if turn > 0:
            if not pile:
                break
            stack = [pile.pop() for _ in range(len(pile))]
            text += ['', '']
        text.append('Starting ' + ('first', 'second', 'third')[turn] + ' round...')
        while stack:
            card = stack.pop()
            if not place(card, columns, rows):
                pile.append(card)
                text += ['', 'Cannot use the card drawn from the stack ' + frown]
                text += text_of_piles(stack, pile)
                continue
            message = start_message if card % 13 < 2 else stack_message
            text += ['', message.format(name_of_line(card))]
            text += text_of_piles(stack, pile) + text_of_table(columns, rows)
            while pile and place(pile[-1], columns, rows):
                text += ['', pile_message.format(name_of_line(pile.pop()))]
                text += text_of_piles(stack, pile) + text_of_table(columns, rows)
            if pile:
                text += ['', 'Cannot use the top card of the discard pile ' + frown]
    return text, len(pile)


def simulate(n, i):
    outcomes = []
    for seed_value in range(i, i + n):
        outcomes.append(play_game(seed_value)[1])
    print('Number of cards left | Frequency')
    print('-' * 32)
    for cards_left in range(53):
        if cards_left in outcomes:
            print(f'{cards_left:20} | {outcomes.count(cards_left) / n * 100:8.2f}%')


def digits(text):
    return text != '' and text.strip('0123456789') == ''


def selection(request, text):
    parts = [part.strip(' ') for part in request.split('--')]
    match parts:
        case [number] if digits(number):
            first, last = 1, int(number)
        case [number] if number.startswith('-') and digits(number[1:]):
            first, last = len(text) + 1 - int(number[1:]), len(text)
        case [m, n] if digits(m) and digits(n):
            first, last = int(m), int(n)
        case _:
            return []
    if 1 <= first <= last <= len(text):
        return text[first - 1:last]
    return []


if __name__ == '__main__':
    text, cards_left = play_game(int(input('Enter an integer to pass to the seed() function: ')))
    n = len(text)
    print()
    print(f'There are {n} lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {n})')
        print(f'       a first line number (between -1 and -{n})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {n})')
        request = input('       ')
        if request.strip(' ') == 'q':
            break
        for line in selection(request, text):
            print(line)
        print()
