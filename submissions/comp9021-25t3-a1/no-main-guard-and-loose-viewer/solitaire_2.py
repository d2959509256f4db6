from random import seed, shuffle

GOOD, BAD = '\U0001F60A\uFE0F', '\u2639\uFE0F'
COL, ROW = 'column', 'row'


def make(s):
    seed(s)
    d = list(range(52))
    shuffle(d)
    return d


def pic(c):
    base = [0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0A1][c // 13]
    v = c % 13
    if v > 10:
        v = v + 1
    return chr(base + v)


def fits(c, prev):
    return c % 13 - 2 == prev % 13 and abs(c // 26 - prev // 26) == 1


def add(c, tab):
    """tab is a dictionary: COL -> columns, ROW -> rows; gives the kind or None"""
    kind = COL if c % 13 in (0, 2, 4, 6, 8, 10, 12) else ROW
    if c % 13 < 2:
        tab[kind].append([c])
        return kind
    for line in tab[kind]:
        if fits(c, line[-1]):
            line.append(c)
            return kind


def lines_of_table(tab):
    res = []
    for k in range(6, -1, -1):
        cells = []
        for j in range(4):
            if j < len(tab[COL]) and k < len(tab[COL][j]):
                cells.append(pic(tab[COL][j][k]))
            else:
                cells.append('')
        cells.append('')
        if 6 - k < len(tab[ROW]):
            cells.append(' '.join(pic(c) for c in tab[ROW][6 - k]))
        res.append('\t'.join(cells).rstrip())
    return res


def play(s):
    d = make(s)
    tab = {COL: [], ROW: []}
    out = []
    for nb, name in (1, 'first'), (2, 'second'), (3, 'third'):
        if nb > 1:
            out += ['', '']
        out.append(f'Starting {name} round...')
        pile = []
        while d:
            c = d.pop()
            kind = add(c, tab)
            if kind is None:
                pile.append(c)
                out += ['', f'Cannot use the card drawn from the stack {BAD}',
                        len(d) * ']', (len(pile) - 1) * '[' + pic(c)]
                continue
            if c % 13 < 2:
                out += ['', f'Starting a {kind} {GOOD}']
            else:
                out += ['', f'Extending a {kind} by using the card drawn from the stack {GOOD}']
            while True:
                out.append(len(d) * ']')
                out.append((len(pile) - 1) * '[' + pic(pile[-1]) if pile else '')
                out += lines_of_table(tab)
                if not pile:
                    break
                kind = add(pile[-1], tab)
                if kind is None:
                    out += ['', f'Cannot use the top card of the discard pile {BAD}']
                    break
                pile.pop()
                out += ['', f'Extending a {kind} by using the top card of the discard pile {GOOD}']
        if not pile:
            break
        d = pile[::-1]
    return out, len(pile)


def simulate(n, i):
    res = {}
    for s in range(i, i + n):
        out, left = play(s)
        res[left] = res.setdefault(left, 0) + 1
    print('Number of cards left | Frequency')
    print('-' * 32)
    for left in sorted(res):
        print(f'{left:20} | {res[left] / n * 100:8.2f}%')


def choose(text, out):
    # spaces do not matter
    text = text.replace(' ', '')
    try:
        if '--' in text:
            m, n = text.split('--')
            m, n = int(m), int(n)
        elif int(text) < 0:
            m, n = len(out) + int(text) + 1, len(out)
        else:
            m, n = 1, int(text)
    except ValueError:
        return []
    if m < 1 or m > n or n > len(out):
        return []
    return out[m - 1:n]


def main():
    s = int(input('Enter an integer to pass to the seed() function: '))
    out, left = play(s)
    print()
    print('There are', len(out), 'lines of output; what do you want me to do?')
    print()
    while True:
        print('Enter: q to quit')
        print(f'       a last line number (between 1 and {len(out)})')
        print(f'       a first line number (between -1 and -{len(out)})')
        print(f'       a range of line numbers (of the form m--n with 1 <= m <= n <= {len(out)})')
        text = input('       ')
        if text.replace(' ', '') == 'q':
            break
        for line in choose(text, out):
            print(line)
        print()


if __name__ == '__main__':
    main()
