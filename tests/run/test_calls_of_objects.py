"""Function tests of classes: exceptions, the state of objects, and several calls in a row, run for real."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.expectation import Tolerance
from grader.model.expected_call import ExpectedCall
from grader.model.interaction import CallCheck, Dialogue, FunctionCall
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import CallResult, Outcome
from grader.model.plain_values import Plain, words
from grader.model.program import Limits
from grader.model.test import ComparisonPolicy, SideOutput, Test
from grader.plugins.function_calls.judge import judge_call
from grader.plugins.function_calls.reference import expected_call
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.interface import SubmissionFiles
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST, call_of
from tests.sandbox import needs_sandbox

LIMITS = Limits(wall_seconds=20)
ALL = (*USUAL_CHECKS, CallCheck.EXCEPTION_TYPE, CallCheck.STATE)


@pytest.fixture(scope="module", params=["processes", pytest.param("forks", marks=[pytest.mark.slow, needs_sandbox])])
def environment(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    with open_environment() if request.param == "processes" else sandboxed_environment(()) as opened:
        yield opened


@dataclass(frozen=True)
class Bank:
    """Calls of the reference and of programs made from it by a replacement."""

    environment: RunEnvironment
    folder: Path

    def run(self, program: str, test: Test) -> Outcome:
        file = self.folder / "game.py"
        file.write_text(program)
        return self.run_files(((file, "game.py"),), test)

    def run_files(self, files: SubmissionFiles, test: Test, limits: Limits = LIMITS) -> Outcome:
        with self.environment.runner(files) as runner:
            return runner.run(test, limits, Isolation.FORK, {})

    def expected(self, test: Test, reference: str) -> ExpectedCall:
        outcome = self.run(reference, test)
        return expected_call(outcome, called(outcome))

    def judge(self, test: Test, reference: str, old: str = "", new: str = "") -> Judgement:
        program = reference.replace(old, new) if old else reference
        assert not old or program != reference, "the change is in the program"
        expected = self.expected(test, reference)
        return judge_call(test, call_of(test), expected, self.run(program, test))


@pytest.fixture
def bank(environment: RunEnvironment, tmp_path: Path) -> Bank:
    return Bank(environment, tmp_path)


def called(outcome: Outcome) -> CallResult:
    assert outcome.call is not None, outcome.transcript
    return outcome.call


def calls(
    *texts: str,
    checks: tuple[CallCheck, ...] = ALL,
    variables: dict[str, Plain] | None = None,
    lines: tuple[str, ...] = (),
) -> Test:
    call = FunctionCall(
        calls=texts, variables=variables or {}, setup=(), checks=frozenset(checks), cards=None, lines=lines
    )
    return replace(TEST, interaction=call)


def sentence(judgement: Judgement) -> str:
    return judgement.diagnosis.sentence if judgement.diagnosis else ""


ACCOUNT = """\
class Overdrawn(ValueError):
    pass


class Account:
    def __init__(self, balance):
        if balance < 0:
            raise ValueError(f"{balance} is too little")
        self.balance = balance
        self._moves = []

    def deposit(self, amount):
        print("in:", amount)
        self._moves.append(amount)
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            raise Overdrawn("there is not so much")
        self.balance -= amount
        return self.balance

    def ask(self):
        self.deposit(int(input("How much? ")))
