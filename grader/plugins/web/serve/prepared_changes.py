"""Finds the changes of files that a killed writer prepared; see `grader.files.replace_file`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.files.digest import content_digest
from grader.files.replace_file import DIGITS, NEW


@dataclass(frozen=True)
class InterruptedChange:
    """A prepared change of `file` whose writer was killed before the file got the content `after`."""

    file: Path
    before: bytes | None
    after: bytes


def interrupted_changes(folder: Path) -> Iterator[InterruptedChange]:
    """Yield the changes in `folder` that a killed writer prepared but did not make; they may have been announced."""
    for prepared in sorted(folder.glob(f"{NEW}*-*-*")):
        before, after, name = prepared.name.removeprefix(NEW).split("-", 2)
        content, file = prepared.read_bytes(), folder / name
        present = file.read_bytes() if file.is_file() else None
        if content_digest(content)[:DIGITS] == after and content_digest(present or b"")[:DIGITS] == before:
            yield InterruptedChange(file, present, content)
