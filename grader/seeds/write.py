"""Writes tests into a file of tests/ and leaves those that are there as they are."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from grader.seeds.choice import Chosen
from grader.seeds.explore import Goal, Kind
from grader.seeds.search import Search, SeedsError
from grader.spec.assignment import Assignment
from grader.spec.document import Data, read_document
from grader.spec.load import load_assignment
from grader.spec.problem import SpecError

_HEADING = """\
# Made by `grader seeds {id}`, which adds to it what is missing. Give the tests points as you like.
format: 1
program: {program}
part: {part}
points: 0
tests:
"""


def file_of(assignment: Assignment, search: Search) -> Path:
    """Where the tests of a search are written."""
    return assignment.folder / "tests" / f"{search.id}.yaml"


def addition(assignment: Assignment, search: Search, chosen: Sequence[Chosen]) -> str:
    """What is to be written behind what is in the file: the heading of a new one, and the tests not yet there.

    Empty when every test is there. Raises SeedsError when another test has the id of a new one, or the file is not
    for tests of this program and part; SpecError when it is faulty.
    """
    new = [one for one in chosen if one.existing is None]
    if not new:
        return ""
    taken = {test.id for test in assignment.tests}
    for one in new:
        if one.test.id in taken:
            raise SeedsError(f"There is another test `{one.test.id}`: give the search `{search.id}` another id.")
    file = file_of(assignment, search)
    program, part = new[0].test.program, new[0].test.part
    if not file.exists():
        heading = _HEADING.format(id=assignment.id, program=program, part=part)
        return heading + "".join(_entry(one, {}) for one in new)
    old = read_document(file).data
    assert isinstance(old, dict)
    if (old["program"], old["part"]) != (program, part):
        raise SeedsError(f"{file} holds other tests: give the search `{search.id}` another id.")
    break_line = "" if file.read_bytes().endswith(b"\n") else "\n"
    return break_line + "".join(_entry(one, {"points": "0"}) for one in new)


def write(assignment: Assignment, search: Search, added: str) -> None:
    """Add to the file of a search. If the assignment then cannot be loaded, the file is as before, and SeedsError."""
    file = file_of(assignment, search)
    before = file.read_bytes() if file.exists() else None
    file.write_bytes((before or b"") + added.encode())
    try:
        load_assignment(assignment.folder, search.program.reference.parent)
    except SpecError as error:
        if before is None:
            file.unlink()
        else:
            file.write_bytes(before)
        raise SeedsError(
            f"{file} cannot be added to; expected `tests` as its last key, a line per `-`:\n{error}"
        ) from None


def goals_text(goals: frozenset[Goal]) -> str:
    """Goals in words: events and lengths by name, branches by number."""
    count = Counter(goal.kind for goal in goals)[Kind.BRANCH]
    named = [" ".join(goal.name.split()) for goal in sorted(goals) if goal.kind is not Kind.BRANCH]
    return "; ".join([*named, *([f"{count} branch{'es' * (count > 1)}"] if count else [])])


def _entry(chosen: Chosen, more: dict[str, Data]) -> str:
    test = chosen.test
    provision = test.provision
    entry: dict[str, Any] = {"id": test.id, "title": test.title, **more, **chosen.reached.candidate.template.keys}
    if provision.deck is not None:
        entry["deck"] = provision.deck
    if provision.random_seed is not None:
        entry["random_seed"] = str(provision.random_seed)
    entry["input"] = list(test.lines)
    return f"  # {goals_text(chosen.adds)}\n{written(entry)}"


def written(entry: dict[str, Any]) -> str:
    """An entry of a list, indented by two, as YAML that is read here as these very texts."""
    text = yaml.dump([entry], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return indent(text, "  ")


class _Dumper(yaml.SafeDumper):
    """Writes texts as they are read here: what looks like a number is a text too and needs no quotes."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (as PyYAML has it)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True
