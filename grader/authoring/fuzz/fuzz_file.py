"""test_specs/ID/fuzz.yaml: the random sessions to play, and what the handout leaves open."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from grader.authoring.fuzz.grammar import (
    GrammarError,
    LinePattern,
    OneLine,
    RepeatedLines,
    RepeatedText,
    SessionGrammar,
    TextChoice,
    TextPattern,
    endless_rules,
    rules_named,
    text_pattern,
    used_rules,
)
from grader.authoring.seeds.search_file import TestTemplate, templates
from grader.config.scalars import FormatOne, Identifier, Line, Name, Pattern, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import KeyPath, YamlDocument, read_document
from grader.errors import GraderError, Problem, SpecError, nearest, quoted, unexpected
from grader.model.assignment import Assignment
from grader.model.expectation import OutputChecks
from grader.model.interaction import Dialogue, FunctionCall, InteractorRun, OwnTests, ReplSession, StdinRun
from grader.model.program import Program
from grader.model.test import Test
from grader.spec.cross_checks import repeated

FILE_NAME = "fuzz.yaml"


_MOST_TIMES = 1000


_COPIED_TOO = ("setup", "variables", "checks", "compare_stderr", "written_files", "stdin", "stdin_text")
"""The keys that a test written from a session has as the one it is like, beside those of `grader seeds`."""


class FuzzError(GraderError):
    """Sessions cannot be played at random."""


class VariedDeal(StrEnum):
    """What else changes from session to session."""

    DECK = "deck"
    RANDOM_SEED = "random_seed"


def _times(value: object) -> object:
    found = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", value) if isinstance(value, str) else None
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if not least <= most <= _MOST_TIMES:
        raise unexpected(value, f"a number up to {_MOST_TIMES}, or a range such as 0..6")
    return least, most


Times = Annotated[
    tuple[int, int],
    BeforeValidator(_times),
    WithJsonSchema({"type": ["integer", "string"], "pattern": r"^[0-9]+(\.\.[0-9]+)?$"}),
]


def _form(value: object) -> str:
    match value:
        case dict() | RepeatEntry():
            return "repeated"
        case list() | tuple():
            return "choice"
        case _:
            return "text"


def _plain_form(value: object) -> str:
    return "choice" if isinstance(value, list | tuple) else "text"


_OneText = Annotated[Line, Tag("text")]
_Choice = Annotated[tuple[Line, ...], AT_LEAST_ONE, Tag("choice")]
TextOrChoice = Annotated[_OneText | _Choice, Discriminator(_plain_form)]
"""A text, or several of which one is chosen."""


class RepeatEntry(SpecModel):
    """A text that is repeated, anew each time."""

    repeat: TextOrChoice
    times: Times
    between: Line | None = None


RandomText = Annotated[_OneText | _Choice | Annotated[RepeatEntry, Tag("repeated")], Discriminator(_form)]
"""A text, a choice, or what is repeated."""


class SessionsEntry(SpecModel):
    """Sessions that are like a test, with random input or a random call."""

    id: Name
    test: Name
    rules: Annotated[dict[Identifier, RandomText], Field(default_factory=dict)]
    input: tuple[RandomText, ...] | None = None
    call: TextOrChoice | None = None
    vary: VariedDeal | None = None

    @model_validator(mode="after")
    def _input_or_call(self) -> "SessionsEntry":
        if (self.input is None) is (self.call is None):
            raise ValueError("expected either `input`, for what is typed or read, or `call`, for a test of a function")
        return self


class LeftOpenEntry(SpecModel):
    """Lines or calls that the handout does not speak of, and why they are not played."""

    input: Pattern
    because: Sentence


class FuzzFile(SpecModel):
    """What fuzz.yaml may hold."""

    format: FormatOne
    sessions: Annotated[tuple[SessionsEntry, ...], AT_LEAST_ONE]
    leave_out: tuple[LeftOpenEntry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SessionPlan:
    """The sessions of one entry: like the test in `template`, with texts of `grammar`, and perhaps another deal.

    A session in which one of `left_open` is found is not played.
    """

    id: str
    program: Program
    template: TestTemplate
    grammar: SessionGrammar
    vary: VariedDeal | None
    left_open: tuple[re.Pattern[str], ...]


def read_plans(assignment: Assignment) -> tuple[SessionPlan, ...]:
    """The plans of an assignment.

    Raises FuzzError when it has no fuzz.yaml or a reference is missing, SpecError when the file is faulty.
    """
    file = assignment.folder / FILE_NAME
    if not file.exists():
        raise FuzzError(f"{file} is missing: it says which sessions to play (`grader explain fuzz.yaml`).")
    document = read_document(file)
    content = validate(document, FuzzFile).content
    known = templates(assignment, _COPIED_TOO)
    problems: list[Problem] = []
    plans = []
    for index, entry in enumerate(content.sessions):
        reader = _EntryReader(document, ("sessions", index), entry)
        found = [*reader.problems_with_test(known.get(entry.test), known, assignment)]
        grammar = reader.grammar(found)
        problems += found
        if not found:
            plans.append(_plan(entry, grammar, known[entry.test], content, assignment))
    problems += repeated(document, "sessions", "id", [entry.id for entry in content.sessions])
    if problems:
        raise SpecError(problems)
    missing = next((plan.program.reference for plan in plans if not plan.program.reference.is_file()), None)
    if missing is not None:
        raise FuzzError(f"The reference {missing} is missing: there is nothing to compare submissions with.")
    return tuple(plans)


def _plan(
    entry: SessionsEntry, grammar: SessionGrammar, template: TestTemplate, content: FuzzFile, assignment: Assignment
) -> SessionPlan:
    return SessionPlan(
        id=entry.id,
        program=assignment.program_of[template.test.program],
        template=template,
        grammar=grammar,
        vary=entry.vary,
        left_open=tuple(re.compile(one.input) for one in content.leave_out),
    )


_Said: TypeAlias = str | tuple[str, ...] | RepeatEntry


@dataclass(frozen=True)
class _EntryReader:
    """Reads the entry that `steps` lead to."""

    document: YamlDocument
    steps: KeyPath
    entry: SessionsEntry

    def _problem(self, message: str, *steps: str | int) -> Problem:
        return Problem(self.document.place((*self.steps, *steps)), message)

    def problems_with_test(
        self, template: TestTemplate | None, known: Mapping[str, TestTemplate], assignment: Assignment
    ) -> Iterator[Problem]:
        """What keeps the test from being played with other texts."""
        name = quoted(self.entry.test)
        if template is None:
            yield self._problem(f"there is no test {name}{nearest(self.entry.test, known)}", "test")
            return
        fault = self._unfit(template.test)
        if fault is not None:
            yield self._problem(f"{name} {fault}", "test")
        if self.entry.vary is not None and not assignment.provided:
            message = f"`{self.entry.vary}` is for `provided` modules, and assignment.yaml names none"
            yield self._problem(message, "vary")

    def _unfit(self, test: Test) -> str | None:
        match test.interaction:
            case OwnTests() | InteractorRun():
                return "runs tests of students or an interactor; expected a test with `input`, `stdin` or `call`"
            case FunctionCall() if self.entry.call is None:
                return "calls a function; expected `call` here in place of `input`"
            case Dialogue() | ReplSession() | StdinRun() if self.entry.input is None:
                return "calls no function; expected `input` here in place of `call`"
        if isinstance(test.expectation, OutputChecks):
            return "has `expect`, which is about its own input; expected a test that compares all of the output"
        return None

    def grammar(self, problems: list[Problem]) -> SessionGrammar:
        """The grammar; what is wrong with it is added to `problems`."""
        rules = {
            name: self._text(said, ("rules", name), problems, rules=self.entry.rules)
            for name, said in self.entry.rules.items()
        }
        lines = tuple(self._lines(problems))
        used = used_rules(rules, lines)
        for name in rules:
            if name not in used:
                place = self.document.key_place((*self.steps, "rules", name))
                problems.append(Problem(place, f"the rule {quoted(name)} is used nowhere"))
        for name in endless_rules(rules):
            message = f"the rule {quoted(name)} has no end: expected a choice in which it does not come upon itself"
            problems.append(self._problem(message, "rules", name))
        return SessionGrammar(rules, lines)

    def _lines(self, problems: list[Problem]) -> Iterator[LinePattern]:
        rules = self.entry.rules
        if self.entry.call is not None:
            yield OneLine(self._text(self.entry.call, ("call",), problems, rules=rules))
        for index, said in enumerate(self.entry.input or ()):
            steps: KeyPath = ("input", index)
            if not isinstance(said, RepeatEntry):
                yield OneLine(self._text(said, steps, problems, rules=rules))
                continue
            if said.between is not None:
                message = "found `between`, but here each repetition is a line; it is for texts, in `rules`"
                problems.append(self._problem(message, *steps, "between"))
            yield RepeatedLines(self._text(said.repeat, (*steps, "repeat"), problems, rules=rules), *said.times)

    def _text(self, said: _Said, steps: KeyPath, problems: list[Problem], *, rules: Mapping[str, _Said]) -> TextPattern:
        match said:
            case str():
                pattern = self._parsed(said, steps, problems)
                problems += (
                    self._problem(f"there is no rule {quoted(name)}{nearest(name, rules)}", *steps)
                    for name in rules_named(pattern)
                    if name not in rules
                )
                return pattern
            case RepeatEntry(repeat=repeat, times=(least, most), between=between):
                item = self._text(repeat, (*steps, "repeat"), problems, rules=rules)
                return RepeatedText(item, least, most, between or "")
            case _:
                options = enumerate(said)
                return TextChoice(
                    tuple(self._text(one, (*steps, index), problems, rules=rules) for index, one in options)
                )

    def _parsed(self, text: str, steps: KeyPath, problems: list[Problem]) -> TextPattern:
        try:
            return text_pattern(text)
        except GrammarError as error:
            problems.append(self._problem(str(error), *steps))
            return TextChoice(())
