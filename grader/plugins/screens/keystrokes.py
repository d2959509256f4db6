"""Reads the keys of a test: text and named keys such as `<up>`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.errors import nearest, quoted

_NAMED = re.compile(r"<([a-z0-9-]+)>")
KEY_NAMES = {
    **{name: name for name in ("up", "down", "left", "right", "home", "end", "insert", "delete", "tab", "enter")},
    **{f"f{number}": f"f{number}" for number in range(1, 13)},
    "page-up": "pageup",
    "page-down": "pagedown",
    "back-tab": "backtab",
    "backspace": "backspace",
    "esc": "escape",
    "space": " ",
    "less": "<",
}
_MODIFIERS = {"ctrl": 4, "alt": 2, "shift": 1}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Keystroke:
    """One key: a character, or the emulator's name of a key. `modifiers` adds 1 for Shift, 2 for Alt, 4 for Ctrl."""

    key: str
    modifiers: int = 0

    @property
    def is_enter(self) -> bool:
        """Return whether the key ends a line."""
        return self.key == "enter"


def parse_keys(text: str) -> tuple[Keystroke, ...]:
    """Return the keystrokes of one item in `keys`. Raises ValueError for an unknown name between `<` and `>`."""
    return tuple(_keystrokes(text))


def _keystrokes(text: str) -> Iterator[Keystroke]:
    position = 0
    for match in _NAMED.finditer(text):
        yield from map(Keystroke, text[position : match.start()])
        yield _named(match[1])
        position = match.end()
    yield from map(Keystroke, text[position:])


def _named(name: str) -> Keystroke:
    """Return the key of a name such as `up`, `ctrl-c` or `shift-f3`. Raises ValueError."""
    modifiers, plain = 0, name
    while (prefix := plain.partition("-"))[0] in _MODIFIERS and prefix[2]:
        modifiers |= _MODIFIERS[prefix[0]]
        plain = prefix[2]
    if plain in KEY_NAMES:
        return Keystroke(KEY_NAMES[plain], modifiers)
    if modifiers and plain in _LETTERS and len(plain) == 1:
        return Keystroke(plain, modifiers)
    hint = nearest(plain, (*KEY_NAMES, "ctrl-c"))
    raise ValueError(f"found the key {quoted(f'<{name}>')}{hint}; a `<` that is not a key is written `<less>`")
