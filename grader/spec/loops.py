"""Expands an entry in a tests file into its tests, one per combination of loop values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from string import Template
from typing import cast

from grader.config.scalars import NAME, NAME_RULE
from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SpecError, nearest, quoted
from grader.model.expectation import Expectation, GivenTranscript, OutputCheck, OutputChecks
from grader.model.interaction import Dialogue, Interaction, ReplSession, StdinRun
from grader.model.partial_credit import PartialChecks, PartialCredit
from grader.model.program import Limits, ProvidedSettings, StartSettings
from grader.model.test import CheckerSettings, ComparisonPolicy, SideOutput, Test, Visibility
from grader.spec.beside import NotBesideError, course_files
from grader.spec.calls import UnreadableValueError, bad_calls, function_call, stated_result
from grader.spec.counting_entries import counting_of, stated_points
from grader.spec.expectation import ExpectEntry
from grader.spec.loop_values import LoopFilling, TestLoop, names_in, names_in_pattern
from grader.spec.named_files import find_checker, read_stdin
from grader.spec.sample import read_sample
from grader.spec.tests_file import TestEntry, TestsFile

_LOOP_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_MAX_TESTS = 10_000
_TEXT_KEYS = (
    *("id", "title", "call", "prints", "hidden_twin_of"),
    *("stdin", "stdin_text", "expected", "expected_file"),
)
_LIST_KEYS = ("input", "repl", "calls", "setup", "args", "written_files")
_VALUE_KEYS = ("variables", "returns", "environment", "files")


@dataclass(frozen=True)
class TestDefaults:
    """The assignment's defaults for its tests: comparison, limits, files and environment variables."""

    __test__ = False

    compare: ComparisonPolicy = ComparisonPolicy()
    limits: Limits = Limits()
    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def tests_of(file: TestsFile, document: YamlDocument, defaults: TestDefaults) -> Iterator[tuple[Test, KeyPath]]:
    """Yield the tests of `file` with the path of their entries; `defaults` apply to omitted settings.

    Raises SpecError if an entry uses an undefined loop variable, creates too many tests or an invalid id, or has no
    points.
    """
    problems: list[Problem] = []
    for index, entry in enumerate(file.tests):
        steps: KeyPath = ("tests", index)
        loop = _loop(entry, document, problems)
        if loop is None:
            continue
        all_problems = list(_problems_of(entry, loop, document, steps))
        points = stated_points(entry, file)
        if points is None:
            message = "this test has no `points`, and the file gives none for all its tests"
            all_problems.append(Problem(document.place(steps), message))
        tests = []
        try:
            if points is not None and not all_problems:
                make = partial(_test, file, entry, points=points, document=document, steps=steps, defaults=defaults)
                tests = [make(values=values) for values in loop.turns]
        except NotBesideError as error:
            all_problems.append(Problem(document.place(steps), str(error)))
        except UnreadableValueError as error:
            all_problems.append(Problem(document.place((*steps, *error.steps)), str(error)))
        all_problems += _bad_ids(tests, document, steps)
        all_problems += bad_calls(tests, document, steps)
        problems += all_problems
        if not all_problems:
            yield from ((test, steps) for test in tests)
    if problems:
        raise SpecError(problems)


def _test(
    file: TestsFile,
    entry: TestEntry,
    *,
    points: Decimal,
    document: YamlDocument,
    steps: KeyPath,
    defaults: TestDefaults,
    values: Mapping[str, str],
) -> Test:
    """Build a test. Raises NotBesideError and UnreadableValueError."""
    fill = LoopFilling(values)
    own_compare = entry.compare if entry.compare is not None else file.compare
    return Test(
        id=fill(entry.id),
        title=fill(entry.title),
        program=file.program,
        part=file.part,
        visibility=_visibility(file, entry),
        points=points,
        interaction=_interaction(file, entry, document, fill),
        ending=entry.ending(),
        hidden_twin_of=fill(entry.hidden_twin_of) if entry.hidden_twin_of is not None else None,
        comparison=own_compare.comparison() if own_compare is not None else defaults.compare,
        provision=ProvidedSettings(entry.edition, entry.deck, entry.random_seed),
        start=_start(file, entry, document.file, defaults, fill),
        expectation=_expectation(file, entry, document.file, fill),
        side_output=SideOutput(entry.compare_stderr, tuple(map(fill, entry.written_files))),
        limits=entry.limits.over(defaults.limits) if entry.limits else None,
        checker=_checker(file, entry, document.file, fill),
        sealed=entry.sealed,
        counting=counting_of(entry, file, fill(entry.id), fill),
        partial=_partial_credit(file, entry, fill),
        hints=entry.all_hints(fill),
        sample=entry.sample.read(document.file, fill) if entry.sample is not None else None,
        may_leave_input=entry.may_leave_input,
        location=document.place(steps),
    )


