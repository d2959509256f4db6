"""What a person types, key by key, and the lines that come of it.

The keys are handed on to a terminal that edits lines, so that echo and erasing look as everywhere. So that the lines
known here are surely those that the program reads, only keys are handed on whose effect on a line is plain; arrow keys
and the like do nothing, in a terminal that edits lines they never did.
"""

import unicodedata
from collections.abc import Callable

ERASE = "\x7f"
INTERRUPT = "\x03"
QUIT = "\x1c"
END_OF_INPUT = "\x04"
_ESCAPE = "\x1b"
# A terminal keeps 4,095 bytes of a line and drops the rest.
_MOST_BYTES = 4000


class Keyboard:
    """Collects lines from keys. `ended` is set by the end of input at the start of a line, `interrupted` by Ctrl-C."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ended = False
        self.interrupted = False
        self._line = ""
        self._sequence = ""
        self._keys: dict[str, Callable[[], str]] = {
            "\r": self._enter,
            "\n": self._enter,
            END_OF_INPUT: self._end,
            ERASE: lambda: self._erase(len(self._line) - 1),
            "\b": lambda: self._erase(len(self._line) - 1),
            "\x15": lambda: self._erase(0),
            "\x17": lambda: self._erase(self._line.rstrip(" ").rfind(" ") + 1),
        }

    def press(self, keys: str) -> str:
        """Take what was typed; returns what is to be handed on to the terminal."""
        return "".join(map(self._press, keys))

    def _press(self, key: str) -> str:
        if key in (INTERRUPT, QUIT):
            self.interrupted = True
            return key
        if self._sequence or key == _ESCAPE:
            self._follow(key)
            return ""
        if key in self._keys:
            return self._keys[key]()
        return self._insert(key)

    def _follow(self, key: str) -> None:
        """Take in one more character of an escape sequence: ESC [ … letter, ESC O letter, or ESC and one character."""
        self._sequence += key
        begun = self._sequence in (_ESCAPE, f"{_ESCAPE}[", f"{_ESCAPE}O")
        inside = self._sequence.startswith(f"{_ESCAPE}[") and not "@" <= key <= "~"
        if not begun and not inside:
            self._sequence = ""

    def _insert(self, key: str) -> str:
        if self.ended or len((self._line + key).encode()) > _MOST_BYTES:
            return ""
        if key != "\t" and unicodedata.category(key) in ("Cc", "Cs", "Cn"):
            return ""
        self._line += key
        return key

    def _erase(self, keep: int) -> str:
        keep = max(keep, 0)
        erased = len(self._line) - keep
        self._line = self._line[:keep]
        return ERASE * erased

    def _enter(self) -> str:
        if self.ended:
            return ""
        self.lines.append(self._line)
        self._line = ""
        return "\n"

    def _end(self) -> str:
        """The end of input ends nothing in the middle of a line."""
        if self._line:
            return ""
        self.ended = True
        return END_OF_INPUT
