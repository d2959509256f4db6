"""Reads test_specs/ID/seeds.yaml: the tests to vary, the values to vary in them, and the goals worth reaching."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from grader.config.scalars import NAME, NAME_RULE, FormatOne, Line, Name, Pattern
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import GraderError, Problem, SpecError, nearest, quoted, unexpected
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue, Interaction, shows_typing, typed_lines
from grader.model.program import Program
from grader.plugins.searching.decks import PACK, cards_stated, shuffled_deck
from grader.plugins.searching.test_templates import TestTemplate, templates
from grader.run.find_python import OWN_VERSION
from grader.spec.assignment_checks import repeated
from grader.spec.tests_file import LoopValues

FILE_NAME = "seeds.yaml"
VALUE = "$value"
_MAX_VALUES = 100_000


class SeedsError(GraderError):
    """The search for seeds cannot be run."""


class VariedValue(StrEnum):
    """The part of a test that changes from value to value."""

    INPUT = "input"
    DECK = "deck"
    RANDOM_SEED = "random_seed"


def _require_rising(bounds: tuple[int, ...]) -> tuple[int, ...]:
    if any(low >= high for low, high in pairwise(bounds)):
        raise unexpected(", ".join(map(str, bounds)), "numbers of lines, each larger than the one before it")
    return bounds


class SearchEntry(SpecModel):
    """A search for values that together cover as much as possible."""

    id: Name
    """A name. The tests get this name and the value, such as `s2-found-32`, and are stored in
    `tests/s2-found.yaml`.
    """
    test: Name
    """The test to vary. It must have `input`, and can come from a loop. The new tests keep all its settings except
    the keys for points, visibility and `hidden_twin_of`.
    """
    vary: VariedValue
    """The setting to vary: `input` (one of its lines), `deck` or `random_seed`."""
    line: Annotated[int, Field(ge=1)] = 1
    """With `vary: input`: the number of the line that the value replaces. Default: 1."""
    values: LoopValues
    """The values to try, at most 100,000. They can be strings, and ranges such as `0..499`. For `deck`, they are the
    seeds for shuffling the pack. If several values cover the same, the first one is used.
    """
    cards: Annotated[int, Field(ge=1, le=1000)] | None = None
    """With `vary: deck`: the number of cards from the shuffled pack that form the deck. Default: the size of the
    test's deck, or all.
    """
    pack: Line | None = None
    """With `vary: deck`: the cards to shuffle. Default: the 52 cards from `A♣` to `K♠`."""
    title: Line = f"a game ({VALUE})"
    """The title of the tests. `$value` is replaced by the value."""
    events: Annotated[dict[str, Pattern], Field(default_factory=dict)]
    """Events to cover, by name. Each is a Python regular expression that matches somewhere in the transcript. `^`
    and `$` match at the beginning and end of a line.
    """
    lengths: Annotated[tuple[Annotated[int, Field(ge=1)], ...], AfterValidator(_require_rising)] = ()
    """Line counts that divide short transcripts from long ones. For example, `[700, 900]` requests tests with
    fewer than 700 lines, with 700 to 899, and with 900 or more.
    """

    @model_validator(mode="after")
    def _values_that_can_be_tried(self) -> "SearchEntry":
        if len(self.values) > _MAX_VALUES:
            raise unexpected(f"{len(self.values)} values", f"at most {_MAX_VALUES}")
        for value in self.values:
            if not NAME.fullmatch(f"{self.id}-{value}"):
                raise unexpected(f"{self.id}-{value}", f"a value that makes the id of a test: {NAME_RULE}")
            if self.vary is not VariedValue.INPUT and not re.fullmatch("-?[0-9]{1,18}", value):
                raise unexpected(value, "whole numbers as values")
        if self.vary is not VariedValue.DECK and (self.cards or self.pack):
            raise ValueError("found `cards` or `pack`, which are for `vary: deck`")
        return self


class SeedsFile(SpecModel):
    """Tests to vary, and the events and lengths to cover."""

    format: FormatOne
    """Version of this format: `1`."""
    searches: Annotated[tuple[SearchEntry, ...], AT_LEAST_ONE]
    """The searches."""


@dataclass(frozen=True)
class Candidate:
    """A possible test: `template` with one value filled in."""

    id: str
    title: str
    template: TestTemplate


@dataclass(frozen=True)
class SeedSearch:
    """A search for `program`, as described by an `entry` of seeds.yaml; `template` is the test that it varies."""

    entry: SearchEntry
    program: Program
    template: TestTemplate

    @property
    def id(self) -> str:
        """Its name, which is the prefix of its tests' ids."""
        return self.entry.id

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """A candidate per value, in the order of the values."""
        entry = self.entry
        return tuple(
            Candidate(f"{entry.id}-{value}", entry.title.replace(VALUE, value), _varied(entry, self.template, value))
            for value in dict.fromkeys(entry.values)
        )


