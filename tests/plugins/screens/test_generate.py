"""References that draw by a clock or by chance are refused, and the frame and line are named."""

from pathlib import Path

import pytest

from grader.authoring.generate import ReferenceFaultError, generate
from grader.authoring.repeatable import NondeterministicReferenceError
from grader.run.environment import open_environment
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, write_assignment

PROGRAM = """
import curses, random, time
def main(screen):
    curses.curs_set(0)
    {setup}
    begun, count, key = time.time(), 0, 0
    while key != ord("q"):
        screen.addstr(0, 0, f"Count: {{count}}")
        {draw}
        key = screen.getch()
        count += key == ord("x")
curses.wrapper(main)
"""
MOVING = {
    "a number by chance": ("pass", "screen.addstr(3, 2, str(random.random()))", "on the first screen, line 2 is "),
    "a clock": ("pass", "screen.addstr(3, 2, time.strftime('%H:%M:%S'))", "on the first screen, line 2 is "),
    "chance after a key": ("pass", "count and screen.addstr(3, 2, str(random.random()))", "after `x`, line 4 is "),
    "chance at the end": ("import atexit; atexit.register(lambda: print(random.random()))", "pass",
                          "after the program has ended, line "),
    "the time of the start": ("pass", "screen.addstr(3, 2, str(begun))", "on the first screen, line 2 is "),
}  # fmt: skip


def generated(folder: Path, setup: str, draw: str, wall_seconds: str = "20") -> object:
    entry = "id: t, keys: [x, q]"
    (folder / "reference").mkdir()
    text = f"{ASSIGNMENT}limits: {{wall_seconds: {wall_seconds}}}\n"
    file = write_assignment(folder, text, play=TESTS.replace("{id: one, input: [1]}", f"{{{entry}}}"))
    assignment = load(file)
    assignment.programs[0].reference.write_text(PROGRAM.format(setup=setup, draw=draw))
    with open_environment() as environment:
        return generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None)


@pytest.mark.parametrize("name", MOVING)
def test_a_reference_that_draws_something_else_each_time_is_refused(name: str, tmp_path: Path) -> None:
    setup, draw, place = MOVING[name]
    with pytest.raises(NondeterministicReferenceError) as caught:
        generated(tmp_path, setup, draw)
    assert f"runs the test t: {place}" in str(caught.value)


def test_a_reference_that_never_keeps_still_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReferenceFaultError) as caught:
        generated(tmp_path, "screen.timeout(40)", "screen.addstr(2, 0, str(time.time()))", "2")
    assert "or for a screen that keeps changing without a key." in str(caught.value)
