"""assignment.yaml as a pydantic model; docs/spec-format.md documents every key."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import Discriminator, Field, Tag, model_validator

from grader.config.scalars import (
    MOST_DAYS,
    FileName,
    FilePattern,
    FormatOne,
    Identifier,
    LateDays,
    LocalTime,
    Marks,
    Name,
    PythonVersion,
    Requirement,
    Variant,
    Word,
    Zone,
    latest_moment,
)
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.errors import quoted
from grader.extensions import LANGUAGES, LATE_POLICIES, RULES, extensions
from grader.model.assignment import AttemptPolicy, FileNamePolicy, Isolation, SubmissionPolicy
from grader.model.policy import LatePolicy, LateTerms, Rounding, RoundingMode
from grader.rules.code_rule import CodeRule
from grader.spec.counting_entries import CauseHints, GroupEntry
from grader.spec.languages import BuildEntry, language_of, refuse_half_commands
from grader.spec.options import PluginEntry, provided_files, with_options
from grader.spec.start import MOST_BYTES, BuildLimitsEntry, Files, LimitsEntry, Variables
from grader.spec.tests_file import CompareEntry


class LateTermsEntry(SpecModel):
    """The late policy, and the terms of all policies. The options of `kind` are added to these keys."""

    kind: ClassVar[type[LatePolicy] | None] = None

    policy: str
    grace_minutes: Annotated[int, Field(ge=0, le=60 * 24 * MOST_DAYS)] = 0
    late_days: LateDays = 0
    max_late_days: LateDays | None = None
    cut_off: LocalTime | None = None

    def late_policy(self) -> LatePolicy | None:
        """Return the policy with its options; None if lateness costs nothing."""
        return with_options(self.kind, self) if self.kind else None

    def late_terms(self, zone: ZoneInfo) -> LateTerms:
        """Return the terms that hold under any policy; the cut-off is a time of `zone`."""
        cut_off = latest_moment(self.cut_off, zone) if self.cut_off else None
        return LateTerms(timedelta(minutes=self.grace_minutes), self.late_days, self.max_late_days, cut_off)


class NoPenaltyEntry(LateTermsEntry):
    """Lateness costs nothing, except after the cut-off."""

    policy: Literal["none"]


if TYPE_CHECKING:
    LateEntry: TypeAlias = LateTermsEntry
else:
    LateEntry = Annotated[
        LateTermsEntry,
        PluginEntry(key="policy", base=LateTermsEntry, group=LATE_POLICIES, kind=LatePolicy, others=(NoPenaltyEntry,)),
    ]


class RoundingEntry(SpecModel):
    """How marks are rounded."""

    places: Annotated[int, Field(ge=0, le=4)]
    mode: RoundingMode = RoundingMode.HALF_UP

    def rounding(self) -> Rounding:
        """Return the rule as marks are computed by it."""
        return Rounding(self.places, self.mode)


class AnyRuleEntry(SpecModel):
    """A rule about the code of `program`, or else of every program. The options of `kind` are added to these keys."""

    kind: ClassVar[type[CodeRule]]

    id: Name
    title: str
    rule: str
    program: FileName | None = None
    part: Name | None = None
    points: Marks | None = None
    deduct: Marks | None = None
    zero_mark: Literal["true"] | None = None

    @model_validator(mode="after")
    def _one_cost(self) -> "AnyRuleEntry":
        if (self.part is None) != (self.points is None):
            raise ValueError("found one of `part` and `points`; expected both or neither")
        if len([key for key in (self.points, self.deduct, self.zero_mark) if key is not None]) > 1:
            raise ValueError("found more than one of `points`, `deduct` and `zero_mark`; expected at most one")
        return self

    def check(self) -> CodeRule:
        """Return the rule with its options."""
        return with_options(self.kind, self)

    def provided_files(self) -> dict[str, str]:
        """Map the options that must name a provided module to the names they give."""
        return provided_files(self.kind, self)


if TYPE_CHECKING:
    RuleEntry: TypeAlias = AnyRuleEntry
else:
    RuleEntry = Annotated[AnyRuleEntry, PluginEntry(key="rule", base=AnyRuleEntry, group=RULES, kind=CodeRule)]


Variants = Annotated[tuple[Variant, ...], AT_LEAST_ONE, DISTINCT]
Command = Annotated[tuple[Word, ...], AT_LEAST_ONE]


def _form(value: object) -> str:
    return "settings" if isinstance(value, dict | BuildEntry) else "command"


BuildWord = Annotated[Annotated[Command, Tag("command")] | Annotated[BuildEntry, Tag("settings")], Discriminator(_form)]
"""A command, or settings of the usual one."""


class AlternativeEntry(SpecModel):
    """A file that may be handed in in place of a program, in another language; run by `run`, after `build`.

    Without `run` the usual commands of the language are meant.
    """

    file: FileName
    build: BuildWord | None = None
    run: Command | None = None

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "AlternativeEntry":
        refuse_half_commands(self.build, self.run)
        if self.run is None and language_of(self.file) is None:
            endings = ", ".join(extensions(LANGUAGES))
            raise ValueError(
                f"found {quoted(self.file)} without `run`; expected the command that runs it, or an ending of {endings}"
            )
        return self


class ProgramEntry(SpecModel):
    """A file to hand in. `reference` defaults to the file of the same name in the course's `reference/`.

    Without `variants` the assignment's are meant. With `run`, it is run by that command, after `build`; without, as is
    usual in its language.
    """

    file: FileName
    reference: FileName | None = None
    variants: Variants | None = None
    build: BuildWord | None = None
    run: Command | None = None
    alternatives: tuple[AlternativeEntry, ...] = ()

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "ProgramEntry":
        refuse_half_commands(self.build, self.run)
        return self


class CardsEntry(SpecModel):
    """The provided module whose cards and decks function tests name, and its classes."""

    module: FileName
    card: Identifier = "Card"
    deck: Identifier = "Deck"


class ProvidedEntry(SpecModel):
    """A module that the instructor supplies. `source` defaults to the file of the same name in `reference/`."""

    file: FileName
    source: FileName | None = None


class ManualEntry(SpecModel):
    """An item of a part that a person marks."""

    id: Name
    title: str
    marks: Marks


class PartEntry(SpecModel):
    """A piece of the assignment with marks of its own."""

    id: Name
    title: str
    marks: Marks
    manual: tuple[ManualEntry, ...] = ()
    bonus: bool = False


class SubmissionsEntry(SpecModel):
    """How submissions are taken in; a key left out keeps its default."""

    names: FileNamePolicy | None = None
    attempts: AttemptPolicy | None = None
    file_bytes: Annotated[int, Field(ge=1, le=MOST_BYTES)] | None = None
    total_bytes: Annotated[int, Field(ge=1, le=MOST_BYTES)] | None = None
    files: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    def policy(self) -> SubmissionPolicy:
        """Return the policy as intake takes it."""
        return SubmissionPolicy(**self.model_dump(exclude_none=True))


class AssignmentFile(SpecModel):
    """What assignment.yaml may hold."""

    format: FormatOne
    id: Name
    title: str
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    variants: Variants = ("canonical",)
    provided: tuple[ProvidedEntry, ...] = ()
    files: Annotated[Files, Field(default_factory=dict)]
    environment: Annotated[Variables, Field(default_factory=dict)]
    further_files: Annotated[tuple[FilePattern, ...], DISTINCT] = ()
    python: PythonVersion | None = None
    packages: Annotated[tuple[Requirement, ...], DISTINCT] = ()
    cards: CardsEntry | None = None
    editions: Annotated[tuple[Variant, ...], DISTINCT] = ()
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    groups: tuple[GroupEntry, ...] = ()
    max_mark: Marks | None = None
    hints: CauseHints
    due: LocalTime
    time_zone: Zone
    late: LateEntry | None = None
    rounding: RoundingEntry | None = None
    rules: tuple[RuleEntry, ...] = ()
    limits: LimitsEntry = LimitsEntry()
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    isolation: Isolation = Isolation.FORK
    stop_after_timeouts: Annotated[int, Field(ge=1, le=1_000)] | None = None
    compare: CompareEntry = CompareEntry()
    submissions: SubmissionsEntry = SubmissionsEntry()