def read_searches(assignment: Assignment) -> tuple[SeedSearch, ...]:
    """Return the searches of an assignment.

    Raises SeedsError if it has no seeds.yaml or a reference is not in Python, and SpecError if the file is faulty.
    """
    file = assignment.folder / FILE_NAME
    if not file.exists():
        raise SeedsError(f"{file} is missing: it says which test to vary, and in what (`grader explain seeds.yaml`).")
    document = read_document(file)
    content = validate(document, SeedsFile).content
    by_id = templates(assignment)
    found = [list(_problems(document, index, entry, by_id, assignment)) for index, entry in enumerate(content.searches)]
    problems = [problem for each in found for problem in each]
    problems += repeated(document, "searches", "id", [entry.id for entry in content.searches])
    if problems:
        raise SpecError(problems)
    return tuple(_search(entry, by_id[entry.test], assignment) for entry in content.searches)


def _search(entry: SearchEntry, template: TestTemplate, assignment: Assignment) -> SeedSearch:
    program = assignment.program_of[template.test.program]
    if program.reference.suffix != ".py":
        raise SeedsError(f"{program.reference.name} is not in Python; only in Python are its branches seen.")
    asked, own_version = assignment.python, OWN_VERSION
    if asked.packages or asked.differs_from(own_version):
        fault = "assignment.yaml asks for another version, or for packages"
        raise SeedsError(
            f"Seeds are searched with the Python that runs the grader ({own_version}), without packages: {fault}."
        )
    return SeedSearch(entry, program, template)


def _varied(entry: SearchEntry, template: TestTemplate, value: str) -> TestTemplate:
    test = template.test
    match entry.vary:
        case VariedValue.INPUT:
            lines = list(typed_lines(test.interaction))
            lines[entry.line - 1] = value
            return replace(template, test=replace(test, interaction=dialogue_with(test.interaction, lines)))
        case VariedValue.RANDOM_SEED:
            provision = replace(test.provision, random_seed=int(value))
        case VariedValue.DECK:
            provision = replace(test.provision, deck=_deck(entry, template, int(value)))
    return replace(template, test=replace(test, provision=provision))


def dialogue_with(interaction: Interaction, lines: Sequence[str]) -> Dialogue:
    """Return a dialogue with these lines, otherwise equal to `interaction`."""
    if isinstance(interaction, Dialogue):
        return replace(interaction, lines=tuple(lines))
    return Dialogue(tuple(lines), shows_typing(interaction))


def _deck(entry: SearchEntry, template: TestTemplate, seed: int) -> str:
    return shuffled_deck(entry.pack.split() if entry.pack else PACK, seed, _count(entry, template))


def _count(entry: SearchEntry, template: TestTemplate) -> int | None:
    return entry.cards or cards_stated(template.test)


def _problems(
    document: YamlDocument, index: int, entry: SearchEntry, by_id: dict[str, TestTemplate], assignment: Assignment
) -> Iterator[Problem]:
    def problem(key: str, message: str) -> Problem:
        return Problem(document.place(("searches", index, key)), message)

    template = by_id.get(entry.test)
    if template is None:
        yield problem("test", f"there is no test {quoted(entry.test)}{nearest(entry.test, by_id)}")
        return
    dialogue = template.test.interaction
    if not isinstance(dialogue, Dialogue):
        yield problem("test", f"{quoted(entry.test)} has no `input`; expected a test that types lines into the program")
    elif entry.vary is VariedValue.INPUT and entry.line > len(dialogue.lines):
        yield problem("line", f"found {entry.line}, but {quoted(entry.test)} types {len(dialogue.lines)} lines")
    if entry.vary is not VariedValue.INPUT and not assignment.provided:
        yield problem("vary", f"`{entry.vary}` is for `provided` modules, and assignment.yaml names none")
    pack = len(entry.pack.split()) if entry.pack is not None else len(PACK)
    if entry.vary is VariedValue.DECK and (_count(entry, template) or 1) > pack:
        yield problem("cards", f"found {_count(entry, template)} cards to be dealt from a `pack` of {pack}")
