"""The terminal emulator: it takes the output of a program, and gives frames and the codes of keys."""

import time
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from bittty import XTERM, Board, MemoryConnection
from bittty.style import Color, Style

from grader.plugins.screens.frame import Frame, StyledSpan
from grader.plugins.screens.keystrokes import Keystroke

_ATTRIBUTES = ("bold", "dim", "italic", "underline", "blink", "reverse", "conceal", "strike")
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CHARACTERS = {"enter": "\r", "tab": "\t", "backspace": "\x08"}
_ALT_SENDS_ESCAPE = b"\x1b[?1039h"
_BYTES_AT_ONCE = 512
# Drawing a full screen takes about a millisecond, so only output made to take long reaches this.
_MAX_SECONDS = 10.0


class ScreenEmulator:
    """The screen of a terminal that a program draws on."""

    def __init__(self, rows: int, columns: int) -> None:
        """Make an empty screen of this size."""
        self._size = (columns, rows)
        self._line = MemoryConnection()
        self._board = Board(width=columns, height=rows, model=XTERM)
        self._board.pty = self._line
        self._board.feed_host_data(_ALT_SENDS_ESCAPE)
        self._seconds = 0.0

    @property
    def is_over(self) -> bool:
        """Return whether drawing took too much processor time, so that further output is ignored."""
        return self._seconds > _MAX_SECONDS

    def draw(self, output: bytes) -> None:
        """Interpret the output of a program."""
        for start in range(0, len(output), _BYTES_AT_ONCE):
            if self.is_over:
                return
            begun = time.thread_time()
            self._board.feed_host_data(output[start : start + _BYTES_AT_ONCE])
            if (self._board.width, self._board.height) != self._size:
                self._board.resize(*self._size)
            self._seconds += time.thread_time() - begun

    @property
    def has_replies(self) -> bool:
        """Return whether there are answers to queries of the program."""
        return bool(self._line.data)

    def take_replies(self) -> bytes:
        """Return, and forget, the answers of the terminal to queries of the program, such as the cursor's position."""
        return self._take_sent()

    def code_of(self, stroke: Keystroke) -> bytes:
        """Return the bytes that the terminal sends for a key in its present mode."""
        if stroke.key.startswith("f") and stroke.key[1:].isdigit():
            self._board.input_fkey(int(stroke.key[1:]), stroke.modifiers + 1)
        else:
            self._board.input_key(_CHARACTERS.get(stroke.key, stroke.key), stroke.modifiers + 1)
        return self._take_sent()

    def frame(self) -> Frame:
        """Return the present contents of the screen."""
        rows = self._board.blitter.current_page.get_content()
        cursor = self._board.cursor
        position = (cursor.y + 1, cursor.display_x + 1)
        return Frame(
            rows=tuple("".join(text for _, text in row).rstrip(" ") for row in rows),
            styles=tuple(tuple(_styled_spans([style for style, _ in row])) for row in rows),
            cursor=position if self._board.modes.cursor_visible else None,
        )

    def _take_sent(self) -> bytes:
        sent = b"".join(part.encode() if isinstance(part, str) else part for part in self._line.data)
        self._line.data.clear()
        return sent


def _styled_spans(styles: list[Style]) -> Iterator[StyledSpan]:
    # Few styles differ from that of the cell before, and naming each takes longer than to draw a screen.
    runs = ((_words_of(style), len(list(group))) for style, group in groupby(styles))
    column = 1
    for words, group in groupby(runs, key=itemgetter(0)):
        length = sum(count for _, count in group)
        if words:
            yield StyledSpan(column, column + length - 1, words)
        column += length


def _words_of(style: Style) -> str:
    """Return the attributes and colours of a cell, such as "bold red on blue"; empty for the usual ones."""
    words = [name for name in _ATTRIBUTES if getattr(style, name)]
    foreground, background = _name_of(style.fg, "white"), _name_of(style.bg, "black")
    return " ".join((*words, *((foreground,) if foreground else ()), *(("on", background) if background else ())))


def _name_of(colour: Color | None, usual: str) -> str:
    """Return the name of a colour: `red`, `bright red`, `colour 123` or `#ff8000`; empty for the usual one.

    curses sets white on black where a program has not chosen colours, so the usual name counts as no choice.
    """
    match colour:
        case Color("indexed", int(index)) if index < 2 * len(_COLOURS):
            name = _COLOURS[index] if index < len(_COLOURS) else f"bright {_COLOURS[index - len(_COLOURS)]}"
            return "" if name == usual else name
        case Color("indexed", int(index)):
            return f"colour {index}"
        case Color("rgb", (red, green, blue)):
            return f"#{red:02x}{green:02x}{blue:02x}"
        case _:
            return ""
