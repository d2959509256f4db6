"""Function tests, run for real: what a call returns, prints and changes, and everything that can go wrong in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.expected_call import ExpectedCall, ExpectedStep
from grader.model.interaction import CallCheck, CardsModule, FunctionCall
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import CallResult, Outcome, Termination
from grader.model.plain_values import Plain
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.function_calls.judge import judge_call
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.tests_file import USUAL_CHECKS
from grader.store.stored_values import decode_outcome, encode_outcome
from tests import ROOT
from tests.building import TEST, call_of
from tests.sandbox import needs_sandbox

CARDS = ROOT / "reference" / "cards.py"
LIMITS = Limits(wall_seconds=20)
FALSE = ExpectedCall((ExpectedStep(returned=False),), printed="", given={})


@pytest.fixture(scope="module", params=["processes", pytest.param("forks", marks=[pytest.mark.slow, needs_sandbox])])
def environment(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    with open_environment() if request.param == "processes" else sandboxed_environment(()) as opened:
        yield opened


@dataclass(frozen=True)
class Runner:
    """Calls functions of programs made on the spot."""

    environment: RunEnvironment
    folder: Path

    def test(self, expression: str, *lines: str, given: dict[str, Plain] | None = None, setup: str = "") -> Test:
        statements = (setup,) if setup else ()
        call = FunctionCall(
            calls=(expression,),
            variables=given or {},
            setup=statements,
            checks=frozenset(USUAL_CHECKS),
            cards=CardsModule("cards.py", "Card", "Deck"),
            lines=lines,
        )
        return replace(TEST, interaction=call)

    def run(self, program: str, test: Test, limits: Limits = LIMITS) -> Outcome:
        file = self.folder / "game.py"
        file.write_text(program)
        with self.environment.runner(((CARDS, "cards.py"), (file, "game.py"))) as runner:
            return runner.run(test, limits, Isolation.FORK, {})

    def judge(self, program: str, test: Test, expected: ExpectedCall = FALSE, limits: Limits = LIMITS) -> Judgement:
        return judge_call(test, call_of(test), expected, self.run(program, test, limits))


@pytest.fixture
def runner(environment: RunEnvironment, tmp_path: Path) -> Runner:
    return Runner(environment, tmp_path)


def called(outcome: Outcome) -> CallResult:
    assert outcome.call is not None
    return outcome.call


@pytest.mark.parametrize(
    "replaced",
    [
        "io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')",
        "codecs.getwriter('utf-8')(sys.stdout.detach())",
        "type('Out', (), {'write': lambda self, text: os.write(1, text.encode())})()",
    ],
)
def test_a_program_may_replace_where_it_prints(replaced: str, runner: Runner) -> None:
    program = f"import codecs, io, os, sys\nsys.stdout = {replaced}\ndef f():\n    print('é')\n    return 3\n"
    outcome = runner.run(program, runner.test("f()"))
    assert (called(outcome).returned, outcome.transcript) == (3, "é\n")


# Programs run without the packages of the suite, so a class stands for that of numpy's numbers.
NUMPY = """\
import sys
import types


class Int64:
    def __init__(self, number):
        self.number = number

    def item(self):
        return self.number


sys.modules["numpy"] = types.SimpleNamespace(generic=Int64)


def counts():
    return [Int64(3), Int64(False)]
"""


def test_numbers_of_numpy_are_those_of_python(runner: Runner) -> None:
    assert called(runner.run(NUMPY, runner.test("counts()"))).returned == [3, False]


SHADOWS = """\
list = [3, 4]
sum = 0
for x in list:
    sum += x


def sorted(items):
    return ["own"]


def evens():
    yield from (2, 0, sum)
