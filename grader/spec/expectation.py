"""A test's expectation in its file: the keys `expected`, `expected_file`, `expect`, `raises` and `sample`."""

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

from pydantic import (
    BeforeValidator,
    Field,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)

from grader.config.scalars import ASCII_DIGITS, Line, Pattern, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel
from grader.errors import quoted, unexpected
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
    OtherNumbers,
    OutputCheck,
    OutputStream,
    Tolerance,
)
from grader.spec.loop_values import LoopFilling
from grader.spec.options import OrPluginEntry, PluginEntry, options_of, with_options

REFERENCE = "reference"
"""The word for the reference's output."""

_TEXT_OR_LIST = {"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "number", "boolean"]}}
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")
_KINDS = ("contains", "lacks", "matches", "lines", "unordered", "numbers", "json")


def _listed(value: object) -> object:
    if value == REFERENCE:
        raise ValueError(
            "found `reference`; expected a text. Only `lines`, `unordered`, `numbers` and `json` can be those of the "
            "reference; write `[reference]` for the word itself"
        )
    return [value] if isinstance(value, str) else value


def _json(text: str) -> str:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"found {quoted(text)}; expected JSON ({error})") from None
    return text


def _number_or_name(value: object, read: ValidatorFunctionWrapHandler) -> object:
    return value if isinstance(value, str) and value.startswith("$") else read(value)


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed), AT_LEAST_ONE, WithJsonSchema(_TEXT_OR_LIST)]
Patterns = Annotated[tuple[Pattern, ...], BeforeValidator(_listed), AT_LEAST_ONE, WithJsonSchema(_TEXT_OR_LIST)]
Number = Annotated[Decimal, Field(allow_inf_nan=False), ASCII_DIGITS]
if TYPE_CHECKING:
    NumberOrName: TypeAlias = Decimal | str
else:
    NumberOrName = Annotated[Number, WrapValidator(_number_or_name), WithJsonSchema({"type": ["number", "string"]})]
Share = Annotated[Decimal, Field(gt=0, le=1, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS]
Amount = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False), ASCII_DIGITS]


def tolerance_of(absolute: Decimal | None, relative: Decimal | None) -> Tolerance | None:
    """Return the tolerance stated by two keys; None if both are missing."""
    if absolute is None and relative is None:
        return None
    return Tolerance(absolute or Decimal(0), relative or Decimal(0))


ClassName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*((\.|::)[A-Za-z_]\w*)*$")]
FromReferenceWord: TypeAlias = Literal["reference"]


class AnyCheckEntry(SpecModel):
    """The keys of every check."""

    stream: Annotated[OutputStream, Field(alias="in")] = OutputStream.OUTPUT
    """`stderr`: the check examines standard error, which then does not appear in the terminal."""
    says: Sentence = ""
    """A sentence for students if the check fails, instead of the missing text."""
    share: Share | None = None
    """The share of the points for this check if the test fails. Either all checks of the test have a share or
    none. Together they are at most 1.
    """


