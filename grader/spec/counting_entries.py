"""The keys in assignment.yaml and tests files that determine how tests count, such as points, groups and hints."""

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field, ValidatorFunctionWrapHandler, WithJsonSchema, WrapValidator, model_validator

from grader.config.scalars import ASCII_DIGITS, Line, Marks, Name, NameTemplate, Points, Sentence
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.model.counting import Counting, GroupCount, TestGroup
from grader.model.partial_credit import (
    Milestone,
    Milestones,
    PartialChecks,
    PartialCredit,
    PartialLines,
    PartialRepair,
    PartialSteps,
    TextInLine,
    WholeLine,
)
from grader.model.test import CauseHint, Hints

_WAYS: dict[str, PartialLines | PartialSteps | PartialChecks | PartialRepair] = {
    "lines": PartialLines(),
    "steps": PartialSteps(),
    "checks": PartialChecks(),
    "repair": PartialRepair(),
}


class EqualPoints(StrEnum):
    """The value `equal` instead of a number of points."""

    EQUAL = "equal"


def _or_equal(value: object, read: ValidatorFunctionWrapHandler) -> object:
    return EqualPoints.EQUAL if value == EqualPoints.EQUAL else read(value)


if TYPE_CHECKING:
    PointsWord: TypeAlias = Decimal | EqualPoints
else:
    PointsWord = Annotated[
        Points,
        WrapValidator(_or_equal),
        WithJsonSchema({"anyOf": [{"const": "equal"}, {"type": "number", "minimum": 0, "maximum": 10_000}]}),
    ]


