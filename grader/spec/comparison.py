"""How a transcript is compared with the expected one: what an assignment or a test lets pass."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Leniency(StrEnum):
    """A kind of difference that costs nothing when it is ignored."""

    TRAILING_BLANKS = "trailing-blanks"
    BLANK_RUNS = "blank-runs"
    EMPTY_LINES = "empty-lines"
    CASE = "case"
    LINE_ORDER = "line-order"


@dataclass(frozen=True)
class Comparison:
    """What is forgiven; by default nothing, so that every character counts.

    `ignore_characters` holds the code points that need not be there. Numbers may be off by `tolerance`. A line of the
    expected transcript that fits one of `any_text`, in which `*` stands for anything, may be any text but an empty
    line; several such lines together may be any number of them.
    """

    ignore: frozenset[Leniency] = frozenset()
    ignore_characters: str = ""
    tolerance: Decimal | None = None
    any_text: tuple[str, ...] = ()


EXACT = Comparison()


def cannot_be_sealed(comparison: Comparison) -> str | None:
    """What of a comparison policy asks for the expected text itself, as its key; None if nothing does."""
    if Leniency.LINE_ORDER in comparison.ignore:
        return Leniency.LINE_ORDER
    if comparison.tolerance is not None:
        return "tolerance"
    return "any_text" if comparison.any_text else None