class CheckEntry(AnyCheckEntry):
    """A check of the output: one of `contains`, `lacks`, `matches`, `lines`, `unordered`, `numbers` and `json`."""

    contains: Texts | None = None
    """A string that must be in the output, or a list of such strings."""
    lacks: Texts | None = None
    """A string that must not be in the output, or a list of such strings."""
    matches: Patterns | None = None
    """A Python regular expression, or a list of them, each of which must match somewhere. `^` and `$` match at the
    ends of a line. Students see the fixed text in the expression, but not the expression itself. If matching
    takes more than 10 seconds, the verdict is `internal-error`, which costs no marks.
    """
    lines: tuple[Line, ...] | FromReferenceWord | None = None
    """Lines that must appear in the output in this order, with any other lines between them. Trailing whitespace
    is ignored.
    """
    unordered: tuple[Line, ...] | FromReferenceWord | None = None
    """The lines of the output, in any order. Blank lines and trailing whitespace are ignored."""
    numbers: tuple[NumberOrName, ...] | FromReferenceWord | None = None
    """The numbers in the output, in this order, with any text around them. `1st`, `x1`, `1.2.3` and colour codes
    do not contain numbers. Commas can separate thousands: `1,234.50` is read as 1234.5, or as 1 and 234.5 if
    those are expected. The minus sign `−` is treated like `-`, but other dashes are not.
    """
    json_value: Annotated[str | None, Field(alias="json", default=None)]
    """The value that the output must represent as JSON."""
    ignore_case: bool = False
    """`true`: uppercase and lowercase letters are treated as equal."""
    others: OtherNumbers | None = None
    """Other numbers that are allowed in the output. `labels` (the default): numbers in prompts and in labels,
    which end in `:`, `?`, `=` or `>` and a space. These can also be among the expected numbers. `anywhere`: any
    other numbers. `none`: no other numbers.
    """
    tolerance: Amount | None = None
    """The absolute tolerance for numbers."""
    relative_tolerance: Amount | None = None
    """The tolerance as a share of the expected number. The larger of the two tolerances applies."""

    @model_validator(mode="after")
    def _one_kind(self) -> "CheckEntry":
        kinds = [f"`{name}`" for name in _KINDS if self._value(name) is not None]
        if len(kinds) != 1:
            all_kinds = ", ".join(f"`{name}`" for name in _KINDS)
            raise ValueError(f"found {' and '.join(kinds) or 'none'} here; expected one of: {all_kinds}")
        if (self.tolerance or self.relative_tolerance) is not None and self.numbers is None:
            raise ValueError("found a tolerance without `numbers`")
        if self.others is not None and self.numbers is None:
            raise ValueError("found `others` without `numbers`")
        if self.ignore_case and (self.numbers is not None or self.json_value is not None):
            raise ValueError("found `ignore_case` with numbers or JSON; expected it with texts and lines")
        if self.json_value not in (None, REFERENCE) and "$" not in (self.json_value or ""):
            _json(self.json_value or "")
        return self

    def _value(self, name: str) -> object:
        return self.json_value if name == "json" else getattr(self, name)

    def texts(self) -> dict[str, object]:
        """Return the values that may refer to loop values, by key."""
        return {key: getattr(self, key) for key in ("contains", "lacks", "lines", "unordered", "numbers", "says")}

    def output_check(self, fill: LoopFilling) -> OutputCheck:
        """Return the check with loop values filled in. Raises ValueError for invalid numbers or JSON."""
        return OutputCheck(
            kind=self._kind(fill),
            stream=self.stream,
            ignore_case=self.ignore_case,
            says=fill(self.says),
            share=self.share,
        )

    def _kind(self, fill: LoopFilling) -> CheckKind:
        if self.contains is not None:
            return Contains(tuple(map(fill, self.contains)))
        if self.lacks is not None:
            return Lacks(tuple(map(fill, self.lacks)))
        if self.matches is not None:
            return Matches(tuple(map(fill.in_pattern, self.matches)))
        if self.lines is not None:
            return HasLines(_own(self.lines, fill))
        if self.unordered is not None:
            return HasUnordered(_own(self.unordered, fill))
        if self.numbers is not None:
            numbers = None if isinstance(self.numbers, str) else tuple(_number(item, fill) for item in self.numbers)
            tolerance = tolerance_of(self.tolerance, self.relative_tolerance) or Tolerance()
            return HasNumbers(numbers, tolerance, self.others or OtherNumbers.LABELS)
        return HasJson(None if self.json_value == REFERENCE else _json(fill.in_json(self.json_value or "")))


class AnyPluginCheckEntry(AnyCheckEntry):
    """A check of a plugin. The options of `kind` are added to these keys."""

    kind: ClassVar[type[PrintedCheck]]

    check: str
    """The name of a check of a plugin. The options of that check stand beside it."""

    def texts(self) -> dict[str, object]:
        """Return the options that may refer to loop values, by key."""
        return {**options_of(self.kind, self), "says": self.says}

    def output_check(self, fill: LoopFilling) -> OutputCheck:
        """Return the check with loop values filled in."""
        kind = model_of(with_options(self.kind, self, fill))
        return OutputCheck(kind=kind, stream=self.stream, says=fill(self.says), share=self.share)


if TYPE_CHECKING:
    ExpectEntry: TypeAlias = CheckEntry | AnyPluginCheckEntry
else:
    ExpectEntry = Annotated[
        CheckEntry, OrPluginEntry(PluginEntry(key="check", base=AnyPluginCheckEntry, group=CHECKS, kind=PrintedCheck))
    ]


class RaisesEntry(SpecModel):
    """The exception that a call must raise: the name of its class and, optionally, its message."""

    type: ClassName
    """The name of the class. Derived classes are accepted as well."""
    message: str | None = None
    """The message. Default: any."""


Raises = Annotated[RaisesEntry, BeforeValidator(lambda value: {"type": value} if isinstance(value, str) else value)]


def _number(item: Decimal | str, fill: LoopFilling) -> Decimal:
    text = fill(item) if isinstance(item, str) else str(item)
    if not _NUMBER.fullmatch(text):
        raise unexpected(text, "a number such as 3.5")
    return Decimal(text)


def _own(lines: tuple[str, ...] | str, fill: LoopFilling) -> tuple[str, ...] | None:
    return None if isinstance(lines, str) else tuple(map(fill, lines))
