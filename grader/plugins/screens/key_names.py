"""Reads the keys that a person presses, as the terminal sends them, and gives their names in a test."""

import re
from functools import cache

from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.keystrokes import KEY_NAMES, Keystroke, parse_keys

_APPLICATION_KEYS = b"\x1b[?1h"
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b[^\x1b]|.", re.DOTALL)
_MODIFIERS = ("", "shift-", "alt-", "ctrl-")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_OTHERWISE = {"\x7f": "<backspace>", "\n": "<enter>", "\x1b": "<esc>", "<": "<less>", " ": "<space>"}


def names_of_keys(sent: str) -> list[str]:
    """Return the name of each key, given what the terminal has sent.

    Keys without a name, and answers of the terminal to queries of the program, are left out.
    """
    return [name for match in _SEQUENCE.finditer(sent) if (name := _name(match[0])) is not None]


def _name(code: str) -> str | None:
    if code in _OTHERWISE:
        return _OTHERWISE[code]
    return _names_by_code().get(code) or (code if len(code) == 1 and code.isprintable() else None)


@cache
def _names_by_code() -> dict[str, str]:
    """Map codes to names, with the plainest name of each code."""
    emulators = ScreenEmulator(24, 80), ScreenEmulator(24, 80)
    emulators[1].draw(_APPLICATION_KEYS)
    named = [f"<{modifier}{name}>" for modifier in _MODIFIERS for name in KEY_NAMES]
    named += [f"<{modifier}{letter}>" for modifier in ("ctrl-", "alt-") for letter in _LETTERS]
    names: dict[str, str] = {}
    for emulator in emulators:
        for name in named:
            code = "".join(emulator.code_of(stroke).decode() for stroke in parse_keys(name))
            names.setdefault(code, name)
    return names


def stroke_of(name: str) -> Keystroke:
    """Return the key with a name that `names_of_keys` gives."""
    return parse_keys(name)[0]
