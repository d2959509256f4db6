"""Turns one entry of a tests file into its tests: one per combination of loop values."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import product
from math import prod
from string import Template

from grader.config.scalars import NAME, NAME_RULE
from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SpecError, nearest, quoted
from grader.model.codec import Plain
from grader.model.interaction import Dialogue, FunctionCall, Interaction, ReplSession
from grader.model.partial_credit import PartialCredit
from grader.model.program import ProvidedSettings
from grader.model.test import ComparisonPolicy, Test, Visibility
from grader.spec.counting_entries import counting_of, stated_points
from grader.spec.cross_checks import NotBesideError, find_checker, read_stdin
from grader.spec.tests_file import TestEntry, TestsFile
from grader.spec.values import plain_value

_LOOP_NAME = re.compile(r"[a-z_][a-z0-9_]*")


_MOST_TESTS = 10_000


def tests_of(file: TestsFile, document: YamlDocument, compare: ComparisonPolicy) -> Iterator[tuple[Test, KeyPath]]:
    """The tests of `file`, each with the steps to the entry it comes from; `compare` is for those that say nothing.

    Raises SpecError when an entry names a loop variable that it does not define, makes too many tests or an id that
    cannot be one, or has no points.
    """
    problems: list[Problem] = []
    for index, entry in enumerate(file.tests):
        steps: KeyPath = ("tests", index)
        found = list(_problems_of(entry, document, steps))
        points = stated_points(entry, file)
        if points is None:
            message = "this test has no `points`, and the file gives none for all its tests"
            found.append(Problem(document.place(steps), message))
        tests = []
        try:
            if points is not None and not found:
                make = partial(_test, file, entry, points=points, document=document, steps=steps, compare=compare)
                tests = [make(values=values) for values in _combinations(entry.loop)]
        except NotBesideError as error:
            found.append(Problem(document.place(steps), str(error)))
        except _VariableError as error:
            found.append(Problem(document.place((*steps, "variables", error.name)), str(error)))
        found += _bad_ids(tests, document, steps)
        found += _bad_calls(tests, document, steps)
        problems += found
        if not found:
            yield from ((test, steps) for test in tests)
    if problems:
        raise SpecError(problems)


def _combinations(loop: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    for values in product(*loop.values()):
        yield dict(zip(loop, values, strict=True))


def _test(
    file: TestsFile,
    entry: TestEntry,
    *,
    points: Decimal,
    document: YamlDocument,
    steps: KeyPath,
    compare: ComparisonPolicy,
    values: Mapping[str, str],
) -> Test:
    """Raises NotBesideError and _VariableError."""

    def fill(text: str) -> str:
        return Template(text).substitute(values) if values else text

    checker = entry.checker or file.checker
    options = file.checker_options if entry.checker_options is None else entry.checker_options
    own_compare = entry.compare if entry.compare is not None else file.compare
    return Test(
        id=fill(entry.id),
        title=fill(entry.title),
        program=file.program,
        part=file.part,
        visibility=entry.visibility or file.visibility or Visibility.HIDDEN,
        points=points,
        interaction=_interaction(entry, document, fill),
        exit_status=entry.exit_status,
        hidden_twin_of=fill(entry.hidden_twin_of) if entry.hidden_twin_of is not None else None,
        comparison=own_compare.comparison() if own_compare is not None else compare,
        provision=ProvidedSettings(entry.edition, entry.deck, entry.random_seed),
        checker=find_checker(document.file, checker, options) if checker else None,
        sealed=entry.sealed,
        counting=counting_of(entry, file, fill(entry.id), fill),
        partial=_partial_credit(file, entry, fill),
        hints=entry.all_hints(fill),
        location=document.place(steps),
    )


def _partial_credit(file: TestsFile, entry: TestEntry, fill: Callable[[str], str]) -> PartialCredit | None:
    """What the test says itself, or else its file, which means tests that compare a transcript."""
    by_file = entry.call is None and entry.checker is None and file.checker is None
    return entry.partial_credit(file.partial if by_file else None, fill)


def _interaction(entry: TestEntry, document: YamlDocument, fill: Callable[[str], str]) -> Interaction:
    """Raises NotBesideError and _VariableError."""
    if entry.call is not None:
        return _call(entry, entry.call, fill)
    if entry.stdin is not None:
        return read_stdin(document.file, fill(entry.stdin))
    if entry.repl is not None:
        return ReplSession(tuple(map(fill, entry.repl)), entry.echo)
    return Dialogue(tuple(map(fill, entry.input or ())), entry.echo)


class _VariableError(Exception):
    """A value of `variables` cannot be read."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def _call(entry: TestEntry, expression: str, fill: Callable[[str], str]) -> FunctionCall:
    """Raises _VariableError."""
    return FunctionCall(
        expression=fill(expression),
        variables=_variables(entry, fill),
        setup=tuple(map(fill, entry.setup)),
        checks=frozenset(entry.checks),
        cards=None,
        lines=tuple(map(fill, entry.input or ())),
        echo=entry.echo,
    )


