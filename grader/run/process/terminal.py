r"""The grader's side of a pseudo-terminal, which reads the program's output and types lines.

The terminal differs from a person's in four ways. Its line endings are plain "\n" (ONLCR and ICRNL are off), output is
never paused (IXON is off), it is so wide that lines never wrap, and no character edits or interrupts, because typed
text is data. A test that types "\x03" or a tab means that character, so the keys for interrupt, erase, kill and so on
are disabled, and control characters are echoed unchanged rather than as "^C". Two keys are kept: end of file ("\x04",
which also delivers a line in pieces) and literal next ("\x16", which quotes both keys when they are part of the text).
"""

import codecs
import fcntl
import os
import select
import struct
import termios
from typing import TYPE_CHECKING, Any, Self

from pexpect import EOF
from pexpect.fdpexpect import fdspawn
from pexpect.spawnbase import SpawnBase

from grader.errors import SessionError, reported_as

if TYPE_CHECKING:
    from grader.run.process.program import RunningProgram

    Spawn = fdspawn[str]
else:
    Spawn = fdspawn


END_OF_FILE = "\x04"
LITERAL_NEXT = "\x16"
_ROWS, _COLUMNS = 50, 9999
_READ_BYTES = 8192
# The kernel keeps 4,095 bytes of an unfinished line and drops the rest.
_WHOLE_BYTES = 4_000
# A character has at most 4 bytes in UTF-8, and each may need to be quoted.
_PIECE_CHARACTERS = 800
_DISABLED_KEYS = ("VINTR", "VQUIT", "VERASE", "VKILL", "VSUSP", "VWERASE", "VREPRINT", "VDISCARD", "VEOL", "VEOL2")
_DISABLED = b"\x00" if os.uname().sysname == "Linux" else b"\xff"


