"""The YAML files of an assignment as pydantic models; docs/spec-format.md documents every key."""

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from grader.spec.assignment import Visibility
from grader.spec.validate import SpecModel

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_ID_TEMPLATE = re.compile(r"[A-Za-z0-9$][A-Za-z0-9_.${}-]*")
_VARIANT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_TIME_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")
_MOST_VALUES = 10_000


def _matching(pattern: re.Pattern[str], what: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"found `{text}`; expected {what}")
        return text

    return AfterValidator(check)


def _file_name(text: str) -> str:
    if not text or PurePath(text).name != text or text in (".", ".."):
        raise ValueError(f"found `{text}`; expected a file name without a folder, such as solitaire_1.py")
    return text


def _local_time(value: object) -> datetime:
    if isinstance(value, str):
        for time_format in _TIME_FORMATS:
            try:
                return datetime.strptime(value, time_format)
            except ValueError:
                continue
    raise ValueError(f"found `{value}`; expected a date and time such as 2025-10-27 11:59")


def _zone(value: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(value))
    except (ValueError, OSError):
        raise ValueError(f"found `{value}`; expected the name of a time zone such as Australia/Sydney") from None


def _loop_values(value: object) -> object:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError("expected a list of values, or a range such as 0..9")
    values = [text for item in items for text in _expand_range(item)]
    if not values:
        raise ValueError("found no value; expected at least one")
    return tuple(values)


def _expand_range(item: str) -> Iterator[str]:
    match = _RANGE.fullmatch(item)
    if not match:
        yield item
        return
    first, last = int(match[1]), int(match[2])
    if not first <= last < first + _MOST_VALUES:
        raise ValueError(f"found `{item}`; expected a range of 1 to {_MOST_VALUES} values, the smaller number first")
    yield from map(str, range(first, last + 1))


Identifier = Annotated[str, _matching(_ID, "letters, digits, `_`, `.`, `-`, beginning with a letter or digit")]
IdTemplate = Annotated[str, _matching(_ID_TEMPLATE, "letters, digits, `_`, `.`, `-` and `$name` of a loop")]
Variant = Annotated[str, _matching(_VARIANT, "small letters, digits and single `-`")]
FileName = Annotated[str, AfterValidator(_file_name)]
Line = Annotated[str, _matching(re.compile(r"[^\r\n]*"), "one line without a line end")]
LocalTime = Annotated[datetime, BeforeValidator(_local_time)]
Zone = Annotated[ZoneInfo, BeforeValidator(_zone)]
LoopValues = Annotated[tuple[str, ...], BeforeValidator(_loop_values)]
Marks = Annotated[Decimal, Field(gt=0, le=10_000, allow_inf_nan=False)]
Points = Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False)]
FormatOne = Annotated[int, Field(ge=1, le=1)]


class ProgramEntry(SpecModel):
    """A file to hand in. `reference` defaults to the file of the same name in the course's `reference/`."""

    file: FileName
    reference: FileName | None = None
    variants: Annotated[tuple[Variant, ...], Field(min_length=1)] = ("canonical",)


class PartEntry(SpecModel):
    """A piece of the assignment with marks of its own."""

    id: Identifier
    title: str
    marks: Marks


class LateEntry(SpecModel):
    """The late policy; `falling-cap` is the only one so far."""

    policy: Literal["falling-cap"]
    percent_per_day: Annotated[Decimal, Field(gt=0, le=100, allow_inf_nan=False)]
    days: Annotated[int, Field(ge=1, le=366)]


class LimitsEntry(SpecModel):
    """What one test may use; a key left out keeps its default."""

    wall_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    output_bytes: Annotated[int, Field(ge=1000)] | None = None
    memory_bytes: Annotated[int, Field(ge=50_000_000)] | None = None
    file_bytes: Annotated[int, Field(ge=0)] | None = None


class AssignmentFile(SpecModel):
    """assignment.yaml"""

    format: FormatOne
    id: Identifier
    title: str
    programs: Annotated[tuple[ProgramEntry, ...], Field(min_length=1)]
    parts: Annotated[tuple[PartEntry, ...], Field(min_length=1)]
    due: LocalTime
    time_zone: Zone
    late: LateEntry | None = None
    limits: LimitsEntry = LimitsEntry()


class TestEntry(SpecModel):
    """One test, or one per combination of loop values when `for` is given."""

    __test__ = False

    id: IdTemplate
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
        if (self.input is None) == (self.prompt is None):
            raise ValueError(
                "expected either `input` (lines typed into the program) or `prompt` (lines typed at Python's prompt)"
            )
        return self


class TestsFile(SpecModel):
    """A file under tests/: tests of one program and one part, with what they have in common."""

    __test__ = False

    format: FormatOne
    program: FileName
    part: Identifier
    visibility: Visibility | None = None
    points: Points | None = None
    tests: Annotated[tuple[TestEntry, ...], Field(min_length=1)]
