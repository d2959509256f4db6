from random import seed, shuffle

# Global variables, they all get their values in play_game()
stack = []
discard_pile = []
columns = []
rows = []
lines = []

hearts = '🂱🂲🂳🂴🂵🂶🂷🂸🂹🂺🂻🂽🂾'
diamonds = '🃁🃂🃃🃄🃅🃆🃇🃈🃉🃊🃋🃍🃎'
clubs = '🃑🃒🃓🃔🃕🃖🃗🃘🃙🃚🃛🃝🃞'
spades = '🂡🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂭🂮'
all_cards = hearts + diamonds + clubs + spades
smile = ' \U0001f60a\ufe0f'
frown = ' \u2639\ufe0f'


def save(text):
    lines.append(text)


def save_stack_and_discard_pile():
    save(']' * len(stack))
    if discard_pile == []:
        save('')
    else:
        save('[' * (len(discard_pile) - 1) + all_cards[discard_pile[-1]])


def save_table():
    for line_number in range(7):
        text = ''
        height = 7 - line_number
        for column in columns:
            if len(column) >= height:
                text += all_cards[column[height - 1]]
            text += '\t'
        # go to where the rows are
        while text.count('\t') < 5:
            text += '\t'
        if line_number < len(rows):
            text += ' '.join(all_cards[card] for card in rows[line_number])
        save(text.rstrip())


def color(card):
    if card <= 25:
        return 'red'
    return 'black'


def try_card(card):
    """Gives the start of the message if the card could be put on the table, else an empty string"""
    value = card % 13
    if value == 0:
        columns.append([card])
        return 'Starting a column'
    if value == 1:
        rows.append([card])
        return 'Starting a row'
    if value % 2 == 0:
        for column in columns:
            if column[-1] % 13 == value - 2 and color(column[-1]) != color(card):
                column.append(card)
                return 'Extending a column'
    else:
        for row in rows:
            if row[-1] % 13 == value - 2 and color(row[-1]) != color(card):
                row.append(card)
                return 'Extending a row'
    return ''


def play_round():
    while stack != []:
        card = stack.pop()
        message = try_card(card)
        save('')
        if message == '':
            discard_pile.append(card)
            save('Cannot use the card drawn from the stack' + frown)
            save_stack_and_discard_pile()
            continue
        if message.startswith('Extending'):
            message += ' by using the card drawn from the stack'
        save(message + smile)
        save_stack_and_discard_pile()
        save_table()
        while discard_pile != []:
            message = try_card(discard_pile[-1])
            save('')
            if message == '':
                save('Cannot use the top card of the discard pile' + frown)
                break
            discard_pile.pop()
            save(message + ' by using the top card of the discard pile' + smile)
            save_stack_and_discard_pile()
            save_table()


def play_game(x):
    global stack, discard_pile, columns, rows, lines
    stack = list(range(52))
    seed(x)
    shuffle(stack)
    discard_pile = []
    columns = []
    rows = []
    lines = []
    save('Starting the first round...')
    play_round()
    for name in ('second', 'third'):
        if discard_pile != []:
            stack = list(reversed(discard_pile))
            discard_pile = []
            save('')
            save('')
            save('Starting the ' + name + ' round...')
            play_round()


def simulate(n, i):
    results = []
    for x in range(i, i + n):
        play_game(x)
        results.append(len(discard_pile))
    print('Number of cards left | Frequency')
    print('-' * 32)
    for cards in range(53):
        if cards in results:
            frequency = '%.2f%%' % (results.count(cards) * 100 / n)
            print(str(cards).rjust(20) + ' | ' + frequency.rjust(9))


def all_digits(text):
    return text != '' and all('0' <= c <= '9' for c in text)


def find_lines(text):
    """Gives the first and last numbers of the lines to print, or 0 and 0"""
    text = text.strip(' ')
    if all_digits(text):
        return 1, int(text)
    if text[:1] == '-' and all_digits(text[1:]) and int(text) != 0:
        return len(lines) + int(text) + 1, len(lines)
    parts = text.split('--')
    if len(parts) == 2 and all_digits(parts[0].rstrip(' ')) and all_digits(parts[1].lstrip(' ')):
        return int(parts[0]), int(parts[1])
    return 0, 0


def main():
    play_game(int(input('Enter an integer to pass to the seed() function: ')))
    print()
    if discard_pile == []:
        print('You placed all cards, you won 👍')
    elif len(discard_pile) == 1:
        print('You could not place 1 card, you lost 👎')
    else:
        print('You could not place', len(discard_pile), 'cards, you lost 👎')
    print()
    total = len(lines)
    print('There are', total, 'lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print('       a last line number (between 1 and %d)' % total)
        print('       a first line number (between -1 and -%d)' % total)
        print('       a range of line numbers (of the form m--n with 1 <= m <= n <= %d)' % total)
        text = input('       ')
        if text.strip(' ') == 'q':
            break
        print()
        first, last = find_lines(text)
        if 1 <= first <= last <= total:
            for number in range(first, last + 1):
                print(lines[number - 1])
            print()


if __name__ == '__main__':
    main()
