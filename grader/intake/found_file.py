"""The files of a submission as they lie in a folder."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_NOT_LOOKED_INTO = (".", "__")
_DEEPEST = 50


@dataclass(frozen=True)
class FoundFile:
    """A file of a submission: `name` is where it was in the submission, with `/` between folders.

    `regular` is false for a folder, a link, a pipe or the like.
    """

    name: str
    path: Path
    regular: bool = True

    @property
    def base(self) -> str:
        """The name without folders."""
        return self.name.rpartition("/")[2]

    @property
    def shown(self) -> str:
        """The name for people: as it lies on disk."""
        return self.name if self.depth else self.path.name

    @property
    def depth(self) -> int:
        """In how many folders it lies."""
        return self.name.count("/")


def files_in(folder: Path, most: int) -> tuple[FoundFile, ...]:
    """Everything in `folder`; after more than `most` files, nobody looks further. Raises OSError."""
    return tuple(islice(_below(folder, ""), most + 1))


def _below(folder: Path, prefix: str) -> Iterator[FoundFile]:
    """Everything in `folder`, outer files first. Links are not followed: they may lead anywhere."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        yield FoundFile(prefix + entry.name, Path(entry.path), entry.is_file(follow_symlinks=False))
    if prefix.count("/") < _DEEPEST:
        for entry in found:
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(_NOT_LOOKED_INTO):
                with suppress(OSError):
                    yield from _below(Path(entry.path), f"{prefix}{entry.name}/")
