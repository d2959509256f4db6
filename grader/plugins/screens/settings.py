"""The settings of a screen: its size, and the parts of it that are compared."""

from dataclasses import dataclass
from enum import StrEnum

LARGEST = 500
"""The largest number of rows or columns of a screen."""


class ScreenPart(StrEnum):
    """A part of the screen that can be compared: characters, their colours and attributes, and the cursor."""

    TEXT = "text"
    COLOURS = "colours"
    CURSOR = "cursor"


@dataclass(frozen=True)
class Span:
    """Rows or columns from `first` to `last`, which count from 1."""

    first: int
    last: int

    def __contains__(self, number: int) -> bool:
        """Return whether a row or column is in the span."""
        return self.first <= number <= self.last


@dataclass(frozen=True, kw_only=True)
class ScreenSettings:
    """The size of the screen, the parts to compare, and the rows and columns to compare."""

    rows: int
    columns: int
    parts: frozenset[ScreenPart]
    shown_rows: Span
    shown_columns: Span


class OnScreen:
    """A mark of the interactions whose transcripts consist of frames. Unlike them, it can be imported on any system."""

    screen: ScreenSettings
