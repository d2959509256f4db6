"""Adds the tests of a search to their file in tests/."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.authoring.add_tests import replaced_file
from grader.config.yaml_reader import YamlData, read_document
from grader.errors import SpecError
from grader.model.assignment import Assignment
from grader.model.interaction import typed_lines
from grader.plugins.searching.entry_text import entry_text
from grader.plugins.searching.seeds.explore import CoverageGoal, GoalKind, SelectedTest
from grader.plugins.searching.seeds.search_file import SeedSearch, SeedsError
from grader.spec.load import load_assignment

_HEADING = """\
# Made by `grader seeds {id}`, which adds to it what is missing. Give the tests points as you like.
format: 1
program: {program}
part: {part}
points: 0
tests:
"""


def file_of(assignment: Assignment, search: SeedSearch) -> Path:
    """Return the path of the file for the tests of a search."""
    return assignment.folder / "tests" / f"{search.id}.yaml"


def addition(assignment: Assignment, search: SeedSearch, chosen: Sequence[SelectedTest]) -> str:
    """Return the text to append to the file: the heading if it is new, and the tests that it does not have yet.

    The text is empty if every test exists already. Raises SeedsError if another test has the id of a new test, or the
    file is not for tests of this program and part, and SpecError if it is faulty.
    """
    new = [choice for choice in chosen if choice.existing is None]
    if not new:
        return ""
    taken = {test.id for test in assignment.tests}
    for choice in new:
        if choice.test.id in taken:
            raise SeedsError(f"There is another test `{choice.test.id}`: give the search `{search.id}` another id.")
    file = file_of(assignment, search)
    program, part = new[0].test.program, new[0].test.part
    if not file.exists():
        heading = _HEADING.format(id=assignment.id, program=program, part=part)
        return heading + "".join(_entry(choice, {}) for choice in new)
    old = read_document(file).data
    if not isinstance(old, dict) or (old["program"], old["part"]) != (program, part):
        raise SeedsError(f"{file} holds other tests: give the search `{search.id}` another id.")
    break_line = "" if file.read_bytes().endswith(b"\n") else "\n"
    return break_line + "".join(_entry(choice, {"points": "0"}) for choice in new)


def write(assignment: Assignment, search: SeedSearch, added: str) -> None:
    """Add to the file of a search. If the assignment then fails to load, restore the file and raise SeedsError."""
    file = file_of(assignment, search)
    before = file.read_bytes() if file.exists() else b""
    with replaced_file(file, before + added.encode()):
        try:
            load_assignment(assignment.folder, search.program.reference.parent)
        except SpecError as error:
            raise SeedsError(
                f"{file} cannot be added to; expected `tests` as its last key, a line per `-`:\n{error}"
            ) from None


def goals_text(goals: frozenset[CoverageGoal]) -> str:
    """Put goals into words: events and lengths by name, branches by number."""
    count = Counter(goal.kind for goal in goals)[GoalKind.BRANCH]
    named = [" ".join(goal.name.split()) for goal in sorted(goals) if goal.kind is not GoalKind.BRANCH]
    return "; ".join([*named, *([f"{count} branch{'es' * (count > 1)}"] if count else [])])


def _entry(chosen: SelectedTest, more: dict[str, YamlData]) -> str:
    test = chosen.test
    provision = test.provision
    entry: dict[str, Any] = {"id": test.id, "title": test.title, **more, **chosen.reached.candidate.template.keys}
    if provision.deck is not None:
        entry["deck"] = provision.deck
    if provision.random_seed is not None:
        entry["random_seed"] = str(provision.random_seed)
    entry["input"] = list(typed_lines(test.interaction))
    return f"  # {goals_text(chosen.adds)}\n{entry_text(entry)}"
