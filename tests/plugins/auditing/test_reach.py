"""Which statements a run reaches, and whether it can reach what a change concerns."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.plugins.auditing.reach import NOTES, START, Places, ReachMap, reach_map

PROGRAM = '''\
"""A game."""
from __future__ import annotations

LIMIT = 3


class Score:
    """Points."""

    points = 0

    def add(self, more):
        """Add points."""
        if more > LIMIT:
            self.points += 1
        elif more < 0:
            self.points -= 1
        else:
            self.points += more


def read(text):
    try:
        return int(text)
    except ValueError:
        print("?")
    return None


def rounds(texts):
    for text in texts:
        number = read(text)
        if number is None:
            break
        yield number
    else:
        print("all")


score = Score()
for number in rounds(input().split()):
    score.add(number)
print(score.points)
'''


@pytest.fixture
def known() -> ReachMap:
    found = reach_map(PROGRAM)
    assert found is not None
    return found


def run(known: ReachMap, folder: Path, typed: str) -> tuple[str, Places]:
    """What the watched program prints, and the places that it reaches."""
    (folder / "game.py").write_text(known.watched)
    done = subprocess.run(
        [sys.executable, "game.py"], cwd=folder, input=typed, capture_output=True, text=True, check=True
    )
    return done.stdout, known.reached((folder / NOTES).read_text())


@pytest.mark.parametrize(
    ("typed", "printed", "change", "is_reached"),
    [
        ("1 2", "all\n3\n", ("points += more", "points += 2 * more"), True),
        ("1 2", "all\n3\n", ("self.points += 1", "self.points += 2"), False),
        ("5", "all\n1\n", ("self.points += 1", "self.points += 2"), True),
        ("5", "all\n1\n", ("more < 0", "more < 1"), False),
        ("1", "all\n1\n", ("more < 0", "more < 1"), True),
        ("1", "all\n1\n", ('print("?")', "pass"), False),
        ("x", "?\n0\n", ('print("?")', "pass"), True),
        ("1", "all\n1\n", ("except ValueError", "except KeyError"), True),
        ("x", "?\n0\n", ('print("all")', "pass"), False),
        ("x", "?\n0\n", ("points += more", "points += 2 * more"), False),
        ("x", "?\n0\n", ("LIMIT = 3", "LIMIT = 4"), True),
        ("x", "?\n0\n", ("points = 0", "points = 1"), True),
        ("x", "?\n0\n", ("def add(self, more)", "def add(self, more=1)"), True),
        ("x", "?\n0\n", ('"""A game."""', '"""Another."""'), True),
        ("x", "?\n0\n", ('"""Add points."""', '"""Add."""'), True),
    ],
)
def test_a_change_is_reached_when_a_run_gets_to_its_statement(
    known: ReachMap, tmp_path: Path, typed: str, printed: str, change: tuple[str, str], is_reached: bool
) -> None:
    shown, reached = run(known, tmp_path, typed)
    assert shown == printed
    assert PROGRAM.count(change[0]) == 1
    changed = known.changed(PROGRAM.replace(*change))
    assert bool(reached & changed) is is_reached


def test_a_program_that_is_killed_has_noted_what_it_reached_before(tmp_path: Path) -> None:
    source = "import os\nfirst = 1\nos._exit(0)\nnever = 1\n"
    known = reach_map(source)
    assert known is not None
    _, reached = run(known, tmp_path, "")
    assert reached & known.changed(source.replace("first = 1", "first = 2"))
    assert not reached & known.changed(source.replace("never = 1", "never = 2"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The name is global in the whole function until something in it is assigned.
        ("        print(total)\n", "        total = 1\n"),
        # A function with a `yield` anywhere is a generator.
        ("        print(total)\n", "        yield total\n"),
    ],
)
def test_what_changes_a_whole_function_is_reached_everywhere(before: str, after: str) -> None:
    source = f"total = 3\n\n\ndef show(never):\n    if never:\n{before}    return total\n\n\nprint(show(False))\n"
    known = reach_map(source)
    assert known is not None
    assert known.changed(source.replace(before, after)) == {START}


def test_a_statement_that_leaves_a_block_is_reached_with_the_block(tmp_path: Path) -> None:
    source = "if not input():\n    print(1)\nprint(2)\n"
    known = reach_map(source)
    assert known is not None
    _, reached = run(known, tmp_path, "x\n")
    assert reached & known.changed("if not input():\n    pass\nprint(1)\nprint(2)\n")
    assert not reached & known.changed("if not input():\n    print(3)\nprint(2)\n")
    assert not reached & known.changed("if not input():\n    print(1)\n    print(3)\nprint(2)\n")
    assert reached & known.changed("if not input():\n    print(1)\nelse:\n    print(3)\nprint(2)\n")
    assert reached & known.changed("if not input():\n    print(1)\nprint(2)\nprint(3)\n")


def test_without_notes_everything_may_be_reached(known: ReachMap) -> None:
    changed = known.changed(PROGRAM.replace('print("?")', "pass"))
    for notes in (None, "", "0" * 7):
        assert known.reached(notes) & changed


def test_a_program_that_cannot_be_read_has_no_map() -> None:
    assert reach_map("print 1\n") is None


def test_odd_programs_are_no_reason_for_warnings(recwarn: pytest.WarningsRecorder) -> None:
    known = reach_map("score = 3\nif score == 3:\n    score = 4\n")
    assert known is not None
    assert known.changed("score = 3\nif score is 3:\n    score = 4\n") == {2}
    assert not recwarn.list
