"""Adds tests to a YAML file in tests/, and leaves the text of those that are there as it is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from grader.authoring.seeds.explore import CoverageGoal, GoalKind, SelectedTest
from grader.authoring.seeds.search_file import SeedSearch, SeedsError
from grader.config.yaml_reader import YamlData, parse, read_document
from grader.config.yaml_writer import TextDumper
from grader.errors import GraderError, SpecError
from grader.model.assignment import Assignment
from grader.model.interaction import typed_lines
from grader.spec.load import load_assignment

_STRING = "tag:yaml.org,2002:str"
_SEQUENCE = "tag:yaml.org,2002:seq"
_MAPPING = "tag:yaml.org,2002:map"
_WIDTH = 100
_ENDLESS = 1 << 30
_HEADING = """\
# Made by `grader seeds {id}`, which adds to it what is missing. Give the tests points as you like.
format: 1
program: {program}
part: {part}
points: 0
tests:
"""


class RecordError(GraderError):
    """What was played cannot be a test, or cannot be put into the file."""


@dataclass(frozen=True, kw_only=True)
class EditedTest:
    """A test to be written: `points` as text, `lines` as typed."""

    id: str
    title: str
    public: bool
    points: str
    lines: tuple[str, ...]
    exit_status: int

    def text(self) -> str:
        """The mapping as YAML, its lines ended by line feeds."""
        values: list[tuple[str, str]] = [("id", self.id)]
        values += [("title", self.title)] if self.title else []
        values += [("visibility", "public")] if self.public else []
        values.append(("points", self.points))
        pairs: list[tuple[yaml.Node, yaml.Node]] = [(_scalar(key), _scalar(value)) for key, value in values]
        pairs.append((_scalar("input"), _lines(self.lines)))
        if self.exit_status:
            pairs.append((_scalar("exit_status"), _scalar(str(self.exit_status))))
        return _serialized(yaml.MappingNode(_MAPPING, pairs, flow_style=False))


def new_tests_file(program: str, part: str, entry: EditedTest) -> str:
    """A tests file with nothing but this test."""
    return f"format: 1\nprogram: {program}\npart: {part}\ntests:\n{_item(entry, 2)}"


def with_test(file: Path, text: str, entry: EditedTest) -> str:
    """`text`, which `file` holds, with one test more after its last one; all else stays as it is.

    Raises SpecError when it is not YAML and RecordError when its tests are not a list of lines that begin with `-`.
    """
    tests = _tests(parse(file, text))
    if tests is None:
        raise RecordError(f"{file}: a test can be added only below `tests:` with a line per test that begins with `-`.")
    end = _end(tests)
    if text[end - 1] != "\n":
        found = text.find("\n", end)
        end = len(text) if found < 0 else found + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text[:end] if text[:end].endswith("\n") else text[:end] + newline
    return before + _item(entry, tests.start_mark.column).replace("\n", newline) + text[end:]


def _tests(root: yaml.Node | None) -> yaml.SequenceNode | None:
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "tests" and isinstance(value, yaml.SequenceNode) and not value.flow_style and value.value:
            return value
    return None


def _end(node: yaml.Node) -> int:
    """Where the text of a node ends; the end of a block, as YAML sees it, is after the comments that follow."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _item(entry: EditedTest, column: int) -> str:
    indent = " " * column
    first, *rest = entry.text().splitlines(keepends=True)
    return f"{indent}- {first}" + "".join(f"{indent}  {line}" for line in rest)


def _lines(lines: tuple[str, ...]) -> yaml.Node:
    flow = yaml.SequenceNode(_SEQUENCE, [_scalar(line) for line in lines], flow_style=True)
    flow.flow_style = not lines or len(_serialized(flow)) <= _WIDTH
    return flow


def _scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(_STRING, text)


def _serialized(node: yaml.Node) -> str:
    """As YAML. The base resolver sees nothing but texts, so only what YAML itself demands is quoted."""
    text: str = yaml.serialize(node, Dumper=yaml.BaseDumper, allow_unicode=True, width=_ENDLESS)
    return text


def file_of(assignment: Assignment, search: SeedSearch) -> Path:
    """Where the tests of a search are written."""
    return assignment.folder / "tests" / f"{search.id}.yaml"


def addition(assignment: Assignment, search: SeedSearch, chosen: Sequence[SelectedTest]) -> str:
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
    if not isinstance(old, dict) or (old["program"], old["part"]) != (program, part):
        raise SeedsError(f"{file} holds other tests: give the search `{search.id}` another id.")
    break_line = "" if file.read_bytes().endswith(b"\n") else "\n"
    return break_line + "".join(_entry(one, {"points": "0"}) for one in new)


def write(assignment: Assignment, search: SeedSearch, added: str) -> None:
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


def goals_text(goals: frozenset[CoverageGoal]) -> str:
    """Goals in words: events and lengths by name, branches by number."""
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
    return f"  # {goals_text(chosen.adds)}\n{written(entry)}"


def written(entry: dict[str, Any]) -> str:
    """An entry of a list, indented by two, as YAML that is read here as these very texts."""
    text: str = yaml.dump(
        [entry], Dumper=TextDumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return indent(text, "  ")