"""
NEGATIVE = calls("Account(-1)", checks=(CallCheck.EXCEPTION_TYPE, CallCheck.EXCEPTION_MESSAGE))
TYPE_ALONE = calls("Account(-1)", checks=(CallCheck.EXCEPTION_TYPE,))
TOO_MUCH = calls("Account(1).withdraw(2)", checks=(CallCheck.EXCEPTION_TYPE,))


@pytest.mark.parametrize(
    ("test", "change", "said"),
    [
        (NEGATIVE, ("class Account:", "class Account(object):"), ""),
        (NEGATIVE, ("raise ValueError(", "raise UnicodeError("), ""),
        (
            NEGATIVE,
            ("{balance} is too little", "too little: {balance}"),
            "The call raises ValueError with the message `too little: -1` (line 8); expected `-1 is too little`.",
        ),
        (
            NEGATIVE,
            ("raise ValueError(", "print("),
            "The call must raise ValueError, but returns an object of Account.",
        ),
        (
            NEGATIVE,
            ("raise ValueError(", "raise KeyError("),
            "The call must raise ValueError, but raises KeyError: '-1 is too little' (line 8).",
        ),
        (NEGATIVE, ("raise ValueError(", "exit("), "The call must raise ValueError, but raises SystemExit: -1 is too"),
        (TYPE_ALONE, ("{balance} is too little", "no"), ""),
        (TOO_MUCH, ("not so much", "less"), ""),
        (TOO_MUCH, ("class Overdrawn(ValueError)", "class Overdrawn(Exception)"), ""),
        (
            TOO_MUCH,
            ("raise Overdrawn(", "raise ValueError("),
            "The call must raise Overdrawn, but raises ValueError: there is not so much (line 19).",
        ),
        (
            TOO_MUCH,
            ("raise Overdrawn(", "return print("),
            "The call must raise Overdrawn, but raises nothing.",
        ),
    ],
)
def test_an_exception_of_the_reference_is_expected(test: Test, change: tuple[str, str], said: str, bank: Bank) -> None:
    judgement = bank.judge(test, ACCOUNT, *change)
    assert judgement.verdict is (Verdict.WRONG_OUTPUT if said else Verdict.PASSED)
    assert sentence(judgement).startswith(said)


def test_a_class_of_the_same_name_that_python_has_is_meant_exactly(bank: Bank) -> None:
    own = "class ValueError(Exception):\n    pass\n\n\n"
    expected = bank.expected(TYPE_ALONE, ACCOUNT)
    judgement = judge_call(TYPE_ALONE, call_of(TYPE_ALONE), expected, bank.run(own + ACCOUNT, TYPE_ALONE))
    assert judgement.verdict is Verdict.WRONG_OUTPUT


ALL_NAMES = """
kinds = [kind for kind in vars(__import__("builtins")).values() if isinstance(kind, type)]
ValueError = Exception
for kind in kinds:
    if issubclass(kind, BaseException):
        ValueError = type(kind.__name__, (ValueError,), {"__module__": "builtins"})
"""
LIAR = """
class Meta(type):
    def __hash__(cls):
        return object.__hash__(builtin)

    def __eq__(cls, other):
        return True


builtin = ValueError


class ValueError(Exception, metaclass=Meta):
    pass
"""
BASES = "class ValueError({}):\n    pass\n"


@pytest.mark.parametrize(
    ("classes", "passes"),
    [
        (ALL_NAMES, False),
        (LIAR, False),
        (BASES.format("ValueError"), True),
        (BASES.format("ValueError, KeyError"), True),
        (BASES.format("UnicodeError, KeyError"), True),
        (BASES.format("ValueError, KeyError, TypeError"), False),
        (BASES.format("UnicodeError, IndexError, AssertionError, TypeError"), False),
    ],
)
def test_an_exception_is_not_of_every_class(classes: str, passes: bool, bank: Bank) -> None:
    expected = bank.expected(TYPE_ALONE, ACCOUNT)
    judgement = judge_call(TYPE_ALONE, call_of(TYPE_ALONE), expected, bank.run(classes + ACCOUNT, TYPE_ALONE))
    assert (judgement.verdict is Verdict.PASSED) == passes, judgement


FORGES = """
def forge(types):
    import json, os, sys
    frame = sys._getframe()
    while not {"marks", "report"} <= frame.f_locals.keys():
        frame = frame.f_back
    marks, report = frame.f_locals["marks"], frame.f_locals["report"]
    sys.stdout.flush()
    os.write(1, (marks["raised"] * 2 + marks["end"]).encode())
    step = {"returned": None, "raised": {"types": types, "message": ""}}
    os.write(report, json.dumps({"secret": marks["report"], "steps": [step], "given": {}}).encode())
    os._exit(1)
