"""Rules about the code: what each finds, with the line and the code, and what it lets alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.plugins.code_rules.forbidden_names import ForbiddenNames
from grader.plugins.code_rules.functions import NoNestedFunctions, OwnFunctions, RequiredFunctions, UsedFunctions
from grader.plugins.code_rules.global_variables import NoGlobalVariables
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.provided_module import UnchangedModule
from grader.plugins.code_rules.style import Docstrings, HeaderComment, LineLength, NamingStyle
from grader.reports.terminal.test_result import rule_lines
from grader.rules.code_rule import SourceRule
from grader.rules.source import ParsedSource, UncheckedSourceError, UnreadableSourceError, read_source
from grader.text.language import speaking
from grader.text.sentence import Sentence

CARDS = "class Card:\n    pass\n\n\nclass Deck:\n    pass\n\n\ndef helper():\n    pass\n"

GOOD = '''\
# Project 10: a game of cards
"""The game."""

import cards
from math import pi

MENU = "menu"


class Game:
    """A game."""

    def play(self):
        """Play."""
        return self


def deal(deck, number=1, *others):
    """Deal."""
    total = [number for _ in range(3)]
    key = lambda card: card + number
    return total, key, MENU, pi, cards.Card(), others


def main():
    """Play."""
    deck = []
    print(deal(deck))


if __name__ == "__main__":
    main()
'''


def source(text: str, folder: Path) -> ParsedSource:
    file = folder / "proj10.py"
    file.write_text(text)
    return read_source(file, "proj10.py", {"cards.py": folder / "cards.py"})


def findings(rule: SourceRule, text: str, folder: Path) -> list[str]:
    """What the rule finds, as the reports show it, the file name left out."""
    (folder / "cards.py").write_text(CARDS)
    broken = list(rule.findings(source(text, folder)))
    assert all(isinstance(finding.message, Sentence) for finding in broken), "students read them in their language"
    return [str(one).removeprefix("proj10.py:").strip() for one in broken]


def found_with_modules(rule: SourceRule, text: str, folder: Path, **modules: str) -> list[str]:
    """Return the findings of a rule in a program with modules of the student, such as `pkg/core`."""
    files = {name: f"{name}.py" for name in modules}
    (folder / "cards.py").write_text(CARDS)
    for name, code in modules.items():
        (folder / files[name]).parent.mkdir(exist_ok=True)
        (folder / files[name]).write_text(code)
    alone = tuple(read_source(folder / file, file) for file in files.values())
    beside = tuple(replace(module, modules=alone) for module in alone)
    return [one.message for one in rule.findings(replace(source(text, folder), modules=beside))]


REQUIRED = RequiredFunctions(("main()", "deal(deck, number)"))
USED = UsedFunctions(("main()", "deal(deck, number)"))
OWN = OwnFunctions(2)
MAIN = MainGuard()
GLOBALS = NoGlobalVariables()
NESTED = NoNestedFunctions()
PROVIDED = UnchangedModule("cards.py")
FORBIDDEN = ForbiddenNames(("eval", "sys.exit", "os"))
HEADER = HeaderComment()
DOCSTRINGS = Docstrings()
NAMING = NamingStyle()
LENGTH = LineLength(40)
ALL = (REQUIRED, USED, OWN, MAIN, GLOBALS, NESTED, PROVIDED, FORBIDDEN, HEADER, DOCSTRINGS, NAMING)


@pytest.mark.parametrize("given", ALL, ids=lambda one: one.name)
def test_a_good_program_keeps_every_rule(given: SourceRule, tmp_path: Path) -> None:
    assert findings(given, GOOD, tmp_path) == []


DEAL = "def deal(a, b): pass\n"
ABSENT = {
    "in code that never runs": f"if False:\n    {DEAL}",
    "after the end of the program": f"raise SystemExit\n{DEAL}",
    "deleted": f"{DEAL}del other, (deal, main)\n",
    "deleted in code that always runs": f"{DEAL}if not 0:\n    del deal\n",
    "replaced by a number": f"{DEAL}deal = 3\n",
    "replaced by a list": f"{DEAL}deal: list = [card for card in deck]\n",
    "replaced among others": f"{DEAL}deal, other = 'a', deal\n",
    "replaced by a class": f"{DEAL}class deal: pass\n",
    "made and deleted": "deal = partial(times, 2)\ndel deal\n",
    "imported in code that never runs": "if False:\n    from helpers import deal\n",
    "imported and deleted": "from helpers import *\ndel deal\n",
    "deleted in the module": "from gone import deal\n",
}
PRESENT = {
    "defined again": f"{DEAL}del deal\n{DEAL}",
    "assigned again": f"{DEAL}other = deal\ndeal = 3\ndeal = other\n",
    "imported again": f"{DEAL}del deal\nfrom helpers import deal\n",
    "perhaps replaced": f"{DEAL}if ready:\n    deal = 3\n",
    "perhaps deleted": f"{DEAL}for card in deck:\n    del deal\n",
    "replaced in a function": f"{DEAL}def other():\n    deal = 3\n",
    "replaced by what may be a function": f"{DEAL}deal = counted(deal)\n",
    "in the other branch": f"if False:\n    pass\nelse:\n    {DEAL}",
    "in a handler": f"try:\n    from cards import deal\nexcept ImportError:\n    {DEAL}",
}


@pytest.mark.parametrize("text", ABSENT.values(), ids=ABSENT)
def test_a_function_that_is_not_there_in_the_end_is_missing(text: str, tmp_path: Path) -> None:
    found = found_with_modules(
        RequiredFunctions(("deal(a, b)",)), text, tmp_path, helpers=DEAL, gone=f"{DEAL}del deal\n"
    )
    assert found == ["there is no function deal(a, b)"]


@pytest.mark.parametrize("text", PRESENT.values(), ids=PRESENT)
def test_a_function_that_may_be_there_in_the_end_is_not_missing(text: str, tmp_path: Path) -> None:
    assert found_with_modules(RequiredFunctions(("deal(a, b)",)), text, tmp_path, helpers=DEAL) == []


CALLED_MAIN = "def main(): pass\nif __name__ == '__main__':\n    main()\n"


BROKEN = [
    (REQUIRED, "def main(): pass\n", ["there is no function deal(deck, number)"]),
    (
        REQUIRED,
        "def main(x): pass\ndef deal(a, b=1, c=2): pass\n",
        ["1: the function cannot be called with 0 arguments; expected main(): def main(x): pass"],
    ),
    (
        REQUIRED,
        "def main(): pass\ndef deal(a, *, b): pass\n",
        ["2: the function cannot be called with 2 arguments; expected deal(deck, number): def deal(a, *, b): pass"],
    ),
    (REQUIRED, "def _main(): pass\nmain = _main\ndeal: Deal = lambda a, b: a\n", []),
    (REQUIRED, "def deal(a, b): pass\nmain = partial(deal, [], 2)\n", []),
    (REQUIRED, "def deal(a, b): pass\nmain = tables.play\n", []),
    (REQUIRED, "def deal(a, b): pass\nmain = 3\n", ["there is no function main()"]),
    (
        REQUIRED,
        "def deal(a, b): pass\nmain = deal\n",
        ["1: the function cannot be called with 0 arguments; expected main(): def deal(a, b): pass"],
    ),
    (USED, "def main(): deal()\nmain()\n", []),
    (USED, "def deal(): return deal()\n", ["1: deal() is never used: def deal(): return deal()"]),
    (USED, "def deal(): pass\ndeck = D()\ndeck.deal()\n", ["1: deal() is never used: def deal(): pass"]),
    (USED, "import game\ndef deal(): pass\ngame.deal()\n", []),
    (USED, "def deal(): pass\ndo = {'D': deal}\n", []),
    (
        USED,
        "def deal(): pass\ndef one(): other(deal())\ndef other(): one()\ndef main(): pass\nmain()\n",
        ["1: deal() is never used: def deal(): pass"],
    ),
    (USED, "def deal(): pass\ndef other(): deal()\n", ["1: deal() is never used: def deal(): pass"]),
    (USED, "def deal(): pass\nother = lambda: deal()\n", ["1: deal() is never used: def deal(): pass"]),
    (
        USED,
        "def deal(): pass\ndef other(): deal()\ndef main(): other()\n",
        ["3: main() is never used: def main(): other()"],
    ),
    (USED, "def deal(): pass\n@command\ndef other(): deal()\ndef run(): pass\nrun()\n", []),
    (USED, "def deal(): pass\ndef other(): deal()\nglobals()['other']()\n", []),
    (USED, "def deal(): pass\nclass Game:\n    def other(self): deal()\nGame().other()\n", []),
    (USED, "def deal(): pass\nclass Game:\n    def __init__(self): deal()\ndef run(): Game()\nrun()\n", []),
    (USED, "def deal(): pass\nclass Game(Thread):\n    def run(self): deal()\ndef run(): Game().start()\nrun()\n", []),
    (USED, "def deal(): pass\ndef run(deal): print(deal)\nrun(1)\n", ["1: deal() is never used: def deal(): pass"]),
    (USED, "def deal(): pass\ndeal = 7\nprint(deal)\n", ["1: deal() is never used: def deal(): pass"]),
    (USED, "def deal(): pass\ndeal = counted(deal)\ndeal()\n", []),
    (USED, "def deal(): pass\ndef run():\n    global deal\n    deal()\nrun()\n", []),
    (USED, "@command\ndef deal(): pass\nCOMMANDS['deal']()\n", []),
    (USED, "@atexit.register\ndef deal(): pass\n", []),
    (USED, "@functools.cache\ndef deal(): pass\n", ["2: deal() is never used: def deal(): pass"]),
    (USED, "def deal(): pass\nglobals()['deal']()\n", []),
    (USED, "def deal(): pass\nglobals().get('deal')()\n", []),
    (USED, "import sys\ndef deal(): pass\ngetattr(sys.modules[__name__], 'deal')()\n", []),
    (USED, "def deal(): pass\neval('deal()')\n", []),
    (USED, "def deal(): pass\nclass A:\n    def do_d(self): deal()\ndef run(x): getattr(A, 'do_' + x)()\nrun()\n", []),
    (USED, "def deal(): pass\nclass Game:\n    def __init__(self): deal()\n", []),
    (USED, "def deal(): pass\ndef run():\n    def inner(): deal()\n    inner()\nrun()\n", []),
    (USED, "def deal(): pass\ndef run():\n    inner = lambda: deal()\n    return inner\nrun()\n", []),
    *(
        (USED, f"def deal(): pass\ndef run():\n    {code}\nrun()\n", [])
        for code in (
            "while True:\n        if input(): break\n    deal()",
            "while True:\n        for i in 1, 2: pass\n        else: break\n    deal()",
            "try: return int(input())\n    except ValueError: pass\n    deal()",
            "with suppress(ValueError): return int(input())\n    deal()",
            "if input(): return 1\n    deal()",
            "if 1 < 2 <= 3: deal()",
            "if input() or False: deal()",
            "for i in range(0, 3): deal()",
            "print([deal for deal in (1, 2)])\n    deal()",
            "print([deal for deal in deal()])",
            "print([deal() for i in [1] for hand in [2]])",
            "Button(command=lambda: deal())",
            "x = {'d': lambda: deal()}",
        )
    ),
    (USED, "def deal(): pass\nclass Game:\n    deal = 3\n    def play(self): deal()\nGame().play()\n", []),
    (USED, "def deal(): pass\ndef run(x):\n    return x and deal() or not False and deal()\nrun(1)\n", []),
    *(
        (
            USED,
            f"def deal(): pass\ndef run():\n    {code}\nrun()\n",
            ["1: deal() is never used: def deal(): pass"],
        )
        for code in (
            "if False: deal()",
            "if not 1: deal()",
            "if True: pass\n    else: deal()",
            "while 0: deal()",
            "x = False and deal()",
            "x = 1 or deal()",
            "x = deal() if None else 3",
            "return 3\n    deal()",
            "for i in 1, 2:\n        continue\n        deal()",
            "deal",
            "def inner(): deal()",
            "inner = lambda: deal()",
            "deal = 3 + 4\n    print(deal)",
            "for deal in 1, 2: print(deal)",
            "print([deal for deal in (1, 2)])",
            "(lambda: 1)()\n    deal = 2\n    def inner(): print(deal)\n    inner()",
            "class Game:\n        def other(self): deal()",
            "sys.exit(0)\n    deal()",
            "if input(): return 1\n    else: raise ValueError\n    deal()",
            "while True:\n        for i in 1, 2: break\n    deal()",
            "try: return 1\n    except ValueError: raise\n    deal()",
            "try: pass\n    finally: return 1\n    deal()",
            "for i in []: deal()",
            "for i in range(0): deal()",
            "print([deal() for i in ()])",
            "if 1 > 2: deal()",
            "if input() and False: deal()",
            "if not (True or input()): deal()",
            "if {}: deal()",
            "assert True, deal()",
            "lambda: deal()",
            "inner: object = lambda: deal()",
            "x: deal = 3",
            "'hand'\ndef hand(): deal()",
        )
    ),
    (OWN, "print('x')\n", ["the program uses no function of its own; expected at least 2"]),
    (
        OWN,
        "def main(): pass\ndef deal(): pass\nmain()\n",
        ["the program uses 1 function of its own; expected at least 2"],
    ),
    (OWN, "class A:\n    def play(self): pass\n    def deal(self): pass\na = A()\na.deal(a.play())\n", []),
    (
        MAIN,
        "def ask(): pass\ndef main(): pass\nif __name__ == '__main__':\n    main()\n    while True:\n        ask()\n",
        ["5: the loop that calls ask() is outside all functions: while True:"],
    ),
    (MAIN, "def main(): pass\nif __name__ == '__main__':\n    while True:\n        main()\n", []),
    (MAIN, "def main(): pass\nif '__main__' == __name__ and sys.argv:\n    main()\n", []),
    (
        MAIN,
        "def main(): pass\nif __name__ == '__main__' or x:\n    main()\n",
        ['3: main() is called without `if __name__ == "__main__":`: main()'],
    ),
    (MAIN, "def face(n): pass\nfor n in 1, 2: face(n)\ndef main(): pass\nif __name__ == '__main__': main()\n", []),
    (MAIN, "print('x')\n", ["there is no function main()", "1: print() is called outside all functions: print('x')"]),
    (
        MAIN,
        "def main():\n    pass\nmain()\n",
        ['3: main() is called without `if __name__ == "__main__":`: main()', ],
    ),
    (MAIN, "def main():\n    pass\n", ["1: main() is never called: def main():"]),
    *(
        (MAIN, f"import x\ndef main(): pass\n{text}\n", said)
        for text, said in (
            ("if __name__ == '__main__':\n    x.Thread(target=main).start()", []),
            ("if __name__ == '__main__':\n    with x.Pool() as pool: pool.submit(main)", []),
            ("if __name__ == '__main__': (lambda: main())()", []),
            ("run = main\nif __name__ == '__main__': run()", []),
            ("if __name__ == '__main__': main", ["2: main() is never called: def main(): pass"]),
            ("def other(): main()", ["2: main() is never called: def main(): pass"]),
        )
    ),
    (
        MAIN,
        "def main():\n    pass\nwhile input():\n    pass\nif '__main__' == __name__:\n    main()\n",
        ["3: input() is called outside all functions: while input():"],
    ),
    (
        GLOBALS,
        "deck = []\ndef deal():\n    return [card for card in deck]\n",
        ["3: deal() uses the global variable deck: return [card for card in deck]"],
    ),
    (
        GLOBALS,
        "BEST = 0\ndef deal():\n    global BEST\n    BEST = 1\n",
        ["3: deal() uses the global variable BEST: global BEST"],
    ),
    (
        GLOBALS,
        "def deal():\n    return key(lambda: deck)\nif __name__ == '__main__':\n    deck = 3\n",
        ["2: deal() uses the global variable deck: return key(lambda: deck)"],
    ),
    (
        GLOBALS,
        "import __main__ as me\ndeck = []\ndef deal():\n    return me.deck\n",
        ["4: deal() uses the global variable deck: return me.deck"],
    ),
    (
        GLOBALS,
        "import sys\ndef deal():\n    sys.modules[__name__].deck = []\n",
        ["3: deal() uses the global variable deck: sys.modules[__name__].deck = []"],
    ),
    (
        GLOBALS,
        "import sys\nme = sys.modules['__main__']\ndef deal():\n    setattr(me, 'deck', [])\n",
        [
            "4: deal() uses the global variable deck: setattr(me, 'deck', [])",
            "4: deal() uses the global variable me: setattr(me, 'deck', [])",
        ],
    ),
    (
        GLOBALS,
        "import proj10\ndef deal():\n    vars(proj10)['deck'] = []\n",
        ["3: deal() uses the global variable deck: vars(proj10)['deck'] = []"],
    ),
    (GLOBALS, "import sys\ndef deal():\n    return sys.modules[__name__].deal, sys.modules['cards'].deck\n", []),
    (GLOBALS, "deck = []\ndef deal(game):\n    game.deck = 3\n", []),
    (MAIN, "def main(): pass\nif __name__ in {'__main__'}:\n    main()\n", []),
    (MAIN, "def main(): pass\nif __name__ in ('__main__',) and sys.argv:\n    main()\n", []),
    (MAIN, "def main(): pass\nif __name__ in ['__main__']: main()\n", []),
    (MAIN, "def main(): pass\nif __name__ is '__main__': main()\n", []),
    (MAIN, "def main(): pass\nif __name__ not in ('__main__',): pass\nelse: main()\n", []),
    (MAIN, "def main(): pass\nmatch __name__:\n    case '__main__':\n        main()\n", []),
    (
        MAIN,
        "def main(): pass\nif __name__ in ('__main__', 'r'):\n    main()\n",
        ['3: main() is called without `if __name__ == "__main__":`: main()'],
    ),
    (
        MAIN,
        "def main(): pass\nif __name__ in '__main__':\n    main()\n",
        ['3: main() is called without `if __name__ == "__main__":`: main()'],
    ),
    (MAIN, "def main(): pass\nif (name := __name__) == '__main__':\n    main()\n", []),
    (GLOBALS, "deck = []\ndef deal(deck):\n    return deck\n", []),
    (GLOBALS, "deck = []\ndef deal():\n    deck = 1\n    return deck\n", []),
    (
        NESTED,
        "def deal():\n    def inner():\n        pass\n",
        ["2: the function is defined inside deal(): def inner():"],
    ),
    (PROVIDED, "class Other: pass\n", ["the module cards is not imported"]),
    (
        PROVIDED,
        "from cards import Card\nclass Deck: pass\n",
        ["2: Deck of the module cards is replaced: class Deck: pass"],
    ),
    (
        PROVIDED,
        "import cards\ncards.Card.rank = lambda self: 14\nsetattr(cards, 'Deck', 1)\nhelper = lambda: 2\n",
        [
            "2: cards.Card.rank of the module cards is changed: cards.Card.rank = lambda self: 14",
            "4: helper of the module cards is replaced: helper = lambda: 2",
            "3: cards.setattr of the module cards is changed: setattr(cards, 'Deck', 1)",
        ],
    ),
    (PROVIDED, "import cards\ndef won(tableau):\n    cards = [card for column in tableau for card in column]\n", []),
    (PROVIDED, "import cards\nclass Game:\n    Deck = 52\n", []),
    (PROVIDED, "import cards as c\nclass Card(c.Card):\n    def points(self): return 1\n", []),
    (PROVIDED, "from cards import *\nclass Card(Card): pass\n", []),
    (
        PROVIDED,
        "import cards\nvars(cards).update(Card=int)\n",
        ["2: cards.__dict__ of the module cards is changed: vars(cards).update(Card=int)"],
    ),
    (PROVIDED, "from importlib import import_module\ncards = import_module('cards')\n", []),
    (
        PROVIDED,
        "import cards, sys\nsys.modules['cards'] = print\nsys.modules['other'] = print\n",
        ["2: cards.__dict__ of the module cards is changed: sys.modules['cards'] = print"],
    ),
    (
        PROVIDED,
        "import cards\nfrom unittest.mock import patch\ndef main():\n    with patch('cards.Card.rank', int): pass\n",
        ["4: cards.Card.rank of the module cards is changed: with patch('cards.Card.rank', int): pass"],
    ),
    (
        PROVIDED,
        "import cards as c\nfrom unittest import mock\n@mock.patch.object(c.Deck, 'deal', int)\ndef main(): pass\n",
        ["3: c.Deck.patch of the module cards is changed: @mock.patch.object(c.Deck, 'deal', int)"],
    ),
    (PROVIDED, "import cards\nfrom unittest.mock import patch\npatch('time.sleep')\npatch('if.a b.x')\n", []),
    (PROVIDED, "from cards import Card as C\ndef Card():\n    return C()\n", []),
    (
        PROVIDED,
        "import cards\nclass Card(cards.Deck): pass\ndef Deck():\n    return [cards.Card()]\n",
        [
            "2: Card of the module cards is replaced: class Card(cards.Deck): pass",
            "3: Deck of the module cards is replaced: def Deck():",
        ],
    ),
    (
        PROVIDED,
        "import cards\ndef start():\n    global cards\n    cards = None\n",
        ["4: cards of the module cards is replaced: cards = None"],
    ),
    (
        FORBIDDEN,
        "import os.path\nimport os\nfrom sys import exit\nx = eval('1')\n",
        [
            "1: os may not be used: import os.path",
            "2: os may not be used: import os",
            "3: sys.exit may not be used: from sys import exit",
            "4: eval may not be used: x = eval('1')",
        ],
    ),
    (HEADER, "\nimport os\n", ["1: the program does not begin with a comment on what it does:"]),
    (HEADER, "# Plays War, see coding standard\nimport os\n", []),
    (
        HEADER,
        "#!python3\n# -*- coding: utf-8 -*-\nimport os\n",
        ["1: the program does not begin with a comment on what it does: #!python3"],
    ),
    (HEADER, "#\n# ---\nimport os\n", ["1: the program does not begin with a comment on what it does: #"]),
    (HEADER, "#####\n# Plays War\n#####\nimport os\n", []),
    (HEADER, '""""""\nimport os\n', ['1: the program does not begin with a comment on what it does: """"""']),
    (NAMING, "class T(TestCase):\n    def setUp(self): pass\n    def tearDown(self): pass\n", []),
    (HEADER, "#!python3\nimport os\n", ["1: the program does not begin with a comment on what it does: #!python3"]),
    (DOCSTRINGS, "def deal():\n    pass\n", ["1: the function deal() has no docstring: def deal():"]),
    (
        NAMING,
        "class game: pass\ndef Deal(fromCol):\n    X_1 = _ = __a = 2\n    fromCol = toCol = 1\n",
        [
            "1: the name of the class game does not begin with a capital letter: class game: pass",
            "2: the name Deal is not in lowercase letters with `_` between words: def Deal(fromCol):",
            "2: the name fromCol is not in lowercase letters with `_` between words: def Deal(fromCol):",
            "4: the name toCol is not in lowercase letters with `_` between words: fromCol = toCol = 1",
        ],
    ),
    (REQUIRED, "try:\n    import x\nexcept ImportError:\n    def deal(a, b): pass\nmain = lambda: 1\n", []),
    (MAIN, f"try:\n    pass\nexcept ValueError:\n    def show(): print()\nf = lambda: print()\n{CALLED_MAIN}", []),
    (MAIN, 'def main(): pass\nif __name__ == "main":\n    main()\n', [
        '2: the main guard compares with `"main"`; expected `"__main__"`: if __name__ == "main":',
    ]),
    (MAIN, f"{CALLED_MAIN}else:\n    main()\n", ['5: main() is called without `if __name__ == "__main__":`: main()']),
    (GLOBALS, "Vector = list\ndef f(): return Vector()\n", []),
    (GLOBALS, "Vector = list[float]\nNumber = int | float\ndef f(): return Vector(), Number\n", []),
    (
        GLOBALS,
        "data = [1]\nFirst = data[0]\ndef f(): return First\n",
        ["3: f() uses the global variable First: def f(): return First"],
    ),
    (GLOBALS, "from collections import namedtuple\nPoint = namedtuple('Point', 'x')\ndef f(): return Point(1)\n", []),
    (GLOBALS, "double = lambda n: 2 * n\ndef f(): return double(1)\n", []),
    (GLOBALS, "def f(): return twice(1), shout('a'), upper('b')\ntwice = f\nshout = print\nupper = str.upper\n", []),
    (GLOBALS, "import fractions\nNumber = fractions.Fraction\ndef f(): return Number(1)\n", []),
    (GLOBALS, "from functools import lru_cache\ndef f(): return g()\ng = lru_cache(None)(f)\n", []),
    (GLOBALS, "def f(): return n\nn = f()\n", ["1: f() uses the global variable n: def f(): return n"]),
    (GLOBALS, "def f(): return n\nn = Game.best\n", ["1: f() uses the global variable n: def f(): return n"]),
    (
        GLOBALS,
        "import sys\nout = sys.stdout\ndef f(): out.write('a')\n",
        ["3: f() uses the global variable out: def f(): out.write('a')"],
    ),
    (
        GLOBALS,
        "best = lambda: 1\nbest = 2\ndef f(): return best\n",
        ["3: f() uses the global variable best: def f(): return best"],
    ),
    (
        PROVIDED,
        "from cards import Card\nCard, x = int, 1\n",
        ["2: Card of the module cards is replaced: Card, x = int, 1"],
    ),
    (PROVIDED, "import cards as c\nc.Card = int\n", ["2: c.Card of the module cards is changed: c.Card = int"]),
    (PROVIDED, "from cards import Card as K\nK.rank = 3\n", ["2: K.rank of the module cards is changed: K.rank = 3"]),
    (PROVIDED, "import cards\ndel cards.Card\n", ["2: cards.Card of the module cards is changed: del cards.Card"]),
    (
        PROVIDED,
        "import cards\nfor cards.Card in [int]: pass\n",
        ["2: cards.Card of the module cards is changed: for cards.Card in [int]: pass"],
    ),
    (
        PROVIDED,
        "import cards\ndef f():\n    cards.Card = int\n",
        ["3: cards.Card of the module cards is changed: cards.Card = int"],
    ),
    (PROVIDED, "import cards\nCard = cards.Card\ncard = Card()\ncard.rank = 1\n", []),
    (PROVIDED, "from cards import helper\ndef f(helper):\n    helper.x = 3\nx = [Card for Card in 'ab']\n", []),
    (FORBIDDEN, "import sys as s\ns.exit()\n", ["2: sys.exit may not be used: s.exit()"]),
    (FORBIDDEN, "from sys import *\nexit()\n", ["2: sys.exit may not be used: exit()"]),
    (FORBIDDEN, "import sys\nclass Door:\n    exit = 1\nDoor().exit, sys.argv\n", []),
    (DOCSTRINGS, "def deal():\n    ''\n", ["1: the function deal() has no docstring: def deal():"]),
    (
        DOCSTRINGS,
        "x = '\u2028'\n\f\ndef deal(): pass\n",
        ["3: the function deal() has no docstring: def deal(): pass"],
    ),
    (
        NAMING,
        "def DEAL(): pass\n",
        ["1: the name DEAL is not in lowercase letters with `_` between words: def DEAL(): pass"],
    ),
    (NAMING, "Vector = list[float]\nNumber = int | None\nGrid = list\nMaker = Callable[[int], Vector]\n", []),
    (NAMING, "from typing import TypeAlias\nVector: TypeAlias = 'list[float]'\n", []),
    (
        NAMING,
        "data = [1]\nFirst = data[0]\n",
        ["2: the name First is not in lowercase letters with `_` between words: First = data[0]"],
    ),
    (OWN, "class Game:\n    def __init__(self): pass\n    def play(self): pass\nGame().play()\n", []),
    (
        OWN,
        "class Game:\n    def __init__(self): pass\n    def copy(self): return Game()\n",
        ["the program uses no function of its own; expected at least 2"],
    ),
    (NAMING, "from collections import namedtuple\nPoint = namedtuple('Point', 'x')\n", []),
    (
        LENGTH,
        f"x = '{'a' * 20}\u2028{'a' * 20}'\n",
        [f"1: the line has 47 characters; expected at most 40: x = '{'a' * 20}\u2028{'a' * 20}'"],
    ),
    (LENGTH, f"x = '{'a' * 40}'\n", [f"1: the line has 46 characters; expected at most 40: x = '{'a' * 40}'"]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "text", "wanted"), BROKEN)
def test_what_breaks_a_rule_is_shown_with_its_line(
    given: SourceRule, text: str, wanted: list[str], tmp_path: Path
) -> None:
    assert sorted(findings(given, text, tmp_path)) == sorted(wanted)


def test_every_function_is_in_use_where_tests_may_call_any(tmp_path: Path) -> None:
    program = source("def deal(): pass\ndef other(): deal()\n", tmp_path)
    assert len(list(USED.findings(program))) == 1
    assert list(USED.findings(replace(program, called_by_others=None))) == []


@pytest.mark.parametrize(
    ("content", "said", "line"),
    [
        (b"def f(:\n", "invalid syntax", 1),
        (b"x = '\xff'\n", "Python cannot read the program", None),
        (b"x = 1\0\n", "null bytes", None),
        (b"(" * 5000 + b")" * 5000, "Python cannot read the program", None),
        *((f"# coding: {name}\n".encode(), "not a text encoding", None) for name in ("rot13", "hex", "bz2", "uu")),
        (b"# coding: undefined\n", "undefined encoding", None),
        (b"# coding: klingon\n", "unknown encoding: klingon", None),
    ],
)
def test_what_is_no_program_is_said(content: bytes, said: str, line: int | None, tmp_path: Path) -> None:
    file = tmp_path / "proj10.py"
    file.write_bytes(content)
    with pytest.raises(UnreadableSourceError, match=said) as caught:
        read_source(file, "proj10.py")
    assert line is None or caught.value.line == line


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"#" * 200_001, "more than 200000 bytes"),
        (b"x = a" + b".b" * 3000, "nested too deeply"),
        (b"x" + "\u0315\u0300".encode() * 5000, "combining characters in a row"),
        (b"# coding: latin-1 \xe9\nprint(1)\n", "encoding is not clear"),
        (b"# coding: idna\nprint(1)\n", "encoding is not clear"),
    ],
)
def test_what_is_not_looked_at_is_said(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "proj10.py"
    file.write_bytes(content)
    with pytest.raises(UncheckedSourceError, match=said):
        read_source(file, "proj10.py")


def test_a_program_may_be_in_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "proj10.py"
    file.write_bytes("# coding: latin-1\ndef größe():\n    'ü'\n".encode("latin-1"))
    assert list(DOCSTRINGS.findings(read_source(file, "proj10.py"))) == []


def test_findings_are_told_in_the_language_of_the_student(tmp_path: Path) -> None:
    rule = Rule(id="docs", title="", check=Docstrings(), programs=("proj10.py",))
    result = RuleResult(rule, tuple(Docstrings().findings(source("def f():\n    pass\n", tmp_path))))
    with speaking("zh_CN"):
        assert any("函数 f() 没有文档字符串" in line.plain for line in rule_lines(result))


def test_a_long_line_of_code_is_cut(tmp_path: Path) -> None:
    found = source("x = 1" + " " * 10 + "+ 1" * 200 + "\n", tmp_path).finding(1, "here")
    assert isinstance(found, RuleFinding)
    assert len(found.code) == 120


WAYS_TO_A_FORBIDDEN_NAME = [
    "if False:\n    eval = 1\neval('1')",
    "eval = eval\neval('1')",
    "eval('1')\neval = 1",
    "eval = 1\ndel eval\neval('1')",
    "def f():\n    eval = 1\neval('1')",
    "def f():\n    global eval\n    return eval('1')",
    "def f(g=eval):\n    eval = g\n    return eval('1')",
    "class A:\n    def eval(self):\n        return eval('1')",
    "for n in []:\n    eval = n\neval('1')",
    "try:\n    eval = int('x')\nexcept ValueError:\n    pass\neval('1')",
    "def f():\n    from builtins import eval\n    return eval('1')",
    "[eval for n in eval('[1]')]",
    "[eval for eval in eval('[1]')]",
    "print(lambda: eval('1'))",
    "match eval('1'):\n    case 1:\n        pass",
    "from builtins import eval as z\nz('1')",
    "import builtins as q\nq.eval('1')",
    "import builtins\nbuiltins.eval('1')",
    "__builtins__.eval('1')",
    "import builtins\ngetattr(builtins, 'eval')('1')",
    "getattr(__import__('builtins'), 'eval')('1')",
    "import builtins\nvars(builtins)['eval']('1')",
    "import builtins\nbuiltins.__dict__['eval']('1')",
    "import sys\nq = sys\nq.exit(0)",
    "import sys\ndef f():\n    q = sys\n    r = q\n    r.exit(0)",
    "import sys\nif (q := sys):\n    q.exit(0)",
    "import sys as s\ngetattr(s, 'exit')(0)",
    "__import__('os').system('ls')",
    "import sys\nsys.modules['os'].system('ls')",
    "if not True:\n    eval = 1\nf = eval\nprint(f)",
    "if input():\n    eval = 1\nf = eval\nf('1')",
    "while True:\n    eval = eval\n    break\neval('1')",
    "f = eval\neval = 1",
    "try:\n    f = eval\n    eval = 1\nexcept ValueError: ...\nf('1')",
    "def f():\n    global eval\n    return eval('1')\nf()\neval = 1",
    "def f():\n    return eval('1')\nif input():\n    eval = 1",
    "for eval in []: ...\nelse: eval('1')",
    "from contextlib import suppress\nwith suppress(ValueError):\n    eval = int('x')\neval('1')",
    "import importlib\nimportlib.import_module('os')",
    "import importlib as lib\nlib.import_module('os.path')",
    "from importlib import import_module\nimport_module('os')",
    "from importlib import import_module as load\nload('sys').exit(0)",
    "import importlib\nq = importlib.import_module('sys')\nq.exit(0)",
    "load = __import__\nload('os')",
    "import builtins, operator\noperator.attrgetter('eval')(builtins)('1')",
    "import builtins\nfrom operator import attrgetter as get\nfind = get('eval')\nfind(builtins)('1')",
    "from operator import itemgetter\nitemgetter('eval')(vars(__builtins__))('1')",
    "import builtins\ngetattr(builtins, 'ev' + 'al')('1')",
    "import builtins\nname = 'lave'[::-1]\nother = name\ngetattr(builtins, other)('1')",
    "import builtins\ngetattr(builtins, f'e{\"va\"}l')('1')",
    "import builtins\ngetattr(builtins, ''.join(['e', 'val']))('1')",
    "import builtins\ngetattr(builtins, 'EVAL'.lower())('1')",
    "import builtins\ngetattr(builtins, chr(101) + 'val')('1')",
    "import builtins\nget = getattr\nget(builtins, 'eval')('1')",
    "import builtins\nobject.__getattribute__(builtins, 'eval')('1')",
    "import builtins\nbuiltins.__getattribute__('eval')('1')",
    "import builtins\nbuiltins.__dict__.get('eval')('1')",
    "import builtins\nvars(builtins).__getitem__('eval')('1')",
    "__builtins__.__dict__['eval']('1')",
    "globals()['__builtins__'].eval('1')",
    "globals().get('__builtins__').eval('1')",
    "f.__globals__['__builtins__'].eval('1')",
    "import sys\nsys._getframe().f_builtins['eval']('1')",
    "import sys\nsys._getframe().f_globals['__builtins__'].eval('1')",
    "import json\njson.__builtins__['eval']('1')",
    "import sys\nglobals()['sys'].exit(0)",
    "import sys\nsys.modules.get('o' + 's')",
    "__import__('o' + 's')",
    "import shutil\nshutil.os.system('ls')",
    "import shutil\nrun = shutil.os\nrun.system('ls')",
    "from shutil import os\nos.system('ls')",
    "from shutil import os as q",
    "import random\nrandom._os",
    "import pathlib\npathlib.sys.exit(0)",
    "import builtins\n(b := builtins).eval('1')",
    "import builtins\n@builtins.eval\ndef f(): ...",
    "@eval\ndef f(): ...",
    "match [1]:\n    case [n] if eval('n'):\n        print(n)",
    "import sys\n(sys or None).exit()",
    "import sys\n(None or sys).exit()",
    "import sys\n(sys if input() else None).exit()",
    "import sys\na, (b, c) = 1, (2, sys)\nc.exit()",
    "import sys\n[a, b] = 1, sys\nb.exit()",
    "print.__self__.eval('1')",
    "len.__self__.__dict__['eval']('1')",
    "import inspect\ninspect.builtins.eval('1')",
    "import posix\nposix.system('ls')",
    "from posix import system\nsystem('ls')",
    "eval = 1\ndel eval\nprint(list(map(eval, ['1'])))",
    "eval = 1\ndef f():\n    return eval('1')\ndel eval\nf()",
    "eval = 1\nfor n in 1, 2:\n    if n == 2:\n        eval('1')\n    else:\n        del eval",
    "eval = 1\ndef f():\n    global eval\n    del eval\nf()\neval('1')",
    "os = None\nos = __import__('os')\nos.system('ls')",
    "import os\nif input():\n    os = None\nos.system('ls')",
    "import cards as sys\nimport sys\nsys.exit(0)",
    "from cards import sys\nimport sys\nsys.exit(0)",
    "import operator, shutil\noperator.methodcaller('system', 'ls')(shutil.os)",
    "import sys\nfrom operator import methodcaller\nbye = methodcaller('exit', 0)\nbye(sys)",
]


@pytest.mark.parametrize(
    "source",
    [
        "from statistics import Counter\nCounter('a')",
        "import statistics\nstatistics.Counter('a')",
        "from typing import Counter as K\nK('a')",
    ],
)
def test_a_forbidden_name_is_found_in_other_standard_modules(source: str, tmp_path: Path) -> None:
    assert findings(ForbiddenNames(("collections.Counter",)), source, tmp_path)
    assert not findings(ForbiddenNames(("quiz.Counter",)), source, tmp_path)


@pytest.mark.parametrize("source", WAYS_TO_A_FORBIDDEN_NAME)
def test_a_forbidden_name_is_found_by_other_ways(source: str, tmp_path: Path) -> None:
    assert findings(ForbiddenNames(("eval", "sys.exit", "os", "os.system")), source, tmp_path)


HONEST_NAMES = [
    "eval = 0\nfor n in 1, 2:\n    eval += n\nprint(eval)",
    "def total(ns):\n    eval = 0\n    for n in ns:\n        eval = eval + n\n    return eval",
    "def total(eval, *ns):\n    return [eval + n for n in ns]",
    "for eval in 1, 2:\n    print(eval)",
    "print([eval for eval in (1, 2)], lambda eval: eval)",
    "if __name__ == '__main__':\n    eval = 0\n    while eval < 3:\n        eval += 1\n    print(eval)",
    "if input():\n    eval = 1\nelse:\n    eval = 2\nprint(eval)",
    "def main():\n    return eval([1])\ndef eval(ns):\n    return ns and ns[0] + eval(ns[1:])\nmain()",
    "def add(n):\n    global eval\n    eval = eval + n\neval = 0\nadd(1)",
    "def f():\n    eval = 0\n    def g():\n        nonlocal eval\n        eval = eval + 1\n    g()\n    return eval",
    "try:\n    n = int(input())\nexcept ValueError as eval:\n    n = 0",
    "class Quiz:\n    def exit(self, n): ...\nq = Quiz()\nq.exit(0)",
    "import sys\nq = sys\ndef f():\n    q = 1\n    q.quit(0)",
    "import sys\nprint('bye', file=sys.stderr)\nhelp(sys)",
    "import sys\ndef f(module):\n    return module.path\nf(sys)",
    "import sys\nimport json as sys2\nsys2.exit()",
    "def f(sys):\n    return [sys], sys.exit",
    "from operator import methodcaller\nplayers = []\nlist(map(methodcaller('exit'), players))",
    "model = [1]\ngetattr(model, 'eval')",
    "def f(player):\n    return getattr(player, 'eval')(1)",
    "scores = {}\nscores['eval'] = 1\nprint(scores['eval'])",
    "def f(deck):\n    return vars(deck)['eval']",
    "print('sys.exit', 'eval')",
    "import sys\nargs = sys.argv\nargs.exit",
    "a = b = a",
    "a = b\nb = a\na.exit(0)",
    "while True:\n    try:\n        eval = int(input())\n        break\n    except ValueError: ...\nprint(eval)",
    "try:\n    eval = int(input())\nexcept ValueError:\n    print()\nelse:\n    print(eval)",
    "for n in 1, 2:\n    if n == 1 or n > eval:\n        eval = n\nprint(eval)",
    "match input():\n    case 'a':\n        eval = 1\n    case _:\n        eval = 2\nprint(eval)",
    "match input():\n    case eval if eval > 'a':\n        print(eval)",
    "if (eval := input()) > 'a':\n    print(eval)",
    "with open('x') as eval:\n    eval.read()\n    eval('1')",
    "try: ...\nexcept ValueError as eval:\n    print(eval)",
    "def show():\n    print(eval)\nif __name__ == '__main__':\n    while True:\n        eval = 1\n        show()",
    "def start():\n    global eval\n    eval = 0\ndef show():\n    return eval + 1",
    "import importlib\nimportlib.import_module('json').loads('1')",
    "def eval(n):\n    return n\nx = eval(1)\nprint(type(x), x.__class__)",
    "class Shop:\n    def import_module(self, name): ...\nShop().import_module('sys').exit(0)",
    "from operator import attrgetter\nprint(sorted([], key=attrgetter('eval')))",
    "from operator import attrgetter\nplayers = []\nattrgetter('eval')(players)",
    "scores = {}\nscores.get('eval')\nscores.get('ev' + 'al')\nscores.pop('eval', 0)",
    "def f(player, name):\n    return getattr(player, 'ev' + name)",
    "import numpy\nnumpy.sys.exit(0)",
    "import pandas\npandas.eval('1')",
    "import quiz\nquiz.sys.exit(0)",
    "globals()['score'] = 1\nprint(globals()['score'])",
    "name = 'sys' + '.exit'\nprint(name)",
    "menu = {'eval': print}\nmenu['eval']('1')",
    "match input():\n    case 'eval' | 'exec':\n        print(1)",
    "a = ''\n" + "".join(f"a{n + 1} = a{n} + a{n}\n" for n in range(40)) + "getattr(a, a40)",
    "eval = 1\nprint(1 if eval else 0)\ndel eval",
    "for eval in 1, 2:\n    print(eval)\ndel eval",
    "class Sys:\n    def exit(self): ...\nsys = Sys()\nsys.exit()",
    "class Sys: ...\ndef main():\n    sys = Sys()\n    sys.exit()",
    "def close(sys):\n    sys.exit()",
    "for sys in []:\n    sys.exit()",
    "with open('x') as sys:\n    sys.exit()",
    "a = b = c\nb = a + a\na = b + b\ngetattr(a, b)",
]


@pytest.mark.parametrize("source", HONEST_NAMES)
def test_names_that_only_look_forbidden(source: str, tmp_path: Path) -> None:
    assert findings(ForbiddenNames(("eval", "sys.exit")), source, tmp_path) == []


OPEN_USES = [
    "import sys\nimport quiz\nq = sys\nq = quiz\nq.exit(0)",
    "import sys\nq = sys\ndef f(q):\n    q.exit(0)",
    "import sys\nimport cards as sys\nsys.exit(0)",
    "import sys as q\nq.exit()\nimport math as q",
    "def f():\n    import math as sys\nimport sys\nsys.exit(0)\nfrom cards import sys",
    "import sys\ndef f(m):\n    m.exit()\nf(sys)",
    "import sys\ndef f(m=sys):\n    m.exit()",
    "import sys\nfor m in (sys,):\n    m.exit()",
    "import sys\nmodules = {'a': sys}\nmodules['a'].exit()",
    "import sys\nclass A:\n    m = sys\nA.m.exit()",
    "import sys\nclass A: ...\nA.m = sys\nA.m.exit()",
    "import sys\ndef f():\n    return sys\nf().exit()",
    "import sys\n(lambda: sys)().exit()",
    "import sys\nmatch sys:\n    case object(exit=e):\n        e()",
    "import sys\nfrom operator import methodcaller\nlist(map(methodcaller('exit'), [sys]))",
    "import sys\nfrom functools import partial\npartial(getattr, sys)('exit')()",
    "import sys\ngetattr(*(sys, 'exit'))()",
    "\n".join(f"import a{number} as q" for number in range(9)),
]


@pytest.mark.parametrize("source", OPEN_USES)
def test_what_may_be_a_forbidden_name_is_for_a_person(source: str, tmp_path: Path) -> None:
    with pytest.raises(UncheckedSourceError):
        findings(ForbiddenNames(("eval", "sys.exit")), source, tmp_path)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("import tools\ntools.sys.exit(0)", "import sys"),
        ("import tools as t\nt.q.exit(0)", "import sys\nq = sys"),
        ("from tools import sys\nsys.exit(0)", "import sys"),
        ("from tools import q as r\nr.exit(0)", "import sys as q"),
        ("from tools import *\nq.exit(0)", "import sys as q"),
    ],
)
def test_a_module_of_the_student_cannot_hand_on_another_module(text: str, tools: str, tmp_path: Path) -> None:
    assert found_with_modules(FORBIDDEN, text, tmp_path, tools=tools) == ["sys.exit may not be used"]


def test_a_module_of_the_student_may_return_another_module(tmp_path: Path) -> None:
    tools = "import sys\ndef f():\n    return sys\n"
    with pytest.raises(UncheckedSourceError, match="it is not clear what happens to sys"):
        found_with_modules(FORBIDDEN, "import tools\ntools.f().exit()", tmp_path, tools=tools)
    assert found_with_modules(FORBIDDEN, "import tools\ntools.f().path", tmp_path, tools=tools) == []


def test_packages_have_modules_of_names_that_other_modules_have(tmp_path: Path) -> None:
    honest = "import collections.abc, concurrent.futures, numpy\ncollections.abc.Set\nnumpy.random.random()\n"
    assert findings(ForbiddenNames(("abc", "random", "random.random", "os.path")), honest, tmp_path) == []


WAYS_TO_CHANGE_A_MODULE = [
    "import cards\ncards.__dict__['VALUE'] = 5",
    "import cards\ndef f():\n    vars(cards)['VALUE'] = 5",
    "import cards\ndef f():\n    setattr(cards, 'VALUE', 5)",
    "import cards\nc = cards\nc.VALUE = 5",
    "import cards\ndef f():\n    c = cards\n    c.VALUE = 5",
    "import cards\ndef f():\n    k = cards.Card\n    k.f = lambda self: 2",
    "from cards import Card\nk = Card\nk.f = None",
    "import cards\nc = cards\nsetattr(c, 'VALUE', 5)",
    "import cards\nc = cards\ndel c.Card",
    "import cards\ndef f():\n    c = cards\n    c.__dict__['VALUE'] = 5",
    "from cards import Deck\ndelattr(Deck, 'deal')",
    "from cards import Deck\ntype.__setattr__(Deck, 'deal', int)",
    "from cards import *\nDeck.deal = int",
    "from cards import Deck\ndeck = Deck()\ntype(deck).deal = int",
    "import cards\ndef f():\n    deck = cards.Deck()\n    deck.__class__.deal = int\ndef g():\n    deck = cards.Deck()",
    "from cards import Deck\ntype(Deck()).deal = int",
    "from cards import Deck\ndeck = None\ndeck = Deck()\nsetattr(type(deck), 'deal', int)",
    "from cards import Deck\nimport sys\nsys.modules['cards'] = print",
    "import cards, sys\nsys.modules['cards'].Deck = int",
    "import cards\nclass Game:\n    cards = []\n    def start(self):\n        cards.Deck = int",
    "import cards\nvars(cards).pop('VALUE')",
    "import cards\ncards.__dict__.clear()",
    "import cards\ncards.__dict__.__ior__({'VALUE': 1})",
    "import cards\nvars(cards).setdefault('VALUE', 1)",
    "import cards\nspace = vars(cards)\nspace['VALUE'] = 1",
    "import cards\nvars(cards).__setitem__('VALUE', 1)",
    "import cards\ncards.__setattr__('VALUE', 1)",
    "import cards\nobject.__setattr__(cards.Card, 'deal', 1)",
    "import cards\ncards.helper.__globals__['VALUE'] = 1",
    "from cards import helper\nhelper.__globals__.update(VALUE=1)",
    "import cards, operator\noperator.setitem(vars(cards), 'VALUE', 1)",
    "import cards\nfrom operator import delitem as d\nd(cards.__dict__, 'VALUE')",
    "import cards\ns = setattr\ns(cards, 'VALUE', 1)",
    "import cards, builtins\nbuiltins.setattr(cards, 'VALUE', 1)",
    "import cards\nlist(map(setattr, [cards], ['VALUE'], [1]))",
    "import cards\ndef f(m):\n    m.VALUE = 3\nf(cards)",
    "import cards\ndef f(a, *, m):\n    m.VALUE = 3\nf(1, m=cards)",
    "import cards\ndef f(m=cards):\n    del m.VALUE",
    "import cards\ndef f(*, m=cards):\n    vars(m)['VALUE'] = 3",
    "import cards\ndef f(kind):\n    setattr(kind, 'deal', 1)\nf(cards.Card)",
    "import cards\ndef f(m):\n    g(1, m)\ndef g(n, m):\n    m.VALUE = 3\nf(cards)",
    "import cards\n(lambda m: setattr(m, 'VALUE', 1))(cards)",
    "import cards\nf = lambda m: setattr(m, 'VALUE', 1)\nf(cards)",
    "import cards\nfor m in (cards,):\n    m.VALUE = 3",
    "import cards\nfor n, m in [(1, []), (2, cards)]:\n    m.VALUE = 3",
    "import cards\nfor kind in [cards.Card, cards.Deck]:\n    kind.deal = 3",
    "import cards\n[setattr(m, 'VALUE', 1) for m in [cards]]",
    "import cards\nwith open('cards.py', 'w') as file: ...",
    "import cards\nopen(file='./cards.py', mode='a')",
    "import cards\nname = 'cards' + '.py'\nopen(name, 'r+')",
    "import cards\nopen(cards.__file__, 'wb')",
    "import cards\nfrom pathlib import Path\nPath('cards.py').write_text('')",
    "import cards\nfrom pathlib import Path\nfile = Path('cards.py')\nfile.open('w')",
    "import cards, os\nos.replace('mine.py', 'cards.py')",
    "import cards, shutil\nshutil.copy('mine.py', 'cards.py')",
]


@pytest.mark.parametrize("source", WAYS_TO_CHANGE_A_MODULE)
def test_a_module_is_changed_by_other_ways(source: str, tmp_path: Path) -> None:
    assert ["is changed" in one for one in findings(PROVIDED, source, tmp_path)] == [True]


HONEST_USES_OF_A_MODULE = [
    "import cards\nspace = dict(vars(cards))\nspace.pop('VALUE')",
    "import cards\nprint(vars(cards).get('VALUE'))\ntotals = {}\ntotals.setdefault(1, []).append(cards.VALUE)",
    "import cards\ndef f(): ...\nf.__globals__['x'] = 1\nlist(map(setattr, [f], ['x'], [1]))",
    "import cards, operator\nhands = {}\noperator.setitem(hands, 'a', cards.Card())",
    "import cards\nclass Game: ...\nc = Game()\nc.VALUE = 5",
    "import cards\ncard = cards.Card()\ncard.owner = 1",
    "import cards\nk = cards.Card\nprint(k())",
    "import cards\ntotal = cards.VALUE",
    "import cards\ndef f():\n    best = cards.VALUE\n    best += 1\n    return best",
    "import cards\nclass Game: ...\ndef f():\n    c = Game()\n    c.VALUE = 5",
    "import cards\ndef f(deck):\n    deck.top = 3\nf(cards.Deck())",
    "import cards\ndef f(m, deck):\n    deck.top = m.helper()\nf(cards, [])",
    "import cards\ndef f(m):\n    m = []\n    m.top = 1\nf(cards.Card)",
    "import cards\ndef f(player, kind):\n    player.kind = kind\nf([], cards.Deck)",
    "import cards\nclass Player:\n    def __init__(self, kind):\n        self.kind = kind\nPlayer(cards.Deck)",
    "import cards\nfor kind in (cards.Card, cards.Deck):\n    kind().owner = 1",
    "import cards\nclass Game: ...\nprint(cards)\ngame = Game()\ngame.owner = 1",
    "import cards\nmodules = [cards]",
    "import cards\nprint(open('cards.py').read(), open('cards.txt', 'w'))",
    "import cards, shutil\nshutil.copy('cards.py', 'copy.py')",
    "import cards\nexec('x = 1')",
    "import cards\ndef f(card):\n    card.__dict__['owner'] = 1\n    setattr(card, 'owner', 2)",
    "import cards\ndef f(Card):\n    setattr(Card, 'owner', 2)\n    Card.__dict__['owner'] = 1",
    "import cards\nc = cards\nvalues = {}\nvalues['VALUE'] = c.VALUE",
    "from cards import Deck\nhand = Deck().deal(3)\ncards = hand\ncards.owner = 1\npile = cards\npile.owner = 2",
    "from cards import Deck\ncards = []\nfor cards in [1], [2]: ...",
    "from cards import *\ncards = Deck()",
    "import cards as c\ncards = c.Deck()",
    "from cards import Deck\ndef cards(n):\n    return Deck().deal(n)",
    "from cards import Deck\nfor Card in Deck().deal(3): ...",
    "from cards import Deck\ndef helper(deck): ...",
    "import cards\nhelper = cards.helper()",
    "import cards\ndef helper():\n    found = cards.helper()\n    return found + 1",
    "from cards import Deck\nclass Pile: ...\npile = Pile()\ntype(pile).deal = int\npile.__class__.deal = int",
    "import cards\nclass Hand:\n    def __init__(self):\n        self.__class__.count = 1",
    "import cards\ndef f(cards):\n    cards.deck.top.owner = 1",
    "import cards\nclass Game:\n    Deck = int\n    Deck.owner = 1",
    "import cards\nprint([setattr(cards, 'owner', 1) for cards in ([], [])])",
]


OPEN_USES_OF_A_MODULE = [
    "import cards\nclass Game: ...\ndef f():\n    c = cards\n    c = Game()\n    c.VALUE = 5",
    "import cards\nc = cards\nc = cards\nc.VALUE = 5",
    "import cards\nmodules = [cards]\nmodules[0].VALUE = 5",
    "import cards\nmodules = {'a': cards}\nmodules['a'].VALUE = 5",
    "import cards\nfor n, m in enumerate([cards]):\n    m.VALUE = 5",
    "import cards\ndef f(*modules):\n    modules[0].VALUE = 5\nf(cards)",
    "import cards\ndef f(**modules):\n    modules['a'].VALUE = 5\nf(a=cards)",
    "import cards\nclass A: ...\nA.m = cards\nA.m.VALUE = 5",
    "import cards\nclass A:\n    m = cards\nA.m.VALUE = 5",
    "import cards\ndef f():\n    return cards\nf().VALUE = 5",
    "import cards\nmatch cards:\n    case m:\n        m.VALUE = 5",
    "import cards\nfrom functools import partial\npartial(setattr, cards, 'VALUE')(5)",
    "import cards\nexec('cards.VALUE = 5')",
    "import cards\nexec(input())",
]


@pytest.mark.parametrize("source", OPEN_USES_OF_A_MODULE)
def test_what_may_change_a_module_is_for_a_person(source: str, tmp_path: Path) -> None:
    with pytest.raises(UncheckedSourceError):
        findings(PROVIDED, source, tmp_path)


WAYS_TO_REPLACE_A_PART = [
    "import cards\ncards = cards.Deck()",
    "import cards as c\nc = c.Deck()",
    "import cards\nfor cards in [1], [2]: ...",
    "import cards\ndef cards(): ...",
    "import cards\nif input():\n    cards = None",
    "import cards\nclass Deck: ...",
    "from cards import Card\ndef Deck(): ...",
    "from cards import Card\nfrom collections import namedtuple\nDeck = namedtuple('Deck', 'cards')",
    "from cards import Card\nclass Own: ...\nDeck = Own",
    "from cards import helper\ndef helper(): ...",
    "from cards import helper\nhelper = 3",
    "from cards import helper\ndef helper(n):\n    return n and helper(n - 1)",
    "from cards import *\ndef helper(): ...",
    "from cards import *\nhelper = 3",
    "import cards\ndef helper(): ...",
    "import cards\nhelper = lambda: 3",
]


@pytest.mark.parametrize("source", WAYS_TO_REPLACE_A_PART)
def test_a_part_of_a_module_is_replaced(source: str, tmp_path: Path) -> None:
    assert ["is replaced" in one for one in findings(PROVIDED, source, tmp_path)] == [True]


@pytest.mark.parametrize("source", HONEST_USES_OF_A_MODULE)
def test_uses_of_a_module_that_change_nothing(source: str, tmp_path: Path) -> None:
    assert findings(PROVIDED, source, tmp_path) == []


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("globals()['state'] = 1", 1),
        ("globals()['new'] = 1", 1),
        ("globals()['state']['x'] = 1", 1),
        ("return globals()['state']", 1),
        ("return globals()['LIMIT']", 0),
        ("return globals()['g']()", 0),
        ("values = {}; values['state'] = 1", 0),
    ],
)
def test_variables_by_way_of_globals(body: str, count: int, tmp_path: Path) -> None:
    source = f"state = {{}}\nLIMIT = 3\ndef g(): ...\ndef f():\n    {body}\n"
    assert len(findings(GLOBALS, source, tmp_path)) == count


GUARDED = "def main(): pass\n"
TWO_SORTS = "class Deck:\n    def sort(self): pass\ndef sort(xs): pass\ndef main(): Deck().sort()\nmain()\n"


@pytest.mark.parametrize(
    ("given", "text", "count"),
    [
        (MAIN, f"{GUARDED}if __name__ != '__main__':\n    pass\nelse:\n    main()\n", 0),
        (MAIN, f"{GUARDED}if '__main__' != __name__: pass\nelse: main()\n", 0),
        (MAIN, f"{GUARDED}if not __name__ == '__main__': pass\nelse: main()\n", 0),
        (MAIN, f"{GUARDED}if __name__ != '__main__':\n    main()\n", 1),
        (MAIN, f"{GUARDED}if __name__ != '__main__' or True:\n    pass\nelse:\n    main()\n", 1),
        (MAIN, f"class Game:\n    print()\n{CALLED_MAIN}", 1),
        (MAIN, f"class Game:\n    size = 3\n    def play(self): print()\n{CALLED_MAIN}", 0),
        (MAIN, f"def ask(n=input()): pass\n{CALLED_MAIN}", 1),
        (MAIN, f"ask = lambda n=input(): n\n{CALLED_MAIN}", 1),
        (MAIN, f"@saved(input())\ndef ask(): pass\n{CALLED_MAIN}", 1),
        (MAIN, f"def ask(n=max(1, 2)): return input(n)\n{CALLED_MAIN}", 0),
        (GLOBALS, "Cards = [[1], [2]]\nhand = Cards[0]\ndef f(): hand.pop()\n", 1),
        (GLOBALS, "Cards = {}\nHand = Cards['a']\nTop = Hand[0]\ndef f(): return Top\n", 1),
        (GLOBALS, "Pair = tuple[int, int]\nPairs = list[Pair] | None\ndef f(): return Pair, Pairs\n", 0),
        (GLOBALS, "from numpy.typing import NDArray\nGrid = NDArray[int]\ndef f(): return Grid\n", 0),
        (GLOBALS, "from game import best\nbest = 3\ndef f(): return best\n", 1),
        (GLOBALS, "def best(): return 3\nbest = best()\ndef f(): return best\n", 1),
        (GLOBALS, "from cards import Card\nfor Card in 1, 2: ...\ndef f(): return Card\n", 1),
        (GLOBALS, "try:\n    import numpy as np\nexcept ImportError:\n    np = None\ndef f(): return np\n", 0),
        (GLOBALS, "def best(): return 3\nbest = counted(best)\ndef f(): return best()\n", 0),
        (GLOBALS, "def f(): return g()\ndef g(): return 1\nclass g: ...\n", 0),
        (GLOBALS, "values = [value for value in 'ab']\ndef value(n): ...\ndef f(): return value(1)\n", 0),
        (GLOBALS, "def f(): return g, h\ng = h = None\ndef g(): return 1\nclass h: ...\n", 0),
        (GLOBALS, "from functools import cache\ndef f(): return g()\ndef g(): return 1\ng = cache(g)\n", 0),
        (USED, "def deal(): pass\ndef main():\n    def deal(): pass\n    deal()\nmain()\n", 1),
        (USED, "def deal(): pass\ndef main():\n    deal = lambda: 1\n    deal()\nmain()\n", 1),
        (USED, "def deal(): pass\ndef other():\n    def deal(): pass\ndef main():\n    other(deal())\nmain()\n", 0),
        (USED, "def deal(): pass\nclass Game:\n    def deal(self): return deal()\ndef f(): Game().deal()\nf()\n", 0),
        (OWN, "class A:\n    def go(self): pass\nclass B:\n    def go(self): A().go()\nB().go()\n", 0),
        (OWN, "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\nA().go()\n", 1),
        (OWN, "class A:\n    def __str__(self): pass\nclass B:\n    def __str__(self): pass\nprint(A(), B())\n", 0),
        (OWN, "class A:\n    def __str__(self): pass\nclass B:\n    def __str__(self): pass\nprint(A())\n", 1),
        (OWN, "class A:\n    @property\n    def n(self): ...\n    @n.setter\n    def n(self, m): ...\nA().n = 1\n", 1),
        (OWN, "class A:\n    def go(self): self.up()\n    def up(self): self.go()\n", 1),
        (OWN, "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\ndef show(x): x.go()\n", 1),
        (OWN, "class A:\n    @bot.command\n    def go(self): ...\n    @bot.command\n    def up(self): ...\n", 0),
        (OWN, "def main(): pass\ndef main(): pass\nmain()\n", 1),
        (OWN, "def sort(xs): pass\ndef main(): [].sort()\nmain()\n", 1),
        (OWN, "def main():\n    def ask(): pass\n    ask()\nmain()\n", 0),
        (OWN, "def main():\n    def ask(): pass\nmain()\n", 1),
        (OwnFunctions(3), TWO_SORTS, 1),
        (OwnFunctions(2), TWO_SORTS, 0),
        (HEADER, "# Huffman coding:\nimport os\n", 0),
        (HEADER, "# Run-length encoding: (in a dialogue)\nimport os\n", 0),
        (HEADER, "\n\n# The coding: utf-8\nimport os\n", 0),
        (HEADER, "\n# vim: set fileencoding=utf-8 :\nimport os\n", 1),
        *((NAMING, f"class {name}: pass\n", 0) for name in ("War_Game", "Würfel", "Élève", "__Hand", "牌", "_K2", "K")),
        *((NAMING, f"class {name}: pass\n", 1) for name in ("war_game", "würfel", "__hand", "élève")),
        *((NAMING, f"{name} = 1\n", 0) for name in ("größe", "GRÖßE", "ÄPFEL_2", "牌", "x_ä")),
        *((NAMING, f"{name} = 1\n", 1) for name in ("größeDerHand", "Größe", "äB")),
        (NAMING, "try: ...\nexcept ValueError as Err: ...\n", 1),
        (NAMING, "try: ...\nexcept ValueError as err: ...\n", 0),
        (NAMING, "match 1:\n    case Xy: ...\n", 1),
        (NAMING, "match 1:\n    case [xy, *Rest]: ...\n    case {'a': 1, **More}: ...\n", 2),
        (NAMING, "match 1:\n    case Card(rank=n) | Deck.TOP: ...\n    case [xy, *rest]: ...\n", 0),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_and_what_is_like_it(given: SourceRule, text: str, count: int, tmp_path: Path) -> None:
    assert len(findings(given, text, tmp_path)) == count


@pytest.mark.parametrize(
    ("text", "tools", "is_found"),
    [
        ("from tools import eval\nprint(eval(1))", "def eval(n): return n", False),
        ("from tools import *\nprint(eval(1))", "def eval(n): return n", False),
        ("def f():\n    from tools import eval\n    return eval(1)", "def eval(n): return n", False),
        ("from tools import ev as eval\neval(1)", "def ev(n): return n", False),
        ("from tools import *\nprint(eval(1))", "def other(n): return n", True),
        ("from tools import *\nprint(eval(1))", "if False:\n    def eval(n): return n", True),
        ("from tools import other\nprint(eval(1))", "def eval(n): return n", True),
        ("from other import eval\nprint(eval(1))", "def eval(n): return n", True),
    ],
)
def test_a_name_from_a_module_of_the_student_is_their_own(
    text: str, tools: str, is_found: bool, tmp_path: Path
) -> None:
    assert bool(found_with_modules(FORBIDDEN, text, tmp_path, tools=tools)) is is_found


@pytest.mark.parametrize("tools", ["from builtins import eval", "eval = eval", "import builtins\neval = builtins.eval"])
def test_a_module_of_the_student_cannot_hand_on_a_forbidden_name(tools: str, tmp_path: Path) -> None:
    assert findings(FORBIDDEN, tools, tmp_path)


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("from b import deal, main", "def deal(a, b): pass\ndef main(): pass", []),
        ("from b import *", "def deal(a, b): pass\ndef main(): pass", []),
        ("from b import give as deal, main", "def give(a, b): pass\ndef main(): pass", []),
        ("from b import main", "def deal(a, b): pass\ndef main(): pass", ["there is no function deal(deck, number)"]),
        (
            "from b import deal\ndef main(): pass",
            "from a import deal",
            ["there is no function deal(deck, number)"],
        ),
        (
            "from b import deal\ndef main(): pass",
            "def deal(a): pass",
            ["the function cannot be called with 2 arguments; expected deal(deck, number)"],
        ),
    ],
)
def test_a_function_may_come_through_two_modules(first: str, second: str, wanted: list[str], tmp_path: Path) -> None:
    assert found_with_modules(REQUIRED, "from a import deal, main\n", tmp_path, a=first, b=second) == wanted


@pytest.mark.parametrize(
    "text",
    ["import a\na.deal()\na.ask()", "from a import *\ndeal(ask())", "import a as tools\ntools.deal(tools.ask())"],
)
def test_functions_of_modules_count_however_they_are_imported(text: str, tmp_path: Path) -> None:
    module = "def deal(): pass\ndef ask(): pass\n"
    assert found_with_modules(OWN, text, tmp_path, a=module) == []
    assert found_with_modules(OWN, text.replace("ask", "task"), tmp_path, a=module) != []


@pytest.mark.slow
def test_a_long_expression_is_looked_at(tmp_path: Path) -> None:
    for text in (f"x = {'+'.join(['1'] * 1200)}\n", f"x = ''{'.strip()' * 300}\n"):
        for rule in (*ALL, LENGTH):
            findings(rule, text, tmp_path)


@pytest.mark.parametrize("lookup", ["{0}(1)", "getattr({0}, {0})", "{0}.get({0})", "{0} + {0}", "{0}[{0}]"])
def test_names_that_are_looked_up_by_each_other_take_no_longer_the_more_there_are(lookup: str, tmp_path: Path) -> None:
    lines = [f"a{number + 1} = {lookup.format(f'a{number}')}" for number in range(200)]
    assert findings(FORBIDDEN, "\n".join(["a0 = ''", *lines, "getattr(a200, a200)\n"]), tmp_path) == []


@pytest.mark.parametrize(
    ("text", "is_variable"),
    [
        ("import math\nroot = math.sqrt", False),
        ("import sys\nroot = sys.stdin.readline", False),
        ("import os.path as p\nroot = p.join", False),
        ("import os\nroot = os.path", False),
        ("from math import sqrt as s\nroot = s", False),
        ("import a\nroot = a.deal", False),
        ("import a\nroot = a.Deck", False),
        ("class Deck:\n    def deal(self): pass\nroot = Deck.deal", False),
        ("def a(): pass\ndef b(): pass\nroot = a if 1 > 0 else b", False),
        ("def a(): pass\ndef b(): pass\nroot, other = a, b", False),
        ("import sys\nroot = sys.stdout", True),
        ("import math\nroot = math.pi", True),
        ("import math\nroot = math.missing", True),
        ("import a\nroot = a.deck", True),
        ("import turtle\nroot = turtle.done", True),
        ("class Deck:\n    cards = []\nroot = Deck.cards", True),
        ("def a(): pass\nroot = a if 1 > 0 else []", True),
        ("def a(): pass\nroot, other = a, []\nroot = other", True),
    ],
)
def test_another_name_of_a_function_is_no_variable(text: str, is_variable: bool, tmp_path: Path) -> None:
    module = "deck = []\ndef deal(): pass\nclass Deck: pass\n"
    text = f"{text}\ndef main():\n    return root\n"
    found = found_with_modules(GLOBALS, text, tmp_path, a=module)
    assert found == (["main() uses the global variable root"] if is_variable else [])


@pytest.mark.parametrize(
    "text", ["deal = a if 1 > 0 else b", "deal, other = a, b", "[other, (deal, third)] = [b, (a, a)]"]
)
def test_a_function_may_be_assigned_in_any_way(text: str, tmp_path: Path) -> None:
    functions = "def a(deck, number): pass\ndef b(deck, number): pass\ndef main(): pass\n"
    assert findings(REQUIRED, f"{functions}{text}\n", tmp_path) == []
    assert findings(REQUIRED, f"{functions.replace(', number', '')}{text}\n", tmp_path) != []


def test_a_main_of_a_module_may_be_called_under_the_guard(tmp_path: Path) -> None:
    text = "from core import main\n"
    guard = "if __name__ == '__main__':\n    main()\n"
    assert found_with_modules(MAIN, text + guard, tmp_path, core="def main(): pass\n") == []
    assert found_with_modules(MAIN, text, tmp_path, core="def main(): pass\n") == ["main() is never called"]
    assert found_with_modules(MAIN, text + guard, tmp_path, core="main = 3\n") == ["there is no function main()"]


RE_EXPORTS = [
    ("from pkg import deal", {"pkg/__init__": "from .core import deal"}),
    ("from pkg import deal", {"pkg/__init__": "from pkg.core import deal"}),
    ("from pkg import deal", {"pkg/__init__": "from .core import *"}),
    ("from pkg import *", {"pkg/__init__": "from .core import *"}),
    ("from pkg import deal", {"pkg/__init__": "from . import core\ndeal = core.deal"}),
    ("from pkg import deal", {"pkg/__init__": "from .core import deal as give\ndeal = give"}),
    ("from pkg import deal", {"pkg/__init__": "from .other import deal", "pkg/other": "from .core import deal"}),
    ("import pkg\ndeal = pkg.deal", {"pkg/__init__": "from .core import deal"}),
    ("import pkg.core\ndeal = pkg.core.deal", {"pkg/__init__": ""}),
    ("from pkg import core\ndeal = core.deal", {"pkg/__init__": ""}),
    ("import one\ndeal = one.deal", {"one": "from pkg.core import deal"}),
    ("import one\ndeal = one.deal", {"one": "from pkg.core import *"}),
    ("import one\ndeal = one.deal", {"one": "import pkg.core\ndeal = pkg.core.deal"}),
    ("from one import *", {"one": "from pkg.core import *"}),
]


@pytest.mark.parametrize(("text", "modules"), RE_EXPORTS)
def test_a_package_hands_on_functions(text: str, modules: dict[str, str], tmp_path: Path) -> None:
    files = {**modules, "pkg/core": "def deal(deck, number): pass\nsize = 3\n"}
    program = f"{text}\ndef main():\n    deal([], 1)\n"
    assert found_with_modules(REQUIRED, program, tmp_path, **files) == []
    assert found_with_modules(GLOBALS, program, tmp_path, **files) == []
    if "=" not in text + "".join(modules.values()):
        # It is not known what an assigned attribute is.
        files["pkg/core"] = "deal = 3\n"
        assert found_with_modules(REQUIRED, program, tmp_path, **files) != []


def test_a_required_function_of_a_package_must_take_the_arguments(tmp_path: Path) -> None:
    for init in ("from .core import deal", "from . import core\ndeal = core.deal"):
        files = {"pkg/__init__": init, "pkg/core": "def deal(deck): pass\n"}
        program = "from pkg import deal\ndef main(): pass\n"
        wanted = ["the function cannot be called with 2 arguments; expected deal(deck, number)"]
        assert found_with_modules(REQUIRED, program, tmp_path, **files) == wanted


def test_a_variable_that_a_module_hands_on_is_a_variable(tmp_path: Path) -> None:
    for module in ("from two import deck", "from two import *", "import two\ndeck = two.deck"):
        files = {"one": module, "two": "deck = []\n"}
        program = "import one\ncards = one.deck\ndef main():\n    return cards\n"
        assert found_with_modules(GLOBALS, program, tmp_path, **files) == ["main() uses the global variable cards"]


@pytest.mark.parametrize(
    "body",
    [
        "return [total for _ in (1,)]",
        "return {total for _ in (1,)}",
        "return {n: total for n in (1,)}",
        "return sum(n * total for n in (1, 2))",
        "return [n for n in (1, 9) if n < total]",
        "return [[total for _ in row] for row in (1,)]",
        "return [(lambda: total)() for _ in (1,)]",
        "return lambda: [total for _ in (1,)]",
        "class A:\n        best = [total for _ in (1,)]",
    ],
)
def test_a_global_variable_is_found_in_comprehensions(body: str, tmp_path: Path) -> None:
    for function in ("main", "listcomp", "genexpr"):
        found = findings(GLOBALS, f"total = 7\ndef {function}():\n    {body}\n", tmp_path)
        assert [f"{function}() uses the global variable total" in one for one in found] == [True]


@pytest.mark.parametrize("body", ["return [total for total in (1,)]", "total = 1\n    return [total for _ in (1,)]"])
def test_a_variable_of_a_comprehension_is_not_global(body: str, tmp_path: Path) -> None:
    assert findings(GLOBALS, f"total = 7\ndef main():\n    {body}\nprint([total for _ in (1,)])\n", tmp_path) == []


FAKE = "def helper(): return 1\nclass cards:\n    Card = int\n"
IMPORTS_THAT_REPLACE = [
    "import cards\nimport fake as cards",
    "import cards as c\nimport fake as c",
    "from cards import helper\nfrom fake import helper",
    "from cards import helper\nfrom fake import other as helper",
    "import cards\nfrom fake import cards",
    "import cards\nfrom fake import *",
    "from cards import *\nfrom fake import *",
    "from cards import helper\nimport fake\nhelper = fake.helper",
    "from cards import Card as sqrt\nfrom math import *",
    "from cards import Card as shuffle\nfrom random import *",
]


@pytest.mark.parametrize("text", IMPORTS_THAT_REPLACE)
def test_an_import_replaces_a_part_of_a_module(text: str, tmp_path: Path) -> None:
    assert ["is replaced" in one for one in found_with_modules(PROVIDED, text, tmp_path, fake=FAKE)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "import cards\nif input():\n    import fake as cards",
        "try:\n    import cards\nexcept ImportError:\n    from fake import cards",
        "try:\n    from cards import helper\nexcept ImportError:\n    def helper(): ...",
        "import cards\ndef f():\n    global cards\n    import fake as cards\nf()",
        "import cards\ntry: ...\nexcept ValueError as cards: ...",
        "from cards import helper\nmatch input():\n    case helper: ...",
        "import sys, fake\nsys.modules.update(cards=fake)\nimport cards",
        "import sys, fake\nsys.modules |= {'cards': fake}\nimport cards",
        "import sys, fake\nname = input()\nsys.modules[name] = fake\nimport cards",
        "from sys import modules as m\nimport fake\nm.setdefault('cards', fake)\nimport cards",
        "import sys\nmodules = sys.modules\nmodules.pop('cards')\nimport cards",
        "import sys\nsys.meta_path.insert(0, object())\nimport cards",
        "import cards, fake\nglobals()['cards'] = fake",
        "import cards, fake\nglobals().update(cards=fake)",
        "import cards, fake\nspace = globals()\nspace['cards'] = fake",
        "import cards, fake, sys\nsetattr(sys.modules[__name__], 'cards', fake)",
        "import cards, fake, __main__\n__main__.cards = fake",
    ],
)
def test_what_may_replace_a_module_is_for_a_person(text: str, tmp_path: Path) -> None:
    with pytest.raises(UncheckedSourceError):
        found_with_modules(PROVIDED, text, tmp_path, fake=FAKE)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("import cards\nfrom tools import *", "import cards\ndef deal(): return cards.Card()"),
        ("from cards import *\nfrom tools import *", "from cards import Card\nclass Card(Card): ..."),
        ("from cards import Card\nfrom tools import Card", "from cards import Card"),
        ("from tools import cards\nimport cards", "import cards"),
        ("from tools import *\nfrom cards import *", "def helper(): ..."),
        ("import cards\nfrom math import *\nfrom random import *", ""),
        ("import cards\nfrom tkinter import *", ""),
        ("import cards\nimport cards as c\nfrom cards import Card\nfrom cards import Card", ""),
        ("import cards\ndef f():\n    from tools import helper as cards\n    return cards", "def helper(): ..."),
        ("import cards\ndef f():\n    try: ...\n    except ValueError as cards:\n        print(cards)", ""),
        ("import cards, sys\nprint('tools' in sys.modules, sys.modules[__name__], sys.modules.get('os'))", ""),
        ("import cards\nglobals()['score'] = 1", ""),
        ("import cards, sys\nsys.path.append('.')", ""),
    ],
)
def test_imports_that_leave_a_module_as_it_is(text: str, tools: str, tmp_path: Path) -> None:
    assert found_with_modules(PROVIDED, text, tmp_path, tools=tools) == []


DECOY = "def eval(text):\n    return 0\n"
DECOYS_TAKEN_AWAY = [
    f"{DECOY}from builtins import *\neval('1')",
    f"from builtins import *\n{DECOY}eval('1')",
    f"{DECOY}try:\n    1 / 0\nexcept ZeroDivisionError as eval:\n    pass\neval('1')",
    f"{DECOY}def f():\n    global eval\n    try: ...\n    except ValueError as eval: ...\nf()\neval('1')",
    f"{DECOY}import sys\ndelattr(sys.modules[__name__], 'eval')\neval('1')",
    f"{DECOY}import sys\ngetattr(sys.modules[__name__], '__delattr__')('eval')\neval('1')",
    f"{DECOY}globals().clear()\neval('1')",
    f"{DECOY}f = globals\nf().pop('eval')\neval('1')",
    f"{DECOY}import __main__\ndel __main__.eval\neval('1')",
    f"{DECOY}exec('del eval')\neval('1')",
    "def f():\n    return eval('1')\nf()\n" + DECOY,
    "def f():\n    return eval('1')\nclass A:\n    x = f()\n" + DECOY,
    "def f():\n    return eval('1')\nx = list(map(f, []))\n" + DECOY,
]


@pytest.mark.parametrize("text", DECOYS_TAKEN_AWAY)
def test_a_name_that_the_program_may_lose_is_for_a_person(text: str, tmp_path: Path) -> None:
    with pytest.raises(UncheckedSourceError, match="it is not clear what eval means after this"):
        findings(ForbiddenNames(("eval",)), text, tmp_path)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("from tools import *\neval('1')", f"{DECOY}try: ...\nexcept ValueError as eval: ..."),
        ("from tools import *\neval('1')", f"{DECOY}delattr(__import__('tools'), 'eval')"),
        ("import tools\ntools.__all__ = []\nfrom tools import *\neval('1')", DECOY),
        (f"import tools\n{DECOY}tools.f()\neval('1')", "import __main__\ndef f():\n    del __main__.eval"),
    ],
)
def test_a_name_that_a_module_may_lose_is_for_a_person(text: str, tools: str, tmp_path: Path) -> None:
    with pytest.raises(UncheckedSourceError, match="it is not clear what eval means after this"):
        found_with_modules(ForbiddenNames(("eval",)), text, tmp_path, tools=tools)


@pytest.mark.parametrize(
    ("names", "is_found"), [("[]", True), ("('other',)", True), ("['eval']", False), ("('eval', 'other')", False)]
)
def test_a_module_hands_on_the_names_that_it_lists(names: str, is_found: bool, tmp_path: Path) -> None:
    tools = f"__all__ = {names}\n{DECOY}"
    found = found_with_modules(ForbiddenNames(("eval",)), "from tools import *\neval('1')", tmp_path, tools=tools)
    assert bool(found) is is_found


@pytest.mark.parametrize(
    "text",
    [
        f"{DECOY}from math import *\nfrom random import *\neval('1')",
        f"{DECOY}def f():\n    try: ...\n    except ValueError as eval:\n        print(eval)\nf()\neval('1')",
        f"def main():\n    print(eval('1'))\n{DECOY}main()",
        f"LIMIT = int('3')\nprint('Welcome')\ndef main():\n    print(eval('1'))\n{DECOY}main()",
        "def f(eval):\n    globals()['x'] = 1\n    return eval + 1 if len(vars()) else delattr(f, 'x')",
        "eval = 0\nfor n in 1, 2:\n    eval += n\nprint(eval, {}.keys())",
    ],
)
def test_a_name_that_the_program_keeps_is_its_own(text: str, tmp_path: Path) -> None:
    assert findings(ForbiddenNames(("eval",)), text, tmp_path) == []
