from random import seed, shuffle

HEARTS, DIAMONDS, CLUBS, SPADES = range(4)


def make(s):
    seed(s)
    d = list(range(32))
    shuffle(d)
    return d


def pic(c):
    base = {HEARTS: 0x1F0B1, DIAMONDS: 0x1F0C1, CLUBS: 0x1F0D1, SPADES: 0x1F0A1}[c // 8]
    v = c % 8 + 6
    if v > 10:
        v = v + 1
    if v == 14:
        v = 0
    return chr(base + v)


def step(sq):
    """the cards which stay, in their locations, the other locations have -1"""
    res = list(sq)
    for suit in (HEARTS, DIAMONDS, CLUBS, SPADES):
        loc = [k for k in range(4) if sq[k] // 8 == suit]
        if len(loc) == 3:
            del loc[2]
        if len(loc) % 2 == 0:
            for k in loc:
                res[k] = -1
    return res


def play(s):
    d = make(s)
    sq = [d.pop() for k in range(4)]
    hist = [sq]
    while d and -1 in step(sq):
        sq = step(sq)
        for k in range(4):
            if sq[k] == -1 and d:
                sq[k] = d.pop()
        hist.append(sq)
    return hist, len(d)


def simulate(n, i):
    res = {}
    for s in range(i, i + n):
        hist, left = play(s)
        res.setdefault(left, {}).setdefault(len(hist), 0)
        res[left][len(hist)] += 1
    print('Number of cards left | Number of rounds | Frequency')
    print('-' * 51)
    for left in sorted(res):
        a = f'{left:20}'
        c = f' {sum(res[left].values()) / n * 100:8.2f}%'
        for r in sorted(res[left]):
            b = f'{r:2}'
            if len(res[left]) > 1:
                b = b + f' ({res[left][r] / n * 100:.2f}%)'
            print(f'{a} | {b:16} |{c}')
            a = f'{"":20}'
            c = ''


s = int(input('Enter an integer to pass to the seed() function: '))
hist, left = play(s)
if left == 0:
    print('So glad that you won! \U0001F60A')
else:
    print('So sorry that you lost! \u2639\uFE0F')
for k in range(0, len(hist), 6):
    a = b = ''
    for sq in hist[k:k + 6]:
        a += f'    {pic(sq[0])} {pic(sq[1])}'
        if sq[2] != -1:
            b += f'    {pic(sq[2])} {pic(sq[3])}'
    print()
    print(a)
    print(b)
