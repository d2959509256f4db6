"""The connection to an interactive program without a terminal: three pipes.

We keep the program's ends open too, so that its output survives the program, and the kernel can report whether input is
still unread. A pipe therefore shows when the program waits for input just as well as a terminal.
"""

import codecs
import os
import select
from typing import Self

from grader.errors import SessionError
from grader.run.interface import Launch
from grader.run.process.program import RunningProgram, StandardStreams
from grader.run.transcript import TranscriptRecorder

_READ_BYTES = 8192
_MAX_MILLISECONDS = 10_000
# A pipe holds several times this much, and it is empty whenever we write to it.
_PIECE_CHARACTERS = 2000


class ProgramPipes:
    """Standard input, output and errors of a program. Use it as a context manager, which closes all ends on exit."""

    def __init__(self, output_bytes: int) -> None:
        """Keep at most `output_bytes` of the errors. Raises SessionError if the machine has no pipes left."""
        self._errors = TranscriptRecorder(output_bytes)
        self._open: list[int] = []
        self.program_fd, self._input = self._pipe()
        self._output, output = self._pipe()
        self._error_output, errors = self._pipe()
        self.stdio = StandardStreams(self.program_fd, output, errors)
        for ours in (self._input, self._output, self._error_output):
            os.set_blocking(ours, False)
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._errors_decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def readable_fds(self) -> list[int]:
        """The descriptors on which output of the program arrives."""
        return [self._output, self._error_output]

    @property
    def is_over(self) -> bool:
        """Return whether standard error exceeded its limit."""
        return self._errors.is_over

    def read_output(self) -> str | None:
        """Return some of the standard output, which may be an empty string, or None if nothing was printed."""
        errors = _read(self._error_output)
        self._errors.show(self._errors_decoder.decode(errors))
        output = _read(self._output)
        return self._decoder.decode(output) if output or errors else None

    def take_cut_character(self) -> str:
        """Return, as lone surrogates, the bytes of a character that the program began but did not finish."""
        return self._decoder.decode(b"", final=True)

    def pieces(self, line: str) -> list[str]:
        """Return the pieces to write, one by one, so that the program receives `line` and a line end."""
        text = f"{line}\n"
        return [text[i : i + _PIECE_CHARACTERS] for i in range(0, len(text), _PIECE_CHARACTERS)]

    def echo_of(self, _line: str) -> str:
        """Return an empty string, because pipes do not echo."""
        return ""

    def type(self, text: str) -> None:
        """Write `text` unchanged; raise SessionError if it does not fit into the pipe."""
        content = text.encode("utf-8", "surrogateescape")
        try:
            written = os.write(self._input, content)
        except BlockingIOError:
            written = 0
        if written != len(content):
            raise SessionError("the pipe has no room for the input")

    def end_input(self) -> None:
        """Signal the end of input, which is permanent for a pipe."""
        if self._input in self._open:
            self._open.remove(self._input)
            os.close(self._input)
            # A program that another thread is starting has a copy of the descriptor until its exec.
            end = select.poll()
            end.register(self.program_fd, 0)
            end.poll(_MAX_MILLISECONDS)

    def let_go(self, _process: RunningProgram) -> None:
        """Do nothing: the output has been read, and a process with the pipes still open does not get any more input."""

    def errors(self, launch: Launch) -> str:
        """Return the text on standard error, without the path of the private folder."""
        return self._errors.shown(launch).text

    def _pipe(self) -> tuple[int, int]:
        try:
            ends = os.pipe()
        except OSError as error:
            self._close()
            raise SessionError(f"no pipe is available: {error.strerror}") from error
        self._open += ends
        return ends

    def _close(self) -> None:
        while self._open:
            os.close(self._open.pop())


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return b""
