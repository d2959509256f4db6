"""What an export gives."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import GraderError


class ExportError(GraderError):
    """A class cannot be written in the format that was asked for."""


@dataclass(frozen=True)
class Export:
    """The files by name, and the `students` whose results are in them.

    `left_out` says whose mark is not in them and why; `notes` are of no consequence to a mark.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    students: frozenset[str] = frozenset()
