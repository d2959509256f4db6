"""A file in tests/ as a pydantic model; the text below a key describes it."""

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
    """Return a row of a loop, which must have the same names as the first one."""
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
    """Differences from the expected transcript that cost nothing; without a key all of its kind count."""

    ignore: Annotated[tuple[IgnoredDifference, ...], DISTINCT] = ()
    """Differences that cost nothing: `trailing-whitespace` (spaces and tabs at the end of a line), `space-change` (how
    many spaces or tabs stand together, as in `diff -b`, but not whether a line ends in any), `tab-expansion`
    (spaces that look like a tab, or stand before one and move nothing, as in `diff -E`), `blank-lines` (as in `diff
    -B`, and the newline at the very end), `case`, `line-order`, `echoed-input` (every line that is read is printed
    once more, as by an `input` of the program's own; a result that equals what was typed looks the same, so set it
    only where programs are known to do that). Behind 20,000 lines, or four times as many as expected, no difference
    is ignored.
    """
    ignore_characters: tuple[Character, ...] = ()
    """Characters that cost nothing wherever they are or are missing, such as the variation selector `U+FE0F`."""
    tolerance: Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False), ASCII_DIGITS] | None = None
    """The distance by which numbers may be off."""
    relative_tolerance: Annotated[Decimal, Field(ge=0, le=1, allow_inf_nan=False), ASCII_DIGITS] | None = None
    """The share of the expected number by which they may be off; the larger of both counts."""
    wildcard_lines: tuple[Line, ...] = ()
    """Lines of the expected transcript that the handout leaves open. Where one of these is expected, any line that is
    not blank will do; where several follow each other, any number of lines will do. `*` stands for anything.
    """
    wildcard_texts: tuple[Line, ...] = ()
    """The same, but any number of lines, at least one, will do for each of them. Where there may be any number of
    lines, what is expected elsewhere is no text: one of them must differ, numbers aside, from all lines that are
    not open, and three or more lines that must follow are not let pass when they are printed twice, even with other
    numbers the first time. Nor may a text hold a line that stands between it and the next or previous such text,
    but with other numbers, with any signs, decimals and spaces around them: a program could print all
    results that there are. Of results in words, such as `yes` or `no`, it could still do so, so let what is
    expected between two texts say more than that.
    """
    wildcard_excludes: tuple[Line, ...] = ()
    """Lines that do not stand for an open one, such as what the handout prints in another case: `"Player * wins
    battle."`. `*` stands for anything.
    """
    patterns: dict[Identifier, Pattern] = Field(default_factory=dict)
    r"""Regular expressions by name. Where `<<name>>` stands in the expected transcript, any text of that line may stand
    that fits the expression of that name. All else in the line must be right. Students are told in words what
    `<<name>>` stands for. Groups and flags of an expression are its own: in `([a-z])\1` the `\1` is what its own
    group fits there.
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
    """A test, or with `for` a test per value.

    A transcript holds what a person would have seen in the terminal: output and typed lines. It must be equal to the
    expected one, character by character but for what `compare` lets pass, and the program must end with its exit
    status.
    """

    # Plugins register classes that derive from this one. Each gives in `way` its key that starts the program, with the
    # words for messages in `way_words`, and the causes that only its tests have.
    __test__ = False
    way: ClassVar[str] = ""
    way_words: ClassVar[str] = ""
    causes: ClassVar[tuple[Cause, ...]] = ()

    id: NameTemplate
    """A name, unique in the assignment. Expected files are named after it."""
    title: str = ""
    """The title, for people."""
    loop: Annotated[Loop, Field(alias="for", default_factory=dict)]
    """Makes one test per value: a list per name, in which `0..9` stands for all numbers from 0 to 9. Several names
    give every combination, at most 10,000. Or one test per row: a list of mappings, or a CSV file beside the tests
    file with the names in its first line. `$name` stands for the value in `requires`, `hint`, `hints`,
    `milestones`, `id`, `title`, `input`, `repl`, `stdin`, `stdin_text`, `interactor_options`, `interactor_seed`,
    `checker_options`, `command`, `args`, `environment`, `files`, `call`, `calls`, `own_tests.bad`, `variables`,
    `returns`, `raises.message`, `prints`, `setup`, `hidden_twin_of`, `written_files`, `expected`, `expected_file`,
    `sample.file` and `expect`; `$$` is a dollar sign. In `matches` the value stands for itself, in `json` and
    `checker_options` it is put in as it is, and any other `$` stays. A name in other keys, such as `compare`, is an
    error. The id must contain every name, or one name of a row with another value in each.
    """
    visibility: Visibility | None = None
    """`public`: `grader check` runs it too. `hidden`: only you do. Default: that of the file."""
    input: tuple[Line, ...] | None = None
    """Starts the program and types these lines, each when the program waits for input. Then end of input. `input: []`
    is for a program to which nothing is typed, such as one that has only `args`.
    """
    repl: tuple[Line, ...] | None = None
    """Starts `python3` and types these lines at its prompt. A test has one of `input`, `repl`, `stdin`, `stdin_text`,
    `call`, `calls`, `interactor`, `command` and `own_tests`; `input` may stand beside `stdin`, `stdin_text`, `call`
    and `calls`.
    """
    call: Line | None = None
    """Imports the program and evaluates this call of a function. `input` then is for what the function reads. In C,
    C++ and Java the call is written in the program's language.
    """
    calls: Annotated[tuple[Line, ...], AT_LEAST_ONE] | None = None
    """Several calls in a row: expressions, and statements such as `a = Account(5)`."""
    variables: Annotated[dict[Identifier, object], Field(default_factory=dict)]
    """Values by name, which the call may use together with the names of the program. Where a program has a variable
    such as `list` or `sum`, the call still means Python's own function by that name; a function of that name is the
    program's.
    """
    setup: tuple[Line, ...] = ()
    """Statements that come before the call, in the language of the program. What they give a value to are names of the
    test; a variable of a Python program itself is set by `import game; game.LIMIT = 10`.
    """
    returns: object = None
    """The value that the `call` must return, in place of that of the reference."""
    raises: Raises | None = None
    """The exception that the `call` must raise: the name of its class, or a mapping."""
    prints: str | None = None
    """The text that the `call` must print. Default: anything."""
    checks: Annotated[tuple[CallCheck, ...], AT_LEAST_ONE, DISTINCT] = USUAL_CHECKS
    """The results of a call that are compared: `return_value`, `output`, `mutated_variables` (the `variables` after
    the call), `exception_type`, `exception_message`, `state` (the attributes of objects). A `checker` judges it in
    place of the grader.
    """
    echo: bool = True
    """`false`: the terminal does not show what is typed, so the transcript is what the program printed and nothing
    else, even if the program switches the echo on.
    """
    stdin: NameTemplate | None = None
    """Runs the program without a terminal and feeds it this file of the folder `inputs/`. The transcript is its
    standard output.
    """
    checker: CheckerName | None = None
    """The checker of this test: the name of a file in `checkers/`."""
    checker_options: dict[str, str] | None = None
    """Texts that the checker gets by these names."""
    stdin_text: str | None = None
    r"""The same with this text, which must end its lines itself: `"3\n4\n"`. With `input` too, the program runs in a
    terminal, reads this text or file as its standard input, and reads what is typed from `/dev/tty`.
    """
    args: tuple[Line, ...] = ()
    """The arguments of the program, a text each."""
    environment: Annotated[Variables, Field(default_factory=dict)]
    """Environment variables, in addition to those of the assignment."""
    files: Files | None = None
    """Files beside the program, in addition to those of the assignment and of this file. A module of the course may be
    another one in each test.
    """
    limits: BuildLimitsEntry | None = None
    """Limits in place of those of the assignment."""
    exit_status: Ending | None = None
    """The exit status that the program must end with, `nonzero`, `any`, or the signal that must end it, such as
    `SIGABRT`. A traceback on standard error is that of an uncaught exception, and so a `crash` even where `1` is
    asked for, if the program ends with 1, as Python does then; before another status, the program has caught and
    logged it.
    """
    asks_again: bool = False
    """`true`: when all of `input` is typed, the program must ask for more, as after a line that it has to reject. It
    is stopped there.
    """
    may_leave_input: bool = False
    """`true`: a program may end before it has read all of `input`, as in a variant in which the game is shorter.
    `false`: a line that no reference reads is a slip, and a program that prints itself what should be typed fails.
    """
    expected: str | None = None
    """The expected transcript, in place of the reference's. In a terminal it holds what is typed, too. It can hold no
    path that begins with `/work`, which is the folder in which programs run and is left out of what they print;
    neither can `expect` and `prints`.
    """
    expected_file: NameTemplate | None = None
    """The same, as a file of the folder `samples/`. Its lines may end as on Windows, and it may begin with a byte
    order mark.
    """
    expect: Annotated[tuple[ExpectEntry, ...], AT_LEAST_ONE] | None = None
    """Checks in place of a transcript, all of which must hold; with `call` and `calls`, of what they print. Where the
    value of `lines`, `unordered`, `numbers` or `json` is `reference`, that of the reference's output is meant. What
    is typed is no output, though the terminal shows it: of the line `Name: Ada` a check sees `Name:` and a space.
    Tests that say all themselves need no reference; `grader generate` refuses a reference that fails them.
    """
    sample: Sample | None = None
    """A transcript of the handout that belongs to this test: a file of the folder `samples/`, or a mapping. `grader
    generate` refuses a reference that prints something else. Of several variants the first prints it.
    """
    compare_stderr: bool = False
    """`true`: standard error is kept apart from the terminal and compared too. A line that is begun there when the
    program asks for input is a prompt and stays in the transcript, because Python's `input()` prints prompts there
    then. With `stdin` and `stdin_text` without `input` it is apart in any case.
    """
    written_files: Annotated[tuple[PathTemplate, ...], DISTINCT] = ()
    """Files that the program must write into its folder; one of that name that was handed in is not there when the
    program starts. Texts are compared as `compare` says, all others byte by byte.
    """
    compare: CompareEntry | None = None
    """As in assignment.yaml, for this test and in place of what is said there and in the file."""
    edition: Variant | None = None
    """The edition of the provided modules. Default: the first of the assignment."""
    deck: Line | None = None
    """The deck, as text that the provided module understands."""
    random_seed: int | None = None
    """The seed of the provided module's random numbers, a whole number."""
    hidden_twin_of: NameTemplate | None = None
    """The public test that this one repeats with another deck or seed; see the rule `hard-coded-output`."""
    sealed: bool = False
    """`true`: students may run this public test, but a bundle tells them only which line is the first wrong one."""

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
        """Raise ValueError for keys that conflict with those of a plugin."""

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
        """Return the values of the entry at these keys."""
        return tuple(value for way in self.ways if (value := getattr(self, way)) is not None)

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may contain loop values, each with its location."""
        yield from ()

    def plugin_interaction(
        self, _tests_file: Path, _fill: Callable[[str], str], _visibility: Visibility, /
    ) -> PluginInteraction | None:
        """Return the interaction of a plugin's test; None for any other test. Raises NotBesideError."""

    def judges_itself(self) -> bool:
        """Return whether the entry states what is expected, so that a checker of the file is not used."""
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
    """Tests of one program and one part of an assignment, with what they have in common."""

    __test__ = False

    format: FormatOne
    """Version of this format: `1`."""
    program: FileName
    """The program of the assignment that these tests run."""
    part: Name
    """The part of the assignment in which they earn points."""
    visibility: Visibility | None = None
    """Of tests that do not say it themselves: `public` (`grader check` runs them too) or `hidden`. Default: `hidden`.
    """
    compare: CompareEntry | None = None
    """As in assignment.yaml, for these tests and in place of what is said there. `{}` compares exactly."""
    checker: CheckerName | None = None
    """The checker of all tests that name no other one, of any kind: a file of the folder `checkers/`. Without one the
    whole output is compared.
    """
    checker_options: Annotated[dict[str, str], Field(default_factory=dict)]
    """The options of this checker."""
    files: Files | None = None
    """Files beside the program in these tests, in addition to those of the assignment."""
    tests: Annotated[tuple[AnyTestEntry, ...], AT_LEAST_ONE]
    """The tests."""
