"""A file in tests/ as a pydantic model; docs/spec-format.md documents every key."""

import re
import signal
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)

from grader.config.scalars import (
    ASCII_DIGITS,
    Character,
    CheckerName,
    FileName,
    FormatOne,
    Identifier,
    Line,
    Name,
    NameTemplate,
    PathTemplate,
    Pattern,
    Variant,
)
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.config.yaml_reader import KeyPath
from grader.errors import unexpected
from grader.extensions import TEST_KEYS, load_group
from grader.model.cause import Cause
from grader.model.ending import ANY_STATUS, NONZERO, SUCCESS, AsksAgain, EndsBySignal, ExitsBetween, ExpectedEnding
from grader.model.interaction import CallCheck, PluginInteraction
from grader.model.test import ComparisonPolicy, IgnoredDifference, Visibility
from grader.spec.counting_entries import CountingDefaults, CountingEntry
from grader.spec.expectation import ExpectEntry, Raises, tolerance_of
from grader.spec.keys_of_plugins import KeysOfPlugins
from grader.spec.sample import Sample
from grader.spec.start import BuildLimitsEntry, Files, Variables

_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_MOST_DIGITS = 18
_STATUS = re.compile(r"[0-9]{1,3}")
_MOST_STATUS = 255
_MOST_VALUES = 10_000
_SCALAR = {"type": ["string", "number", "boolean"]}
_VALUES_SCHEMA = {"type": ["string", "number", "boolean", "array"], "items": _SCALAR}
_WAYS = (
    "`input` (lines typed into the program), `repl` (lines typed at Python's prompt), "
    "`stdin` (a file that the program reads), `stdin_text` (what it reads), "
    "`call` (of a function), `calls` (several)"
)
USUAL_CHECKS = (CallCheck.RETURN_VALUE, CallCheck.OUTPUT, CallCheck.MUTATED_VARIABLES)
"""The default checks of a test."""


def _ending(value: object) -> ExpectedEnding:
    match value:
        case "any":
            return ANY_STATUS
        case "nonzero":
            return NONZERO
        case str() if value in signal.Signals.__members__:
            return EndsBySignal(signal.Signals[value].value)
        case str() if _STATUS.fullmatch(value) and int(value) <= _MOST_STATUS:
            return ExitsBetween(int(value), int(value))
    raise unexpected(value, f"a number from 0 to {_MOST_STATUS}, `any`, `nonzero`, or a signal such as SIGABRT")


Ending = Annotated[
    ExpectedEnding,
    PlainValidator(_ending),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["any", "nonzero"]},
                {"type": "string", "pattern": "^SIG[A-Z0-9]+$"},
                {"type": "integer", "minimum": 0, "maximum": _MOST_STATUS},
            ]
        }
    ),
]


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


LoopValues = Annotated[tuple[str, ...], BeforeValidator(_loop_values), WithJsonSchema(_VALUES_SCHEMA)]


def _rows_or_file(value: object, read: ValidatorFunctionWrapHandler) -> object:
    if isinstance(value, str) and not (value.endswith(".csv") and "/" not in value):
        raise unexpected(value, "values by name, a list of rows, or a file beside this one such as rows.csv")
    if isinstance(value, list):
        return tuple(_row(item, value[0]) for item in value)
    return value if isinstance(value, str) else read(value)


def _row(item: object, first: object) -> dict[str, str]:
    """Return a row of a loop, with the same names as the first one."""
    if not isinstance(item, dict) or not isinstance(first, dict) or not item or set(item) != set(first):
        names = ", ".join(first) if isinstance(first, dict) and first else "name"
        raise unexpected(list(item) if isinstance(item, dict) else item, f"a row with a value for each of: {names}")
    for value in item.values():
        if not isinstance(value, str) or "\n" in value or "\r" in value:
            code = ", such as '[]' for `call: f($list)`; what comes of it the reference tells, without `returns`"
            raise unexpected(value, f"one line of text as a value of the loop{code * isinstance(value, list)}")
    return item


if TYPE_CHECKING:
    Loop: TypeAlias = dict[str, tuple[str, ...]] | tuple[dict[str, str], ...] | str
else:
    Loop = Annotated[
        dict[str, LoopValues],
        WrapValidator(_rows_or_file),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "object", "additionalProperties": _VALUES_SCHEMA},
                    {"type": "array", "items": {"type": "object", "additionalProperties": _SCALAR}},
                    {"type": "string", "pattern": "\\.csv$"},
                ]
            }
        ),
    ]


