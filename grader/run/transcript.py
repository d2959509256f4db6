"""Records a session's output and typed input, and creates its transcript."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.model.outcome import TypedLine
from grader.run.interface import Launch

_HEAD, _TAIL = 200_000, 20_000
_LONGEST_PROMPT = 10_000
PYTHON_FOLDER = PurePosixPath("/opt/python")
"""The path of Python in a sandbox, which transcripts always use for that folder."""


# The folder in a sandbox. Its name is short, so it may appear in a text by chance, as in "home/work".
_SANDBOX_FOLDER = re.compile(r"(?<![\w.~-])/work(?![\w-]|\.\w)(?P<inside>/?)")


def names_sandbox_folder(text: str) -> bool:
    """Return whether `text` contains a path whose beginning a transcript would leave out."""
    return _SANDBOX_FOLDER.search(text) is not None


@dataclass(frozen=True)
class Transcript:
    """The shown text, including echo, and the typed lines with their offsets in it."""

    text: str
    typed: tuple[TypedLine, ...]


class TranscriptRecorder:
    """Records the terminal's text and the typed lines, up to a number of bytes.

    `errors` is the file for standard error, if it is separate from the terminal.
    """

    def __init__(self, limit_bytes: int, errors: int | None = None) -> None:
        self._left = limit_bytes
        self._errors = errors
        self._chunks: list[str] = []
        self._before: list[str] = []
        self._typed: list[str] = []
        self.is_over = False
        """The output exceeded the limit."""

    def show(self, text: str) -> None:
        """Add text from the terminal, dropping everything beyond the limit."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
        if size > self._left:
            self.is_over = True
            text = text.encode("utf-8", "surrogateescape")[: self._left].decode("utf-8", "surrogateescape")
            size = self._left
        self._left -= size
        self._chunks.append(text)

    def show_prompt(self) -> None:
        """Copy an unfinished line on standard error to the terminal when the program waits for input.

        This line is a prompt: if standard error is not a terminal, Python's input() prints prompts there, even if the
        input comes from a terminal. The program continues to write where the line began.
        """
        if self._errors is None:
            return
        size = os.fstat(self._errors).st_size
        end = os.pread(self._errors, _LONGEST_PROMPT, max(0, size - _LONGEST_PROMPT))
        line = end[end.rfind(b"\n") + 1 :]
        if line and len(line) < _LONGEST_PROMPT:
            os.ftruncate(self._errors, size - len(line))
            os.lseek(self._errors, 0, os.SEEK_END)
            self.show(line.decode("utf-8", "surrogateescape"))

    @property
    def typed_count(self) -> int:
        """Return the number of typed lines."""
        return len(self._typed)

    def type(self, line: str) -> None:
        """Record that `line` is typed now."""
        self._before.append("".join(self._chunks))
        self._typed.append(line)
        self._chunks = []

    def transcript(self, workdir: Path, home: Path | None = None) -> Transcript:
        """Return the transcript without the paths of the program's private folder and of its Python.

        These paths differ between runs and mean nothing: "/private/folder/game.py" becomes "game.py", and the folder
        itself becomes ".". The folder of a sandbox is always removed, and `home` is renamed as in the sandbox, so that
        transcripts are the same with and without one.
        """
        names = () if str(workdir) == "/work" else _spellings(workdir)
        shown = (*self._before, "".join(self._chunks))
        if home is not None:
            shown = tuple(part.replace(str(home), str(PYTHON_FOLDER)) for part in shown)
        parts = [_without_folders(names, part) for part in shown]
        typed, offset = [], 0
        for part, line in zip(parts, self._typed, strict=False):
            offset += len(part)
            typed.append(TypedLine(offset, line))
        return Transcript("".join(parts), tuple(typed))

    def shown(self, launch: Launch) -> Transcript:
        """Return the output of a launched program, shortened to the beginning and end if it is a flood."""
        whole = self.transcript(launch.workdir, launch.home)
        return head_and_tail(whole) if self.is_over else whole


def transcript_of(content: bytes, launch: Launch) -> Transcript:
    """Return the transcript of text that a program wrote to a place other than its terminal."""
    recording = TranscriptRecorder(len(content))
    recording.show(content.decode("utf-8", "surrogateescape"))
    return recording.transcript(launch.workdir, launch.home)


def head_and_tail(whole: Transcript) -> Transcript:
    """Return the beginning and end of a flood, with a line between them about the part that was left out."""
    left_out = len(whole.text) - _HEAD - _TAIL
    if left_out <= 0:
        return whole
    text = f"{whole.text[:_HEAD]}\n[... {left_out:,} characters left out ...]\n{whole.text[-_TAIL:]}"
    return Transcript(text, tuple(typed for typed in whole.typed if typed.offset <= _HEAD))


def _spellings(folder: Path) -> list[str]:
    """Return the spellings of a folder in a program's output, longest first."""
    plain = {str(folder), str(folder.resolve())}
    return sorted(plain | {repr(name)[1:-1] for name in plain}, key=len, reverse=True)


def _without_folders(folders: Sequence[str], text: str) -> str:
    for folder in folders:
        if folder in text:
            text = text.replace(f"{folder}{os.sep}", "").replace(folder, ".")
    return _SANDBOX_FOLDER.sub(lambda match: "" if match["inside"] else ".", text) if "/work" in text else text
