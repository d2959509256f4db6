"""Reads test_specs/ID/fuzz.yaml as plans: for each entry, the tests that its sessions vary, and their grammar."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from grader.config.validation import validate
from grader.config.yaml_reader import KeyPath, YamlDocument, read_document
from grader.errors import Problem, SpecError, nearest, quoted
from grader.model.assignment import Assignment
from grader.model.expectation import OutputChecks
from grader.model.interaction import Dialogue, FunctionCall, PluginInteraction, ReplSession, StdinRun
from grader.model.test import Test
from grader.plugins.searching.decks import PACK
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError, FuzzFile, RepeatEntry, SessionsEntry, VariedDeal
from grader.plugins.searching.fuzzing.grammar import (
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
from grader.plugins.searching.fuzzing.playing.sessions import SessionPlan
from grader.plugins.searching.test_templates import TestTemplate, templates
from grader.spec.assignment_checks import repeated

FILE_NAME = "fuzz.yaml"
_MAX_GENERATED = 1000
_GENERATOR_SECONDS = 60
_COPIED_TOO = ("setup", "variables", "checks", "compare_stderr", "written_files", "stdin", "stdin_text")
"""The keys that a test made from a session copies from its template, in addition to the keys that `grader seeds`
copies.
"""


@dataclass(frozen=True, kw_only=True)
class FuzzPlan(SessionPlan):
    """The sessions of an entry of fuzz.yaml, with texts of `grammar`, and possibly a different deal.

    A deck is dealt from the cards of `pack`, unless the grammar states it. With a `generator`, a Python program of the
    course, the texts are its arguments, and it prints the input. A session that matches one of `left_open` is not
    played.
    """

    grammar: SessionGrammar
    vary: VariedDeal | None
    pack: tuple[str, ...]
    generator: Path | None
    left_open: tuple[re.Pattern[str], ...]

    def input_text(self, texts: tuple[str, ...]) -> str:
        """Return the output of the generator. Raises FuzzError if it fails."""
        return super().input_text(texts) if self.generator is None else _generated(self.generator, texts[0])


def read_plans(assignment: Assignment) -> tuple[FuzzPlan, ...]:
    """Return the plans of an assignment.

    Raises FuzzError if it has no fuzz.yaml or a reference is missing, or SpecError if the file is faulty.
    """
    file = assignment.folder / FILE_NAME
    if not file.exists():
        raise FuzzError(f"{file} is missing: it says which sessions to play (`grader explain fuzz.yaml`).")
    document = read_document(file)
    content = validate(document, FuzzFile).content
    by_id = templates(assignment, _COPIED_TOO)
    problems: list[Problem] = []
    plans = []
    for index, entry in enumerate(content.sessions):
        reader = _EntryReader(document, ("sessions", index), entry)
        found = [*reader.problems_with_tests(by_id, assignment)]
        grammar = reader.grammar(found)
        problems += found
        if not found:
            plans.append(_plan(entry, grammar, [by_id[name] for name in entry.tests], content, assignment))
    problems += repeated(document, "sessions", "id", [entry.id for entry in content.sessions])
    if problems:
        raise SpecError(problems)
    missing = next((plan.program.reference for plan in plans if not plan.program.reference.is_file()), None)
    if missing is not None:
        raise FuzzError(f"The reference {missing} is missing: there is nothing to compare submissions with.")
    return tuple(plans)


def _plan(
    entry: SessionsEntry,
    grammar: SessionGrammar,
    like: Sequence[TestTemplate],
    content: FuzzFile,
    assignment: Assignment,
) -> FuzzPlan:
    return FuzzPlan(
        id=entry.id,
        program=assignment.program_of[like[0].test.program],
        templates=tuple(like),
        grammar=grammar,
        vary=entry.vary,
        pack=tuple(entry.pack.split()) if entry.pack is not None else PACK,
        generator=_generator(assignment, entry.generator) if entry.generator is not None else None,
        left_open=tuple(
            re.compile(difference.input) for difference in content.leave_out if difference.input is not None
        ),
        left_open_output=tuple(
            re.compile(difference.output, re.MULTILINE)
            for difference in content.leave_out
            if difference.output is not None
        ),
    )


def _generator(assignment: Assignment, name: str) -> Path:
    """Return the path of a generator, which is beside the references."""
    return assignment.programs[0].reference.parent / name


@lru_cache(_MAX_GENERATED)
def _generated(generator: Path, arguments: str) -> str:
    """Return the output of a generator. Raises FuzzError if it does not end, or its exit status is not 0."""
    command = [sys.executable, str(generator), *shlex.split(arguments)]
    fault = f"The generator does not work: {shlex.join([generator.name, *command[2:]])}"
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_GENERATOR_SECONDS)
    except subprocess.TimeoutExpired:
        raise FuzzError(f"{fault} did not end within {_GENERATOR_SECONDS} s.") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise FuzzError(f"{fault} ended with exit status {done.returncode}. {''.join(last)}")
    return done.stdout.decode("utf-8", "replace")


def _other_kind(test: Test, first: Test) -> str | None:
    if (test.program, type(test.interaction)) == (first.program, type(first.interaction)):
        return None
    return f"is of another program or another kind than {quoted(first.id)}; expected it in an entry of its own"


_Said: TypeAlias = str | tuple[str, ...] | RepeatEntry


@dataclass(frozen=True)
class _EntryReader:
    """A reader of the entry at `steps`."""

    document: YamlDocument
    steps: KeyPath
    entry: SessionsEntry

    def _problem(self, message: str, *steps: str | int) -> Problem:
        return Problem(self.document.place((*self.steps, *steps)), message)

    def problems_with_tests(self, by_id: Mapping[str, TestTemplate], assignment: Assignment) -> Iterator[Problem]:
        """Yield the reasons why the tests cannot be played with other texts."""
        like = [by_id[name].test for name in self.entry.tests if name in by_id]
        for name in self.entry.tests:
            if name not in by_id:
                yield self._problem(f"there is no test {quoted(name)}{nearest(name, by_id)}", "test")
                continue
            fault = self._reason_against(by_id[name].test) or _other_kind(by_id[name].test, like[0])
            if fault is not None:
                yield self._problem(f"{quoted(name)} {fault}", "test")
        if self.entry.vary is not None and not assignment.provided:
            message = f"`{self.entry.vary}` is for `provided` modules, and assignment.yaml names none"
            yield self._problem(message, "vary")
        generator = self.entry.generator
        if generator is not None and not _generator(assignment, generator).is_file():
            expected = "expected the name of a Python program beside the references"
            yield self._problem(f"there is no {_generator(assignment, generator)}; {expected}", "generator")

    def _reason_against(self, test: Test) -> str | None:
        match test.interaction:
            case PluginInteraction():
                return "runs tests of students or an interactor; expected a test with `input`, `stdin` or `call`"
            case FunctionCall() if self.entry.call is None:
                return "calls a function; expected `call` here"
            case Dialogue() | ReplSession() if self.entry.input is None:
                return "types lines; expected `input` here"
            case StdinRun() if self.entry.call is not None:
                return "calls no function; expected `input` or `generator` here"
        if isinstance(test.expectation, OutputChecks):
            return "has `expect`, which is about its own input; expected a test that compares all of the output"
        return None

    def grammar(self, problems: list[Problem]) -> SessionGrammar:
        """Return the grammar, and add its faults to `problems`."""
        rules = {
            name: self._text(text_entry, ("rules", name), problems, rules=self.entry.rules)
            for name, text_entry in self.entry.rules.items()
        }
        text_entry = self.entry.deck
        deck = None if text_entry is None else self._text(text_entry, ("deck",), problems, rules=self.entry.rules)
        grammar = SessionGrammar(rules, tuple(self._lines(problems)), deck)
        used = used_rules(grammar)
        for name in rules:
            if name not in used:
                place = self.document.key_place((*self.steps, "rules", name))
                problems.append(Problem(place, f"the rule {quoted(name)} is used nowhere"))
        for name in endless_rules(rules):
            message = f"the rule {quoted(name)} has no end: expected a choice in which it does not come upon itself"
            problems.append(self._problem(message, "rules", name))
        return grammar

    def _lines(self, problems: list[Problem]) -> Iterator[LinePattern]:
        rules = self.entry.rules
        for key, said_once in (("call", self.entry.call), ("arguments", self.entry.arguments)):
            if said_once is not None:
                yield OneLine(self._text(said_once, (key,), problems, rules=rules))
        for index, line_entry in enumerate(self.entry.input or ()):
            steps: KeyPath = ("input", index)
            if not isinstance(line_entry, RepeatEntry):
                yield OneLine(self._text(line_entry, steps, problems, rules=rules))
                continue
            if line_entry.between is not None:
                message = "found `between`, but here each repetition is a line; it is for texts, in `rules`"
                problems.append(self._problem(message, *steps, "between"))
            yield RepeatedLines(
                self._text(line_entry.repeat, (*steps, "repeat"), problems, rules=rules), *line_entry.times
            )

    def _text(
        self, entry: _Said, steps: KeyPath, problems: list[Problem], *, rules: Mapping[str, _Said]
    ) -> TextPattern:
        match entry:
            case str():
                pattern = self._parsed(entry, steps, problems)
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
                options = enumerate(entry)
                return TextChoice(
                    tuple(self._text(option, (*steps, index), problems, rules=rules) for index, option in options)
                )

    def _parsed(self, text: str, steps: KeyPath, problems: list[Problem]) -> TextPattern:
        try:
            return text_pattern(text)
        except GrammarError as error:
            problems.append(self._problem(str(error), *steps))
            return TextChoice(())
