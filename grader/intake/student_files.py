"""The files of a submission as they lie in a folder, and the odd marks that editors leave in programs."""

import codecs
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.files.digest import READ
from grader.model.submission import SubmittedFile

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
    """Everything in `folder`; it stops after more than `most` files. Raises OSError."""
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


_LOOKED_AT = 1_000_000


def source_note(file: SubmittedFile) -> str | None:
    """A note on a byte order mark or foreign line ends; None when there is nothing to say, or no access."""
    try:
        descriptor = os.open(file.path, READ)
    except OSError:
        return None
    with open(descriptor, "rb") as stream:
        text = stream.read(_LOOKED_AT)
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return f"{file.name} is UTF-16, which Python cannot read; it must be saved as UTF-8"
    odd = ["begins with a byte order mark"] * text.startswith(codecs.BOM_UTF8)
    odd += ["has the line ends of Windows"] * (b"\r\n" in text)
    return f"{file.name} {' and '.join(odd)}; it is run as it is" if odd else None