"""
GUESSES = {
    "a guess": ("['ValueError', 'Exception', 'BaseException']", True),
    "two guesses": ("['game.Odd', 'ValueError', 'KeyError', 'LookupError', 'Exception', 'BaseException']", True),
    "an unknown one": ("['ExceptionOfTomorrow', 'ValueError', 'Exception', 'BaseException']", True),
    "of another kind too": ("['game.Odd', 'str', 'ValueError', 'Exception', 'BaseException', 'object']", True),
    "three guesses": ("['ValueError', 'TypeError', 'KeyError']", False),
    "all": ("[name for name in dir(__builtins__) if name[0].isupper()]", False),
    "all of a dictionary": ("[*vars(__import__('builtins'))]", False),
    "all in an object": ("dict.fromkeys(vars(__import__('builtins')))", False),
    "none": ("[]", False),
    "no names": ("[['ValueError'], 'ValueError']", False),
    "no list": ("3", False),
    "a text": ("'ValueError'", False),
}


@pytest.mark.parametrize("guess", GUESSES)
def test_a_forged_report_names_no_more_classes_than_an_exception_can_have(guess: str, bank: Bank) -> None:
    types, passes = GUESSES[guess]
    forged = f"{FORGES}class Account:\n    def __init__(self, _):\n        forge({types})\n"
    expected = bank.expected(TYPE_ALONE, ACCOUNT)
    judgement = judge_call(TYPE_ALONE, call_of(TYPE_ALONE), expected, bank.run(forged, TYPE_ALONE))
    assert (judgement.verdict is Verdict.PASSED) == passes, judgement
    assert judgement.verdict is not Verdict.INTERNAL_ERROR


def test_what_is_printed_before_an_exception_is_compared(bank: Bank) -> None:
    reference = "def f():\n    print('before')\n    raise ValueError\n"
    test = calls("f()", checks=(CallCheck.OUTPUT, CallCheck.EXCEPTION_TYPE))
    assert bank.judge(test, reference).verdict is Verdict.PASSED
    judgement = bank.judge(test, reference, "before", "after")
    assert (judgement.verdict, judgement.divergence and judgement.divergence.actual) == (Verdict.WRONG_OUTPUT, "after")
    assert judgement.mended is not None
    assert judgement.mended.actual == "after\n"


@pytest.mark.parametrize(
    ("change", "verdict", "said"),
    [
        (
            ("return n", "raise ValueError(n)"),
            Verdict.CRASH,
            "The program stops in line 2 (`raise ValueError(n)`) with",
        ),
        (("return n", "exit(n)"), Verdict.EXIT_STATUS, "The function ends the whole program, as exit()"),
    ],
)
def test_an_exception_that_the_reference_does_not_raise_stays_a_crash(
    change: tuple[str, str], verdict: Verdict, said: str, bank: Bank
) -> None:
    judgement = bank.judge(calls("f(3)"), "def f(n):\n    return n\n", *change)
    assert judgement.verdict is verdict
    assert sentence(judgement).startswith(said)


def test_an_exit_may_be_what_is_expected(bank: Bank) -> None:
    reference = "import sys\ndef f():\n    sys.exit('no arguments')\n"
    test = calls("f()", checks=(CallCheck.EXCEPTION_TYPE, CallCheck.EXCEPTION_MESSAGE))
    assert bank.judge(test, reference).verdict is Verdict.PASSED
    assert "`none`" in sentence(bank.judge(test, reference, "no arguments", "none"))


SERIES = calls("a = Account(5)", "a.deposit(3)", "a.withdraw(9)", "a.withdraw(1)", "a")
BEFORE = "after `a = Account(5)`, `a.deposit(3)`"


@pytest.mark.parametrize(
    ("change", "verdict", "said"),
    [
        (("_moves", "_log"), Verdict.PASSED, ""),
        (
            ("return self.balance", "return amount"),
            Verdict.WRONG_OUTPUT,
            f"Call 4 of 5, `a.withdraw(1)` {BEFORE}, `a.withdraw(9)`: The function returns the wrong value: 7 exp",
        ),
        (
            ("in:", "plus"),
            Verdict.WRONG_OUTPUT,
            "Call 2 of 5, `a.deposit(3)` after `a = Account(5)`: ",
        ),
        (
            ("raise Overdrawn(", "raise KeyError("),
            Verdict.WRONG_OUTPUT,
            f"Call 3 of 5, `a.withdraw(9)` {BEFORE}: The call must raise Overdrawn, but raises KeyError: 'there",
        ),
        (
            ("return self.balance", "return self.balanc"),
            Verdict.CRASH,
            f"Call 4 of 5, `a.withdraw(1)` {BEFORE}, `a.withdraw(9)`: The program stops in line 21",
        ),
        (
            ("return self.balance", "exit()"),
            Verdict.EXIT_STATUS,
            f"Call 4 of 5, `a.withdraw(1)` {BEFORE}, `a.withdraw(9)`: The function ends the whole program",
        ),
        (
            ("amount > self.balance", "amount > 100"),
            Verdict.WRONG_OUTPUT,
            f"Call 3 of 5, `a.withdraw(9)` {BEFORE}: The call must raise Overdrawn, but returns -1.",
        ),
    ],
)
def test_the_first_call_that_differs_is_told_with_those_before_it(
    change: tuple[str, str], verdict: Verdict, said: str, bank: Bank
) -> None:
    judgement = bank.judge(SERIES, ACCOUNT, *change)
    assert (judgement.verdict, sentence(judgement)[: len(said)]) == (verdict, said)


HITS = """
hits = 0
LIMIT = 3