"""


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [("list(evens())", [2, 0, 7]), ("sum(x for x in evens())", 9), ("sorted(evens())", ["own"])],
)
def test_a_variable_of_the_program_hides_no_built_in_from_a_call(
    expression: str, wanted: Plain, runner: Runner
) -> None:
    assert called(runner.run(SHADOWS, runner.test(expression))).returned == wanted


VALUES: list[tuple[str, Plain]] = [
    ("None", None),
    ("True", True),
    ("[1, 2.5, 'a♥', []]", [1, 2.5, "a♥", []]),
    ("(1,)", {"tuple": [1]}),
    ("{2, 1}", {"set": [1, 2]}),
    ("{1: 'a', (2,): None}", {"dict": [[1, "a"], [{"tuple": [2]}, None]]}),
    ("float('nan'), float('-inf')", {"tuple": [{"number": "nan"}, {"number": "-inf"}]}),
    ("10 ** 400", 10**400),
    ("-(16 ** 5000)", {"number": "-0x1" + "0" * 5000}),
    ("b'a', range(3), 1 + 2j", {"tuple": [{"shown": "b'a'"}, {"shown": "range(0, 3)"}, {"shown": "(1+2j)"}]}),
    ("__import__('collections').Counter('aab')", {"dict": [["a", 2], ["b", 1]]}),
    ("type('Point', (tuple,), {'__iter__': None})((1, 2))", {"tuple": [1, 2]}),
    ("__import__('enum').IntEnum('Rank', 'ACE TWO').TWO", 2),
    ("type('S', (str,), {'__str__': None, '__len__': None})('a')", "a"),
    ("type('F', (float,), {'__sub__': None})(2.5)", 2.5),
    ("type('F', (float,), {'__repr__': None})('inf')", {"number": "inf"}),
    ("type('I', (int,), {'__abs__': None})(16 ** 5000)", {"number": "0x1" + "0" * 5000}),
    ("type('B', (bytes,), {'__repr__': None})(b'a')", {"shown": "b'a'"}),
    ("{type('S', (str,), {})('a'): [type('I', (int,), {})(3)]}", {"dict": [["a", [3]]]}),
    ("'\\udc80'", "\udc80"),
    ("Exception('x')", {"object": "an object of Exception"}),
    ("[Card(10, 4), Card(1, 3), Card()]", [{"card": "10♠"}, {"card": "A♥"}, {"card": "XX"}]),
]


@pytest.mark.parametrize(("expression", "wanted"), VALUES)
def test_any_value_comes_back_in_plain_form(expression: str, wanted: Plain, runner: Runner) -> None:
    outcome = runner.run(f"from cards import Card\ndef f():\n    return {expression}\n", runner.test("f()"))
    assert (outcome.ending, outcome.exit_code, outcome.transcript) == (Termination.EXITED, 0, "")
    assert called(outcome).returned == wanted


def test_a_value_that_is_too_large_is_told(runner: Runner) -> None:
    outcome = runner.run("def f(a):\n    a.append('x' * 10 ** 7)\n    return a\n", runner.test("f(a)", given={"a": []}))
    too_large: Plain = {"object": "a value too large to compare"}
    assert (called(outcome).returned, called(outcome).given) == (too_large, {"a": too_large})


def test_a_value_that_holds_itself_ends_somewhere(runner: Runner) -> None:
    outcome = runner.run("def f():\n    a = []\n    a.append(a)\n    return a\n", runner.test("f()"))
    assert "a value nested very deeply" in repr(called(outcome).returned)


def test_cards_and_decks_are_given_and_what_became_of_them_is_told(runner: Runner) -> None:
    program = "def f(tableau, stock):\n    tableau[0].append(stock.deal())\n    tableau[1][0].flip_card()\n"
    cards: list[Plain] = [{"card": "3♥"}, {"card": "K♣ face down"}]
    given: dict[str, Plain] = {"tableau": [[], [{"card": "A♠"}]], "stock": {"deck": cards}}
    outcome = runner.run(program, runner.test("f(tableau, stock)", given=given))
    assert called(outcome).given == {
        "tableau": [[{"card": "3♥"}], [{"card": "A♠ face down"}]],
        "stock": {"deck": [{"card": "K♣ face down"}]},
    }


@pytest.mark.parametrize("own", ["[]", "[1, 2]", "[cards.Card(1, 1)]"])
@pytest.mark.parametrize("place", ["        self.own = {own}\n{init}", "{init}        self.own = {own}\n"])
def test_a_deck_of_a_derived_class_may_have_lists_of_its_own(own: str, place: str, runner: Runner) -> None:
    begun = place.format(own=own, init="        super().__init__()\n")
    program = (
        f"import cards\nclass Stock(cards.Deck):\n    def __init__(self):\n{begun}"
        "def f():\n    stock = Stock()\n    while len(stock) > 2:\n        stock.deal()\n    return stock\n"
    )
    outcome = runner.run(program, runner.test("f()"))
    assert called(outcome).returned == {"deck": [{"card": "2♣"}, {"card": "A♣"}]}


@pytest.mark.parametrize(
    ("program", "expression", "returned"),
    [
        ("list = [3]\ndef f():\n    yield 1\n", "list(f())", [1]),
        ("sum = 0\nimport math\ndef f():\n    return 1, 2\n", "sum(f()) + math.floor(0.5)", 3),
        ("sum = 5\n", "sum", 5),
        ("def sum(numbers):\n    return 'own'\n", "sum([1])", "own"),
        ("abs = 'x'\nclass A:\n    def abs(self):\n        return 2\n", "abs * A().abs()", "xx"),
    ],
)
def test_names_of_python_that_a_program_uses_for_values(
    program: str, expression: str, returned: Plain, runner: Runner
) -> None:
    assert called(runner.run(program, runner.test(expression))).returned == returned


def test_a_setup_comes_before_the_call(runner: Runner) -> None:
    test = runner.test("f(n)", given={"n": [1]}, setup="n.append(2)")
    assert called(runner.run("def f(n):\n    return n[::-1]\n", test)).returned == [2, 1]


def test_what_is_printed_and_typed_during_the_call_is_its_transcript(runner: Runner) -> None:
    program = "print('imported')\ndef f():\n    print('a')\n    return input('? ')\n"
    program += "import atexit\natexit.register(print, 'b')\n"
    outcome = runner.run(program, runner.test("f()", "x y"))
    assert (outcome.transcript, called(outcome).returned) == ("a\n? x y\n", "x y")
    assert [(typed.offset, typed.text) for typed in outcome.typed] == [(4, "x y")]


LISTS: list[tuple[str, Plain, str]] = [
    ("return False", False, ""),
    (
        "return None",
        False,
        "False expected, found None: does every path through it",
    ),
    ("return 0", False, "The function returns the wrong value: False expected, found 0."),
    ("return '3'", 3, "The function returns the wrong value: 3 expected, found the text '3'."),
    ("return [1, [2]]", [1, [2, 3]], "The function returns the wrong value: returned[1][1]: 3 expected, missing."),
    ("return [1, 4, 4]", [1], "returned[1]: 4 should not be there (1 more difference)."),
    ("return (1, 2)", [1, 2], "the list [1, 2] expected, found the tuple (1, 2)."),
    ("return 'Zoe\\u0308'", "Zoë", "`'Zoë'` expected, found `'Zoe<U+0308>'`."),
    ("return ['a\\u2011b']", ["a-b"], "returned[0]: `'a-b'` expected, found `'a<U+2011>b'`."),
    ("return 'a b'", "ab", "'ab' expected, found 'a b'."),
    ("return Card(3, 3)", "3♥", "'3♥' expected, found 3♥."),
]


@pytest.mark.parametrize(("body", "returned", "said"), LISTS)
def test_a_wrong_value_is_told_where_it_differs(body: str, returned: Plain, said: str, runner: Runner) -> None:
    program = f"from cards import Card\ndef f():\n    {body}\n"
    judgement = runner.judge(program, runner.test("f()"), replace(FALSE, steps=(ExpectedStep(returned),)))
    assert judgement.verdict is (Verdict.WRONG_OUTPUT if said else Verdict.PASSED)
    assert said in (judgement.diagnosis.sentence if judgement.diagnosis else "")


MANY = [
    ("[]", 52, "missing (51 more differences).", "missing (32 more differences)"),
    ("[]", 20, "missing (19 more differences).", "returned[19]: 19 expected, missing"),
    ("[]", 21, "missing (20 more differences).", "returned[19]: 19 expected, missing (1 more difference)"),
    ("[-1] * 700", 700, "found -1 (699 more differences).", "found -1 (680 more differences)"),
    ("[-1] * 90_000", 90_000, "(at least 999 more differences).", "(at least 980 more differences)"),
]


@pytest.mark.parametrize(("value", "count", "said", "last"), MANY)
def test_differences_are_counted_beyond_those_that_are_shown(
    value: str, count: int, said: str, last: str, runner: Runner
) -> None:
    expected = replace(FALSE, steps=(ExpectedStep(list(range(count))),))
    judgement = runner.judge(f"def f():\n    return {value}\n", runner.test("f()"), expected)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence.endswith(said)
    assert len(judgement.differences) == 20
    assert judgement.differences[-1].endswith(last)


TABLEAU: Plain = [[{"card": "A♥"}], [], [{"card": "2♦"}, {"card": "3♥"}]]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (TABLEAU, "The function must not change tableau, but after the call tableau[2][1]: 3♥ expected, missing."),
        (
            [[], [], [{"card": "2♦"}, {"card": "3♥"}]],
            "The function must change tableau in another way: after the call tableau[0][0]: A♥ should not be there "
            "(1 more difference).",
        ),
    ],
)
def test_a_changed_argument_is_a_difference(after: Plain, said: str, runner: Runner) -> None:
    test = runner.test("f(tableau)", given={"tableau": TABLEAU})
    program = "def f(tableau):\n    tableau[2].pop()\n    return False\n"
    judgement = runner.judge(program, test, replace(FALSE, given={"tableau": after}))
    assert judgement.diagnosis is not None
    assert (judgement.verdict, judgement.diagnosis.sentence) == (Verdict.WRONG_OUTPUT, said)
    assert len(judgement.differences) >= 1


def test_an_argument_that_is_left_as_it_was_is_called_so(runner: Runner) -> None:
    test = runner.test("f(tableau)", given={"tableau": TABLEAU})
    expected = replace(FALSE, given={"tableau": [[{"card": "A♥"}], [], [{"card": "2♦"}]]})
    judgement = runner.judge("def f(tableau):\n    return False\n", test, expected)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == (
        "The function leaves tableau as it was, but must change it: after the call tableau[2][1]: 3♥ should not be "
        "there."
    )


def test_what_is_not_checked_does_not_count(runner: Runner) -> None:
    program = "def f(n):\n    print('left from trying')\n    n.clear()\n    return 0\n"
    test = runner.test("f(n)", given={"n": [1]})
    expected = replace(FALSE, given={"n": [1]})
    for checks, verdict in (
        ({CallCheck.OUTPUT}, Verdict.WRONG_OUTPUT),
        ({CallCheck.MUTATED_VARIABLES}, Verdict.WRONG_OUTPUT),
        ({CallCheck.RETURN_VALUE}, Verdict.WRONG_OUTPUT),
    ):
        one = replace(test, interaction=replace(call_of(test), checks=frozenset(checks)))
        judgement = runner.judge(program, one, expected)
        assert judgement.verdict is verdict
        assert bool(judgement.differences) == (checks != {CallCheck.OUTPUT})
    right = replace(test, interaction=replace(call_of(test), checks=frozenset({CallCheck.RETURN_VALUE})))
    assert runner.judge(program.replace("return 0", "return False"), right, expected).verdict is Verdict.PASSED


BROKEN = [
    ("return 1 / 0", Verdict.CRASH, "The program stops in line 2 (`return 1 / 0`) with ZeroDivisionError"),
    ("print('x'); return False", Verdict.WRONG_OUTPUT, "No output is expected, but the function prints `x`."),
    ("input('? ')", Verdict.CRASH, "The program asks for input again after the test's last line was typed"),
    (
        "exit()",
        Verdict.EXIT_STATUS,
        "The function ends the whole program, as exit() and quit() do, instead of",
    ),
    ("import os; os._exit(0)", Verdict.EXIT_STATUS, "The function ends the whole program"),
    ("import os; os.kill(os.getpid(), 11)", Verdict.CRASH, "The program was ended by SIGSEGV"),
    ("f(*args)", Verdict.CRASH, "RecursionError"),
]


@pytest.mark.parametrize(("body", "verdict", "said"), BROKEN)
def test_what_goes_wrong_in_a_function_is_a_verdict(body: str, verdict: Verdict, said: str, runner: Runner) -> None:
    judgement = runner.judge(f"def f(*args):\n    {body}\n", runner.test("f()"))
    assert judgement.diagnosis is not None
    assert judgement.verdict is verdict, judgement
    assert said in judgement.diagnosis.sentence


SPOILT = ("builtins.len = None", "builtins.isinstance = None", "traceback.print_exception = None", "os.write = None")


@pytest.mark.parametrize("spoilt", SPOILT)
def test_what_fails_in_spoilt_python_names_no_line_but_the_student_s(spoilt: str, runner: Runner) -> None:
    program = f"import builtins, os, traceback\ndef f():\n    input('? ')\n    {spoilt}\n    return 1 / 0\n"
    test = runner.test("f()", "3")
    outcome = runner.run(program, test)
    judgement = judge_call(test, call_of(test), FALSE, outcome)
    assert judgement.verdict is Verdict.CRASH
    assert judgement.diagnosis is not None
    told = judgement.diagnosis.sentence
    assert "child-" not in told
    assert 'File "child-' not in outcome.transcript
    assert re.search(r"line (?!5\b)[0-9]", told) is None, told
    assert [outcome.transcript[one.offset :][:1] for one in outcome.typed] == ["3"]


def test_a_missing_message_is_told(runner: Runner) -> None:
    judgement = runner.judge(
        "def f():\n    return False\n", runner.test("f()"), replace(FALSE, printed="\nError, empty column: 2\n")
    )
    assert judgement.diagnosis is not None
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.diagnosis.sentence == "The function prints nothing; expected `Error, empty column: 2`."


@pytest.mark.slow
def test_an_endless_loop_ends_at_the_limit(runner: Runner) -> None:
    program = "def f():\n    while True:\n        pass\n"
    judgement = runner.judge(program, runner.test("f()"), limits=Limits(wall_seconds=0.4))
    assert judgement.verdict is Verdict.TIMEOUT


@pytest.mark.parametrize(
    ("program", "verdict", "said"),
    [
        ("def g():\n    pass\n", Verdict.CRASH, "game.py has no `f`, which the test calls."),
        ("def f(a):\n    pass\n", Verdict.CRASH, "TypeError: f() missing 1 required positional argument"),
        ("def f(:\n    pass\n", Verdict.CRASH, "Python cannot read the program: SyntaxError"),
        ("import nothing_of_the_kind\n", Verdict.CRASH, "in line 1 (`import nothing_of_the_kind`)"),
        (
            "input('Name: ')\ndef f():\n    return False\n",
            Verdict.WRONG_OUTPUT,
            "Importing game.py already asks for input",
        ),
        ("input('Name: ')\ninput()\n", Verdict.CRASH, "Importing game.py already asks for input"),
        ("for _ in range(9):\n    input()\n", Verdict.CRASH, "Importing game.py already asks for input"),
        ("import sys\nsys.exit(0)\n", Verdict.EXIT_STATUS, "Importing game.py ends the whole program"),
    ],
)
def test_a_program_that_cannot_be_imported(program: str, verdict: Verdict, said: str, runner: Runner) -> None:
    judgement = runner.judge(program, runner.test("f()", "x"))
    assert judgement.diagnosis is not None
    assert judgement.verdict is verdict, judgement
    assert said in judgement.diagnosis.sentence


def test_an_import_that_prints_spoils_nothing(runner: Runner) -> None:
    assert runner.judge("print('Welcome')\ndef f():\n    return False\n", runner.test("f()")).verdict is Verdict.PASSED


NOSY = """\
import os, sys
found = sorted(os.listdir('.')), sys.argv, vars(sys.modules['__main__']).keys() - {'__name__', '__doc__'}
for fd in range(3, 400):
    try:
        os.write(fd, b'{"secret": "guessed", "returned": false, "given": {}}')
    except OSError:
        pass
