"""A test: one run of a program, how its transcript is compared with the expected one, and the points."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from grader.errors import SourceLocation
from grader.model.interaction import Interaction
from grader.model.program import NO_SETTINGS, BuildCommands, ProvidedSettings


class IgnoredDifference(StrEnum):
    """A kind of difference that costs nothing when it is ignored."""

    TRAILING_WHITESPACE = "trailing-whitespace"
    SPACE_CHANGE = "space-change"
    BLANK_LINES = "blank-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    ECHOED_INPUT = "echoed-input"


@dataclass(frozen=True)
class ComparisonPolicy:
    """What does not count; by default nothing, so that every character counts.

    `ignore_characters` holds the code points that need not be there. Numbers may be off by `tolerance`. A line of the
    expected transcript that fits one of `wildcard_lines`, in which `*` stands for anything, may be any text but a
    blank line; several such lines together may be any number of them.
    """

    ignore: frozenset[IgnoredDifference] = frozenset()
    ignore_characters: str = ""
    tolerance: Decimal | None = None
    wildcard_lines: tuple[str, ...] = ()


EXACT = ComparisonPolicy()


def cannot_be_sealed(comparison: ComparisonPolicy) -> str | None:
    """What of a comparison policy asks for the expected text itself, as its key; None if nothing does."""
    for difference in (IgnoredDifference.LINE_ORDER, IgnoredDifference.ECHOED_INPUT):
        if difference in comparison.ignore:
            return difference
    if comparison.tolerance is not None:
        return "tolerance"
    return "wildcard_lines" if comparison.wildcard_lines else None


class Visibility(StrEnum):
    """Who may see a test: `public` ones also run in a student's self-check."""

    PUBLIC = "public"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class CheckerSettings:
    """The checker of the course in `file`, which judges answers of which many are right, and what it is told."""

    name: str
    file: Path
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Test:
    """One run of a program and the points for getting it right.

    `interaction` says what is run and what it is told. An `exit_status` of None allows any. `hidden_twin_of` is the
    public test that this one repeats with another deck. `recipe` is that of the program, None if Python runs it.
    `sealed` says that students may run it, but not see what is expected. `provided` are the files beside the program.
    `location` is where the test is written.
    """

    id: str
    title: str
    program: str
    part: str
    visibility: Visibility
    points: Decimal
    interaction: Interaction
    exit_status: int | None
    comparison: ComparisonPolicy = EXACT
    hidden_twin_of: str | None = None
    provision: ProvidedSettings = NO_SETTINGS
    recipe: BuildCommands | None = None
    checker: CheckerSettings | None = None
    sealed: bool = False
    provided: tuple[str, ...] = ()
    location: SourceLocation | None = field(default=None, compare=False)
