"""The YAML files of an assignment as pydantic models; docs/spec-format.md documents every key."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from grader.spec.assignment import Visibility
from grader.spec.problem import quoted
from grader.spec.scalars import (
    CheckerName,
    ExitStatus,
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


class ProgramEntry(SpecModel):
    """A file to hand in. `reference` defaults to the file of the same name in the course's `reference/`."""

    file: FileName
    reference: FileName | None = None
    variants: Annotated[tuple[Variant, ...], AT_LEAST_ONE, AfterValidator(_distinct)] = ("canonical",)


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


class LimitsEntry(SpecModel):
    """What one test may use; a key left out keeps its default."""

    wall_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    output_bytes: Annotated[int, Field(ge=1000, le=_MOST_BYTES)] | None = None
    memory_bytes: Annotated[int, Field(ge=50_000_000, le=_MOST_BYTES)] | None = None
    file_bytes: Annotated[int, Field(ge=0, le=_MOST_BYTES)] | None = None


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


_WAYS = (
    "`input` (lines typed into the program), `prompt` (lines typed at Python's prompt), "
    "`stdin` (a file that the program reads)"
)


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
    stdin: NameTemplate | None = None
    checker: CheckerName | None = None
    checker_options: dict[str, str] | None = None
    exit_status: ExitStatus = 0

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        found = [key for key in ("input", "prompt", "stdin") if getattr(self, key) is not None]
        if len(found) != 1:
            said = " and ".join(f"`{key}`" for key in found) or "none"
            raise ValueError(f"found {said} here; expected one of: {_WAYS}")
        return self


class TestsFile(SpecModel):
    """A file under tests/: tests of one program and one part, with what they have in common."""

    __test__ = False

    format: FormatOne
    program: FileName
    part: Name
    visibility: Visibility | None = None
    points: Points | None = None
    checker: CheckerName | None = None
    checker_options: Annotated[dict[str, str], Field(default_factory=dict)]
    tests: Annotated[tuple[TestEntry, ...], AT_LEAST_ONE]
