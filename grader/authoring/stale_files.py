"""Compares the expected files on disk with the generated ones, and repairs them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path

from grader.expected.transcripts import read_transcript, write_transcript

_EXPECTED_FILES = ("*.txt", "*.json", "*.stderr", "*.files/**/*")


class TranscriptState(StrEnum):
    """The fault of an expected file."""

    STALE = "stale"
    MISSING = "missing"
    ORPHANED = "orphaned"


@dataclass(frozen=True)
class TranscriptFinding:
    """An expected file that differs from the generated one; `new` is None if it should be removed."""

    file: Path
    state: TranscriptState
    old: str | None
    new: str | None

    def diff(self) -> str:
        """Return the change of the file as a unified diff."""
        lines = unified_diff(_lines(self.old or ""), _lines(self.new or ""), str(self.file), "generated", n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines of `text` with their ends. Only a line feed ends a line, not a carriage return."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def findings(folder: Path, generated: Mapping[Path, str]) -> Iterator[TranscriptFinding]:
    """Yield the differences between `folder` (expected/) and the `generated` files."""
    on_disk = {file for pattern in _EXPECTED_FILES for file in folder.glob(pattern) if file.is_file()}
    for file, new in sorted(generated.items()):
        if file not in on_disk:
            yield TranscriptFinding(file, TranscriptState.MISSING, old=None, new=new)
            continue
        old = read_transcript(file)
        if old != new:
            yield TranscriptFinding(file, TranscriptState.STALE, old, new)
    for file in sorted(on_disk - set(generated)):
        yield TranscriptFinding(file, TranscriptState.ORPHANED, old=read_transcript(file), new=None)


def repair(finding: TranscriptFinding) -> None:
    """Write or remove the file of `finding` so that it is up to date."""
    if finding.new is None:
        finding.file.unlink(missing_ok=True)
    else:
        write_transcript(finding.file, finding.new)
