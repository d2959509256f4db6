"""A rule about the code as an assignment states it, what breaking it costs, and what it finds in a submission."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Protocol


class RuleCheck(Protocol):
    """What a rule looks for, with its options. `grader.rules` has a class for each.

    `name` is its word in assignment.yaml.
    """

    name: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule for the files `programs`.

    Keeping it earns `points` in `part`. Breaking it costs `deduct` points, or with `zero_mark` the whole mark; these
    two wait for the instructor's word.
    """

    id: str
    title: str
    check: RuleCheck
    programs: tuple[str, ...]
    part: str | None = None
    points: Decimal = Decimal(0)
    deduct: Decimal = Decimal(0)
    zero_mark: bool = False

    @property
    def asks(self) -> bool:
        """Return whether the instructor must confirm what breaking it costs."""
        return self.zero_mark or self.deduct > 0


@dataclass(frozen=True, kw_only=True)
class RuleFinding:
    """A place where a rule is broken: the line and its code, or no line (None) when it is the whole file or a test."""

    message: str
    file: str = ""
    line: int | None = None
    code: str = ""

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.file}: {self.message}" if self.file else self.message
        return f"{self.file}:{self.line}: {self.message}: {self.code}"


@dataclass(frozen=True)
class RuleResult:
    """A rule and where a submission breaks it.

    `judged` is false while it is open: after an internal error, or where the program is not looked at.
    """

    rule: Rule
    findings: tuple[RuleFinding, ...]
    judged: bool = True

    @property
    def kept(self) -> bool:
        """Return whether the submission keeps the rule."""
        return self.judged and not self.findings

    @property
    def points(self) -> Decimal:
        """The points earned by keeping it."""
        return self.rule.points if self.kept else Decimal(0)