def f():
    return [*found[0], *found[1], len([name for name in found[2] if not name.startswith('__')])]
"""


def test_a_program_finds_neither_order_nor_child_nor_report(runner: Runner) -> None:
    outcome = runner.run(NOSY.replace("for fd in range(3, 400)", "for fd in ()"), runner.test("f()"))
    assert called(outcome).returned == ["cards.py", "game.py", "game.py", 0]


IMPORTING = """\
import os, sys
own = sys.path[0] == os.getcwd(), any('child-' in path for path in sys.path), 'plain_forms' in sys.modules
import plain_forms
def f():
    return [*own, plain_forms.VALUE]
"""


def test_a_program_imports_its_own_modules_and_none_of_the_child(runner: Runner) -> None:
    files = {"plain_forms.py": "VALUE = 3\n", "game.py": IMPORTING, "cards.py": CARDS.read_text()}
    for name, text in files.items():
        (runner.folder / name).write_text(text)
    with runner.environment.runner(tuple((runner.folder / name, name) for name in files)) as run:
        outcome = run.run(runner.test("f()"), LIMITS, Isolation.FORK, {})
    assert called(outcome).returned == [True, False, False, 3]


@needs_sandbox
def test_paths_are_left_out_of_what_is_printed_in_a_sandbox_too(runner: Runner) -> None:
    program = "def f():\n    print(__file__)\n    raise ValueError(print(__file__))\n"
    with sandboxed_environment(()) as environment:
        inside = replace(runner, environment=environment)
        shown = [one.run(program, one.test("f()")).transcript for one in (runner, inside)]
    assert shown[0] == shown[1]
    assert shown[0].startswith("game.py\ngame.py\nTraceback")


def test_a_report_without_the_secret_is_none(runner: Runner) -> None:
    forged = NOSY.replace("def f():\n", "os._exit(0)\ndef f():\n")
    judgement = runner.judge(forged, runner.test("f()"))
    assert judgement.verdict is Verdict.EXIT_STATUS


FIND_MARKS = """\
import gc, os, sys
MARKS, CALLERS = {}, []
frame = sys._getframe()
while frame:
    CALLERS.append(frame.f_globals)
    for value in list(frame.f_locals.values()):
        if isinstance(value, dict) and "begin" in value:
            MARKS.update(value)
    frame = frame.f_back
