"""Calls without parentheses and rows that are one list: where they are named, and what is let alone."""

import ast

import pytest

from grader.plugins.slips.slips import find_slips
from grader.text.escape import quote

PROVIDED = """\
class Deck:
    def is_empty(self): pass
    def deal(self): pass
    @property
    def size(self): pass
class Card:
    def rank(self): pass
"""


def quoted(source: str) -> list[tuple[int, str]]:
    """The line of each slip in a program, and the code that its sentence quotes."""
    slips = find_slips({"game.py": ast.parse(source)}, {"cards.py": ast.parse(PROVIDED)})
    return [(slip.line, str(slip.sentence.value("code"))) for slip in slips]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("if deck.is_empty: pass", "deck.is_empty"),
        ("while not deck.is_empty: pass", "deck.is_empty"),
        ("while x and deck.is_empty: pass", "deck.is_empty"),
        ("if card.rank == 1: pass", "card.rank"),
        ("total = card.rank + 1", "card.rank"),
        ("print('top', deck.deal)", "deck.deal"),
        ("print(f'{card.rank}')", "card.rank"),
        ("value = card.rank", "card.rank"),
        ("f.close", "f.close"),
        ("random.shuffle", "random.shuffle"),
        ("name = line.strip", "line.strip"),
        ("for key in table.items: pass", "table.items"),
        ("def main(): pass\nmain", "main"),
        ("def won(): pass\nif won: pass", "won"),
        ("quit", "quit"),
        ("class Game:\n    def over(self): pass\ng = Game()\nwhile not g.over: pass", "g.over"),
        ("rows = [[]] * 4", "[[]] * 4"),
        ("rows = 4 * [[0] * 3]", "4 * [[0] * 3]"),
        ("rows = [list()] * n", "[list()] * n"),
        ("rows = [[0 for _ in range(3)]] * 3", "[[0 for _ in range(3)]] * 3"),
    ],
)
def test_a_slip_is_found_in_its_line(source: str, code: str) -> None:
    assert quoted(source) == [(source.count("\n") + 1, quote(code))]


@pytest.mark.parametrize(
    "source",
    [
        "if deck.is_empty(): pass",
        "if deck.size: pass",
        "print(deck.size)",
        "deal = deck.deal\ndeal()",
        "cards.sort(key=card.rank)",
        "sorted(cards, key=Card.rank)",
        "class Hand:\n    def __init__(self): self.rank = 1\nif hand.rank == 1: pass",
        "Point = namedtuple('Point', 'x index')\nprint(point.index)",
        "import game\nif game.pop: pass",
        "if deck.deal is None: pass",
        "def f(): pass\nf = 3\nif f: pass",
        "def f(won): pass\ndef won(): pass\nif won: pass",
        "button.command(deck.deal)",
        "rows = [[] for _ in range(4)]",
        "row = [0] * 4",
        "row = [None] * 4",
        "rows = [[]] * 1",
        "rows = [(0, 1)] * 4",
    ],
)
def test_what_may_be_meant_is_let_alone(source: str) -> None:
    assert quoted(source) == []