def hit():
    global hits
    hits += 1

def is_over():
    return hits > LIMIT
"""


def test_variables_of_the_program_are_seen_as_they_are(bank: Bank) -> None:
    test = calls("hit()", "hits", "import game; game.LIMIT = 0", "is_over()", "LIMIT")
    assert [step.returned for step in called(bank.run(HITS, test)).steps] == [None, 1, None, True, 0]
    own = calls("hits = 9", "is_over()", "[hits for _ in range(1)]")
    assert [step.returned for step in called(bank.run(HITS, own)).steps] == [None, False, [9]]


_NAMES = {"json", "resource", "fcntl", "contextlib", "importlib", "traceback", "enum"}


# Python never looks for a file where it has the module built in, which builds of it differ in.
@pytest.mark.parametrize("name", sorted(_NAMES.difference(sys.builtin_module_names)))
def test_a_program_may_bring_a_module_with_a_name_of_the_standard_library(name: str, bank: Bank) -> None:
    game, module = bank.folder / "game.py", bank.folder / f"{name}.py"
    game.write_text(f"import {name}\ndef double(n):\n    return {name}.two * n\n")
    module.write_text("two = 2\n")
    files = ((game, "game.py"), (module, f"{name}.py"))
    outcome = bank.run_files(files, calls("double(3)"))
    assert called(outcome).returned == 6, outcome.transcript


@needs_sandbox
def test_such_a_module_is_the_programs_own_in_every_test(tmp_path: Path) -> None:
    game, module = tmp_path / "game.py", tmp_path / "resource.py"
    game.write_text("import resource\nprint(resource.two)\n")
    module.write_text("two = 2\n")
    test = replace(TEST, interaction=Dialogue(()))
    with (
        sandboxed_environment(()) as environment,
        environment.runner([(game, "game.py"), (module, "resource.py")]) as runner,
    ):
        printed = [runner.run(test, LIMITS, Isolation.FORK, {}).transcript for _ in range(3)]
    assert printed == ["2\n"] * 3


@pytest.mark.slow
def test_a_call_that_does_not_end_is_named(bank: Bank) -> None:
    expected = bank.expected(SERIES, ACCOUNT)
    endless = ACCOUNT.replace("        self.balance -= amount", "        while True:\n            pass")
    file = bank.folder / "game.py"
    file.write_text(endless)
    outcome = bank.run_files(((file, "game.py"),), SERIES, Limits(wall_seconds=1))
    judgement = judge_call(SERIES, call_of(SERIES), expected, outcome)
    assert judgement.verdict is Verdict.TIMEOUT
    assert sentence(judgement).startswith(f"Call 4 of 5, `a.withdraw(1)` {BEFORE}, `a.withdraw(9)`: ")


def test_lines_are_typed_into_the_calls_that_ask(bank: Bank) -> None:
    test = calls("a = Account(0)", "a.withdraw(1)", "a.ask()", "a.ask()", "a.balance", lines=("2", "3"))
    outcome = bank.run(ACCOUNT, test)
    assert [step.returned for step in called(outcome).steps] == [None, None, None, None, 5]
    assert [outcome.transcript[one.offset :].split("\n")[0] for one in outcome.typed] == ["2", "3"]
    assert bank.judge(test, ACCOUNT).verdict is Verdict.PASSED
    wrong = bank.judge(test, ACCOUNT, "in:", "in")
    assert sentence(wrong).startswith("Call 3 of 5, `a.ask()`")


def test_a_traceback_is_cut_and_typed_lines_keep_their_place(bank: Bank) -> None:
    test = calls("a = Account(0)", "a.withdraw(1)", "a.ask()", lines=("2",))
    judgement = bank.judge(test, ACCOUNT, "How much? ", "Amount: ")
    assert judgement.mended is not None
    [typed] = judgement.mended.typed
    assert judgement.mended.actual[: typed.offset].endswith(">>> a.ask()\nAmount: ")
    assert "Traceback" not in judgement.mended.actual


STATES = """\
import dataclasses, enum, functools, typing

