"""A file in tests/ as a pydantic model; each key is described by the text below it."""

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
from grader.model.interaction import CallCheck, Interaction
from grader.model.test import ComparisonPolicy, IgnoredDifference, Visibility
from grader.spec.counting_entries import CountingDefaults, CountingEntry
from grader.spec.expectation import ExpectEntry, Raises, tolerance_of
from grader.spec.keys_of_plugins import KeysOfPlugins
from grader.spec.sample import Sample
from grader.spec.start import BuildLimitsEntry, Files, Variables

_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_MAX_DIGITS = 18
_STATUS = re.compile(r"[0-9]{1,3}")
_MAX_STATUS = 255
_MAX_VALUES = 10_000
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
        case str() if _STATUS.fullmatch(value) and int(value) <= _MAX_STATUS:
            return ExitsBetween(int(value), int(value))
    raise unexpected(value, f"a number from 0 to {_MAX_STATUS}, `any`, `nonzero`, or a signal such as SIGABRT")


Ending = Annotated[
    ExpectedEnding,
    PlainValidator(_ending),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["any", "nonzero"]},
                {"type": "string", "pattern": "^SIG[A-Z0-9]+$"},
                {"type": "integer", "minimum": 0, "maximum": _MAX_STATUS},
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
    first, last = (int(end) if len(end) <= _MAX_DIGITS else None for end in match.groups())
    if first is None or last is None or not first <= last < first + _MAX_VALUES:
        raise unexpected(item, f"a range of 1 to {_MAX_VALUES} values, the smaller number first")
    yield from map(str, range(first, last + 1))


LoopValues = Annotated[tuple[str, ...], BeforeValidator(_loop_values), WithJsonSchema(_VALUES_SCHEMA)]


def _rows_or_file(value: object, read: ValidatorFunctionWrapHandler) -> object:
    if isinstance(value, str) and not (value.endswith(".csv") and "/" not in value):
        raise unexpected(value, "values by name, a list of rows, or a file beside this one such as rows.csv")
    if isinstance(value, list):
        return tuple(_row(item, value[0]) for item in value)
    return value if isinstance(value, str) else read(value)


