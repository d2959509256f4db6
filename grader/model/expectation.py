"""The output that a test expects: a whole transcript, or a list of checks with one frozen dataclass for each kind.

A check without a value takes it from the reference's output.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from enum import StrEnum
from typing import TypeAlias

# A program may print a number of any size.
_UNBOUNDED = Context(prec=28, Emax=MAX_EMAX, Emin=MIN_EMIN)


class OutputStream(StrEnum):
    """The text that a check examines: the terminal output or standard output, or standard error."""

    OUTPUT = "output"
    STDERR = "stderr"


@dataclass(frozen=True)
class Contains:
    """The check that the output contains each of the texts."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Lacks:
    """The check that the output contains none of the texts."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Matches:
    """The check that each of the regular expressions matches somewhere; `^` and `$` match at the ends of a line."""

    patterns: tuple[str, ...]


@dataclass(frozen=True)
class HasLines:
    """The check that the output contains these lines in order, possibly with other lines in between.

    None means the reference's lines.
    """

    lines: tuple[str, ...] | None


@dataclass(frozen=True)
class HasUnordered:
    """The check that the output has exactly these lines in any order, ignoring blank lines.

    None means the reference's lines.
    """

    lines: tuple[str, ...] | None


@dataclass(frozen=True)
class Tolerance:
    """The maximum deviation of a number: `absolute`, or the fraction `relative` of the expected number if larger."""

    absolute: Decimal = Decimal(0)
    relative: Decimal = Decimal(0)

    def allows(self, expected: Decimal, actual: Decimal) -> bool:
        """Return whether a finite number is close enough."""
        most = max(self.absolute, _UNBOUNDED.multiply(self.relative, _UNBOUNDED.abs(expected)))
        return _UNBOUNDED.abs(_UNBOUNDED.subtract(expected, actual)) <= most


class OtherNumbers(StrEnum):
    """Other numbers that are allowed in the output: only those in prompts and labels, any numbers, or none."""

    LABELS = "labels"
    ANYWHERE = "anywhere"
    NONE = "none"


@dataclass(frozen=True)
class HasNumbers:
    """The check that the output has these numbers in order, within any text. None means the reference's numbers.

    They can deviate by `tolerance`, and `others` determines which other numbers may be printed.
    """

    numbers: tuple[Decimal, ...] | None
    tolerance: Tolerance = Tolerance()
    others: OtherNumbers = OtherNumbers.LABELS


@dataclass(frozen=True)
class HasJson:
    """The check that the output is this value as JSON, in which the order of keys does not matter.

    None means the reference's value.
    """

    text: str | None


@dataclass(frozen=True)
class PluginCheck:
    """A check of the class at `place` (such as `package.module:Class`) with its `options` as JSON."""

    place: str
    options: str
    needs_reference: bool


CheckKind: TypeAlias = Contains | Lacks | Matches | HasLines | HasUnordered | HasNumbers | HasJson | PluginCheck


@dataclass(frozen=True, kw_only=True)
class OutputCheck:
    """A condition on a stream; `ignore_case` makes upper and lower case equal.

    `says` is an optional message for students when the check fails. `share` is the share of the points for this check.
    """

    kind: CheckKind
    stream: OutputStream = OutputStream.OUTPUT
    ignore_case: bool = False
    says: str = ""
    share: Decimal | None = None

    @property
    def needs_reference(self) -> bool:
        """Return whether the check needs the reference's output."""
        match self.kind:
            case HasLines(lines=value) | HasUnordered(lines=value):
                return value is None
            case HasNumbers(numbers=numbers):
                return numbers is None
            case HasJson(text=text):
                return text is None
            case PluginCheck(needs_reference=needed):
                return needed
            case Contains() | Lacks() | Matches():
                return False


@dataclass(frozen=True)
class FromReference:
    """The reference's transcript."""


@dataclass(frozen=True)
class GivenTranscript:
    """A transcript stored in the course's files."""

    text: str


@dataclass(frozen=True)
class OutputChecks:
    """A list of checks that must all pass.

    For a test that calls functions, `call` holds the stated results of the calls in the format of `ExpectedCall.text`.
    """

    checks: tuple[OutputCheck, ...]
    call: str = ""


Expectation: TypeAlias = FromReference | GivenTranscript | OutputChecks


def needs_reference(expectation: Expectation) -> bool:
    """Return whether the expectation needs the reference's output."""
    match expectation:
        case FromReference():
            return True
        case GivenTranscript():
            return False
        case OutputChecks(checks=checks):
            return any(check.needs_reference for check in checks)


def looks_at_errors(expectation: Expectation) -> bool:
    """Return whether a check examines standard error."""
    return isinstance(expectation, OutputChecks) and any(
        check.stream is OutputStream.STDERR for check in expectation.checks
    )
