"""A file in tests/ as a pydantic model; docs/spec-format.md documents every key."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from grader.config.scalars import (
    ASCII_DIGITS,
    Character,
    CheckerName,
    ExitStatus,
    FileName,
    FormatOne,
    Identifier,
    Line,
    Name,
    NameTemplate,
    Variant,
)
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.errors import unexpected
from grader.model.interaction import CallCheck
from grader.model.option import FormerKey, FormerValue
from grader.model.test import ComparisonPolicy, IgnoredDifference, Visibility
from grader.spec.counting_entries import CountingDefaults, CountingEntry

_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")


_MOST_DIGITS = 18


_MOST_VALUES = 10_000


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


LoopValues = Annotated[
    tuple[str, ...],
    BeforeValidator(_loop_values),
    WithJsonSchema(
        {"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "number", "boolean"]}}
    ),
]


IgnoredWord = Annotated[
    IgnoredDifference,
    FormerValue("trailing-blanks", IgnoredDifference.TRAILING_WHITESPACE),
    FormerValue("blank-runs", IgnoredDifference.SPACE_CHANGE),
    FormerValue("empty-lines", IgnoredDifference.BLANK_LINES),
]


class CompareEntry(SpecModel):
    """Which differences from the expected transcript cost nothing; without a key all of its kind count."""

    ignore: Annotated[tuple[IgnoredWord, ...], DISTINCT] = ()
    ignore_characters: tuple[Character, ...] = ()
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False), ASCII_DIGITS] | None = None
    wildcard_lines: Annotated[tuple[Line, ...], FormerKey("any_text")] = ()

    def comparison(self) -> ComparisonPolicy:
        """The policy that transcripts are judged by."""
        return ComparisonPolicy(
            frozenset(self.ignore), "".join(self.ignore_characters), self.tolerance, self.wildcard_lines
        )


CheckWord = Annotated[
    CallCheck,
    FormerValue("returned", CallCheck.RETURN_VALUE),
    FormerValue("printed", CallCheck.OUTPUT),
    FormerValue("given", CallCheck.MUTATED_VARIABLES),
]


_WAYS = (
    "`input` (lines typed into the program), `repl` (lines typed at Python's prompt), "
    "`stdin` (a file that the program reads), `call` (of a function)"
)


class TestEntry(CountingEntry):
    """One test, or one per combination of loop values when `for` is given.

    What is in `variables` is read when the loop values are known.
    """

    __test__ = False

    id: NameTemplate
    title: str = ""
    loop: Annotated[dict[str, LoopValues], Field(alias="for", default_factory=dict)]
    visibility: Visibility | None = None
    input: tuple[Line, ...] | None = None
    repl: Annotated[tuple[Line, ...] | None, FormerKey("prompt")] = None
    call: Line | None = None
    variables: Annotated[dict[Identifier, object], FormerKey("given"), Field(default_factory=dict)]
    setup: tuple[Line, ...] = ()
    checks: Annotated[tuple[CheckWord, ...], AT_LEAST_ONE, DISTINCT] = tuple(CallCheck)
    echo: bool = True
    stdin: NameTemplate | None = None
    checker: CheckerName | None = None
    checker_options: dict[str, str] | None = None
    exit_status: ExitStatus = 0
    compare: CompareEntry | None = None
    edition: Variant | None = None
    deck: Line | None = None
    random_seed: int | None = None
    hidden_twin_of: Annotated[NameTemplate | None, FormerKey("twin")] = None
    sealed: bool = False

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        found = [key for key in ("input", "repl", "stdin") if getattr(self, key) is not None]
        if len(found) > 1 or (not found and self.call is None):
            said = " and ".join(f"`{key}`" for key in found) or "none"
            raise ValueError(f"found {said} here; expected one of: {_WAYS}")
        if self.call is not None and found not in ([], ["input"]):
            raise ValueError(f"found `call` and `{found[0]}`; expected one of them")
        if self.call is None and (self.variables or self.setup):
            raise ValueError("found `variables` or `setup` without `call`, the expression that they are for")
        return self


class TestsFile(CountingDefaults):
    """A file under tests/: tests of one program and one part, with what they have in common."""

    __test__ = False

    format: FormatOne
    program: FileName
    part: Name
    visibility: Visibility | None = None
    compare: CompareEntry | None = None
    checker: CheckerName | None = None
    checker_options: Annotated[dict[str, str], Field(default_factory=dict)]
    tests: Annotated[tuple[TestEntry, ...], AT_LEAST_ONE]
