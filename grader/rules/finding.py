"""What a rule finds in a submission."""

from dataclasses import dataclass
from decimal import Decimal

from grader.spec.rules import Rule


@dataclass(frozen=True)
class Finding:
    """A place where a rule is broken: the line and its code, or no line (None) when it is the whole file or a test."""

    file: str
    line: int | None
    code: str
    message: str

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.file}: {self.message}" if self.file else self.message
        return f"{self.file}:{self.line}: {self.message}: {self.code}"


@dataclass(frozen=True)
class RuleResult:
    """A rule and where a submission breaks it. `judged` is false while something of ours kept it from being judged."""

    rule: Rule
    findings: tuple[Finding, ...]
    judged: bool = True

    @property
    def kept(self) -> bool:
        """Whether the submission keeps the rule."""
        return self.judged and not self.findings

    @property
    def points(self) -> Decimal:
        """The points earned by keeping it."""
        return self.rule.points if self.kept else Decimal(0)
