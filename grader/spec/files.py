"""The YAML files of an assignment as pydantic models; docs/spec-format.md documents every key."""

import re
from collections.abc import Iterator
from decimal import Decimal
from keyword import iskeyword
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from grader.spec.assignment import Isolation, Visibility
from grader.spec.comparison import Comparison, Leniency
from grader.spec.function_call import Check
from grader.spec.intake_policy import Attempts, IntakePolicy, Names
from grader.spec.late_entry import LateEntry, RoundingEntry
from grader.spec.problem import quoted, unexpected
from grader.spec.rules import RuleKind, signature
from grader.spec.scalars import (
    Character,
    CheckerName,
    ExitStatus,
    FileName,
    FormatOne,
    Line,
    LocalTime,
    Marks,
    Name,
    NameTemplate,
    Points,
    Variant,
    Word,
    Zone,
)
from grader.spec.validate import AT_LEAST_ONE, SpecModel, listed

_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_MOST_DIGITS = 18
_MOST_VALUES = 10_000
_MOST_BYTES = 1 << 50

_RULE_KEYS = {
    RuleKind.REQUIRED_FUNCTIONS: {"functions"},
    RuleKind.FORBIDDEN_NAMES: {"names"},
    RuleKind.PROVIDED_MODULE: {"module"},
    RuleKind.LINE_LENGTH: {"columns"},
}

Item = TypeVar("Item")


def _identifier(text: str) -> str:
    if not text.isidentifier() or iskeyword(text):
        raise unexpected(text, "a name of Python")
    return text


def _signature(text: str) -> str:
    try:
        signature(text)
    except (SyntaxError, ValueError):
        raise unexpected(text, "a function with its parameters, such as deal(deck, n)") from None
    return text


def _distinct(items: tuple[Item, ...]) -> tuple[Item, ...]:
    for index, item in enumerate(items):
        if item in items[:index]:
            raise ValueError(f"{quoted(str(item))} is given twice")
    return items


def _loop_values(value: object) -> object:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not items:
        raise unexpected(value, "a list of values, or a range such as 0..9")
    return tuple(text for item in items for text in _expand_range(item))


def _expand_range(item: object) -> Iterator[str]:
    if not isinstance(item, str) or "\n" in item or "\r" in item:
        raise unexpected(item, "one line of text as a value of the loop")
    match = _RANGE.fullmatch(item)
    if not match:
        yield item
        return
    first, last = (int(end) if len(end) <= _MOST_DIGITS else None for end in match.groups())
    if first is None or last is None or not first <= last < first + _MOST_VALUES:
        raise unexpected(item, f"a range of 1 to {_MOST_VALUES} values, the smaller number first")
    yield from map(str, range(first, last + 1))


Signature = Annotated[str, AfterValidator(_signature)]
Identifier = Annotated[str, AfterValidator(_identifier)]
LoopValues = Annotated[
    tuple[str, ...],
    BeforeValidator(_loop_values),
    WithJsonSchema(
        {"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "number", "boolean"]}}
    ),
]
Variants = Annotated[tuple[Variant, ...], AT_LEAST_ONE, AfterValidator(_distinct)]


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


class RuleEntry(SpecModel):
    """A rule about the code. Without `program` it is about every program."""

    id: Name
    title: str
    rule: RuleKind
    program: FileName | None = None
    functions: Annotated[tuple[Signature, ...], AT_LEAST_ONE, AfterValidator(_distinct)] | None = None
    names: Annotated[tuple[str, ...], AT_LEAST_ONE, AfterValidator(_distinct)] | None = None
    module: FileName | None = None
    columns: Annotated[int, Field(ge=20, le=1000)] | None = None
    part: Name | None = None
    points: Marks | None = None
    deduct: Marks | None = None
    zero: Literal["true"] | None = None

    @model_validator(mode="after")
    def _keys_of_the_rule(self) -> "RuleEntry":
        keys = {"functions", "names", "module", "columns"}
        given = {key for key in keys if getattr(self, key) is not None}
        wanted = _RULE_KEYS.get(self.rule, set())
        if given != wanted:
            raise ValueError(f"found {listed(given)}; expected {listed(wanted)} for the rule `{self.rule}`")
        if (self.part is None) != (self.points is None):
            raise ValueError("found one of `part` and `points`; expected both or neither")
        if len([key for key in (self.points, self.deduct, self.zero) if key is not None]) > 1:
            raise ValueError("found more than one of `points`, `deduct` and `zero`; expected at most one")
        return self


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


class CompareEntry(SpecModel):
    """What the comparison with the expected transcript lets pass; a key left out lets nothing pass."""

    ignore: Annotated[tuple[Leniency, ...], AfterValidator(_distinct)] = ()
    ignore_characters: tuple[Character, ...] = ()
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False)] | None = None
    any_text: tuple[Line, ...] = ()

    def comparison(self) -> Comparison:
        """The policy as the judge takes it."""
        return Comparison(frozenset(self.ignore), "".join(self.ignore_characters), self.tolerance, self.any_text)


