"""The values of a loop, read from `for`, and their substitution for names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from string import Template
from typing import TypeAlias, cast

from grader.config.csv_table import read_rows, read_table
from grader.errors import Problem, SpecError

TurnValues: TypeAlias = Mapping[str, str]
LoopEntry: TypeAlias = Mapping[str, tuple[str, ...]] | tuple[Mapping[str, str], ...] | str

_NAME = r"\$(?:(?P<plain>[a-z_][a-z0-9_]*)|\{(?P<braced>[a-z_][a-z0-9_]*)\})"
_IN_TEXT = re.compile(_NAME)
# In a pattern, a `$` before a letter cannot match, so it introduces the name of a value, except in a set or after a
# backslash.
_IN_PATTERN = re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|{_NAME}", re.DOTALL)


@dataclass(frozen=True)
class TestLoop:
    """The iterations of a loop, each with a value for each of `names`; `is_table` means rows, not combinations."""

    __test__ = False

    names: tuple[str, ...]
    turns: Iterable[TurnValues]
    count: int
    is_table: bool

    @classmethod
    def read(cls, entry: LoopEntry, folder: Path) -> "TestLoop":
        """Return the loop specified by `for`, which may refer to a table file in `folder`. Raises SpecError."""
        if isinstance(entry, str):
            table = read_table(folder / entry, "rows")
            rows = cast("dict[str, list[dict[str, str]]]", table.data)["rows"]
            names = tuple(next(read_rows(folder / entry))[1])
            if not rows:
                raise SpecError([Problem(table.place(()), "found no row; expected a header, and a row for each test")])
            return cls(names, [{name: row.get(name, "") for name in names} for row in rows], len(rows), is_table=True)
        if isinstance(entry, tuple):
            return cls(tuple(entry[0]) if entry else (), entry, len(entry), is_table=True)
        names, count = tuple(entry), prod(map(len, entry.values()))
        turns = (dict(zip(names, values, strict=True)) for values in product(*entry.values()))
        return cls(names, turns, count, is_table=False)


@dataclass(frozen=True)
class LoopFilling:
    """A function that inserts the values of one iteration into strings; without a loop, strings do not change."""

    values: TurnValues

    def __call__(self, text: str) -> str:
        """Return a string with `$name` replaced by the value and `$$` by a dollar sign."""
        return Template(text).substitute(self.values) if self.values else text

    def in_pattern(self, pattern: str) -> str:
        """Return a regular expression in which the values match literally; any other `$` matches the end of a line."""

        def filled(match: re.Match[str]) -> str:
            value = self.values.get(match["plain"] or match["braced"] or "")
            return match[0] if value is None else re.escape(value)

        return _IN_PATTERN.sub(filled, pattern) if self.values else pattern

    def in_json(self, text: str) -> str:
        """Return JSON, or an option for a checker, with the values inserted; any other `$` is kept."""
        return _IN_TEXT.sub(lambda match: self.values.get(match["plain"] or match["braced"], match[0]), text)


def names_in_pattern(pattern: str) -> Iterator[str]:
    """Yield the names of values in a regular expression."""
    matches = _IN_PATTERN.finditer(pattern)
    return (name for match in matches if (name := match["plain"] or match["braced"]))


def names_in(text: str) -> Iterator[str]:
    """Yield the names of values in a string."""
    return (match["plain"] or match["braced"] for match in _IN_TEXT.finditer(text))
