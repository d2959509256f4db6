"""Programs that wake by themselves: they wait for a key once their screens keep still, and never by chance."""

import itertools
import math

import pytest

from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.plugins.screens.frame_recorder import FrameRecorder
from grader.plugins.screens.settings import Span
from grader.plugins.screens.stillness import repeated_unit
from grader.run.terminal import waiting_syscall
from tests.plugins.screens.conftest import Press, judged, screen_settings

GAME = """
import curses, time
def main(screen):
    curses.curs_set(0)
    count = ticks = 0
    begun = time.monotonic()
    {setup}
    while True:
        screen.{clear}()
        screen.addstr(0, 0, f"Count: {{count}}")
        {tick}
        key = screen.getch()
        count += key == ord("+")
        if key == ord("q"):
            return
        ticks += 1
        {pause}
curses.wrapper(main)
"""
PLAIN = """
import select, sys, tty
tty.setcbreak(0)
count = 0
while True:
    print(end=f"\\x1b[2J\\x1b[HCount: {count}\\x1b[?25l", flush=True)
    if select.select([0], [], [], 0.05)[0]:
        key = sys.stdin.read(1)
        count += key == "+"
        if key == "q":
            break
print(end="\\x1b[2J\\x1b[H")
"""
WHOLE_SCREEN = """
import select, sys, tty
tty.setcbreak(0)
count = 0
while True:
    rows = "".join(f"{row:02} " + "<>" * 38 + "\\r\\n" for row in range(22))
    print(end=f"\\x1b[2J\\x1b[H{rows}\\x1b[H\\x1b[JCount: {count}\\x1b[?25l", flush=True)
    if select.select([0], [], [], 0.02)[0]:
        key = sys.stdin.read(1)
        count += key == "+"
        if key == "q":
            break
print(end="\\x1b[2J\\x1b[H")
"""
SHOWN = "    1|Count: 0\nkey: +\n    1|Count: 1\nkey: q\nend\n"


def game(*, setup: str = "pass", clear: str = "erase", tick: str = "pass", pause: str = "pass") -> str:
    return GAME.format(setup=setup, clear=clear, tick=tick, pause=pause)


POLLING = {
    "timeout": game(setup="screen.timeout(40)"),
    "halfdelay": game(setup="curses.halfdelay(2)"),
    "sleep": game(setup="screen.nodelay(True)", pause="time.sleep(0.02)"),
    "napms": game(setup="screen.nodelay(True)", pause="curses.napms(20)"),
    "a clear screen each time": game(setup="screen.timeout(40)", clear="clear"),
    "a clear screen before each sleep": game(setup="screen.nodelay(True)", clear="clear", pause="time.sleep(0.02)"),
    "codes that are printed": PLAIN,
    "a whole screen each time": WHOLE_SCREEN,
    "an animation at the beginning": game(
        setup="screen.timeout(40)", tick="screen.addstr(0, 0, '.' * max(0, 9 - ticks))"
    ),
}
MOVING = {
    "a counter": game(setup="screen.timeout(40)", tick="screen.addstr(1, 0, str(ticks))"),
    "a spinner": game(setup="screen.timeout(40)", tick="screen.addstr(1, 0, '|/-\\\\'[ticks % 4])"),
    "a clock": game(setup="screen.timeout(40)", tick="screen.addstr(1, 0, str(int(time.monotonic() - begun)))"),
    "a clock that is drawn now and then": game(
        setup="screen.timeout(450)", tick="screen.addstr(1, 0, str(int(time.monotonic() - begun)))"
    ),
    "a mark that goes out for a moment": game(
        setup="screen.timeout(40)", tick="screen.addstr(1, 0, '*' if ticks % 4 else ' ')"
    ),
    "a mark that goes out between sleeps": game(
        setup="screen.nodelay(True)",
        clear="clear",
        tick="screen.addstr(1, 0, '*' if ticks % 9 else ' ')",
        pause="time.sleep(0.02)",
    ),
    "a clock between sleeps": game(
        setup="screen.nodelay(True)",
        tick="screen.addstr(1, 0, str(int(time.monotonic() - begun)))",
        pause="time.sleep(0.05)",
    ),
}


@pytest.mark.parametrize("name", POLLING)
def test_a_screen_that_keeps_still_is_compared(name: str, press: Press) -> None:
    outcome = press(POLLING[name], "+", "q")
    assert (outcome.transcript, outcome.ending) == (SHOWN, Termination.EXITED)


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVING)
def test_a_screen_that_never_keeps_still_is_not_compared(name: str, press: Press) -> None:
    outcome = press(MOVING[name], "+", "q", limits=Limits(wall_seconds=3))
    assert (outcome.transcript, outcome.ending) == ("", Termination.TIMED_OUT)
    diagnosis = judged(SHOWN, outcome, "+", "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence).endswith("or for a screen that keeps changing without a key.")


@pytest.mark.slow
def test_rows_that_are_not_compared_may_move(press: Press) -> None:
    settings = screen_settings(shown_rows=Span(1, 1))
    assert press(MOVING["a counter"], "+", "q", settings=settings).transcript == SHOWN


def test_the_output_of_several_seconds_is_kept() -> None:
    recorder = FrameRecorder(screen_settings(), limit_bytes=10_000_000)
    redrawn = "\x1b[2J\x1b[H" + "<>" * 900
    for _ in range(200):
        recorder.show(redrawn)
    assert recorder.latest.decode() == 200 * redrawn


def test_a_timeout_that_is_misread_is_read_again(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a program wakes, the memory that held its timeout holds something else."""
    misread = itertools.cycle((math.inf, 0.04))
    monkeypatch.setattr(waiting_syscall, "patience_seconds", lambda _pid, _call: next(misread))
    outcome = press(MOVING["a counter"], "+", "q", limits=Limits(wall_seconds=1))
    assert (outcome.transcript, outcome.ending) == ("", Termination.TIMED_OUT)


@pytest.mark.parametrize(
    ("output", "blocks", "known", "unit"),
    [
        (b"ab", 1, b"", b"ab"),
        (b"ab" * 50, 50, b"", b"ab"),
        (b"ab" * 50, 54, b"", b"ab"),
        (b"ab" * 50, 90, b"", None),
        (b"ab" * 50, 90, b"ab", b"ab"),
        (b"abac" * 25, 50, b"", None),
        (b"abac" * 25, 54, b"ab", None),
    ],
)
def test_output_repeats_if_it_is_the_same_each_time(
    output: bytes, blocks: int, known: bytes, unit: bytes | None
) -> None:
    assert repeated_unit(output, blocks=blocks, known=known) == unit


def test_a_long_pause_is_no_waiting(press: Press) -> None:
    program = game(setup="screen.addstr(0, 0, 'Loading'); screen.refresh(); time.sleep(2)")
    assert press(program, "+", "q").transcript == SHOWN


def test_a_screen_that_keeps_still_may_be_watched_beyond_the_time_limit(press: Press) -> None:
    program = game(setup="time.sleep(0.8); screen.timeout(40)", clear="clear")
    outcome = press(program, "+", "q", limits=Limits(wall_seconds=1.5))
    assert (outcome.transcript, outcome.ending) == (SHOWN, Termination.EXITED)


def test_watching_extends_the_time_limit_only_a_little(press: Press) -> None:
    outcome = press(MOVING["a mark that goes out for a moment"], "+", limits=Limits(wall_seconds=1))
    assert outcome.ending is Termination.TIMED_OUT
    assert outcome.wall_seconds < 15
