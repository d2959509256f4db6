"""Records what a session shows and what is typed, and makes the transcript of it."""

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
"""Where programs in a sandbox see their Python, and what transcripts call its folder everywhere."""


# The folder in a sandbox. Its name is short, so a text may hold it by chance, as "home/work" does.
_SANDBOX_FOLDER = re.compile(r"(?<![\w.~-])/work(?![\w-]|\.\w)(?P<inside>/?)")


def names_sandbox_folder(text: str) -> bool:
    """Return whether `text` has a path of which a transcript leaves out the beginning."""
    return _SANDBOX_FOLDER.search(text) is not None


@dataclass(frozen=True)
class Transcript:
    """The text shown, echo included, and the lines typed with their offsets in it."""

    text: str
    typed: tuple[TypedLine, ...]


class TranscriptRecorder:
    """Collects what the terminal shows and what was typed, up to a number of bytes.

    `errors` is the file that takes standard error, if that is kept apart from the terminal.
    """

    def __init__(self, limit_bytes: int, errors: int | None = None) -> None:
        self._left = limit_bytes
        self._errors = errors
        self._chunks: list[str] = []
        self._before: list[str] = []
        self._typed: list[str] = []
        self.is_over = False
        """Whether more was shown than may be kept."""

    def show(self, text: str) -> None:
        """Add what appeared on the terminal; what exceeds the limit is dropped."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
        if size > self._left:
            self.is_over = True
            text = text.encode("utf-8", "surrogateescape")[: self._left].decode("utf-8", "surrogateescape")
            size = self._left
        self._left -= size
        self._chunks.append(text)

    def show_prompt(self) -> None:
        """Take the line that was begun on standard error over from there, when the program waits for input.

        It is a prompt: where standard error is no terminal, Python's input() prints it there though the input comes
        from a terminal. The program goes on writing where the line began.
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
        """Return how many lines were typed."""
        return len(self._typed)

    def type(self, line: str) -> None:
        """Note that `line` is typed now."""
        self._before.append("".join(self._chunks))
        self._typed.append(line)
        self._chunks = []

    def transcript(self, workdir: Path, home: Path | None = None) -> Transcript:
        """Return the whole, without the path of the private folder the program ran in, and of that of its Python.

        That path differs from run to run and tells nothing: "/private/folder/game.py" becomes "game.py", and the folder
        itself becomes ".". The folder of a sandbox is left out everywhere, and `home` is called as there, so that a
        transcript is the same with one and without.
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
        """Return what the program of `launch` showed; of a flood the beginning and the end."""
        whole = self.transcript(launch.workdir, launch.home)
        return head_and_tail(whole) if self.is_over else whole


def transcript_of(content: bytes, launch: Launch) -> Transcript:
    """Return the transcript of what a program wrote elsewhere than to its terminal."""
    recording = TranscriptRecorder(len(content))
    recording.show(content.decode("utf-8", "surrogateescape"))
    return recording.transcript(launch.workdir, launch.home)


def head_and_tail(whole: Transcript) -> Transcript:
    """Return the beginning and the end of a flood, with a line between that says how much is left out."""
    left_out = len(whole.text) - _HEAD - _TAIL
    if left_out <= 0:
        return whole
    text = f"{whole.text[:_HEAD]}\n[... {left_out:,} characters left out ...]\n{whole.text[-_TAIL:]}"
    return Transcript(text, tuple(typed for typed in whole.typed if typed.offset <= _HEAD))


def _spellings(folder: Path) -> list[str]:
    """Return the spellings of a folder in a program's output, the longest first."""
    plain = {str(folder), str(folder.resolve())}
    return sorted(plain | {repr(name)[1:-1] for name in plain}, key=len, reverse=True)


def _without_folders(folders: Sequence[str], text: str) -> str:
    for folder in folders:
        if folder in text:
            text = text.replace(f"{folder}{os.sep}", "").replace(folder, ".")
    return _SANDBOX_FOLDER.sub(lambda match: "" if match["inside"] else ".", text) if "/work" in text else text