class IntakeEntry(SpecModel):
    """How submissions are taken in; a key left out keeps its default."""

    names: Names | None = None
    attempts: Attempts | None = None
    file_bytes: Annotated[int, Field(ge=1, le=_MOST_BYTES)] | None = None
    total_bytes: Annotated[int, Field(ge=1, le=_MOST_BYTES)] | None = None
    files: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    def policy(self) -> IntakePolicy:
        """The policy as intake takes it."""
        return IntakePolicy(**self.model_dump(exclude_none=True))


class AssignmentFile(SpecModel):
    """assignment.yaml"""

    format: FormatOne
    id: Name
    title: str
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    variants: Variants = ("canonical",)
    provided: tuple[ProvidedEntry, ...] = ()
    cards: CardsEntry | None = None
    editions: Annotated[tuple[Variant, ...], AfterValidator(_distinct)] = ()
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    due: LocalTime
    time_zone: Zone
    late: LateEntry | None = None
    rounding: RoundingEntry | None = None
    rules: tuple[RuleEntry, ...] = ()
    limits: LimitsEntry = LimitsEntry()
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    isolation: Isolation = Isolation.PREPARED
    compare: CompareEntry = CompareEntry()
    intake: IntakeEntry = IntakeEntry()


_WAYS = (
    "`input` (lines typed into the program), `prompt` (lines typed at Python's prompt), "
    "`stdin` (a file that the program reads), `call` (of a function)"
)


class TestEntry(SpecModel):
    """One test, or one per combination of loop values when `for` is given.

    What is in `given` is read when the loop values are known.
    """

    __test__ = False

    id: NameTemplate
    title: str = ""
    loop: Annotated[dict[str, LoopValues], Field(alias="for", default_factory=dict)]
    visibility: Visibility | None = None
    points: Points | None = None
    input: tuple[Line, ...] | None = None
    prompt: tuple[Line, ...] | None = None
    call: Line | None = None
    given: Annotated[dict[Identifier, object], Field(default_factory=dict)]
    setup: tuple[Line, ...] = ()
    checks: Annotated[tuple[Check, ...], AT_LEAST_ONE, AfterValidator(_distinct)] = tuple(Check)
    echo: bool = True
    stdin: NameTemplate | None = None
    checker: CheckerName | None = None
    checker_options: dict[str, str] | None = None
    exit_status: ExitStatus = 0
    compare: CompareEntry | None = None
    edition: Variant | None = None
    deck: Line | None = None
    random_seed: int | None = None
    twin: NameTemplate | None = None
    sealed: bool = False

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        found = [key for key in ("input", "prompt", "stdin") if getattr(self, key) is not None]
        if len(found) > 1 or (not found and self.call is None):
            said = " and ".join(f"`{key}`" for key in found) or "none"
            raise ValueError(f"found {said} here; expected one of: {_WAYS}")
        if self.call is not None and found not in ([], ["input"]):
            raise ValueError(f"found `call` and `{found[0]}`; expected one of them")
        if self.call is None and (self.given or self.setup):
            raise ValueError("found `given` or `setup` without `call`, the expression that they are for")
        return self


class TestsFile(SpecModel):
    """A file under tests/: tests of one program and one part, with what they have in common."""

    __test__ = False

    format: FormatOne
    program: FileName
    part: Name
    visibility: Visibility | None = None
    points: Points | None = None
    compare: CompareEntry | None = None
    checker: CheckerName | None = None
    checker_options: Annotated[dict[str, str], Field(default_factory=dict)]
    tests: Annotated[tuple[TestEntry, ...], AT_LEAST_ONE]
