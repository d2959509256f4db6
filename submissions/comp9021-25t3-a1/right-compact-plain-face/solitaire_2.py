import re
from random import seed, shuffle
from collections import Counter

chars = [chr(b + v) for b in (0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0) for v in (*range(1, 12), 13, 14)]
happy, sad = '\U0001F60A\uFE0F', '\u2639\uFE0F'


def extend(card, lines):
    fits = [L for L in lines if L[-1] % 13 == card % 13 - 2 and L[-1] // 26 != card // 26]
    return fits[0].append(card) or True if fits else False


def table(cols, rows):
    for k in range(7):
        left = [chars[c[6 - k]] if len(c) > 6 - k else '' for c in cols] + [''] * (5 - len(cols))
        right = ' '.join(chars[c] for c in rows[k]) if k < len(rows) else ''
        yield '\t'.join(left + [right]).rstrip()


def play(s):
    seed(s)
    shuffle(stack := list(range(52)))
    out, pile, lines = [], [], ([], [])
    piles = lambda: [']' * len(stack), '[' * (len(pile) - 1) + ''.join(chars[c] for c in pile[-1:])]
    for r in ('first', 'second', 'third'):
        if r != 'first':
            stack, pile = pile[::-1], []
        out += [*(['', ''] if out else []), f'Starting {r} round...']
        while stack:
            card = stack.pop()
            where, name = lines[card % 13 % 2], ('column', 'row')[card % 13 % 2]
            if card % 13 < 2:
                where.append([card])
                out += ['', f'Starting a {name} {happy}', *piles(), *table(*lines)]
            elif extend(card, where):
                out += ['', f'Extending a {name} by using the card drawn from the stack {happy}', *piles(), *table(*lines)]
            else:
                pile.append(card)
                out += ['', f'Cannot use the card drawn from the stack {sad}', *piles()]
                continue
            while pile and extend(pile[-1], lines[pile[-1] % 13 % 2]):
                name = ('column', 'row')[pile.pop() % 13 % 2]
                out += ['', f'Extending a {name} by using the top card of the discard pile {happy}', *piles(), *table(*lines)]
            if pile:
                out += ['', f'Cannot use the top card of the discard pile {sad}']
        if not pile:
            break
    return out, len(pile)


def simulate(n, i):
    print('Number of cards left | Frequency', '-' * 32, sep='\n')
    for left, count in sorted(Counter(play(s)[1] for s in range(i, i + n)).items()):
        print(f'{left:20} | {count / n * 100:8.2f}%')


if __name__ == '__main__':
    out, _ = play(int(input('Enter an integer to pass to the seed() function: ')))
    N = len(out)
    print(f'\nThere are {N} lines of output; what do you want me to do?\n')
    menu = (f'Enter: q to quit\n       a last line number (between 1 and {N})\n'
            f'       a first line number (between -1 and -{N})\n'
            f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {N})\n       ')
    while (answer := input(menu).strip(' ')) != 'q':
        if re.fullmatch('[0-9]+', answer):
            m, n = 1, int(answer)
        elif re.fullmatch('-[0-9]+', answer):
            m, n = N + 1 + int(answer), N
        elif re.fullmatch('[0-9]+ *-- *[0-9]+', answer):
            m, n = (int(part) for part in answer.split('--'))
        else:
            m, n = 0, 0
        if 1 <= m <= n <= N:
            print(*out[m - 1:n], sep='\n')
        print()