class Suit(enum.Enum):
    HEARTS = "h"

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

class Pair(typing.NamedTuple):
    a: int
    b: int = 2

Made = dataclasses.make_dataclass("Made", ["x"])

class Slotted:
    __slots__ = ("a", "b", "_c")
    def __init__(self):
        self.a, self._c = 1, 2

class Node:
    def __init__(self, value, next=None):
        self.value, self.next, self.other = value, next, None

class Celsius:
    def __init__(self, degrees):
        self._degrees = degrees
    @property
    def degrees(self):
        return self._degrees
    @property
    def unset(self):
        raise AttributeError
    @property
    def broken(self):
        return 1 / 0

class Late:
    @functools.cached_property
    def found(self):
        return [1]

class Secret:
    def __init__(self):
        self._x = 1

class Nosy:
    def __init__(self):
        self.a = 1
    def __eq__(self, other):
        return True
    def __getattribute__(self, name):
        return 7

def ring():
    a = Node(1)
    a.next = Node(2, a)
    return a

def chain(length):
    node = None
    for number in range(length):
        node = Node(number, node)
        node.other = node.next
    return node
"""


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("Point(1)", "Point(x=1, y=0)"),
        ("[Point(1, 2)], {'a': Point(3)}", "([Point(x=1, y=2)], {'a': Point(x=3, y=0)})"),
        ("Slotted()", "Slotted(a=1)"),
        ("Pair(1)", "(1, 2)"),
        ("Made(1)", "Made(x=1)"),
        ("Suit.HEARTS", "Suit(name='HEARTS', value='h')"),
        ("Celsius(3)", "Celsius(degrees=3)"),
        ("Late()", "Late(found=[1])"),
        ("Nosy()", "Nosy(a=1)"),
        ("Secret()", "an object of Secret without public attributes"),
        (
            "ring()",
            "Node(next=Node(next=the object 2 levels up, other=None, value=2), other=None, value=1)",
        ),
        ("object()", "an object of object"),
        ("Point", "an object of type"),
    ],
)
def test_the_state_of_an_object_is_its_public_attributes(expression: str, shown: str, bank: Bank) -> None:
    assert words(called(bank.run(STATES, calls(expression))).returned) == shown  # type: ignore[arg-type]


@pytest.mark.slow
def test_objects_that_share_objects_end_somewhere(bank: Bank) -> None:
    assert "a value too large to compare" in repr(called(bank.run(STATES, calls("chain(40)"))).returned)


def test_what_properties_print_when_they_are_looked_at_is_no_output(bank: Bank) -> None:
    shape = """
class Square:
    def __init__(self, side):
        self.side = side
        print("made")

    @property
    def area(self):
        return self.side ** 2
