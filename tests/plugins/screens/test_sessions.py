"""Sessions of real programs that draw: keys are pressed when the program waits, and screens are taken then."""

from decimal import Decimal

import pytest

from grader.judge.output_checks import judge_by_checks
from grader.model.expectation import CheckKind, Contains, HasLines, HasNumbers, Lacks, OutputCheck
from grader.model.judgement import Verdict
from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.plugins.screens.settings import ScreenPart
from tests.plugins.screens.conftest import Press, judged, screen_settings, screen_test

COUNTER = """
import curses
def main(screen):
    curses.curs_set(0)
    count = 0
    while True:
        screen.erase()
        screen.addstr(1, 2, f"Count: {count}")
        key = screen.getch()
        if key == curses.KEY_UP:
            count += 1
        elif key == 27:
            count = 0
        elif key == ord("q"):
            return
curses.wrapper(main)
print("bye")
"""


def test_a_frame_is_taken_before_each_key_and_at_the_end(press: Press) -> None:
    outcome = press(COUNTER, "<up>", "<up><up>", "<esc>", "q")
    counts = ["    2|  Count: 0", "    2|  Count: 1", "    2|  Count: 3", "    2|  Count: 0"]
    assert outcome.transcript.splitlines() == [
        *(counts[0], "key: <up>", counts[1], "key: <up><up>", counts[2], "key: <esc>", counts[3], "key: q"),
        *("end", "    1|bye"),
    ]
    assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0)
    assert [typed.text for typed in outcome.typed] == ["<up>", "<up><up>", "<esc>", "q"]
    assert all(outcome.transcript.startswith(typed.text, typed.offset) for typed in outcome.typed)


def test_a_program_that_still_waits_is_stopped(press: Press) -> None:
    outcome = press(COUNTER, "<up>")
    assert outcome.ending is Termination.ASKED_AGAIN
    assert outcome.transcript.endswith("key: <up>\n    2|  Count: 1\n")


def test_keys_that_are_not_read_are_counted(press: Press) -> None:
    assert press(COUNTER, "q", "<up>", "<up>").unsent == 2


def test_a_program_that_reads_lines_gets_lines(press: Press) -> None:
    outcome = press("print('Hello', input('Name? '))", "Ada")
    assert outcome.transcript == "    1|Name?\nkey: Ada\nend\n    1|Name? Ada\n    2|Hello Ada\n"


def test_a_crash_is_a_crash(press: Press) -> None:
    outcome = press(COUNTER.replace("count += 1", "count += None"), "<up>", "q")
    assert outcome.errors.splitlines()[-1].startswith("TypeError: ")
    assert (
        judged("    2|  Count: 0\nkey: <up>\n    2|  Count: 1\nkey: q\nend\n", outcome, "<up>", "q").verdict
        is Verdict.CRASH
    )


def test_the_terminal_has_the_size_that_was_asked_for(press: Press) -> None:
    program = "import curses\nprint(*curses.wrapper(lambda screen: screen.getmaxyx()))"
    outcome = press(program, settings=screen_settings(rows=30, columns=100))
    assert outcome.transcript.endswith("1|30 100\n")


def test_colours_and_the_cursor_are_recorded(press: Press) -> None:
    program = """
import curses
def main(screen):
    screen.addstr(0, 0, "chosen", curses.A_REVERSE)
    screen.move(4, 6)
    screen.getch()
curses.wrapper(main)
"""
    settings = screen_settings(ScreenPart.TEXT, ScreenPart.COLOURS, ScreenPart.CURSOR)
    frame = press(program, "x", settings=settings).transcript.partition("key: ")[0]
    assert frame == "    1|chosen\n    1: 1-6 reverse\ncursor: row 5, column 7\n"


def test_control_c_interrupts_a_program_that_reads_lines(press: Press) -> None:
    program = "try:\n    input()\nexcept KeyboardInterrupt:\n    print('stopped')"
    assert "stopped" in press(program, "<ctrl-c>").transcript


@pytest.mark.slow
def test_a_flood_of_control_codes_is_an_output_limit(press: Press) -> None:
    program = "while True: print('x\\x1b[9999b' * 1000)"
    assert press(program, "q", limits=Limits(wall_seconds=120, output_bytes=100_000)).ending is Termination.OUTPUT_LIMIT


def test_polling_with_a_timeout_counts_as_waiting_once_nothing_changes(press: Press) -> None:
    program = COUNTER.replace("count = 0\n    while", "count = 0\n    screen.timeout(40)\n    while", 1)
    outcome = press(program, "<up>", "<up>", "q")
    assert outcome.transcript == press(COUNTER, "<up>", "<up>", "q").transcript


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (Contains(("Count: 3",)), None),
        (HasLines(("  Count: 0", "  Count: 3", "bye")), None),
        (HasNumbers(tuple(map(Decimal, (0, 1, 3, 3)))), None),
        (Lacks(("key",)), None),
        (Lacks(("|",)), None),
        (Contains(("Count: 2",)), "The output does not contain `Count: 2`; the nearest line is `  Count: 0`."),
        (Lacks(("Count: 1",)), "The output contains `Count: 1`, which should not be there."),
    ],
)
def test_checks_see_the_text_of_all_screens(check: CheckKind, sentence: str | None, press: Press) -> None:
    keys = ("<up>", "<up><up>", " ", "q")
    outcome = press(COUNTER, *keys)
    judgement = judge_by_checks(screen_test(keys), [OutputCheck(kind=check)], "", outcome)
    assert (judgement.diagnosis.sentence if judgement.diagnosis else None) == sentence


def test_a_program_may_look_for_an_answer_of_the_terminal_again_and_again(press: Press) -> None:
    program = """
import os, select, sys, time, tty
tty.setraw(0)
print(end="\\x1b[6n", flush=True)
begun = time.monotonic()
while not select.select([0], [], [], 0)[0] and time.monotonic() - begun < 5:
    time.sleep(0.001)
print(end="\\x1b[2J\\x1b[H" + ascii(os.read(0, 99).decode()), flush=True)
os.read(0, 1)
"""
    outcome = press(program, "q")
    assert outcome.transcript.startswith("    1|'\\x1b[1;1R'\nkey: q\n")
    assert outcome.wall_seconds < 4