class Terminal(Spawn):
    """A fresh pseudo-terminal. Use it as a context manager, which closes both ends on exit.

    The program's end (`program_fd`) stays open as well, so that output survives the program, and the kernel can report
    whether typed text is still unread.
    """

    def __init__(self, *, echo: bool) -> None:
        """Open the terminal. Raises SessionError if the machine has run out of pseudo-terminals."""
        with reported_as(SessionError, "no pseudo-terminal is available"):
            master, self.program_fd = os.openpty()
        super().__init__(master, encoding="utf-8", codec_errors="surrogateescape", use_poll=True)
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._carriage_return = ""
        self.delaybeforesend = None
        self.delayafterread = None
        os.set_blocking(master, False)
        self._echo = echo
        _configure_terminal(self.program_fd, echo=echo)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_program_end()
        self.close()

    def read_output(self) -> str | None:
        """Return some unread output, or None if there is currently none.

        The text is empty if only part of a character has arrived.
        """
        try:
            # Calls the base class's method because fdspawn's first asks the kernel whether there is something to read,
            # which costs as much as reading, and this end does not block.
            text = SpawnBase.read_nonblocking(self, _READ_BYTES)
        except (BlockingIOError, EOF):
            held, self._carriage_return = self._carriage_return, ""
            return held or None
        return self._without_returns(text) if "\r" in text or self._carriage_return else text

    def _without_returns(self, text: str) -> str:
        """Remove the carriage returns that the terminal adds once a program has enabled them (`stty sane`)."""
        text, self._carriage_return = self._carriage_return + text, ""
        if not termios.tcgetattr(self.program_fd)[1] & termios.ONLCR:
            return text
        if text.endswith("\r"):
            text, self._carriage_return = text[:-1], "\r"
        return text.replace("\r\n", "\n")

    @property
    def is_over(self) -> bool:
        """Return False, because a terminal has no output beyond the screen that could reach a limit."""
        return False

    def take_cut_character(self) -> str:
        """Return the bytes of a character that the program began but did not finish, as lone surrogates."""
        return str(self._decoder.decode(b"", final=True))

    def type(self, text: str) -> None:
        """Type `text` unchanged. Raises SessionError if the terminal's buffer is full."""
        self._let_text_be_data()
        try:
            typed = self.send(text)
        except BlockingIOError:
            typed = 0
        if typed != len(text.encode("utf-8", "surrogateescape")):
            raise SessionError("the terminal has no room for the input")

    def end_input(self) -> None:
        """Signal the end of input; the terminal forgets it once the program has seen it."""
        self.type(END_OF_FILE)

    def echo_of(self, line: str) -> str:
        """Return the terminal's echo if `line` is typed now."""
        self._let_text_be_data()
        return f"{line}\n" if termios.tcgetattr(self.program_fd)[3] & termios.ECHO else ""

    def _let_text_be_data(self) -> None:
        """Undo a program's changes to the handling of typed text (`stty sane`), except to echo and line editing."""
        attributes = termios.tcgetattr(self.program_fd)
        before = [*attributes[:6], list(attributes[6])]
        _take_as_data(attributes)
        if not self._echo:
            attributes[3] &= ~termios.ECHO
        if attributes != before:
            termios.tcsetattr(self.program_fd, termios.TCSANOW, attributes)

    @property
    def path(self) -> str:
        """The path of the program's end of the terminal."""
        return os.ttyname(self.program_fd)

    @property
    def stdio(self) -> Self:
        """The terminal itself, as the standard streams of a program."""
        return self

    @property
    def readable_fds(self) -> list[int]:
        """The descriptors on which the program's output arrives."""
        return [self.child_fd]

    def edits_lines(self) -> bool:
        """Return whether the kernel collects lines for the program (unlike under readline or curses)."""
        return bool(termios.tcgetattr(self.program_fd)[3] & termios.ICANON)

    def pieces(self, line: str) -> list[str]:
        """Return the pieces to type one by one, so that the program gets `line` and a line ending.

        A piece can be typed once the program has read the previous one. All but the last piece end with the end-of-file
        key, which delivers the text typed so far, so lines longer than the kernel's buffer arrive complete.
        """
        special = END_OF_FILE in line or LITERAL_NEXT in line
        if not special and len(line.encode("utf-8", "surrogateescape")) <= _WHOLE_BYTES:
            return [line + "\n"]
        if not self.edits_lines():
            return _cut_pieces(line + "\n")
        return [_quote_keys(piece) + END_OF_FILE for piece in _cut_pieces(line)[:-1]] + [
            _quote_keys(_cut_pieces(line)[-1]) + "\n"
        ]

    def close_program_end(self) -> None:
        """Close the grader's copy of the program's end; a second call does nothing."""
        if self.program_fd >= 0:
            os.close(self.program_fd)
            self.program_fd = -1

    def let_go(self, process: "RunningProgram") -> None:
        """Close the program's end and kill other processes that have it open; call this after the program has ended."""
        identity = os.fstat(self.program_fd)
        self.close_program_end()
        if self._is_held():
            process.kill_holders(identity)

    def _is_held(self) -> bool:
        """Return whether another process has the program's end open; call this after `close_program_end`."""
        poll = select.poll()
        poll.register(self.child_fd, 0)
        return not poll.poll(0)


def _cut_pieces(text: str) -> list[str]:
    return [text[i : i + _PIECE_CHARACTERS] for i in range(0, len(text), _PIECE_CHARACTERS)]


def _quote_keys(text: str) -> str:
    return text.replace(LITERAL_NEXT, LITERAL_NEXT * 2).replace(END_OF_FILE, LITERAL_NEXT + END_OF_FILE)


def _configure_terminal(fd: int, *, echo: bool) -> None:
    attributes = termios.tcgetattr(fd)
    attributes[1] &= ~termios.ONLCR
    attributes[3] |= termios.ICANON | termios.IEXTEN
    attributes[3] &= ~termios.ECHO
    if echo:
        attributes[3] |= termios.ECHO
    _take_as_data(attributes)
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))


def _take_as_data(attributes: list[Any]) -> None:
    """Prevent typed characters from having effects or being translated; in line mode, keep the two special keys."""
    attributes[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP)
    attributes[3] &= ~(termios.ECHOCTL | termios.ECHONL)
    keys = attributes[6]
    for name in _DISABLED_KEYS:
        if hasattr(termios, name):
            keys[getattr(termios, name)] = _DISABLED
    if attributes[3] & termios.ICANON:
        attributes[3] |= termios.IEXTEN
        keys[termios.VEOF] = END_OF_FILE.encode()
        keys[termios.VLNEXT] = LITERAL_NEXT.encode()
