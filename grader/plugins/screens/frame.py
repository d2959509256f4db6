"""A frame: the contents of the screen at one moment."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StyledSpan:
    """Cells of a row, from column `first` to `last`, that share colours and attributes, such as "bold red"."""

    first: int
    last: int
    style: str


@dataclass(frozen=True)
class Frame:
    """The text of each row without trailing blanks, the styles of each row, and the cursor.

    `cursor` is its row and column, which count from 1, or None while it is hidden.
    """

    rows: tuple[str, ...]
    styles: tuple[tuple[StyledSpan, ...], ...] = ()
    cursor: tuple[int, int] | None = None
