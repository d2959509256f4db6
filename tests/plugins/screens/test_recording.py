"""`grader record --screen` in a real terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pexpect import EOF, spawn

from tests.conftest import Grader, SmallCourse
from tests.plugins.recording.test_command import settings

COUNTER = """
import curses
def main(screen):
    curses.curs_set(0)
    count = 0
    while True:
        screen.erase()
        screen.addstr(1, 2, f"Count: {count}")
        key = screen.getch()
        count += {curses.KEY_UP: 1, curses.KEY_DOWN: -1, 27: 10, 127: 20, curses.KEY_BACKSPACE: 20}.get(key, 0)
        if key == ord("q"):
            return
curses.wrapper(main)
print("bye")
"""
ADDED = "  - id: recorded-1\n    points: 0\n    keys: [{}]\n    screen: {{rows: 20, columns: 70}}\n"


TESTS = "format: 1\nprogram: double.py\npart: doubles\ntests:\n  - {id: leave, points: 10, keys: [q]}\n"


def file_for(program: str, grader: Grader, course: SmallCourse) -> Path:
    """The tests file of the reference `program`, with one test whose expected screens are fresh."""
    (course.folder / "reference" / "double.py").write_text(program)
    file = course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    file.write_text(TESTS)
    for expected in course.expected.iterdir():
        expected.unlink()
    assert grader("generate").returncode == 0
    return file


@contextmanager
def recording(course: SmallCourse) -> Iterator["spawn[str]"]:
    """The command in a terminal of 20 rows and 70 columns."""
    command = ["-m", "grader", "record", "double.py", "--screen"]
    terminal: spawn[str] = spawn(
        sys.executable, command, cwd=course.folder, encoding="utf-8", timeout=60, dimensions=(20, 70)
    )
    terminal.delaybeforesend = None
    before = settings(terminal)
    try:
        yield terminal
        terminal.expect(EOF)
        # What lies behind the command is as it was.
        assert settings(terminal) == before
    finally:
        terminal.close(force=True)


def press(terminal: "spawn[str]", key: str, shown: str) -> None:
    terminal.send(key)
    terminal.expect_exact(shown)


@pytest.mark.slow
def test_keys_become_a_test_that_is_fresh(grader: Grader, small_course: SmallCourse) -> None:
    tests_file = file_for(COUNTER, grader, small_course)
    with recording(small_course) as terminal:
        terminal.expect_exact("Count: 0")
        # An arrow key in both modes, Escape, the backspace key, and an answer of a terminal to a query.
        press(terminal, "\x1bOA", "1")
        press(terminal, "\x1b[A", "2")
        press(terminal, "\x1b", "12")
        press(terminal, "\x1b[24;80R\x7f", "32")
        terminal.send("q")
        terminal.expect_exact("bye")
        terminal.expect_exact("added: recorded-1 in ")
    assert terminal.exitstatus == 0
    assert tests_file.read_text().endswith(ADDED.format("<up>, <up>, <esc>, <backspace>, q"))
    expected = (small_course.expected / "recorded-1.wordy.txt").read_text()
    assert expected.endswith("    2|  Count: 32\nkey: q\nend\n    1|bye\n")
    assert grader("generate", "--check").returncode == 0


@pytest.mark.slow
def test_a_program_that_waits_can_be_stopped(grader: Grader, small_course: SmallCourse) -> None:
    tests_file = file_for(COUNTER, grader, small_course)
    with recording(small_course) as terminal:
        terminal.expect_exact("Count: 0")
        press(terminal, "\x1bOA", "1")
        terminal.send("\x1c")
        terminal.expect_exact("added: recorded-1 in ")
    assert tests_file.read_text().endswith(ADDED.format("<up>") + "    asks_again: true\n")
    assert grader("generate", "--check").returncode == 0


@pytest.mark.slow
def test_a_program_that_reads_lines_gets_lines(grader: Grader, small_course: SmallCourse) -> None:
    tests_file = file_for('print("Hello", input("Name? "))\n', grader, small_course)
    with recording(small_course) as terminal:
        terminal.expect_exact("Name? ")
        terminal.send("Adb\x7fa B\r")
        terminal.expect_exact("added: recorded-1 in ")
    assert tests_file.read_text().endswith(ADDED.format("Ada<space>B"))
    assert grader("generate", "--check").returncode == 0


def test_control_c_gives_up(grader: Grader, small_course: SmallCourse) -> None:
    tests_file = file_for(COUNTER, grader, small_course)
    with recording(small_course) as terminal:
        terminal.expect_exact("Count: 0")
        terminal.send("\x03")
        terminal.expect_exact("nothing is recorded")
    assert terminal.exitstatus == 130
    assert tests_file.read_text() == TESTS
