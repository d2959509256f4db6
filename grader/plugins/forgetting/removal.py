"""Deletions, place by place, and remaining data that a person should look at."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from grader.errors import GraderError, reported_as
from grader.files.replace_file import replace_file


class ForgetError(GraderError):
    """A student's data cannot be found or deleted."""


@dataclass(frozen=True)
class Removal:
    """Data to be deleted: its place, a description, and the function that deletes it."""

    place: str
    what: str
    act: Callable[[], None]


@dataclass(frozen=True)
class Remainder:
    """Data that stays, which a person should look at."""

    about: str


Found: TypeAlias = Removal | Remainder


def removed_path(path: Path, what: str) -> Removal:
    """Return the removal of a file or folder."""
    return Removal(str(path), what, partial(_remove, path))


def rewritten_file(file: Path, what: str, before: bytes, after: bytes) -> Removal:
    """Return the removal of part of a file, leaving the content `after`."""
    return Removal(str(file), what, partial(_rewrite, file, before, after))


def _remove(path: Path) -> None:
    with reported_as(ForgetError, f"{path} cannot be deleted"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _rewrite(file: Path, before: bytes, after: bytes) -> None:
    with reported_as(ForgetError, f"{file} cannot be written"):
        if not replace_file(file, before, after, lambda: None):
            raise ForgetError(f"{file} was changed meanwhile. See that no other program writes it, and try again.")