"""
    test = calls("Square(3)")
    told = shape.replace("return self", "import sys; print('computing'); print('area', file=sys.stderr); return self")
    assert bank.judge(test, shape).verdict is Verdict.PASSED
    outcome = bank.run(told, test)
    assert outcome.transcript == "made\n"
    assert judge_call(test, call_of(test), bank.expected(test, shape), outcome).verdict is Verdict.PASSED


FURTHER = {
    "takes an item": "return self.items.pop()",
    "changes its class": "type(self).__init__ = None",
    "exits": "raise SystemExit",
    "never ends": "while True: print(self)",
    "waits for input": "return input()",
    "changes objects inside": "return Stack([self.items.pop()])",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", FURTHER.values(), ids=FURTHER)
def test_properties_that_the_reference_lacks_change_nothing(body: str, bank: Bank) -> None:
    reference = """
class Stack:
    def __init__(self, items):
        self.items = items
    @property
    def size(self):
        return len(self.items)
"""
    program = f"{reference}\n    @property\n    def before(self):\n        {body}\n"
    test = calls("Stack([1, 2])", "[Stack([3])]")
    judgement = judge_call(test, call_of(test), bank.expected(test, reference), bank.run(program, test))
    assert judgement.verdict is Verdict.PASSED, sentence(judgement)


def test_a_wrong_property_of_the_reference_is_still_a_failure(bank: Bank) -> None:
    shape = "class Square:\n    @property\n    def area(self):\n        return 4\n"
    judgement = bank.judge(calls("Square()"), shape, "4", "5")
    assert sentence(judgement) == "The function returns the wrong value: returned.area: 4 expected, found 5."


def test_without_state_only_the_class_of_an_object_is_known(bank: Bank) -> None:
    test = calls("Point(1)", checks=USUAL_CHECKS)
    assert called(bank.run(STATES, test)).returned == {"object": "an object of Point"}


NAMED = """
import collections
Point = collections.namedtuple("Point", "y x more", defaults=[3])
"""
TYPED = """
import typing
class Point(typing.NamedTuple):
    x: int
    y: int
"""


@pytest.mark.parametrize(("program", "said"), [(NAMED, "returned.x: 1 expected, found 2"), (TYPED, "")])
def test_a_named_tuple_of_the_program_is_an_object(program: str, said: str, bank: Bank) -> None:
    reference = "class Point:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
    test = calls("Point(1, 2)")
    judgement = judge_call(test, call_of(test), bank.expected(test, reference), bank.run(program, test))
    assert (judgement.verdict is Verdict.PASSED) == (not said)
    assert said in sentence(judgement)


SQUARE = """
class Square:
    def __init__(self, side):
        self.side = side
    @property
    def area(self):
        return self.side ** 2
    @property
    def unit(self):
        return None if self.side == 1 else Square(1)
"""
AS_NAMED_TUPLE = """
import typing
class Square(typing.NamedTuple):
    side: int
    @property
    def area(self):
        return self.side ** 2
    @property
    def unit(self):
        return None if self.side == 1 else Square(1)
    @property
    def itself(self):
        return self
"""
WITH_OWN_ATTRIBUTES = """
import collections
class Square(collections.namedtuple("Square", "area side")):
    def __new__(cls, side):
        return super().__new__(cls, "hidden by the property", side)
    def __init__(self, side):
        self.unit = None if side == 1 else Square(1)
    @property
    def area(self):
        return self.side ** 2
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (AS_NAMED_TUPLE, ""),
        (AS_NAMED_TUPLE.replace("side ** 2", "side * 2"), "returned.area: 9 expected, found 6"),
        (AS_NAMED_TUPLE.replace("def area", "def _area"), "returned.area: 9 expected, missing"),
        (WITH_OWN_ATTRIBUTES, ""),
        (WITH_OWN_ATTRIBUTES.replace("self.unit = None if", "self.unit = 7 if"), "returned.unit.unit: None expected"),
    ],
)
def test_a_named_tuple_has_its_properties_and_own_attributes(program: str, said: str, bank: Bank) -> None:
    test = calls("Square(3)")
    judgement = judge_call(test, call_of(test), bank.expected(test, SQUARE), bank.run(program, test))
    assert (judgement.verdict is Verdict.PASSED) == (not said)
    assert said in sentence(judgement)


