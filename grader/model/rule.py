"""Rules about the code itself, as an assignment states them, and what breaking one costs.

What a rule finds in a submission.
"""

import ast
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class RuleKind(StrEnum):
    """What can be judged; docs/spec-format.md says what each looks at."""

    REQUIRED_FUNCTIONS = "required-functions"
    MAIN_USED = "main-used"
    NO_GLOBAL_VARIABLES = "no-global-variables"
    NO_NESTED_FUNCTIONS = "no-nested-functions"
    PROVIDED_MODULE = "provided-module"
    FORBIDDEN_NAMES = "forbidden-names"
    HEADER_COMMENT = "header-comment"
    DOCSTRINGS = "docstrings"
    NAMING = "naming"
    LINE_LENGTH = "line-length"
    HARD_CODING = "hard-coding"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule for the files `programs`.

    `functions` (signatures such as `deal(deck, n)`), `names`, `module` and `columns` are what the kinds ask for.
    Keeping the rule earns `points` in `part`. Breaking it costs `deduct` points, or everything when `zero`; these two
    wait for the instructor's word.
    """

    id: str
    title: str
    kind: RuleKind
    programs: tuple[str, ...]
    functions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    module: str | None = None
    columns: int | None = None
    part: str | None = None
    points: Decimal = Decimal(0)
    deduct: Decimal = Decimal(0)
    zero: bool = False

    @property
    def asks(self) -> bool:
        """Whether the instructor must confirm what breaking it costs."""
        return self.zero or self.deduct > 0


def signature(text: str) -> ast.FunctionDef:
    """The function that `text`, such as `deal(deck, n)`, is the head of. Raises SyntaxError."""
    match ast.parse(f"def {text}: pass").body:
        case [ast.FunctionDef() as function]:
            return function
    raise SyntaxError(text)


@dataclass(frozen=True)
class RuleFinding:
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
    findings: tuple[RuleFinding, ...]
    judged: bool = True

    @property
    def kept(self) -> bool:
        """Whether the submission keeps the rule."""
        return self.judged and not self.findings

    @property
    def points(self) -> Decimal:
        """The points earned by keeping it."""
        return self.rule.points if self.kept else Decimal(0)
