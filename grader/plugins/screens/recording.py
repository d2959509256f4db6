"""Lets a person play a program that draws, and records the keys.

The program gets a terminal of the same size as the person's. It draws there, and an emulator follows along, so that
each key reaches the program with the code that a test would send.
"""

import codecs
import contextlib
import os
from collections.abc import Mapping

from grader.errors import GraderError, SessionError
from grader.model.program import Limits
from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.interaction import on_screen
from grader.plugins.screens.key_names import names_of_keys, stroke_of
from grader.plugins.screens.settings import LARGEST
from grader.plugins.screens.terminal import ScreenTerminal
from grader.run.interface import Launch
from grader.run.process.process import Process
from grader.run.process.program import RunningProgram
from grader.run.terminal.session import wait_readable

_GIVE_UP, _STOP = "\x03", "\x1c"
_ESCAPE = "\x1b"
_READ_BYTES = 65536
_POLL_SECONDS = 0.2
_ESCAPE_SEQUENCE_SECONDS = 0.05
_RESTORE_SCREEN = b"\x1b[?1049l\x1b[?25h\x1b[?1l\x1b>\x1b[m\r\n"


def play_on_screen(
    launch: Launch, limits: Limits, keyboard: int, screen: int
) -> tuple[Mapping[str, object], int | None, bool]:
    r"""Run a program that is played at the terminal `keyboard` and shown at `screen`, until it ends.

    Ctrl-\ ends the test while the program waits. Return the keys of the test, the exit status (None if a signal ended
    the program), and whether Ctrl-C was pressed. Raises SessionError, and GraderError if the terminal is too large.
    """
    columns, rows = os.get_terminal_size(screen)
    if not (0 < rows <= LARGEST and 0 < columns <= LARGEST):
        raise GraderError(f"Your terminal has {rows} rows and {columns} columns; expected 1 to {LARGEST} of each.")
    with ScreenTerminal(rows, columns) as terminal:
        player = _Player(terminal, ScreenEmulator(rows, columns), screen)
        with Process(on_screen(launch, {}), limits, terminal) as process:
            player.connect(process, keyboard)
            process.kill()
            status = os.waitstatus_to_exitcode(process.reap().wait_status)
            player.show()
    if player.is_stopped or player.is_given_up:
        os.write(screen, _RESTORE_SCREEN)
    test: dict[str, object] = {"keys": tuple(player.items), "screen": {"rows": str(rows), "columns": str(columns)}}
    if player.is_stopped:
        return {**test, "asks_again": "true"}, 0, player.is_given_up
    return test, status if status >= 0 else None, player.is_given_up


class _Player:
    """Passes on keys and output, and keeps the keys as `items` of a test."""

    def __init__(self, terminal: ScreenTerminal, emulator: ScreenEmulator, screen: int) -> None:
        self._terminal = terminal
        self._emulator = emulator
        self._screen = screen
        self._line: list[str] = []
        self.items: list[str] = []
        self.is_stopped = False
        self.is_given_up = False

    def connect(self, process: RunningProgram, keyboard: int) -> None:
        """Pass on keys and output until the program ends, or the person ends the test."""
        decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        watched = [keyboard, self._terminal.child_fd, *([] if process.end_fd is None else [process.end_fd])]
        while not (process.has_ended() or self.is_stopped or self.is_given_up):
            ready = wait_readable(watched, _POLL_SECONDS)
            if self._terminal.child_fd in ready:
                self.show()
            if keyboard in ready:
                sent = os.read(keyboard, _READ_BYTES)
                # The rest of a key's code may still be on its way.
                while sent.endswith(_ESCAPE.encode()) and wait_readable([keyboard], _ESCAPE_SEQUENCE_SECONDS):
                    sent += os.read(keyboard, _READ_BYTES)
                self._take(decoder.decode(sent))
                self.is_given_up = self.is_given_up or not sent

    def show(self) -> None:
        """Show what the program has drawn, and answer its queries."""
        with contextlib.suppress(BlockingIOError):
            while drawn := os.read(self._terminal.child_fd, _READ_BYTES):
                self._emulator.draw(drawn)
                self._send(self._emulator.take_replies())
                _write(self._screen, drawn)

    def _take(self, sent: str) -> None:
        ends = [place for place, key in enumerate(sent) if key in (_GIVE_UP, _STOP)]
        keys = sent[: ends[0]] if ends else sent
        for name in names_of_keys(keys):
            if self._terminal.edits_lines():
                self._edit(name)
            else:
                self.items.append(name)
            self._send(self._emulator.code_of(stroke_of(name)))
        if ends:
            self.is_given_up, self.is_stopped = sent[ends[0]] == _GIVE_UP, sent[ends[0]] == _STOP

    def _edit(self, name: str) -> None:
        """Take a key that the terminal edits a line with; a whole line is an item."""
        if name == "<enter>":
            self.items.append("".join(self._line) or name)
            self._line.clear()
        elif name == "<backspace>":
            del self._line[-1:]
        else:
            self._line.append(name)

    def _send(self, code: bytes) -> None:
        """Send the code of a key to the program. Raises SessionError if the terminal is full."""
        try:
            _write(self._terminal.child_fd, code)
        except BlockingIOError:
            raise SessionError("the terminal has no room for the input") from None


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