@pytest.mark.slow
def test_named_tuples_that_make_more_of_themselves_end_somewhere(bank: Bank) -> None:
    doubling = """
import typing
class Number(typing.NamedTuple):
    n: int
    left = property(lambda self: Number(2 * self.n))
    right = property(lambda self: Number(2 * self.n + 1))
"""
    assert "a value too large to compare" in repr(called(bank.run(doubling, calls("Number(1)"))).returned)


def test_a_class_in_a_package_of_the_program_is_its_own(bank: Bank) -> None:
    (bank.folder / "point.py").write_text("class Point:\n    def __init__(self, x):\n        self.x = x\n")
    (bank.folder / "game.py").write_text("from shapes.point import Point\n")
    files = ((bank.folder / "game.py", "game.py"), (bank.folder / "point.py", "shapes/point.py"))
    outcome = bank.run_files(files, calls("Point(1)"))
    assert words(called(outcome).returned) == "Point(x=1)"  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["return 1", "raise SystemExit", "raise ValueError"])
def test_a_file_that_a_call_leaves_open_is_complete(ending: str, bank: Bank) -> None:
    program = f"def save(name):\n    global left\n    left = open(name, 'w')\n    left.write('kept')\n    {ending}\n"
    test = replace(calls("save('s.txt')", checks=USUAL_CHECKS), side_output=SideOutput(files=("s.txt",)))
    assert bank.run(program, test).written == {"s.txt": "kept"}


POINT = STATES.replace("y: int = 0", "y: int = 5")


@pytest.mark.parametrize(
    ("test", "change", "said"),
    [
        (
            calls("Point(1)"),
            ("y: int = 5", "y: int = 6"),
            "The function returns the wrong value: returned.y: 5 expected, found 6.",
        ),
        (
            calls("[Point(1)]"),
            ("    x: int", "    z: int"),
            "The function returns the wrong value: returned[0].x: 1 expected, missing.",
        ),
        (calls("Point(1)"), ("y: int = 5", "y: int = 5\n    more: int = 3"), ""),
        (
            calls("type(Point(1)).__name__"),
            ("class Point", "class Pont"),
            "game.py has no `Point`, which the test calls.",
        ),
        (
            calls("make()"),
            ("return Point(1)", "return Celsius(1)"),
            "The function returns the wrong value: an object of Point expected, found an object of Celsius",
        ),
        (
            calls("p.__init__(3)", variables={"p": {"python": "Point(1)"}}),
            ("y: int = 5", "y: int = 6"),
            "The function must change p in another way: after the call p.y: 5 expected, found 6.",
        ),
    ],
)
def test_a_difference_in_state_is_told_where_it_is(test: Test, change: tuple[str, str], said: str, bank: Bank) -> None:
    judgement = bank.judge(test, f"{POINT}\ndef make():\n    return Point(1)\n", *change)
    assert sentence(judgement)[: len(said) or None] == said
    assert (judgement.verdict is Verdict.PASSED) == (not said)


def test_numbers_in_objects_may_be_off_by_the_tolerance(bank: Bank) -> None:
    test = replace(calls("Point(1)"), comparison=ComparisonPolicy(tolerance=Tolerance(Decimal("0.5"))))
    assert bank.judge(test, POINT, "y: int = 5", "y: int = 5.25").verdict is Verdict.PASSED
    assert bank.judge(test, POINT, "y: int = 5", "y: int = 5.75").verdict is Verdict.WRONG_OUTPUT


def test_an_object_may_be_given_and_used_by_later_variables(bank: Bank) -> None:
    given: dict[str, Plain] = {"p": {"python": "Point(1, 2)"}, "q": {"python": "[p, Point(p.x)]"}}
    outcome = bank.run(STATES, calls("q[0] is p, q[1].x", variables=given))
    assert called(outcome).returned == {"tuple": [True, 1]}
