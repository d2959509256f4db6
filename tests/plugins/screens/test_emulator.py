"""The screen shows what a terminal would show, whatever a program prints."""

import time

import pytest

from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.frame import StyledSpan


def drawn(output: bytes, rows: int = 4, columns: int = 10) -> ScreenEmulator:
    emulator = ScreenEmulator(rows, columns)
    emulator.draw(output)
    return emulator


def rows_of(output: bytes) -> list[str]:
    return [row for row in drawn(output).frame().rows if row]


@pytest.mark.parametrize(
    ("output", "rows"),
    [
        (b"one\r\ntwo", ["one", "two"]),
        (b"one\rT", ["Tne"]),
        (b"\x1b[2;3Hx", ["  x"]),
        (b"-\x1b[4b", ["-----"]),
        (b"old\x1b[2J\x1b[Hnew", ["new"]),
        (b"shell\x1b[?1049h\x1b[Hgame\x1b[?1049l", ["shell"]),
        ("K♥ 你好".encode(), ["K♥ 你好"]),
        (b"\x1b(0lqk\x1b(B", ["┌─┐"]),
        (b"0123456789ab", ["0123456789", "ab"]),
        (b"\xff\xfe", ["\ufffd\ufffd"]),
    ],
)
def test_output_is_drawn(output: bytes, rows: list[str]) -> None:
    assert rows_of(output) == rows


def test_colours_and_attributes_have_names() -> None:
    output = b"\x1b[1;31mab\x1b[0m-\x1b[7mc\x1b[0m\x1b[38;5;123md\x1b[0m\x1b[48;2;255;128;0me\x1b[0m\x1b[94mf"
    assert drawn(output).frame().styles[0] == (
        StyledSpan(1, 2, "bold red"),
        StyledSpan(4, 4, "reverse"),
        StyledSpan(5, 5, "colour 123"),
        StyledSpan(6, 6, "on #ff8000"),
        StyledSpan(7, 7, "bright blue"),
    )


def test_the_usual_colours_of_curses_count_as_none() -> None:
    assert drawn(b"\x1b[37;40mplain").frame().styles[0] == ()


def test_the_cursor_is_where_the_next_character_appears() -> None:
    assert drawn(b"ab").frame().cursor == (1, 3)
    assert drawn("你".encode()).frame().cursor == (1, 3)
    assert drawn(b"\x1b[?25l").frame().cursor is None


def test_a_question_to_the_terminal_is_answered_once() -> None:
    emulator = drawn(b"ab\x1b[6n")
    assert emulator.take_replies() == b"\x1b[1;3R"
    assert emulator.take_replies() == b""


def test_a_program_cannot_resize_the_screen() -> None:
    frame = drawn(b"\x1b[8;100;200tx").frame()
    assert (len(frame.rows), frame.rows[0]) == (4, "x")


@pytest.mark.slow
def test_output_that_takes_long_to_draw_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.screens.emulator._MAX_SECONDS", 1.0)
    emulator = ScreenEmulator(200, 200)
    begun = time.thread_time()
    emulator.draw(b"x\x1b[2147483647b\x1b#8" * 60_000)
    assert emulator.is_over
    assert time.thread_time() - begun < 10
