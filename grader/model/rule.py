"""An assignment's rules about code, the cost of breaking them, and where a submission breaks them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Protocol


class RuleCheck(Protocol):
    """A check performed by a rule, with its options. Plugins register a class for each.

    `name` selects it in assignment.yaml.
    """

    name: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule for the files `programs`.

    Keeping it earns `points` in `part`. Breaking it costs `deduct` points, or the whole mark with `zero_mark`, once the
    instructor has confirmed it.
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
        """Return whether the instructor must confirm the penalty for breaking the rule."""
        return self.zero_mark or self.deduct > 0


@dataclass(frozen=True, kw_only=True)
class RuleFinding:
    """A violation of a rule: the line and its code; the line is None for a whole file or a test."""

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
    """A rule and the places where a submission breaks it.

    `judged` is false if this is undecided, after an internal error or because the program was not examined. `unread` is
    true if a program is missing or cannot be parsed, and nothing else breaks the rule.
    """

    rule: Rule
    findings: tuple[RuleFinding, ...]
    judged: bool = True
    unread: bool = False

    @property
    def kept(self) -> bool:
        """Return whether the submission keeps the rule."""
        return self.judged and not self.findings

    @property
    def points(self) -> Decimal:
        """The points earned by keeping it."""
        return self.rule.points if self.kept else Decimal(0)