class CompareEntry(SpecModel):
    """Which differences from the expected transcript cost nothing; without a key all of its kind count."""

    ignore: Annotated[tuple[IgnoredDifference, ...], DISTINCT] = ()
    ignore_characters: tuple[Character, ...] = ()
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False), ASCII_DIGITS] | None = None
    relative_tolerance: Annotated[Decimal, Field(ge=0, le=1, allow_inf_nan=False), ASCII_DIGITS] | None = None
    wildcard_lines: tuple[Line, ...] = ()
    wildcard_texts: tuple[Line, ...] = ()
    wildcard_excludes: tuple[Line, ...] = ()
    patterns: dict[Identifier, Pattern] = Field(default_factory=dict)

    def comparison(self) -> ComparisonPolicy:
        """Return the policy that transcripts are judged by."""
        return ComparisonPolicy(
            ignore=frozenset(self.ignore),
            ignore_characters="".join(self.ignore_characters),
            tolerance=tolerance_of(self.tolerance, self.relative_tolerance),
            wildcard_lines=self.wildcard_lines,
            wildcard_texts=self.wildcard_texts,
            wildcard_excludes=self.wildcard_excludes,
            patterns=self.patterns,
        )


class TestEntry(CountingEntry):
    """One test, or one per combination of loop values when `for` is given.

    What is in `variables` is read when the loop values are known.
    """

    # Plugins register classes that derive from this one. Each says which of its keys starts the program, in `way` and,
    # for messages, in `way_words`, and names the causes that only its tests have.
    __test__ = False
    way: ClassVar[str] = ""
    way_words: ClassVar[str] = ""
    causes: ClassVar[tuple[Cause, ...]] = ()

    id: NameTemplate
    title: str = ""
    loop: Annotated[Loop, Field(alias="for", default_factory=dict)]
    visibility: Visibility | None = None
    input: tuple[Line, ...] | None = None
    repl: tuple[Line, ...] | None = None
    call: Line | None = None
    calls: Annotated[tuple[Line, ...], AT_LEAST_ONE] | None = None
    variables: Annotated[dict[Identifier, object], Field(default_factory=dict)]
    setup: tuple[Line, ...] = ()
    returns: object = None
    raises: Raises | None = None
    prints: str | None = None
    checks: Annotated[tuple[CallCheck, ...], AT_LEAST_ONE, DISTINCT] = USUAL_CHECKS
    echo: bool = True
    stdin: NameTemplate | None = None
    checker: CheckerName | None = None
    checker_options: dict[str, str] | None = None
    stdin_text: str | None = None
    args: tuple[Line, ...] = ()
    environment: Annotated[Variables, Field(default_factory=dict)]
    files: Files | None = None
    limits: BuildLimitsEntry | None = None
    exit_status: Ending | None = None
    asks_again: bool = False
    may_leave_input: bool = False
    expected: str | None = None
    expected_file: NameTemplate | None = None
    expect: Annotated[tuple[ExpectEntry, ...], AT_LEAST_ONE] | None = None
    sample: Sample | None = None
    compare_stderr: bool = False
    written_files: Annotated[tuple[PathTemplate, ...], DISTINCT] = ()
    compare: CompareEntry | None = None
    edition: Variant | None = None
    deck: Line | None = None
    random_seed: int | None = None
    hidden_twin_of: NameTemplate | None = None
    sealed: bool = False

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        calls = [key for key in ("call", "calls") if getattr(self, key) is not None]
        ways = ("input", "repl", "stdin", "stdin_text", *self.ways)
        stated_ways = [key for key in ways if getattr(self, key) is not None]
        if stated_ways[:1] == ["input"] and stated_ways[1:] in (["stdin"], ["stdin_text"]):
            # Standard input beside the terminal.
            stated_ways = stated_ways[:1]
        if len(stated_ways) > 1 or not (stated_ways or calls):
            words = " and ".join(f"`{key}`" for key in stated_ways) or "none"
            nothing = "" if stated_ways else "; `input: []` is for a program to which nothing is typed"
            raise ValueError(f"found {words} here; expected one of: {', '.join((_WAYS, *_ways_of_plugins()))}{nothing}")
        if len(calls) > 1 or (calls and stated_ways not in ([], ["input"])):
            raise ValueError(f"found `{calls[0]}` and `{[*calls, *stated_ways][1]}`; expected one of them")
        if calls and (self.stdin_text or self.stdin) is not None:
            raise ValueError(f"found `{calls[0]}` and `stdin`; expected `input` for what the function reads")
        if not calls and (self.variables or self.setup):
            raise ValueError("found `variables` or `setup` without `call`, the expression that they are for")
        self.refuse_misplaced()
        return self

    def refuse_misplaced(self) -> None:
        """Raise ValueError for keys that do not fit those of a plugin."""

    @model_validator(mode="after")
    def _one_way_to_judge(self) -> "TestEntry":
        calls = self.call is not None or self.calls is not None
        if self.asks_again and (self.input is None or calls):
            raise ValueError("found `asks_again` without `input`, the lines after which the program must ask again")
        if self.asks_again and self.exit_status is not None:
            raise ValueError("found `asks_again` and `exit_status`; expected one of them")
        if self.may_leave_input and (self.input is None or self.asks_again):
            raise ValueError("found `may_leave_input`; expected it with `input`, and without `asks_again`")
        judged = [key for key in ("expected", "expected_file", "expect", "checker") if getattr(self, key) is not None]
        if len(judged) > 1:
            raise ValueError(f"found `{judged[0]}` and `{judged[1]}`; expected one of them")
        if self.sample is not None and (calls or self.values_of_plugins() or judged):
            raise ValueError("found `sample`; expected it where the transcript of the reference is compared")
        of_functions = ["expect"] if calls else []
        if calls and judged not in ([], ["checker"], of_functions):
            raise ValueError(f"found `{judged[0]}`; expected it with a test of the whole program, not of functions")
        if self.args and (calls or self.repl is not None):
            raise ValueError("found `args` with `call` or `repl`; expected them where the program itself is started")
        return self

    @model_validator(mode="after")
    def _result_of_one_call(self) -> "TestEntry":
        stated: list[str] = [key for key in ("returns", "raises", "prints") if key in self.model_fields_set]
        if stated and self.call is None:
            raise ValueError(f"found `{stated[0]}` without `call`, of which it says what must come")
        if stated[:2] == ["returns", "raises"]:
            raise ValueError("found `returns` and `raises`; expected one of them")
        if self.expect is not None and (self.call or self.calls) is not None:
            stated = [*stated, "expect"]
        conflicting = next((key for key in ("checks", "checker") if key in self.model_fields_set), None)
        if stated and conflicting:
            raise ValueError(f"found `{stated[0]}` and `{conflicting}`; expected one of them")
        if stated[-2:] == ["prints", "expect"]:
            raise ValueError("found `prints` and `expect`; expected one of them")
        return self

    @model_validator(mode="after")
    def _shares_of_checks(self) -> "TestEntry":
        shares = [check.share for check in self.expect or () if check.share is not None]
        if shares and (self.partial not in (None, "checks") or self.milestones is not None):
            raise ValueError("found `share` in `expect` beside `partial` or `milestones`; expected one of them")
        if shares and len(shares) < len(self.expect or ()):
            raise ValueError("found checks with and without `share`; expected it for all of them or none")
        if sum(shares) > 1:
            raise ValueError(f"the checks have the share {sum(shares)} together; expected at most 1")
        return self

    @model_validator(mode="after")
    def _state_of_something(self) -> "TestEntry":
        values = {CallCheck.RETURN_VALUE, CallCheck.MUTATED_VARIABLES}
        if CallCheck.STATE in self.checks and values.isdisjoint(self.checks):
            raise ValueError(
                "found `state`, which says how objects in values are compared; expected `return_value` or "
                "`mutated_variables` in `checks` too"
            )
        return self

    @property
    def ways(self) -> tuple[str, ...]:
        """Return the keys of plugins that start the program."""
        return tuple(way for kind in type(self).__mro__ if (way := vars(kind).get("way")))

    def values_of_plugins(self) -> tuple[object, ...]:
        """Return what the entry says at these keys."""
        return tuple(value for way in self.ways if (value := getattr(self, way)) is not None)

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may name a value of a loop, each with its place."""
        yield from ()

    def plugin_interaction(
        self, _tests_file: Path, _fill: Callable[[str], str], _visibility: Visibility, /
    ) -> PluginInteraction | None:
        """Return the interaction of the test, if it is that of a plugin. Raises NotBesideError."""

    def judges_itself(self) -> bool:
        """Return whether it says what is expected, so that a checker of the file is not asked."""
        keys = ("expected", "expected_file", "expect", "returns", "raises", "prints")
        return bool(self.values_of_plugins()) or any(getattr(self, key) is not None for key in keys)

    def ending(self) -> ExpectedEnding:
        """Return the expected ending of the program."""
        return AsksAgain() if self.asks_again else self.exit_status or SUCCESS


if TYPE_CHECKING:
    AnyTestEntry: TypeAlias = TestEntry
else:
    AnyTestEntry = Annotated[TestEntry, KeysOfPlugins(TestEntry, TEST_KEYS)]


def entries_of_plugins() -> tuple[type[TestEntry], ...]:
    """Return the models of plugins that can be loaded."""
    kinds = dict.fromkeys(load_group(TEST_KEYS, type).objects.values())
    return tuple(kind for kind in kinds if issubclass(kind, TestEntry))


def _ways_of_plugins() -> Iterator[str]:
    """Yield the keys of all plugins that start a program, in words."""
    yield from (f"`{kind.way}` ({kind.way_words})" for kind in entries_of_plugins())


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
    files: Files | None = None
    tests: Annotated[tuple[AnyTestEntry, ...], AT_LEAST_ONE]
