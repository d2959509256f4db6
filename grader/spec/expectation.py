"""What a test expects, as its file says it: the keys `expected`, `expected_file`, `expect`, `raises` and `sample`."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from grader.config.scalars import ASCII_DIGITS, Line, Pattern
from grader.config.validation import AT_LEAST_ONE, SpecModel
from grader.errors import quoted
from grader.extensions import CHECKS
from grader.judge.plugin_check import PrintedCheck, model_of
from grader.model.expectation import (
    CheckKind,
    Contains,
    HasJson,
    HasLines,
    HasNumbers,
    HasUnordered,
    Lacks,
    Matches,
    OutputCheck,
    OutputStream,
    Tolerance,
)
from grader.spec.options import OrPluginEntry, PluginEntry, options_of, with_options

REFERENCE = "reference"
"""Stands for what the reference prints."""

_TEXT_OR_LIST = {"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "number", "boolean"]}}
_KINDS = ("contains", "lacks", "matches", "lines", "unordered", "numbers", "json")


def _listed(value: object) -> object:
    if value == REFERENCE:
        raise ValueError(
            "found `reference`; expected a text. Only `lines`, `unordered`, `numbers` and `json` can be those of the "
            "reference; write `[reference]` for the word itself"
        )
    return [value] if isinstance(value, str) else value


def _json(text: str) -> str:
    if text != REFERENCE:
        try:
            json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"found {quoted(text)}; expected JSON ({error})") from None
    return text


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed), AT_LEAST_ONE, WithJsonSchema(_TEXT_OR_LIST)]
Patterns = Annotated[tuple[Pattern, ...], BeforeValidator(_listed), AT_LEAST_ONE, WithJsonSchema(_TEXT_OR_LIST)]
Number = Annotated[Decimal, Field(allow_inf_nan=False), ASCII_DIGITS]
Amount = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False), ASCII_DIGITS]


def tolerance_of(absolute: Decimal | None, relative: Decimal | None) -> Tolerance | None:
    """Return the tolerance that two keys state; None if neither is there."""
    if absolute is None and relative is None:
        return None
    return Tolerance(absolute or Decimal(0), relative or Decimal(0))


ClassName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*((\.|::)[A-Za-z_]\w*)*$")]
FromReferenceWord: TypeAlias = Literal["reference"]


class CheckEntry(SpecModel):
    """Something that must hold of the output: one of the keys up to `json`, and how it is looked at."""

    contains: Texts | None = None
    lacks: Texts | None = None
    matches: Patterns | None = None
    lines: tuple[Line, ...] | FromReferenceWord | None = None
    unordered: tuple[Line, ...] | FromReferenceWord | None = None
    numbers: tuple[Number, ...] | FromReferenceWord | None = None
    json_value: Annotated[str | None, Field(alias="json", default=None)]
    stream: Annotated[OutputStream, Field(alias="in")] = OutputStream.OUTPUT
    ignore_case: bool = False
    tolerance: Amount | None = None
    relative_tolerance: Amount | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> "CheckEntry":
        kinds = [f"`{name}`" for name in _KINDS if self._value(name) is not None]
        if len(kinds) != 1:
            all_kinds = ", ".join(f"`{name}`" for name in _KINDS)
            raise ValueError(f"found {' and '.join(kinds) or 'none'} here; expected one of: {all_kinds}")
        if (self.tolerance or self.relative_tolerance) is not None and self.numbers is None:
            raise ValueError("found a tolerance without `numbers`")
        if self.ignore_case and (self.numbers is not None or self.json_value is not None):
            raise ValueError("found `ignore_case` with numbers or JSON; expected it with texts and lines")
        _json(self.json_value or "null")
        return self

    def _value(self, name: str) -> object:
        return self.json_value if name == "json" else getattr(self, name)

    def texts(self) -> dict[str, object]:
        """Return the values, by key, that may name a value of a loop."""
        return {key: getattr(self, key) for key in ("contains", "lacks", "lines", "unordered")}

    def output_check(self, fill: Callable[[str], str]) -> OutputCheck:
        """Return the check with the values of a loop filled in."""
        return OutputCheck(self._kind(fill), self.stream, self.ignore_case)

    def _kind(self, fill: Callable[[str], str]) -> CheckKind:
        if self.contains is not None:
            return Contains(tuple(map(fill, self.contains)))
        if self.lacks is not None:
            return Lacks(tuple(map(fill, self.lacks)))
        if self.matches is not None:
            return Matches(self.matches)
        if self.lines is not None:
            return HasLines(_own(self.lines, fill))
        if self.unordered is not None:
            return HasUnordered(_own(self.unordered, fill))
        if self.numbers is not None:
            numbers = None if self.numbers == REFERENCE else tuple(map(Decimal, self.numbers))
            return HasNumbers(numbers, tolerance_of(self.tolerance, self.relative_tolerance) or Tolerance())
        return HasJson(None if self.json_value == REFERENCE else self.json_value)


class AnyPluginCheckEntry(SpecModel):
    """A check of a plugin. The options of `kind` are added to these keys."""

    kind: ClassVar[type[PrintedCheck]]

    check: str
    stream: Annotated[OutputStream, Field(alias="in")] = OutputStream.OUTPUT

    def texts(self) -> dict[str, object]:
        """Return the options, by key, that may name a value of a loop."""
        return options_of(self.kind, self)

    def output_check(self, fill: Callable[[str], str]) -> OutputCheck:
        """Return the check with the values of a loop filled in."""
        return OutputCheck(model_of(with_options(self.kind, self, fill)), self.stream)


if TYPE_CHECKING:
    ExpectEntry: TypeAlias = CheckEntry | AnyPluginCheckEntry
else:
    ExpectEntry = Annotated[
        CheckEntry, OrPluginEntry(PluginEntry(key="check", base=AnyPluginCheckEntry, group=CHECKS, kind=PrintedCheck))
    ]


class RaisesEntry(SpecModel):
    """The exception that a call must raise: the name of its class, and its message if that counts."""

    type: ClassName
    message: str | None = None


def _named(value: object) -> object:
    return {"type": value} if isinstance(value, str) else value


Raises = Annotated[RaisesEntry, BeforeValidator(_named)]


def _own(lines: tuple[str, ...] | str, fill: Callable[[str], str]) -> tuple[str, ...] | None:
    return None if isinstance(lines, str) else tuple(map(fill, lines))
