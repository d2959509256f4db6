"""Lets a person play a program, and records the typed lines.

The keys go to a separate terminal that edits lines, so that echo and erasing look as usual. Only keys with a plain
effect on a line are passed on, so that the lines recorded here are the ones that the program reads. Arrow keys do
nothing, as in any terminal that edits lines.
"""

import codecs
import contextlib
import os
import signal
import termios
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType, FunctionType

from grader.errors import SessionError
from grader.extensions import RECORDERS, extension
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process.process import Process
from grader.run.process.program import RunningProgram
from grader.run.process.terminal import Terminal
from grader.run.terminal.session import wait_readable

ERASE = "\x7f"
INTERRUPT = "\x03"
QUIT = "\x1c"
END_OF_INPUT = "\x04"
_ESCAPE = "\x1b"
# A terminal keeps the first 4,095 bytes of a line and drops the rest.
_MAX_BYTES = 4000
_INPUT_FLAGS, _LOCAL_FLAGS, _KEYS = 0, 3, 6
_READ_BYTES = 65536
_POLL_SECONDS = 0.2
# Linux: erasing removes a character, not a byte. Python has no name for it before 3.13.
_IUTF8 = getattr(termios, "IUTF8", 0o040000)
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Keyboard:
    """Lines collected from keys. `ended` is set by the end of input at the start of a line, `interrupted` by Ctrl-C."""

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
        """Take the keys that were typed, and return the keys to pass on to the terminal."""
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
        if self.ended or len((self._line + key).encode()) > _MAX_BYTES:
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
        """Send the end of input, unless the line has text, because then it would not end the input."""
        if self._line:
            return ""
        self.ended = True
        return END_OF_INPUT


@dataclass(frozen=True, kw_only=True)
class PlayedSession:
    """The result of playing: the typed lines, and the exit status, or None if a signal ended the program.

    `interrupted`: Ctrl-C was pressed, or the person's terminal was closed. The key `way` of a test lists the lines, and
    `settings` are its further keys.
    """

    lines: tuple[str, ...]
    exit_status: int | None
    interrupted: bool
    way: str = "input"
    settings: Mapping[str, object] = field(default_factory=dict)


def play(launch: Launch, limits: Limits, keyboard: int, screen: int) -> PlayedSession:
    """Run a program that is played at the terminal `keyboard` and shown at `screen`, until it ends.

    It gets keys one by one, and its terminal edits lines as usual. The person's terminal is restored afterwards, even
    after an error. Raises SessionError.
    """
    keys = Keyboard()
    with _key_by_key(keyboard), Terminal(echo=True) as terminal:
        edit_lines(terminal.program_fd)
        with Process(launch, limits, terminal) as process:
            connected = _connect(process, terminal, keys, keyboard, screen)
            process.kill()
            status = os.waitstatus_to_exitcode(process.reap().wait_status)
            _show(terminal, screen)
    interrupted = keys.interrupted or not connected
    return PlayedSession(lines=tuple(keys.lines), exit_status=status if status >= 0 else None, interrupted=interrupted)


def play_on_screen(launch: Launch, limits: Limits, keyboard: int, screen: int) -> PlayedSession:
    """Run a program that draws; see `play`. Raises SessionError, and ExtensionError without a plugin for screens."""
    recorder = extension(RECORDERS, "screen", "--screen").load(FunctionType)
    with _key_by_key(keyboard):
        settings, exit_status, is_interrupted = recorder(launch, limits, keyboard, screen)
    way, *further = settings
    return PlayedSession(
        lines=settings[way],
        exit_status=exit_status,
        interrupted=is_interrupted,
        way=way,
        settings={key: settings[key] for key in further},
    )


def _connect(process: RunningProgram, terminal: Terminal, keys: Keyboard, keyboard: int, screen: int) -> bool:
    """Pass on keys and output until the program ends; return False if the person's terminal closed before that."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    watched = [keyboard, terminal.child_fd, *([] if process.end_fd is None else [process.end_fd])]
    while not process.has_ended():
        ready = wait_readable(watched, _POLL_SECONDS)
        if terminal.child_fd in ready:
            _show(terminal, screen)
        if keyboard in ready:
            typed = os.read(keyboard, _READ_BYTES)
            if not typed:
                return False
            _press(terminal, keys.press(decoder.decode(typed)))
    return True


def _press(terminal: Terminal, keys: str) -> None:
    """Pass on keys with their usual meaning, whereas a session types them as text. Raises SessionError."""
    try:
        _write(terminal.child_fd, keys.encode())
    except BlockingIOError:
        raise SessionError("the terminal has no room for the input") from None


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _show(terminal: Terminal, screen: int) -> None:
    """Show what the program has printed, byte for byte."""
    with contextlib.suppress(BlockingIOError):
        while shown := os.read(terminal.child_fd, _READ_BYTES):
            _write(screen, shown)


@contextlib.contextmanager
def _key_by_key(keyboard: int) -> Iterator[None]:
    """Make the terminal deliver every key immediately without echo; its output does not change."""
    before = termios.tcgetattr(keyboard)
    changed = termios.tcgetattr(keyboard)
    changed[_INPUT_FLAGS] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
    changed[_LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    changed[_KEYS][termios.VMIN], changed[_KEYS][termios.VTIME] = 1, 0
    with _ended_by_signals():
        try:
            termios.tcsetattr(keyboard, termios.TCSADRAIN, changed)
            yield
        finally:
            # The terminal may have been closed.
            with contextlib.suppress(termios.error):
                termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turn signals that would kill this process into an orderly exit."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, end) for number in _ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def edit_lines(program_fd: int) -> None:
    """Give the keys that a session types as text their usual meaning."""
    attributes = termios.tcgetattr(program_fd)
    attributes[_INPUT_FLAGS] |= _IUTF8
    attributes[_LOCAL_FLAGS] |= termios.ISIG | termios.ECHOE | termios.ECHOK | termios.ECHOCTL | termios.ECHOKE
    keys = attributes[_KEYS]
    for name, key in (("VINTR", INTERRUPT), ("VQUIT", QUIT), ("VERASE", ERASE), ("VEOF", END_OF_INPUT)):
        keys[getattr(termios, name)] = key.encode()
    termios.tcsetattr(program_fd, termios.TCSANOW, attributes)
