"""`rules` in assignment.yaml."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import model_validator

from grader.config.scalars import FileName, Marks, Name
from grader.config.validation import SpecModel
from grader.model.former_words import FormerKey
from grader.rules import CODE_RULES
from grader.rules.code_rule import CodeRule
from grader.spec.options import one_of, provided_files, with_options


class AnyRuleEntry(SpecModel):
    """A rule about the code, about every program if there is no `program`. Its options are added to these keys."""

    id: Name
    title: str
    rule: str
    program: FileName | None = None
    part: Name | None = None
    points: Marks | None = None
    deduct: Marks | None = None
    zero_mark: Annotated[Literal["true"] | None, FormerKey("zero")] = None

    @model_validator(mode="after")
    def _one_cost(self) -> "AnyRuleEntry":
        if (self.part is None) != (self.points is None):
            raise ValueError("found one of `part` and `points`; expected both or neither")
        if len([key for key in (self.points, self.deduct, self.zero_mark) if key is not None]) > 1:
            raise ValueError("found more than one of `points`, `deduct` and `zero_mark`; expected at most one")
        return self

    def check(self) -> CodeRule:
        """What the rule looks for, with its options."""
        [kind] = (kind for kind in CODE_RULES if kind.name == self.rule)
        return with_options(kind, self)

    def provided_files(self) -> dict[str, str]:
        """The options that must name a provided module, and what they name."""
        [kind] = (kind for kind in CODE_RULES if kind.name == self.rule)
        return provided_files(kind, self)


if TYPE_CHECKING:
    RuleEntry: TypeAlias = AnyRuleEntry
else:
    RuleEntry = one_of("rule", AnyRuleEntry, CODE_RULES)
