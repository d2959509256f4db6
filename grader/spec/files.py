"""The YAML files of an assignment as pydantic models; docs/spec-format.md documents every key."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from grader.spec.assignment import Isolation, Visibility
from grader.spec.problem import quoted
from grader.spec.scalars import (
    FileName,
    FormatOne,
    Line,
    LocalTime,
    Marks,
    Name,
    NameTemplate,
    Percent,
    Points,
    Variant,
    Word,
    Zone,
)
from grader.spec.validate import AT_LEAST_ONE, SpecModel, unexpected

_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_MOST_DIGITS = 18
_MOST_VALUES = 10_000
_MOST_BYTES = 1 << 50

Item = TypeVar("Item")


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


LoopValues = Annotated[tuple[str, ...], BeforeValidator(_loop_values)]


Command = Annotated[tuple[Word, ...], AT_LEAST_ONE]


class ProgramEntry(SpecModel):
    """A file to hand in. `reference` defaults to the file of the same name in the course's `reference/`.

    With `run`, it is not run by Python but by that command, after `build`.
    """

    file: FileName
    reference: FileName | None = None
    variants: Annotated[tuple[Variant, ...], AT_LEAST_ONE, AfterValidator(_distinct)] = ("canonical",)
    build: Command | None = None
    run: Command | None = None

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "ProgramEntry":
        if self.build and not self.run:
            raise ValueError("found `build` without `run`; expected the command that runs what was built")
        return self


class PartEntry(SpecModel):
    """A piece of the assignment with marks of its own."""

    id: Name
    title: str
    marks: Marks


class LateEntry(SpecModel):
    """The late policy; `falling-cap` is the only one so far."""

    policy: Literal["falling-cap"]
    percent_per_day: Percent
    days: Annotated[int, Field(ge=1, le=366)]


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


class AssignmentFile(SpecModel):
    """assignment.yaml"""

    format: FormatOne
    id: Name
    title: str
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    due: LocalTime
    time_zone: Zone
    late: LateEntry | None = None
    limits: LimitsEntry = LimitsEntry()
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    isolation: Isolation = Isolation.PREPARED


class TestEntry(SpecModel):
    """One test, or one per combination of loop values when `for` is given."""

    __test__ = False

    id: NameTemplate
    title: str = ""
    loop: Annotated[dict[str, LoopValues], Field(alias="for", default_factory=dict)]
    visibility: Visibility | None = None
    points: Points | None = None
    input: tuple[Line, ...] | None = None
    prompt: tuple[Line, ...] | None = None
    echo: bool = True
    exit_status: Annotated[int, Field(ge=0, le=255)] = 0

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        ways = "`input` (lines typed into the program)", "`prompt` (lines typed at Python's prompt)"
        if self.input is None and self.prompt is None:
            raise ValueError(f"found neither; expected either {ways[0]} or {ways[1]}")
        if self.input is not None and self.prompt is not None:
            raise ValueError(f"found both; expected either {ways[0]} or {ways[1]}")
        return self


class TestsFile(SpecModel):
    """A file under tests/: tests of one program and one part, with what they have in common."""

    __test__ = False

    format: FormatOne
    program: FileName
    part: Name
    visibility: Visibility | None = None
    points: Points | None = None
    tests: Annotated[tuple[TestEntry, ...], AT_LEAST_ONE]