def _row(item: object, first: object) -> dict[str, str]:
    """Return a row of a loop, which must have the same names as the first row."""
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
    """Differences from the expected transcript that are ignored. Without a key, all differences of its kind count."""

    ignore: Annotated[tuple[IgnoredDifference, ...], DISTINCT] = ()
    """Kinds of differences to ignore: `trailing-whitespace` (spaces and tabs at the end of a line), `space-change`
    (the number of consecutive spaces or tabs, as in `diff -b`, but not whether a line ends in any),
    `tab-expansion` (spaces that look like a tab, or spaces before a tab that do not move it, as in `diff -E`),
    `blank-lines` (as in `diff -B`, and the newline at the very end), `case`, `line-order`, `echoed-input` (the
    program prints every line again after reading it, as with its own `input` function; a result that equals the
    typed text looks the same, so only use this for programs that are known to do it). No differences are
    ignored after 20,000 lines, or after four times as many lines as expected.
    """
    ignore_characters: tuple[Character, ...] = ()
    """Characters that are ignored wherever they appear or are missing, such as the variation selector `U+FE0F`."""
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False), ASCII_DIGITS] | None = None
    """The absolute tolerance for numbers."""
    relative_tolerance: Annotated[Decimal, Field(ge=0, le=1, allow_inf_nan=False), ASCII_DIGITS] | None = None
    """The tolerance as a share of the expected number. The larger of the two tolerances applies."""
    wildcard_lines: tuple[Line, ...] = ()
    """Lines of the expected transcript that the handout leaves open. Any non-blank line is accepted in place of
    one of them, and any number of lines in place of several in a row. `*` matches any text.
    """
    wildcard_texts: tuple[Line, ...] = ()
    """Like `wildcard_lines`, but each line can be replaced by one or more lines. Where any number of lines is
    accepted, the program could print every possible result, so some restrictions apply. Apart from numbers, at
    least one of these lines must differ from all lines that are not open. Three or more consecutive lines that
    must follow are rejected if they are printed twice, even with other numbers the first time. The open text
    cannot contain a line that is expected between it and the next or previous open text, even with other
    numbers, signs, decimals or spaces around them. Results in words, such as `yes` or `no`, are not protected
    in this way, so make sure that the expected lines between two open texts contain more than one such word.
    """
    wildcard_excludes: tuple[Line, ...] = ()
    """Lines that are not accepted for an open line, such as a line that the handout prints in another case:
    `"Player * wins battle."`. `*` matches any text.
    """
    patterns: dict[Identifier, Pattern] = Field(default_factory=dict)
    r"""Regular expressions by name. If the expected transcript contains `<<name>>`, any text within the line that
    matches the expression is accepted in its place. The rest of the line must be right. Students see a
    description of `<<name>>` in words. Groups and flags only apply within an expression: in `([a-z])\1`, the
    `\1` refers to its own group.
    """

    def comparison(self) -> ComparisonPolicy:
        """Return the policy for judging transcripts."""
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
    """A test or, with `for`, one test for each value.

    The transcript shows the session as a user sees it in the terminal, with output and typed lines. It must equal
    the expected transcript, character by character, apart from differences that `compare` ignores. The program must
    also end with the expected exit status.
    """

    # Plugins register classes derived from this one. `way` is the plugin's key that starts the program, and `way_words`
    # its name in messages. `causes` are found only in such tests.
    __test__ = False
    way: ClassVar[str] = ""
    way_words: ClassVar[str] = ""
    causes: ClassVar[tuple[Cause, ...]] = ()

    id: NameTemplate
    """A unique name within the assignment. Expected files are named after it."""
    title: str = ""
    """The title shown to people."""
    loop: Annotated[Loop, Field(alias="for", default_factory=dict)]
    """Creates one test for each value. Write a list for each name, in which `0..9` stands for all numbers from 0
    to 9. Several names give every combination, up to 10,000. To create one test for each row, write a list of
    mappings, or the name of a CSV file beside the tests file with the names in its first line. `$name` is
    replaced by the value in `requires`, `hint`, `hints`, `milestones`, `id`, `title`, `input`, `repl`, `stdin`,
    `stdin_text`, `interactor_options`, `interactor_seed`, `checker_options`, `command`, `args`, `environment`,
    `files`, `call`, `calls`, `own_tests.bad`, `variables`, `returns`, `raises.message`, `prints`, `setup`,
    `hidden_twin_of`, `written_files`, `expected`, `expected_file`, `sample.file` and `expect`. `$$` is a dollar
    sign. In `matches`, the value is taken literally. In `json` and `checker_options`, it is inserted as it is,
    and any other `$` stays. Using a name in another key, such as `compare`, is an error. The id must contain
    every name, or a name that has a different value in each row.
    """
    visibility: Visibility | None = None
    """`public`: `grader check` runs the test too. `hidden`: only you run it. Default: the visibility of the file."""
    input: tuple[Line, ...] | None = None
    """Starts the program and types these lines, each one when the program waits for input, followed by end of
    input. Use `input: []` for a program that reads no input, for example one that only uses `args`.
    """
    repl: tuple[Line, ...] | None = None
    """Starts `python3` and types these lines at its prompt. Each test has one of `input`, `repl`, `stdin`,
    `stdin_text`, `call`, `calls`, `interactor`, `command` and `own_tests`. You can combine `input` with
    `stdin`, `stdin_text`, `call` and `calls`.
    """
    call: Line | None = None
    """Imports the program and evaluates this function call. If the function reads input, use `input` for its
    lines. In C, C++ and Java, write the call in the program's language.
    """
    calls: Annotated[tuple[Line, ...], AT_LEAST_ONE] | None = None
    """Several calls in a row, which can be expressions or statements such as `a = Account(5)`."""
    variables: Annotated[dict[Identifier, object], Field(default_factory=dict)]
    """Values by name, which the call can use together with the names of the program. If a program has a variable
    such as `list` or `sum`, the call still uses Python's own function of that name. However, a function of the
    program takes precedence.
    """
    setup: tuple[Line, ...] = ()
    """Statements before the call, in the language of the program. Names that they assign belong to the test. To
    set a variable of a Python program itself, write `import game; game.LIMIT = 10`.
    """
    returns: object = None
    """The value that the `call` must return, instead of the reference's value."""
    raises: Raises | None = None
    """The exception that the `call` must raise: the name of its class, or a mapping."""
    prints: str | None = None
    """The text that the `call` must print. Default: anything."""
    checks: Annotated[tuple[CallCheck, ...], AT_LEAST_ONE, DISTINCT] = USUAL_CHECKS
    """The results of a call to compare: `return_value`, `output`, `mutated_variables` (the `variables` after the
    call), `exception_type`, `exception_message`, `state` (the attributes of objects). If the test has a
    `checker`, the checker judges them instead.
    """
    echo: bool = True
    """`false`: the terminal does not show typed text, so the transcript only contains the program's output, even
    if the program switches the echo on.
    """
    stdin: NameTemplate | None = None
    """Runs the program without a terminal, with this file from the folder `inputs/` as its standard input. The
    transcript is its standard output.
    """
    checker: CheckerName | None = None
    """The checker of this test: the name of a file in `checkers/`."""
    checker_options: dict[str, str] | None = None
    """Options for the checker by name, passed as strings."""
    stdin_text: str | None = None
    r"""Like `stdin`, with the text itself, which must include its newlines: `"3\n4\n"`. Combined with `input`, the
    program runs in a terminal, reads this text or file as its standard input, and reads the typed lines from
    `/dev/tty`.
    """
    args: tuple[Line, ...] = ()
    """The arguments of the program."""
    environment: Annotated[Variables, Field(default_factory=dict)]
    """Environment variables, in addition to those of the assignment."""
    files: Files | None = None
    """Files beside the program, in addition to those of the assignment and of this file. Each test can use a
    different version of a course module.
    """
    limits: BuildLimitsEntry | None = None
    """Limits that replace those of the assignment."""
    exit_status: Ending | None = None
    """The exit status with which the program must end, `nonzero`, `any`, or the signal that must end it, such as
    `SIGABRT`. If the program prints a traceback on standard error and ends with status 1, as Python does after
    an uncaught exception, the verdict is `crash`, even if `1` is expected. With any other status, the program
    has caught and logged the exception.
    """
    asks_again: bool = False
    """`true`: after the last line of `input`, the program must ask for more, for example because the line is
    invalid. It is stopped at this point.
    """
    may_leave_input: bool = False
    """`true`: the program can end before it has read all of `input`, for example in a variant with a shorter game.
    `false`: a line that no reference reads is treated as a mistake, and a program that prints typed text itself
    fails.
    """
    expected: str | None = None
    """The expected transcript, instead of the reference's. For a terminal session, it includes the typed text. It
    cannot contain a path that begins with `/work`, the folder in which programs run, because this prefix is
    removed from their output. The same applies to `expect` and `prints`.
    """
    expected_file: NameTemplate | None = None
    """The expected transcript as a file in the folder `samples/`. Windows line endings and a byte order mark are
    allowed.
    """
    expect: Annotated[tuple[ExpectEntry, ...], AT_LEAST_ONE] | None = None
    """Checks that replace a transcript. All of them must pass. With `call` and `calls`, they apply to the printed
    output. If the value of `lines`, `unordered`, `numbers` or `json` is `reference`, it is taken from the
    reference's output. Typed text is not part of the output, although the terminal shows it: for the line
    `Name: Ada`, a check sees `Name:` and a space. Tests that state all results themselves do not need a
    reference. If there is one, `grader generate` rejects a reference that fails them.
    """
    sample: Sample | None = None
    """A transcript from the handout for this test: a file in the folder `samples/`, or a mapping. `grader
    generate` rejects a reference that prints anything else. If there are several variants, the first one must
    print it.
    """
    compare_stderr: bool = False
    """`true`: standard error is kept separate from the terminal and compared too. If the program asks for input
    while a line on standard error is unfinished, this line is a prompt and stays in the transcript, because
    Python's `input()` then prints prompts there. With `stdin` and `stdin_text` without `input`, standard error
    is always separate.
    """
    written_files: Annotated[tuple[PathTemplate, ...], DISTINCT] = ()
    """Files that the program must write to its folder. A submitted file with the same name is removed before the
    program starts. Text files are compared according to `compare`, and all others byte by byte.
    """
    compare: CompareEntry | None = None
    """As in assignment.yaml, for this test. It replaces the settings there and in the file."""
    edition: Variant | None = None
    """The edition of the provided modules. Default: the first of the assignment."""
    deck: Line | None = None
    """The deck, as text that the provided module understands."""
    random_seed: int | None = None
    """The seed of the provided module's random numbers, a whole number."""
    hidden_twin_of: NameTemplate | None = None
    """The public test that this test repeats with another deck or seed. See the rule `hard-coded-output`."""
    sealed: bool = False
    """`true`: students can run this public test, but a bundle only shows them which line is the first wrong one."""

    @model_validator(mode="after")
    def _one_way_to_start(self) -> "TestEntry":
        calls = [key for key in ("call", "calls") if getattr(self, key) is not None]
        ways = ("input", "repl", "stdin", "stdin_text", *self.ways)
        stated_ways = [key for key in ways if getattr(self, key) is not None]
        if stated_ways[:1] == ["input"] and stated_ways[1:] in (["stdin"], ["stdin_text"]):
            # Standard input in addition to the terminal.
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
        """Raise ValueError for keys that conflict with a plugin's keys."""

    def types_input(self) -> bool:
        """Return whether the entry lists what to type."""
        return self.input is not None

    @model_validator(mode="after")
    def _one_way_to_judge(self) -> "TestEntry":
        calls = self.call is not None or self.calls is not None
        if self.asks_again and (not self.types_input() or calls):
            raise ValueError("found `asks_again` without `input`, the lines after which the program must ask again")
        if self.asks_again and self.exit_status is not None:
            raise ValueError("found `asks_again` and `exit_status`; expected one of them")
        if self.may_leave_input and (not self.types_input() or self.asks_again):
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
        """Return the plugins' keys that start the program."""
        return tuple(way for kind in type(self).__mro__ if (way := vars(kind).get("way")))

    def values_of_plugins(self) -> tuple[object, ...]:
        """Return the entry's values for these keys."""
        return tuple(value for way in self.ways if (value := getattr(self, way)) is not None)

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the strings in a plugin's keys that may contain loop values, each with its location."""
        yield from ()

    def plugin_interaction(
        self, _tests_file: Path, _fill: Callable[[str], str], _visibility: Visibility, /
    ) -> Interaction | None:
        """Return the interaction of a plugin's test; None for any other test. Raises NotBesideError."""

    def judges_itself(self) -> bool:
        """Return whether the entry states the expected result, so that the file's checker is not used."""
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
    """Yield phrases for all plugins' keys that start a program."""
    yield from (f"`{kind.way}` ({kind.way_words})" for kind in entries_of_plugins())


class TestsFile(CountingDefaults):
    """Tests of one program and one part of an assignment, with their common settings."""

    __test__ = False

    format: FormatOne
    """Version of this format: `1`."""
    program: FileName
    """The program of the assignment that these tests run."""
    part: Name
    """The part of the assignment in which the tests earn points."""
    visibility: Visibility | None = None
    """The visibility of tests that do not set their own: `public` (`grader check` runs them too) or `hidden`.
    Default: `hidden`.
    """
    compare: CompareEntry | None = None
    """As in assignment.yaml, for these tests. It replaces the settings there. `{}` compares exactly."""
    checker: CheckerName | None = None
    """The checker of all tests that do not set their own, of any kind: a file in the folder `checkers/`. Without a
    checker, the whole output is compared.
    """
    checker_options: Annotated[dict[str, str], Field(default_factory=dict)]
    """The options of this checker."""
    files: Files | None = None
    """Files beside the program in these tests, in addition to those of the assignment."""
    tests: Annotated[tuple[AnyTestEntry, ...], AT_LEAST_ONE]
    """The tests."""
