"""Reads the frames of a transcript."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.plugins.screens.frame_text import END, KEY

_ROW = re.compile(r" *(\d+)(?:-(\d+))?\|(.*)")


@dataclass(frozen=True)
class WrittenFrame:
    """A frame in a transcript: the `key` before it, its rows by number, and all its other lines.

    `line` is the number of its first line in the transcript. The key is empty before the first frame, and None before
    the screen that the program leaves behind.
    """

    key: str | None
    line: int
    rows: dict[int, str]
    others: tuple[str, ...]


def frames_in(lines: Sequence[str]) -> list[WrittenFrame]:
    """Return the frames in the lines of a transcript."""
    frames: list[WrittenFrame] = []
    key: str | None = ""
    start = 0
    for index, line in enumerate([*lines, END]):
        if line != END and not line.startswith(KEY):
            continue
        frames.append(_written_frame(key, start, lines[start:index]))
        key, start = (None if line == END else line.removeprefix(KEY)), index + 1
    if start <= len(lines) and lines and lines[-1] == END:
        frames.append(WrittenFrame(key=None, line=len(lines), rows={}, others=()))
    return frames


def _written_frame(key: str | None, start: int, lines: Sequence[str]) -> WrittenFrame:
    rows, others = {}, []
    for line in lines:
        match = _ROW.fullmatch(line)
        if match is None:
            others.append(line)
            continue
        rows.update(dict.fromkeys(range(int(match[1]), int(match[2] or match[1]) + 1), match[3]))
    return WrittenFrame(key=key, line=start + 1, rows=rows, others=tuple(others))