Weight = Annotated[Decimal, Field(gt=0, le=10_000, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS]
Share = Annotated[Decimal, Field(gt=0, le=1, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS]
CauseHints = Annotated[dict[Name, Sentence], Field(default_factory=dict)]
"""Hints for students by cause of failure."""


def cause_hints(entry: dict[str, str], fill: Callable[[str], str] = str) -> tuple[CauseHint, ...]:
    """Return the hints of an entry."""
    return tuple(CauseHint(cause, fill(sentence)) for cause, sentence in entry.items())


class FileGroupEntry(SpecModel):
    """A group of tests in this file, which count together."""

    id: Name
    """The name of the group, different from the names of all other groups and parts."""
    title: str = ""
    """The title shown to people."""
    points: Marks
    """The points of the group."""
    count: GroupCount
    """`all`: the points are earned if all tests pass. `sum`: the tests add up by weight. `least`: the smallest
    share counts. `best`: the largest share counts.
    """
    bonus: bool = False
    """`true`: the points are added on top of the full mark."""

    def group(self, part: str) -> TestGroup:
        """Return the group as part of `part`."""
        return TestGroup(
            id=self.id, title=self.title, part=part, points=self.points, count=self.count, bonus=self.bonus
        )


class GroupEntry(FileGroupEntry):
    """A group of tests in any files of its part, which count together."""

    part: Name
    """The part in which the group earns points. Its tests must belong to the same part."""


class MilestoneEntry(SpecModel):
    """A milestone in the program's output: a whole line, or a text within a line."""

    line: Line | None = None
    """A whole line of the transcript."""
    text: Annotated[str, Field(min_length=1)] | None = None
    """A text within a line, as an alternative to `line`."""
    share: Share
    """The share of the points, more than 0. All shares together are at most 1."""

    @model_validator(mode="after")
    def _one_sign(self) -> "MilestoneEntry":
        if (self.line is None) == (self.text is None):
            raise ValueError("expected one of `line` (a whole line) and `text` (a text in a line)")
        if not (self.line or self.text or "").strip() or "\n" in (self.text or ""):
            raise ValueError("expected a milestone that is not blank, in one line")
        return self

    def milestone(self, fill: Callable[[str], str]) -> Milestone:
        """Return the milestone with the values of a loop filled in."""
        sign = TextInLine(fill(self.text)) if self.text is not None else WholeLine(fill(self.line or ""))
        return Milestone(sign, self.share)


PartialWord = Literal["lines", "steps", "checks", "repair"]


class CountingEntry(SpecModel):
    """The points of a test, and the hints for students when it fails."""

    points: PointsWord | None = None
    """The points of the test. They can be 0, or `equal`. Default: the points of the file."""
    shared_points: Marks | None = None
    """An alternative to `points`: a number of points that all tests of the loop share equally."""
    group: Name | None = None
    """The group in which the test counts. The test then has no points of its own."""
    weight: Weight | None = None
    """The weight of the test in a group that counts `sum`. Default: 1."""
    bonus: bool = False
    """`true`: the points are added on top of the full mark."""
    requires: Annotated[tuple[NameTemplate, ...], DISTINCT] | None = None
    """Tests that must pass for this test to count. They replace those of the file."""
    hint: Sentence | None = None
    """A sentence that students see if the test fails."""
    hints: CauseHints
    """A sentence for each cause of failure, as in assignment.yaml. These take precedence."""
    partial: PartialWord | Literal["frames"] | None = None
    """Partial credit for a transcript that is only partly right: the share of right `lines` or `steps`. For a test with
    `expect`, the share of `checks` that pass. For a test with `keys`, the share of right `frames`, in which screens
    that look the same count once, and empty screens do not count. For a Python program, `repair`: a smaller proved
    repair earns a larger share.
    """
    milestones: Annotated[tuple[MilestoneEntry, ...], AT_LEAST_ONE] | None = None
    """An alternative to `partial`: milestones in the output, each with a share."""
    partial_if_stopped: bool = False
    """`true`: a program that crashes, exceeds a limit or ends with the wrong exit status keeps the share it has
    reached.
    """

    @model_validator(mode="after")
    def _one_way_to_earn(self) -> "CountingEntry":
        if self.points is not None and self.shared_points is not None:
            raise ValueError("found `points` and `shared_points`; expected one of them")
        if self.partial is not None and self.milestones is not None:
            raise ValueError("found `partial` and `milestones`; expected one of them")
        if self.milestones is not None and sum(milestone.share for milestone in self.milestones) > 1:
            total = sum(milestone.share for milestone in self.milestones)
            raise ValueError(f"the milestones have the share {total} together; expected at most 1")
        return self

    def partial_credit(self, default: PartialWord | None, fill: Callable[[str], str]) -> PartialCredit | None:
        """Return the partial credit for a transcript."""
        if self.milestones is not None:
            way = Milestones(tuple(milestone.milestone(fill) for milestone in self.milestones))
            return PartialCredit(way, self.partial_if_stopped)
        word = self.partial or default
        if word is None or word == "frames":
            return None
        return PartialCredit(_WAYS[word], self.partial_if_stopped)

    def all_hints(self, fill: Callable[[str], str]) -> Hints:
        """Return the general hint and the hints for each cause, with `fill` applied to each."""
        return Hints(always=fill(self.hint or ""), of_test=cause_hints(self.hints, fill))


class CountingDefaults(SpecModel):
    """Defaults for the tests of a file."""

    points: PointsWord | None = None
    """The points of tests that do not set their own, with at most 4 decimal places. `equal` gives an equal share
    of the remaining marks of the part.
    """
    shared_points: Marks | None = None
    """An alternative to `points`: a number of points that all tests without points of their own share equally."""
    group: Name | None = None
    """The `group` of tests that do not set their own."""
    groups: tuple[FileGroupEntry, ...] = ()
    """Groups of tests in this part."""
    requires: Annotated[tuple[Name, ...], DISTINCT] = ()
    """The `requires` of all tests, except for the tests listed here."""
    partial: PartialWord | None = None
    """The `partial` of tests that compare a transcript and do not set their own."""

    @model_validator(mode="after")
    def _one_kind_of_points(self) -> "CountingDefaults":
        if self.points is not None and self.shared_points is not None:
            raise ValueError("found `points` and `shared_points`; expected one of them")
        return self


def counting_of(entry: CountingEntry, defaults: CountingDefaults, test: str, fill: Callable[[str], str]) -> Counting:
    """Return how `test` counts. The tests that a file requires by default do not require each other."""
    own_requirements = None if entry.requires is None else tuple(map(fill, entry.requires))
    by_file = () if test in defaults.requires else defaults.requires
    return Counting(
        group=entry.group or defaults.group,
        weight=entry.weight or Counting().weight,
        bonus=entry.bonus,
        requires=by_file if own_requirements is None else own_requirements,
    )


def stated_points(entry: CountingEntry, defaults: CountingDefaults) -> Decimal | None:
    """Return the points of the test itself, which are 0 if it shares points with others, or None if none are stated."""
    if entry.group is None and defaults.group is None:
        stated = (entry.points, entry.shared_points, defaults.points, defaults.shared_points)
        first = next((value for value in stated if value is not None), None)
        shares = entry.points is None and (entry.shared_points is not None or defaults.points is None)
        if first is None or not shares:
            return Decimal(0) if first is EqualPoints.EQUAL else first
    return Decimal(0)
