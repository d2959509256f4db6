"""Keys are text and names between angle brackets."""

import pytest

from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.keystrokes import Keystroke, parse_keys


def code_of(text: str, drawn: bytes = b"") -> bytes:
    emulator = ScreenEmulator(24, 80)
    emulator.draw(drawn)
    return b"".join(map(emulator.code_of, parse_keys(text)))


def test_an_item_mixes_text_and_named_keys() -> None:
    assert parse_keys("ab<up>c") == (Keystroke("a"), Keystroke("b"), Keystroke("up"), Keystroke("c"))


def test_a_sign_that_begins_no_key_is_itself() -> None:
    assert parse_keys("1 < 2> <less>up>") == tuple(map(Keystroke, "1 < 2> <up>"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<up>", b"\x1b[A"),
        ("<down>", b"\x1b[B"),
        ("<right>", b"\x1b[C"),
        ("<left>", b"\x1b[D"),
        ("<enter>", b"\r"),
        ("<tab>", b"\t"),
        ("<esc>", b"\x1b"),
        ("<backspace>", b"\x7f"),
        ("<delete>", b"\x1b[3~"),
        ("<page-down>", b"\x1b[6~"),
        ("<back-tab>", b"\x1b[Z"),
        ("<f1>", b"\x1bOP"),
        ("<f12>", b"\x1b[24~"),
        ("<ctrl-c>", b"\x03"),
        ("<alt-x>", b"\x1bx"),
        ("<shift-up>", b"\x1b[1;2A"),
        ("<ctrl-shift-left>", b"\x1b[1;6D"),
        ("<space>", b" "),
        ("é♥", "é♥".encode()),
    ],
)
def test_keys_are_sent_as_a_terminal_sends_them(text: str, code: bytes) -> None:
    assert code_of(text) == code


def test_arrows_have_other_codes_in_the_mode_of_curses() -> None:
    assert code_of("<up>", drawn=b"\x1b[?1h") == b"\x1bOA"


@pytest.mark.parametrize(("text", "hint"), [("<upp>", "<up"), ("<ctrl-enterr>", "enter"), ("<foo>", "<less>")])
def test_an_unknown_key_is_refused(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint.replace("<up", "up")):
        parse_keys(text)