def show(text):
    sys.stdout.flush()
    os.write(1, text.encode())
"""
HIDERS = {
    "ends the call early": "def f():\n    show(MARKS['end'])\n    print('unwanted')\n    return False\n",
    "makes a call of its own on import": (
        "show(MARKS['begin'] + MARKS['end'])\ndef f():\n    print('unwanted')\n    return False\n"
    ),
    "prints after the call": """\
def print_late(frame, event, _):
    if (frame.f_code.co_name, event) == ("plain", "call"):
        sys.setprofile(None)
        show("unwanted")
def f():
    sys.setprofile(print_late)
    return False
""",
    "puts off the beginning": """\
def later(text):
    if text == MARKS["end"]:
        show(MARKS["begin"] + MARKS["end"])
for names in CALLERS:
    if "print_now" in names:
        names["print_now"] = later
write = os.write
os.write = lambda number, content: len(content) if content == MARKS["begin"].encode() else write(number, content)
def f():
    print('unwanted')
    return False
""",
}


@pytest.mark.parametrize("name", HIDERS)
def test_marks_of_a_program_s_own_hide_no_output(name: str, runner: Runner) -> None:
    outcome = runner.run(FIND_MARKS + HIDERS[name], runner.test("f()"))
    assert "unwanted" in outcome.transcript
    assert runner.judge(FIND_MARKS + HIDERS[name], runner.test("f()")).verdict is Verdict.WRONG_OUTPUT


def test_a_call_that_did_not_end_has_no_report(runner: Runner) -> None:
    forged = """\
