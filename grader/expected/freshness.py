"""Compares the expected transcripts on disk with freshly generated ones."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path

from grader.expected.transcripts import read_transcript, write_transcript


class State(StrEnum):
    """What is wrong with an expected file."""

    STALE = "stale"
    MISSING = "missing"
    ORPHANED = "orphaned"


@dataclass(frozen=True)
class Finding:
    """An expected file that is not as it should be. `new` is None when it should not be there."""

    file: Path
    state: State
    old: str | None
    new: str | None

    def diff(self) -> str:
        """What would change in the file, as a unified diff."""
        lines = unified_diff(_lines(self.old or ""), _lines(self.new or ""), str(self.file), "generated", n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines of `text` with their ends. Only `\\n` ends one: a carriage return or form feed stands inside."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def findings(folder: Path, generated: Mapping[Path, str]) -> Iterator[Finding]:
    """What differs between `folder` (expected/) and what was `generated`."""
    on_disk = {*folder.glob("*.txt"), *folder.glob("*.json")}
    for file, new in sorted(generated.items()):
        if file not in on_disk:
            yield Finding(file, State.MISSING, None, new)
            continue
        old = read_transcript(file)
        if old != new:
            yield Finding(file, State.STALE, old, new)
    for file in sorted(on_disk - set(generated)):
        yield Finding(file, State.ORPHANED, read_transcript(file), None)


def repair(finding: Finding) -> None:
    """Write or remove the file of `finding`, so that it is as it should be."""
    if finding.new is None:
        finding.file.unlink(missing_ok=True)
    else:
        write_transcript(finding.file, finding.new)
