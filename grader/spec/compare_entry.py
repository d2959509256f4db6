"""`compare`, which assignment.yaml, a tests file and a test can have."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from grader.config.scalars import ASCII_DIGITS, Character, Line
from grader.config.validation import DISTINCT, SpecModel
from grader.model.option import FormerKey, FormerValue
from grader.model.test import ComparisonPolicy, IgnoredDifference

IgnoredWord = Annotated[
    IgnoredDifference,
    FormerValue("trailing-blanks", IgnoredDifference.TRAILING_WHITESPACE),
    FormerValue("blank-runs", IgnoredDifference.SPACE_CHANGE),
    FormerValue("empty-lines", IgnoredDifference.BLANK_LINES),
]


class CompareEntry(SpecModel):
    """Which differences from the expected transcript cost nothing; without a key all of its kind count."""

    ignore: Annotated[tuple[IgnoredWord, ...], DISTINCT] = ()
    ignore_characters: tuple[Character, ...] = ()
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False), ASCII_DIGITS] | None = None
    wildcard_lines: Annotated[tuple[Line, ...], FormerKey("any_text")] = ()

    def comparison(self) -> ComparisonPolicy:
        """The policy that transcripts are judged by."""
        return ComparisonPolicy(
            frozenset(self.ignore), "".join(self.ignore_characters), self.tolerance, self.wildcard_lines
        )