def _checker(file: TestsFile, entry: TestEntry, tests_file: Path, fill: LoopFilling) -> CheckerSettings | None:
    """Return the checker of a test. Raises NotBesideError."""
    name = None if entry.judges_itself() else entry.checker or file.checker
    options = file.checker_options if entry.checker_options is None else entry.checker_options
    filled = {option: fill.in_json(value) for option, value in options.items()}
    return None if name is None else find_checker(tests_file, name, filled)


def _start(
    file: TestsFile, entry: TestEntry, tests_file: Path, defaults: TestDefaults, fill: Callable[[str], str]
) -> StartSettings:
    """Return the start settings of a test. Raises NotBesideError."""
    named = {**defaults.files, **(file.files or {}), **(entry.files or {})}
    filled = {fill(name): fill(source) for name, source in named.items()}
    variables = {name: fill(value) for name, value in {**defaults.environment, **entry.environment}.items()}
    further = tuple(course_files(tests_file.parent.parent / "files", filled))
    return StartSettings(tuple(map(fill, entry.args)), variables, further)


def _expectation(file: TestsFile, entry: TestEntry, tests_file: Path, fill: LoopFilling) -> Expectation:
    """Return the expectation of a test. Raises NotBesideError and UnreadableValueError."""
    if entry.expected is not None:
        return GivenTranscript(fill(entry.expected))
    if entry.expected_file is not None:
        return GivenTranscript(read_sample(tests_file, fill(entry.expected_file)))
    checks = None if entry.expect is None else tuple(_checks(entry.expect, fill))
    if checks is None or entry.call is not None or entry.calls is not None:
        return stated_result(entry, file.program, fill, checks)
    return OutputChecks(checks)


def _checks(entries: Iterable[ExpectEntry], fill: LoopFilling) -> Iterator[OutputCheck]:
    """Return the checks of a test. Raises UnreadableValueError."""
    for index, entry in enumerate(entries):
        try:
            yield entry.output_check(fill)
        except ValueError as error:
            raise UnreadableValueError(("expect", index), str(error)) from None


def _partial_credit(file: TestsFile, entry: TestEntry, fill: Callable[[str], str]) -> PartialCredit | None:
    """Return the partial credit of the test, or its file's if transcripts are compared."""
    if any(check.share is not None for check in entry.expect or ()):
        return PartialCredit(PartialChecks(), entry.partial_if_stopped)
    others = (entry.call, entry.calls)
    otherwise = (*others, *entry.values_of_plugins(), entry.expect, entry.checker, file.checker)
    by_file = entry.expect is not None if file.partial == "checks" else all(value is None for value in otherwise)
    return entry.partial_credit(file.partial if by_file else None, fill)


def _visibility(file: TestsFile, entry: TestEntry) -> Visibility:
    return entry.visibility or file.visibility or Visibility.HIDDEN


def _interaction(file: TestsFile, entry: TestEntry, document: YamlDocument, fill: Callable[[str], str]) -> Interaction:
    """Return the interaction of a test. Raises NotBesideError and UnreadableValueError."""
    if entry.call is not None or entry.calls is not None:
        return function_call(entry, fill)
    of_plugin = entry.plugin_interaction(document.file, fill, _visibility(file, entry))
    if of_plugin is not None:
        return of_plugin
    stdin = _stdin(entry, document, fill)
    if stdin is not None and entry.input is None:
        return stdin
    if entry.repl is not None:
        return ReplSession(tuple(map(fill, entry.repl)), entry.echo)
    return Dialogue(tuple(map(fill, entry.input or ())), entry.echo, stdin)


def _stdin(entry: TestEntry, document: YamlDocument, fill: Callable[[str], str]) -> StdinRun | None:
    """Return the standard input of a test. Raises NotBesideError."""
    if entry.stdin is not None:
        return read_stdin(document.file, fill(entry.stdin))
    return None if entry.stdin_text is None else StdinRun(name=None, text=fill(entry.stdin_text))


