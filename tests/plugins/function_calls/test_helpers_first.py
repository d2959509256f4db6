"""The tests of a failing function come before those of the functions that call it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.interaction import Dialogue, FunctionCall
from grader.model.judgement import Judgement, Verdict
from grader.model.results import TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test
from grader.plugins.function_calls.helpers_first import helpers_first
from tests.building import TEST

WRONG = Judgement(verdict=Verdict.WRONG_OUTPUT)

CHAIN = """
def report(rooms):
    return [cost(room) for room in rooms]
def cost(room):
    return 3 * area(room)
def area(room):
    return room[0] + room[1]
"""

METHODS = """
class Room:
    def __init__(self, width, length):
        self.width, self.length = width, length
    def cost(self):
        return 3 * self.area()
    def area(self):
        return self.width + self.length
class Hall:
    def cost(self):
        return 0
"""

PROPERTY = METHODS.replace("    def area", "    @property\n    def area").replace("self.area()", "self.area")

INHERITED = """
class Place:
    def area(self):
        return 1
class Room(Place):
    def cost(self):
        return 3 * self.area()
"""

RECURSIVE = """
def is_odd(number):
    return number != 0 and is_even(number - 1)
def is_even(number):
    return number == 0 or is_odd(number - 1)
"""

SHADOWED = """
def area(room):
    return 1
def cost(area):
    return 3 * area
"""

BY_VALUE = """
def costs(rooms):
    return list(map(area, rooms))
def area(room):
    return 1
"""

BY_TABLE = """
def cost(kind, room):
    return SHAPES[kind](room)
def area(room):
    return 1
SHAPES = {"square": area}
"""

RENAMED = """
def area(room):
    return 1
size = area
def cost(room):
    return 3 * size(room)
"""

LOCAL = """
def cost(room):
    def area(room):
        return 2
    return 3 * area(room)
def area(room):
    return 1
"""


def call(*calls: str, program: str = "game.py", setup: tuple[str, ...] = ()) -> Test:
    interaction = FunctionCall(calls=calls, variables={}, setup=setup, checks=frozenset(), cards=None)
    return replace(TEST, id=" ".join(calls), program=program, interaction=interaction)


def ordered(folder: Path, sources: Mapping[str, str], tests: Sequence[Test]) -> list[str]:
    """The names of failed tests of a program with these files, in the order of their causes."""
    for name, text in sources.items():
        (folder / name).write_text(text)
    files = tuple(SubmittedFile(name, folder / name) for name in sources)
    submission = Submission(student="a", files=files, submitted=None, time_source=TimeSource.NONE, notes=())
    failed = [TestResult(test=test, judgement=WRONG, outcome=None, expected="") for test in tests]
    return [result.test.id for result in helpers_first(failed, submission)]


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        (CHAIN, "report cost area", "area cost report"),
        (CHAIN, "cost report area", "area cost report"),
        (CHAIN, "area report cost", "area cost report"),
        (CHAIN, "report area", "area report"),
        (CHAIN, "report cost", "cost report"),
        (METHODS, "Room(1,2).cost Room(1,2).area", "Room(1,2).area Room(1,2).cost"),
        (METHODS, "Hall().cost Room(1,2).area", "Hall().cost Room(1,2).area"),
        (PROPERTY, "Room(1,2).cost Room(1,2).area.bit_length", "Room(1,2).area.bit_length Room(1,2).cost"),
        (INHERITED, "Room().cost Room().area", "Room().area Room().cost"),
        (RECURSIVE, "is_odd is_even", "is_odd is_even"),
        (RECURSIVE, "is_even is_odd", "is_even is_odd"),
        (BY_VALUE, "costs area", "area costs"),
        (BY_TABLE, "cost area", "area cost"),
        (RENAMED, "cost area", "area cost"),
        (RENAMED, "cost size", "size cost"),
        (SHADOWED, "cost area", "cost area"),
        (LOCAL, "cost area", "cost area"),
        ("def cost(:\n", "cost area", "cost area"),
        ("", "cost area", "cost area"),
    ],
)
def test_a_function_comes_before_those_that_call_it(program: str, before: str, after: str, tmp_path: Path) -> None:
    tests = [call(f"{name}()") for name in before.split()]
    assert ordered(tmp_path, {"game.py": program}, tests) == [f"{name}()" for name in after.split()]


@pytest.mark.parametrize(
    "importing",
    [
        "from rooms import area as size\ndef cost(room):\n    return 3 * size(room)\n",
        "from rooms import *\ndef cost(room):\n    return 3 * area(room)\n",
        "import rooms as parts\ndef cost(room):\n    return 3 * parts.area(room)\n",
        "def cost(room):\n    from rooms import area\n    return 3 * area(room)\n",
    ],
)
def test_a_function_of_another_file_counts_under_any_name(importing: str, tmp_path: Path) -> None:
    sources = {"game.py": importing, "rooms.py": "def area(room):\n    return 1\n"}
    tests = [call("cost(1)"), call("area(1)", program="rooms.py")]
    assert ordered(tmp_path, sources, tests) == ["area(1)", "cost(1)"]


def test_names_that_a_test_assigns_are_its_own(tmp_path: Path) -> None:
    tests = [call("cost(area)", setup=("area = 2",)), call("area((1, 2))")]
    program = "def cost(size):\n    return 3 * size\ndef area(room):\n    return 1\n"
    assert ordered(tmp_path, {"game.py": program}, tests) == ["cost(area)", "area((1, 2))"]


def test_other_tests_keep_their_places(tmp_path: Path) -> None:
    session = replace(TEST, id="session", interaction=Dialogue(()))
    tests = [call("report([])"), session, call("area((1, 2))"), call("unknown()")]
    after = ["area((1, 2))", "session", "report([])", "unknown()"]
    assert ordered(tmp_path, {"game.py": CHAIN}, tests) == after


def test_a_file_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    file = SubmittedFile("game.py", tmp_path / "game.py")
    submission = Submission(student="a", files=(file,), submitted=None, time_source=TimeSource.NONE, notes=())
    failed = [
        TestResult(test=call(name), judgement=WRONG, outcome=None, expected="") for name in ("cost(1)", "area(1)")
    ]
    assert list(helpers_first(failed, submission)) == failed
