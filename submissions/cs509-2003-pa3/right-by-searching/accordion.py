# Accordion checker
import random
import sys
import time

RANKS = "a23456789tjqk"
SUITS = "cdhs"
START = time.time()


class BadInput(Exception):
    pass


def parse_line(number, line):
    text = [(c.lower(), i + 1) for i, c in enumerate(line) if not c.isspace()]
    cards = []
    for k in range(0, len(text), 2):
        pair = [c for c, _ in text[k:k + 2]]
        where = "line %d, column %d" % (number, text[k][1])
        if len(pair) < 2:
            raise BadInput(where + ": half a card")
        if pair[0] in SUITS and pair[1] in RANKS:
            pair.reverse()
        if pair[0] not in RANKS or pair[1] not in SUITS:
            raise BadInput(where + ": no card: " + "".join(pair))
        cards.append("".join(pair))
    return cards


def parse(text):
    lines = [parse_line(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise BadInput("empty input")
    deal, piles = lines[0], lines[1:]
    if len(deal) != 52 or len(set(deal)) != 52:
        raise BadInput("the first line must have 52 different cards")
    if not 1 <= len(piles) <= 52:
        raise BadInput("there must be 1 to 52 piles")
    if sorted(sum(piles, [])) != sorted(deal):
        raise BadInput("the tableau does not have the cards of the deal")
    return deal, tuple(tuple(p) for p in piles)


def match(a, b):
    return a[0] == b[0] or a[1] == b[1]


def moves(t):
    for i in range(1, len(t)):
        for j in (i - 1, i - 2):
            if j >= 0 and match(t[i][0], t[j][0]):
                for n in {1, len(t[i])}:
                    rest = (t[i][n:],) if t[i][n:] else ()
                    yield t[:j] + (t[i][:n] + t[j],) + t[j + 1:i] + rest + t[i + 1:]


def explore(start, limit):
    seen, todo = {start}, [start]
    while todo:
        for new in moves(todo.pop()):
            if new not in seen:
                if len(seen) >= limit:
                    return seen, False
                seen.add(new)
                todo.append(new)
    return seen, True


def quickly_impossible(deal, tableau):
    order = {c: i for i, c in enumerate(deal)}
    bottoms = [order[p[-1]] for p in tableau]
    if bottoms != sorted(bottoms) or bottoms[0] != 0:
        return True
    return any(order[c] < order[p[-1]] for p in tableau for c in p)


def value(t):
    tops = [p[0] for p in t]
    return sum(match(a, b) for a, b in zip(tops, tops[1:])) + sum(match(a, b) for a, b in zip(tops, tops[2:]))


def descend(start):
    """Go down by whole piles, keep a few good tableaux, start again when stuck."""
    best = start
    while time.time() - START < 25:
        beam = [start]
        while beam:
            if len(beam[0]) < len(best):
                best = beam[0]
            if len(beam[0]) == 1:
                return best
            nxt = {}
            for t in beam:
                for u in moves(t):
                    for v in [u] if len(u) < len(t) else moves(u):
                        if len(v) < len(t) and v not in nxt:
                            nxt[v] = value(v) + random.random()
            beam = sorted(nxt, key=nxt.get)[-3:]
    return best


def main():
    try:
        deal, tableau = parse(sys.stdin.read())
    except BadInput as error:
        print("error:", error, file=sys.stderr)
        sys.exit(1)
    if quickly_impossible(deal, tableau):
        print("impossible")
        return
    start = tuple((c,) for c in deal)
    reachable, everything = explore(start, 30000)
    if everything and tableau not in reachable:
        print("impossible")
        return
    best = min(reachable, key=len) if everything else descend(start)
    if len(best) < len(tableau):
        for pile in best:
            print(" ".join(pile))


main()
