"""Moves the dates of assignment.yaml by whole weeks, keeping the weekday and the local time even when clocks change."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

from grader.config.scalars import LocalTime, Zone
from grader.config.yaml_reader import KeyPath, read_text
from grader.errors import Problem, SourceLocation, SpecError, quoted
from grader.plugins.scaffolding.yaml_edits import Edit, YamlPlace, places

_DATES: tuple[KeyPath, ...] = (("due",), ("late", "cut_off"))
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?")
_TIME = TypeAdapter[datetime](LocalTime)
_Value = TypeVar("_Value")
_ZONE = TypeAdapter[ZoneInfo](Zone)


@dataclass(frozen=True, kw_only=True)
class FileDate:
    """A date in a file: the key, the local time and its zone, and the position of the day in the text."""

    file: Path
    line: int
    key: str
    local: datetime
    zone: ZoneInfo
    start: int
    end: int

    def moved(self, by: timedelta) -> datetime:
        """Return the local time moved by this many weeks. Raises SpecError if the calendar has no such day."""
        try:
            return self.local + by
        except OverflowError:
            problem = Problem(SourceLocation(self.file, self.line, 1), "this date cannot be moved so far")
            raise SpecError([problem]) from None

    def edit(self, by: timedelta) -> Edit:
        """Return the edit that moves the date."""
        return Edit(self.start, self.end, f"{self.moved(by):%Y-%m-%d}")


def dates_in(file: Path) -> Iterator[FileDate]:
    """Yield the dates of an assignment.yaml. Raises SpecError if it has none, or an invalid one."""
    text = read_text(file)
    by_steps = {place.steps: place for place in places(file, text)}
    for key in (("due",), ("time_zone",)):
        if key not in by_steps:
            raise SpecError([Problem(SourceLocation(file, 1, 1), f"the key `{key[0]}` is missing here")])
    zone = _read(_ZONE, file, by_steps[("time_zone",)], "the name of a time zone such as Australia/Sydney")
    for steps in _DATES:
        if steps not in by_steps:
            continue
        place = by_steps[steps]
        local = _read(_TIME, file, place, "a date and time such as 2025-10-27 11:59")
        day = _DATE.search(text, place.start, place.end)
        if day is None:
            problem = Problem(SourceLocation(file, place.line, 1), "expected a date that is written as it is read")
            raise SpecError([problem])
        yield FileDate(
            file=file,
            line=place.line,
            key=".".join(map(str, steps)),
            local=local,
            zone=zone,
            start=day.start(),
            end=day.end(),
        )


def _read(adapter: TypeAdapter[_Value], file: Path, place: YamlPlace, expected: str) -> _Value:
    try:
        return adapter.validate_python(place.value)
    except ValidationError:
        problem = Problem(SourceLocation(file, place.line, 1), f"found {quoted(place.value)}; expected {expected}")
        raise SpecError([problem]) from None


def doubt_about(local: datetime, zone: ZoneInfo, today: datetime) -> str | None:
    """Return the reason why a person should check a date, or None if nothing is odd."""
    if local.date() < today.date():
        return "is past"
    if (local.month, local.day) >= (12, 24) or (local.month, local.day) == (1, 1):
        return "is between 24 December and 1 January"
    early, late = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        is_there = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local
        return "is an hour that comes twice, as clocks go back" if is_there else "is an hour that clocks leave out"
    return None