def _texts_in(value: object, steps: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    match value:
        case str():
            yield steps, value
        case list() | tuple():
            for index, item in enumerate(value):
                yield from _texts_in(item, (*steps, index))
        case dict():
            for key, item in value.items():
                yield from _texts_in(item, (*steps, key))


def _loop(entry: TestEntry, document: YamlDocument, problems: list[Problem]) -> TestLoop | None:
    """Return the loop of a test, or None after adding to `problems` if its table cannot be read."""
    try:
        return TestLoop.read(entry.loop, document.file.parent)
    except SpecError as error:
        problems += error.problems
        return None


def _problems_of(entry: TestEntry, loop: TestLoop, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    for where, text in _texts(entry):
        if loop.names or where == ("id",):
            yield from _template_problems(text, loop, document, (*steps, *where))
    yield from _loop_problems(entry, loop, document, steps)
    if loop.names:
        yield from _unfilled_problems(entry, loop, document, steps)


def _unfilled_problems(entry: TestEntry, loop: TestLoop, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    """Yield a problem for each name that has no value."""
    for index, check in enumerate(entry.expect or ()):
        for pattern in getattr(check, "matches", None) or ():
            place = document.place((*steps, "expect", index, "matches"))
            yield from (
                Problem(place, f"`${name}` is not in `for`{nearest(name, loop.names)}; `\\$` is a dollar sign")
                for name in names_in_pattern(pattern)
                if name not in loop.names
            )
    stated = cast("dict[str, list[dict[str, object]]]", document.data)["tests"][int(steps[-1])]
    for key in ("compare", "deck", "edition"):
        for where, text in _texts_in(stated.get(key), (key,)):
            if name := next((name for name in names_in(text) if name in loop.names), None):
                yield Problem(document.place((*steps, *where)), f"values of `for` are not filled in here: `${name}`")


def _loop_problems(entry: TestEntry, loop: TestLoop, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    template = Template(entry.id)
    in_id = template.get_identifiers() if template.is_valid() else list(loop.names)
    if loop.is_table and not any(name in in_id for name in loop.names):
        message = f"the id must contain a name of a column, such as `${loop.names[0]}`, with another value in each row"
        yield Problem(document.place((*steps, "id")), message)
    for name in loop.names:
        if not _LOOP_NAME.fullmatch(name):
            message = f"found the loop name {quoted(name)}; expected lowercase letters, digits and `_`"
            yield Problem(document.key_place((*steps, "for", name)), message)
        elif name not in in_id and not loop.is_table:
            message = f"the id must contain `${name}`, or all tests of the loop would have the same id"
            yield Problem(document.place((*steps, "id")), message)
    if loop.count > _MAX_TESTS:
        message = f"found {loop.count} combinations of values; expected at most {_MAX_TESTS}"
        yield Problem(document.place((*steps, "for")), message)


def _bad_ids(tests: list[Test], document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    bad = next((test.id for test in tests if not NAME.fullmatch(test.id)), None)
    if bad is not None:
        yield Problem(document.place((*steps, "id")), f"this makes the id {quoted(bad)}; expected {NAME_RULE}")


def _texts(entry: TestEntry) -> Iterator[tuple[KeyPath, str]]:
    """Yield the strings that may contain loop values."""
    for key in _TEXT_KEYS:
        text = getattr(entry, key)
        if text is not None:
            yield (key,), text
    for key, inner in (("raises", "message"), ("sample", "file")):
        text = getattr(getattr(entry, key), inner, None)
        if text is not None:
            yield (key, inner), text
    for key in _LIST_KEYS:
        for index, line in enumerate(getattr(entry, key) or ()):
            yield (key, index), line
    for index, check in enumerate(entry.expect or ()):
        yield from _texts_in(check.texts(), ("expect", index))
    for key in _VALUE_KEYS:
        yield from _texts_in(getattr(entry, key), (key,))
    yield from entry.plugin_texts()
    yield from _counting_texts(entry)


def _counting_texts(entry: TestEntry) -> Iterator[tuple[KeyPath, str]]:
    if entry.hint is not None:
        yield ("hint",), entry.hint
    for cause, sentence in entry.hints.items():
        yield ("hints", cause), sentence
    for index, test in enumerate(entry.requires or ()):
        yield ("requires", index), test
    for index, milestone in enumerate(entry.milestones or ()):
        yield (
            ("milestones", index, "line" if milestone.text is None else "text"),
            milestone.text or milestone.line or "",
        )


def _template_problems(text: str, loop: TestLoop, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    template = Template(text)
    if not template.is_valid():
        message = f"found a single `$` in {quoted(text)}; expected `$name` of a loop, or `$$` for a dollar sign"
        yield Problem(document.place(steps), message)
        return
    for name in template.get_identifiers():
        if name not in loop.names:
            yield Problem(document.place(steps), f"`${name}` is not in `for`{nearest(name, loop.names)}")
