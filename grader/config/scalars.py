"""Types for single values in files written by people: names, lines, numbers and times."""

import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from keyword import iskeyword
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as PackageRequirement
from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from grader.errors import unexpected
from grader.text.names import composed, student_key

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
NAME_RULE = "up to 100 letters, digits, `_`, `.` and `-`, beginning with a letter or digit"
_NAME_TEMPLATE = re.compile(r"[A-Za-z0-9$][A-Za-z0-9_.${}-]*")
_VARIANT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FILE_NAME = re.compile(r"\w[\w .+,=@()-]{0,99}")
_PATH_TEMPLATE = re.compile(r"[\w$][\w .+,=@(){}$-]*(/[\w$][\w .+,=@(){}$-]*)*")
_FILE_PATTERN = re.compile(r"(?!\.\.?(?:/|$))[^/\\\r\n\0]+(?:/(?!\.\.?(?:/|$))[^/\\\r\n\0]+)*")
_CODE_POINT = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_WORD = re.compile(r"[^\r\n\0]+")
_LINE = re.compile(r"[^\r\n]*")
_TIME_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")
# A time outside these years must be a mistake, and times near the years 1 and 9999 cannot be converted between zones.
_YEARS = range(1970, 3000)
MAX_DAYS = 366
"""The maximum number of days; a larger number must be a mistake."""
FormatOne = Literal["1"]
FORMAT = int(*get_args(FormatOne))
"""The newest file format that this program reads."""
ASCII_DIGITS = BeforeValidator(lambda value: _require_ascii_digits(value))
"""Rejects the digits of other scripts, which Python's Decimal accepts too. Place it after the other annotations of a
type.
"""


@dataclass(frozen=True)
class _Matching:
    """A string that matches `pattern`; `what` describes it in words. Editors use the pattern too."""

    pattern: re.Pattern[str]
    what: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "pattern": f"^(?:{self.pattern.pattern})$"}

    def _check(self, text: str) -> str:
        if not self.pattern.fullmatch(text):
            raise unexpected(text, self.what)
        return text


def _identifier(text: str) -> str:
    if not text.isidentifier() or iskeyword(text):
        raise unexpected(text, "a Python identifier")
    return text


def _requirement(text: str) -> str:
    what = "a package, optionally with a version, such as numpy==2.1.0"
    try:
        asked = PackageRequirement(text)
    except InvalidRequirement:
        raise unexpected(text, what) from None
    if asked.url:
        raise unexpected(text, f"{what}; URLs are not allowed because their content can change")
    return text


def _local_time(value: object) -> datetime:
    for time_format in _TIME_FORMATS if isinstance(value, str) else ():
        try:
            time = datetime.strptime(str(value), time_format)
        except ValueError:
            continue
        if time.year in _YEARS:
            return time
    raise unexpected(value, "a date and time such as 2025-10-27 11:59")


def _zone(value: object) -> ZoneInfo:
    if isinstance(value, str):
        try:
            return ZoneInfo(value)
        except (KeyError, ValueError, OSError):
            pass
    raise unexpected(value, "the name of a time zone such as Australia/Sydney")


def _character(value: object) -> str:
    match = _CODE_POINT.fullmatch(value) if isinstance(value, str) else None
    if match and int(match[1], 16) <= sys.maxunicode:
        return chr(int(match[1], 16))
    raise unexpected(value, "a code point such as U+FE0F")


Sentence = Annotated[str, _Matching(re.compile(r"[^\r\n\0]*\S[^\r\n\0]*"), "a non-empty line of text")]
DigestStart = Annotated[str, _Matching(re.compile("[0-9a-f]{8,64}"), "8 or more digits of a submission's digest")]
Name = Annotated[str, _Matching(NAME, NAME_RULE)]
NameTemplate = Annotated[
    str, _Matching(_NAME_TEMPLATE, "letters, digits, `_`, `.`, `-` and loop variables such as `$name`")
]
Variant = Annotated[str, _Matching(_VARIANT, "lowercase letters, digits and single hyphens")]
FileName = Annotated[
    str, _Matching(_FILE_NAME, "a file name without a folder, such as solitaire_1.py"), AfterValidator(composed)
]

PathTemplate = Annotated[str, _Matching(_PATH_TEMPLATE, "the path of a file, such as in/a.csv or in/$name.csv")]
VariableName = Annotated[str, _Matching(re.compile(r"[A-Za-z_][A-Za-z0-9_]*"), "the name of an environment variable")]
FilePattern = Annotated[
    str, _Matching(_FILE_PATTERN, "a pattern of relative file names with `/` between folders, such as *.py or data/*")
]

Line = Annotated[str, _Matching(_LINE, "a single line without a line break")]
Character = Annotated[
    str, BeforeValidator(_character), WithJsonSchema({"type": "string", "pattern": f"^{_CODE_POINT.pattern}$"})
]

PythonVersion = Annotated[
    str,
    _Matching(re.compile(r"3\.(1[1-9]|[2-9][0-9])"), "a Python version such as 3.13 (3.11 or newer)"),
]

Requirement = Annotated[str, AfterValidator(_requirement)]
"""A package name with acceptable versions, as pip writes it, but not an address."""


Word = Annotated[str, _Matching(_WORD, "a command-line argument on one line, not empty")]
LocalTime = Annotated[
    datetime,
    BeforeValidator(_local_time),
    WithJsonSchema({"type": "string", "pattern": r"^\d{4}-\d\d?-\d\d?[ T]\d\d?:\d\d?(:\d\d?)?$"}),
]

Zone = Annotated[ZoneInfo, BeforeValidator(_zone), WithJsonSchema({"type": "string"})]
CheckerName = Annotated[str, _Matching(re.compile(r"[a-z][a-z0-9_]{0,99}"), "lowercase letters, digits and `_`")]


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise unexpected(text, f"a regular expression ({error})") from None
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]


def _require_ascii_digits(value: object) -> object:
    if isinstance(value, str) and not value.isascii():
        raise unexpected(value, "a number such as 3.5")
    return value


# Few enough digits that sums and shares of marks remain exact in decimal arithmetic.
Marks = Annotated[Decimal, Field(gt=0, le=10_000, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS]
Points = Annotated[Decimal, Field(ge=0, le=10_000, decimal_places=4, allow_inf_nan=False), ASCII_DIGITS]
LateDays = Annotated[int, Field(ge=0, le=MAX_DAYS)]
Identifier = Annotated[str, AfterValidator(_identifier)]
StudentName = Annotated[str, AfterValidator(student_key)]
"""A student's name in reports, based on the id from the school or roster."""


def latest_moment(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment when `local` time is reached in `zone`, or the later one if that happens twice.

    When clocks go back, an hour is repeated, and the second occurrence counts. When they go forward, an hour is
    skipped, and a time in it is read as if the clock had not changed yet, so 2:30 means 3:30.
    """
    moments = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return max(moments).astimezone(zone)
