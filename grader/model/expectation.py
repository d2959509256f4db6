"""What a test expects of the output: a whole transcript, or a list of checks, one frozen dataclass for each kind.

Where a check has no value of its own, that of the reference's output is meant.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from enum import StrEnum
from typing import TypeAlias

# A program may print a number of any size.
_UNBOUNDED = Context(prec=28, Emax=MAX_EMAX, Emin=MIN_EMIN)


class OutputStream(StrEnum):
    """What a check looks at: what is on the terminal or standard output, or standard error."""

    OUTPUT = "output"
    STDERR = "stderr"


@dataclass(frozen=True)
class Contains:
    """Each of the texts stands somewhere."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Lacks:
    """None of the texts stands anywhere."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Matches:
    """Each of the regular expressions fits somewhere; `^` and `$` are the ends of a line."""

    patterns: tuple[str, ...]


@dataclass(frozen=True)
class HasLines:
    """These are lines of it, in this order; others may stand between them. None: those of the reference."""

    lines: tuple[str, ...] | None


@dataclass(frozen=True)
class HasUnordered:
    """These are its lines, in any order; blank lines do not count. None: those of the reference."""

    lines: tuple[str, ...] | None


@dataclass(frozen=True)
class Tolerance:
    """A number is close enough if it is off by `absolute`, or by the share `relative` of the expected one."""

    absolute: Decimal = Decimal(0)
    relative: Decimal = Decimal(0)

    def allows(self, expected: Decimal, actual: Decimal) -> bool:
        """Return whether a finite number is close enough."""
        most = max(self.absolute, _UNBOUNDED.multiply(self.relative, _UNBOUNDED.abs(expected)))
        return _UNBOUNDED.abs(_UNBOUNDED.subtract(expected, actual)) <= most


@dataclass(frozen=True)
class HasNumbers:
    """These are its numbers, in this order, with anything around them. None: those of the reference.

    They may be off as `tolerance` says.
    """

    numbers: tuple[Decimal, ...] | None
    tolerance: Tolerance = Tolerance()


@dataclass(frozen=True)
class HasJson:
    """It is this value as JSON, the order of keys aside. None: that of the reference."""

    text: str | None


@dataclass(frozen=True)
class PluginCheck:
    """A check of the class at `place`, such as `package.module:Class`, with its `options` as JSON."""

    place: str
    options: str
    needs_reference: bool


CheckKind: TypeAlias = Contains | Lacks | Matches | HasLines | HasUnordered | HasNumbers | HasJson | PluginCheck


@dataclass(frozen=True)
class OutputCheck:
    """Something that must hold of a stream; with `ignore_case` capital and small letters are the same."""

    kind: CheckKind
    stream: OutputStream = OutputStream.OUTPUT
    ignore_case: bool = False

    @property
    def needs_reference(self) -> bool:
        """Return whether what the reference prints is needed."""
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
    """The transcript of the reference."""


@dataclass(frozen=True)
class GivenTranscript:
    """A transcript that stands in the files of the course."""

    text: str


@dataclass(frozen=True)
class OutputChecks:
    """All of these hold."""

    checks: tuple[OutputCheck, ...]


Expectation: TypeAlias = FromReference | GivenTranscript | OutputChecks


def needs_reference(expectation: Expectation) -> bool:
    """Return whether what the reference prints is needed."""
    match expectation:
        case FromReference():
            return True
        case GivenTranscript():
            return False
        case OutputChecks(checks=checks):
            return any(check.needs_reference for check in checks)


def looks_at_errors(expectation: Expectation) -> bool:
    """Return whether a check looks at standard error."""
    return isinstance(expectation, OutputChecks) and any(
        check.stream is OutputStream.STDERR for check in expectation.checks
    )
