"""The lines that a keyboard collects are those that a real terminal gives to the program."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.recording.play import Keyboard, edit_lines
from grader.run.process.terminal import Terminal

ORDINARY = st.text(st.characters(codec="utf-8", exclude_characters="\x03\x04\x1c"), max_size=20)
EDITING = st.sampled_from(
    ["\r", "\n", "\x7f", "\b", "\x15", "\x17", " ", "\t", "\x1b[D", "\x1bOA", "\x1b[1;5C", "é", "😊", "☺️"]
)


def lines_read(typed: str) -> list[str]:
    """What a program reads of keys that are typed into its terminal."""
    with Terminal(echo=True) as terminal:
        edit_lines(terminal.program_fd)
        os.set_blocking(terminal.program_fd, False)
        lines = []
        for piece in typed.split("\n")[:-1]:
            os.write(terminal.child_fd, f"{piece}\n".encode())
            lines.append(os.read(terminal.program_fd, 8192).decode())
            while terminal.read_output():
                pass
        return lines


@given(st.lists(EDITING | ORDINARY, max_size=30).map("".join))
def test_lines_are_those_that_a_terminal_gives(keys: str) -> None:
    keyboard = Keyboard()
    typed = keyboard.press(keys) + keyboard.press("\x1b[D\r")
    assert "".join(line + "\n" for line in keyboard.lines) == "".join(lines_read(typed))


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        ("7\r", ["7"]),
        ("78\x7f\r", ["7"]),
        ("\x7f\x7f7\r", ["7"]),
        ("abc\x15x\r", ["x"]),
        ("two words \x17x\r", ["two x"]),
        ("one\x17x\r", ["x"]),
        ("♠😊\x7f\r", ["♠"]),
        ("a\x1b[Db\x1b[1;5Cc\x1bOAd\x1bxe\r", ["abcde"]),
        ("a\tb\x07\r", ["a\tb"]),
        ("\r\r", ["", ""]),
        ("a\x04b\r", ["ab"]),
        ("x" * 5000 + "\r", ["x" * 4000]),
    ],
)
def test_keys(keys: str, lines: list[str]) -> None:
    keyboard = Keyboard()
    keyboard.press(keys)
    assert (keyboard.lines, keyboard.ended, keyboard.interrupted) == (lines, False, False)


def test_the_end_of_input_ends_the_lines() -> None:
    keyboard = Keyboard()
    assert keyboard.press("a\r\x04b\r\x04") == "a\n\x04\x04"
    assert (keyboard.lines, keyboard.ended) == (["a"], True)


@pytest.mark.parametrize("key", ["\x03", "\x1c"])
def test_interruption_is_handed_on(key: str) -> None:
    keyboard = Keyboard()
    assert keyboard.press(f"ab{key}") == f"ab{key}"
    assert keyboard.interrupted