def _variables(entry: TestEntry, fill: Callable[[str], str]) -> dict[str, Plain]:
    variables = {}
    for name, value in entry.variables.items():
        try:
            variables[name] = plain_value(_filled(value, fill))
        except ValueError as error:
            raise _VariableError(name, str(error)) from None
    return variables


def _filled(value: object, fill: Callable[[str], str]) -> object:
    """`value` with every text filled in; the keys of mappings stay as they are."""
    match value:
        case str():
            return type(value)(fill(value))
        case list():
            return [_filled(item, fill) for item in value]
        case dict():
            return {key: _filled(item, fill) for key, item in value.items()}
    return value


def _texts_in(value: object, steps: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    match value:
        case str():
            yield steps, value
        case list():
            for index, item in enumerate(value):
                yield from _texts_in(item, (*steps, index))
        case dict():
            for key, item in value.items():
                yield from _texts_in(item, (*steps, key))


def _problems_of(entry: TestEntry, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    for where, text in _texts(entry):
        if entry.loop or where == ("id",):
            yield from _template_problems(text, entry, document, (*steps, *where))
    yield from _loop_problems(entry, document, steps)


def _loop_problems(entry: TestEntry, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    template = Template(entry.id)
    in_id = template.get_identifiers() if template.is_valid() else list(entry.loop)
    for name in entry.loop:
        if not _LOOP_NAME.fullmatch(name):
            message = f"found the loop name {quoted(name)}; expected small letters, digits and `_`"
            yield Problem(document.key_place((*steps, "for", name)), message)
        elif name not in in_id:
            message = f"the id must contain `${name}`, or all tests of the loop would have the same id"
            yield Problem(document.place((*steps, "id")), message)
    count = prod(len(values) for values in entry.loop.values())
    if count > _MOST_TESTS:
        message = f"found {count} combinations of values; expected at most {_MOST_TESTS}"
        yield Problem(document.place((*steps, "for")), message)


def _bad_ids(tests: list[Test], document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    bad = next((test.id for test in tests if not NAME.fullmatch(test.id)), None)
    if bad is not None:
        yield Problem(document.place((*steps, "id")), f"this makes the id {quoted(bad)}; expected {NAME_RULE}")


def _bad_calls(tests: list[Test], document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    calls = (test.interaction for test in tests if isinstance(test.interaction, FunctionCall))
    bad = next((call.expression for call in calls if not _is_expression(call.expression)), None)
    if bad is not None:
        yield Problem(document.place((*steps, "call")), f"found {quoted(bad)}; expected a call such as deal(deck, 3)")


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _texts(entry: TestEntry) -> Iterator[tuple[KeyPath, str]]:
    yield ("id",), entry.id
    yield ("title",), entry.title
    if entry.call is not None:
        yield ("call",), entry.call
    if entry.hidden_twin_of is not None:
        yield ("hidden_twin_of",), entry.hidden_twin_of
    if entry.stdin is not None:
        yield ("stdin",), entry.stdin
    for key, lines in (("input", entry.input), ("repl", entry.repl), ("setup", entry.setup)):
        for index, line in enumerate(lines or ()):
            yield (key, index), line
    yield from _texts_in(entry.variables, ("variables",))
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


def _template_problems(text: str, entry: TestEntry, document: YamlDocument, steps: KeyPath) -> Iterator[Problem]:
    template = Template(text)
    if not template.is_valid():
        message = f"found a single `$` in {quoted(text)}; expected `$name` of a loop, or `$$` for a dollar sign"
        yield Problem(document.place(steps), message)
        return
    for name in template.get_identifiers():
        if name not in entry.loop:
            yield Problem(document.place(steps), f"`${name}` is not in `for`{nearest(name, entry.loop)}")
