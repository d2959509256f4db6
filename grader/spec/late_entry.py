"""`late` and `rounding` in assignment.yaml."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import Field

from grader.config.scalars import MOST_DAYS, LateDays, LocalTime, latest_moment
from grader.config.validation import SpecModel
from grader.marks.policies import LATE_POLICIES
from grader.model.former_words import FormerKey
from grader.model.policy import LatePolicy, LateTerms, Rounding, RoundingMode
from grader.spec.options import one_of, with_options


class LateTermsEntry(SpecModel):
    """The late policy, and what holds whichever it is. The options of the policy are added to these keys."""

    policy: str
    grace_minutes: Annotated[int, Field(ge=0, le=60 * 24 * MOST_DAYS)] = 0
    late_days: LateDays = 0
    max_late_days: Annotated[LateDays | None, FormerKey("most_late_days")] = None
    cut_off: LocalTime | None = None

    def late_policy(self) -> LatePolicy | None:
        """The policy with its options; None when lateness costs nothing."""
        kinds = (kind for kind in LATE_POLICIES if kind.name == self.policy)
        return next((with_options(kind, self) for kind in kinds), None)

    def late_terms(self, zone: ZoneInfo) -> LateTerms:
        """What holds under any policy; the cut-off is a time of `zone`."""
        cut_off = latest_moment(self.cut_off, zone) if self.cut_off else None
        return LateTerms(timedelta(minutes=self.grace_minutes), self.late_days, self.max_late_days, cut_off)


class NoPenaltyEntry(LateTermsEntry):
    """Lateness costs nothing, except after the cut-off."""

    policy: Literal["none"]


if TYPE_CHECKING:
    LateEntry: TypeAlias = LateTermsEntry
else:
    LateEntry = one_of("policy", LateTermsEntry, LATE_POLICIES, NoPenaltyEntry)


class RoundingEntry(SpecModel):
    """How marks are rounded."""

    places: Annotated[int, Field(ge=0, le=4)]
    mode: RoundingMode = RoundingMode.HALF_UP

    def rounding(self) -> Rounding:
        """The rule as marks are computed by it."""
        return Rounding(self.places, self.mode)