report = b'{"secret": "' + MARKS["report"].encode() + b'", "returned": false, "given": {}}'
def f():
    for number in range(3, 400):
        try:
            os.write(number, report)
        except OSError:
            pass
    os._exit(0)
"""
    assert runner.judge(FIND_MARKS + forged, runner.test("f()")).verdict is Verdict.EXIT_STATUS


NESTED = {
    "lists": ("[", "]"),
    "objects": ('{"a": ', "}"),
    "tuples": ('{"tuple": [', "]}"),
    "keys": ('{"dict": [[', ", 1]]}"),
    "instances": ('{"instance": ["A", [["a", ', "]]]}"),
}


@pytest.mark.parametrize("form", NESTED)
@pytest.mark.parametrize(("depth", "verdict"), [(52, Verdict.WRONG_OUTPUT), (900, Verdict.EXIT_STATUS)])
def test_a_report_nested_deeper_than_values_are_written_is_none(
    form: str, depth: int, verdict: Verdict, runner: Runner
) -> None:
    before, after = NESTED[form]
    forged = f"""\
def f():
    value = {before!r} * {depth} + "1" + {after!r} * {depth}
    steps = '[{{"returned": %s, "raised": null}}]' % value
    report = '{{"secret": "%s", "steps": %s, "given": {{}}}}' % (MARKS["report"], steps)
    for number in range(3, 400):
        try:
            os.write(number, report.encode())
        except OSError:
            pass
    show(MARKS["end"])
    os._exit(0)
