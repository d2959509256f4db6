"""assignment.yaml as a pydantic model; docs/spec-format.md documents every key."""

from typing import Annotated

from pydantic import Field, model_validator

from grader.config.scalars import FileName, FormatOne, Identifier, LocalTime, Marks, Name, Variant, Word, Zone
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.model.assignment import AttemptPolicy, FileNamePolicy, Isolation, SubmissionPolicy
from grader.model.former_words import FormerKey, FormerValue
from grader.spec.compare_entry import CompareEntry
from grader.spec.late_entry import LateEntry, RoundingEntry
from grader.spec.rule_entry import RuleEntry

_MOST_BYTES = 1 << 50


Variants = Annotated[tuple[Variant, ...], AT_LEAST_ONE, DISTINCT]


Command = Annotated[tuple[Word, ...], AT_LEAST_ONE]


class AlternativeEntry(SpecModel):
    """A file that may be handed in in place of a program, in another language; run by `run`, after `build`."""

    file: FileName
    build: Command | None = None
    run: Command


class ProgramEntry(SpecModel):
    """A file to hand in. `reference` defaults to the file of the same name in the course's `reference/`.

    Without `variants` the assignment's are meant. With `run`, it is not run by Python but by that command, after
    `build`.
    """

    file: FileName
    reference: FileName | None = None
    variants: Variants | None = None
    build: Command | None = None
    run: Command | None = None
    alternatives: tuple[AlternativeEntry, ...] = ()

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "ProgramEntry":
        if self.build and not self.run:
            raise ValueError("found `build` without `run`; expected the command that runs what was built")
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


class BuildLimitsEntry(SpecModel):
    """What a build may use; a key left out keeps its default."""

    wall_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    output_bytes: Annotated[int, Field(ge=1000, le=_MOST_BYTES)] | None = None
    memory_bytes: Annotated[int, Field(ge=50_000_000, le=_MOST_BYTES)] | None = None
    file_bytes: Annotated[int, Field(ge=0, le=_MOST_BYTES)] | None = None
    cpu_seconds: Annotated[int, Field(ge=1, le=3600)] | None = None
    open_files: Annotated[int, Field(ge=16, le=4096)] | None = None
    processes: Annotated[int, Field(ge=2, le=4096)] | None = None


class LimitsEntry(BuildLimitsEntry):
    """What one test may use; a key left out keeps its default. Builds have the same disk."""

    disk_bytes: Annotated[int, Field(ge=1_000_000, le=_MOST_BYTES)] | None = None


FileNamesWord = Annotated[
    FileNamePolicy,
    FormerValue("any-case", FileNamePolicy.IGNORE_CASE),
    FormerValue("nearest", FileNamePolicy.CLOSEST_MATCH),
]


AttemptsWord = Annotated[AttemptPolicy, FormerValue("last-in-time", AttemptPolicy.LAST_ON_TIME)]


IsolationWord = Annotated[
    Isolation, FormerValue("prepared", Isolation.FORK), FormerValue("process", Isolation.FRESH_PROCESS)
]


class SubmissionsEntry(SpecModel):
    """How submissions are taken in; a key left out keeps its default."""

    names: FileNamesWord | None = None
    attempts: AttemptsWord | None = None
    file_bytes: Annotated[int, Field(ge=1, le=_MOST_BYTES)] | None = None
    total_bytes: Annotated[int, Field(ge=1, le=_MOST_BYTES)] | None = None
    files: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    def policy(self) -> SubmissionPolicy:
        """The policy as intake takes it."""
        return SubmissionPolicy(**self.model_dump(exclude_none=True))


class AssignmentFile(SpecModel):
    """assignment.yaml"""

    format: FormatOne
    id: Name
    title: str
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    variants: Variants = ("canonical",)
    provided: tuple[ProvidedEntry, ...] = ()
    cards: CardsEntry | None = None
    editions: Annotated[tuple[Variant, ...], DISTINCT] = ()
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    due: LocalTime
    time_zone: Zone
    late: LateEntry | None = None
    rounding: RoundingEntry | None = None
    rules: tuple[RuleEntry, ...] = ()
    limits: LimitsEntry = LimitsEntry()
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    isolation: IsolationWord = Isolation.FORK
    compare: CompareEntry = CompareEntry()
    submissions: Annotated[SubmissionsEntry, FormerKey("intake")] = SubmissionsEntry()
