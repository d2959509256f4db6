"""
Solitaire with 52 cards. A game is a dictionary, so that functions can share it.
"""
import random
import re

RANKS = ['Ace', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Jack', 'Queen', 'King']
SUITS = ['Hearts', 'Diamonds', 'Clubs', 'Spades']
FIRST = {'Hearts': 0x1F0B1, 'Diamonds': 0x1F0C1, 'Clubs': 0x1F0D1, 'Spades': 0x1F0A1}
COLUMN_RANKS = RANKS[0::2]
ROW_RANKS = RANKS[1::2]
GOOD = "\U0001f60a\ufe0f"
BAD = "\u2639\ufe0f"


def symbol(card):
    suit, rank = card
    steps = RANKS.index(rank)
    if rank in ('Queen', 'King'):
        steps += 1
    return chr(FIRST[suit] + steps)


def red(card):
    return card[0] in ('Hearts', 'Diamonds')


def new_game(x):
    numbers = list(range(52))
    random.seed(x)
    random.shuffle(numbers)
    return {
        'stack': [(SUITS[number // 13], RANKS[number % 13]) for number in numbers],
        'pile': [],
        'columns': [],
        'rows': [],
        'output': [],
    }


def put_on_table(game, card):
    """Returns what was done, None if nothing could be done"""
    rank = card[1]
    if rank in COLUMN_RANKS:
        name, lines, order = 'column', game['columns'], COLUMN_RANKS
    else:
        name, lines, order = 'row', game['rows'], ROW_RANKS
    if rank == order[0]:
        lines.append([card])
        return f"Starting a {name}"
    rank_before = order[order.index(rank) - 1]
    for line in lines:
        if line[-1][1] == rank_before and red(line[-1]) != red(card):
            line.append(card)
            return f"Extending a {name}"
    return None


def report(game, message, piles=True, table=True):
    output = game['output']
    output += ["", message]
    if piles:
        output.append("]" * len(game['stack']))
        pile_line = "[" * len(game['pile'])
        if pile_line:
            pile_line = pile_line[1:] + symbol(game['pile'][-1])
        output.append(pile_line)
    if table:
        grid = [['', '', '', '', '', ''] for _ in range(7)]
        for c, column in enumerate(game['columns']):
            for height, card in enumerate(column):
                grid[6 - height][c] = symbol(card)
        for r, row in enumerate(game['rows']):
            grid[r][5] = " ".join(map(symbol, row))
        for grid_line in grid:
            output.append("\t".join(grid_line).rstrip("\t"))


def play_round(game):
    while game['stack']:
        card = game['stack'].pop()
        done = put_on_table(game, card)
        if done is None:
            game['pile'].append(card)
            report(game, f"Cannot use the card drawn from the stack {BAD}", table=False)
            continue
        if 'Extending' in done:
            done += " by using the card drawn from the stack"
        report(game, f"{done} {GOOD}")
        while game['pile']:
            done = put_on_table(game, game['pile'][-1])
            if done is None:
                report(game, f"Cannot use the top card of the discard pile {BAD}", piles=False, table=False)
                break
            game['pile'].pop()
            report(game, f"{done} by using the top card of the discard pile {GOOD}")


def play(x):
    game = new_game(x)
    game['output'].append("Starting first round...")
    play_round(game)
    for name in ("second", "third"):
        if not game['pile']:
            break
        game['stack'] = game['pile'][::-1]
        game['pile'] = []
        game['output'] += ["", "", f"Starting {name} round..."]
        play_round(game)
    return game


def simulate(n, i):
    table = {}
    for k in range(n):
        left = len(play(i + k)['pile'])
        table[left] = table.setdefault(left, 0) + 1
    print("Number of cards left | Frequency")
    print("-" * len("Number of cards left | Frequency"))
    for left, count in sorted(table.items()):
        print(f"{left:>20} | {count * 100 / n:8.2f}%")


PATTERNS = {
    'first lines': re.compile("([0-9]+)"),
    'last lines': re.compile("-([0-9]+)"),
    'range': re.compile("([0-9]+) *-- *([0-9]+)"),
}


def execute(text, output):
    for action, pattern in PATTERNS.items():
        match = pattern.fullmatch(text.strip(" "))
        if not match:
            continue
        numbers = [int(group) for group in match.groups()]
        if min(numbers) < 1 or max(numbers) > len(output) or numbers != sorted(numbers):
            return
        if action == 'first lines':
            selection = output[:numbers[0]]
        elif action == 'last lines':
            selection = output[-numbers[0]:]
        else:
            selection = output[numbers[0] - 1:numbers[1]]
        print("\n".join(selection))


def main():
    x = int(input("Enter an integer to pass to the seed() function: "))
    output = play(x)['output']
    n = len(output)
    print(f"\nThere are {n} lines of output; what do you want me to do?\n")
    text = ""
    while True:
        print("Enter: q to quit")
        print(f"       a last line number (between 1 and {n})")
        print(f"       a first line number (between -1 and -{n})")
        print(f"       a range of line numbers (of the form m--n with 1 <= m <= n <= {n})")
        text = input("       ")
        if text.strip(" ") == "q":
            return
        execute(text, output)
        print()


if __name__ == "__main__":
    main()