"""
    outcome = runner.run(FIND_MARKS + forged, runner.test("f()"))
    assert decode_outcome(encode_outcome(outcome)) == outcome
    assert runner.judge(FIND_MARKS + forged, runner.test("f()")).verdict is verdict


def test_the_deepest_value_that_is_written_is_read(runner: Runner) -> None:
    program = "class A:\n    pass\ndef f():\n    a = 1\n    for _ in range(60):\n        b = A()\n"
    program += "        b.a = a\n        a = b\n    return a\n"
    test = runner.test("f()")
    outcome = runner.run(program, replace(test, interaction=replace(call_of(test), checks=frozenset(CallCheck))))
    assert "a value nested very deeply" in repr(called(outcome).returned)


def test_replacing_methods_of_cards_does_not_change_what_is_reported(runner: Runner) -> None:
    program = "import cards\ndef f():\n    return cards.Card(3, 3)\ncards.Card.rank = lambda self: 13\n"
    assert called(runner.run(program, runner.test("f()"))).returned == {"card": "3♥"}


def test_the_folder_is_gone_and_bytes_survive(runner: Runner) -> None:
    program = "import sys\ndef f():\n    sys.stdout.buffer.write(b'\\xff\\n')\n    return False\n"
    expected = replace(FALSE, printed="\udcff\n")
    assert runner.judge(program, runner.test("f()"), expected).verdict is Verdict.PASSED
    assert list(runner.environment.scratch.glob("session-*")) == []
