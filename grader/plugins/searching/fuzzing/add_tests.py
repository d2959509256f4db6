"""Writes random sessions as tests into a tests file, with their expected files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from grader.authoring.add_tests import replaced_file, write_expected
from grader.authoring.generate import generate
from grader.config.yaml_reader import read_document
from grader.errors import SpecError, quoted
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue, FunctionCall, ReplSession, StdinRun
from grader.model.test import Test
from grader.plugins.searching.entry_text import entry_text
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession, played_test
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan
from grader.plugins.searching.test_templates import action_digest
from grader.run.environment import RunEnvironment
from grader.spec.course import Course
from grader.spec.tests_file import USUAL_CHECKS

_HEADING = """\
# Sessions that `grader fuzz {id}` found. Give the tests points as you like.
format: 1
program: {program}
part: {part}
tests:
"""
_TITLE = "a session found at random"


@dataclass(frozen=True)
class AddedTests:
    """The tests that were added to a file."""

    file: Path
    ids: tuple[str, ...]


def add_sessions(
    course: Course,
    assignment: Assignment,
    plan: FuzzPlan,
    sessions: Sequence[RandomSession],
    environment: RunEnvironment,
    *,
    jobs: int,
) -> AddedTests | None:
    """Add a test for each session that no test plays yet, with its expected files; return None if nothing is new.

    Raises FuzzError or another GraderError, without changing anything, if they cannot be added to the file.
    """
    new = list(_new_tests(assignment, plan, sessions))
    if not new:
        return None
    file = assignment.folder / "tests" / f"{plan.id}.yaml"
    content = _content(assignment, plan, file, [_entry(plan, name, session, test) for name, session, test in new])
    with replaced_file(file, content):
        try:
            loaded = {test.id: test for test in course.assignment(assignment.id).tests}
        except SpecError as error:
            raise FuzzError(f"{file} cannot be added to; expected `tests` as its last key:\n{error}") from None
        tests = [loaded[name] for name, _, _ in new if name in loaded]
        if [action_digest(test) for test in tests] != [action_digest(test) for _, _, test in new]:
            names = ", ".join(quoted(like.test.id) for like in plan.templates)
            raise FuzzError(
                f"The tests cannot be written to {file} so that they are like {names}, whose loop or whose file says "
                "what they would need. Name a test of its own in fuzz.yaml."
            )
        write_expected(generate(assignment, tests, environment, jobs=jobs, tick=lambda: None))
    return AddedTests(file, tuple(name for name, _, _ in new))


def _new_tests(
    assignment: Assignment, plan: FuzzPlan, sessions: Sequence[RandomSession]
) -> Iterator[tuple[str, RandomSession, Test]]:
    """Yield the sessions that no test plays, with names that no test has."""
    present = {action_digest(test) for test in assignment.tests}
    taken = {test.id for test in assignment.tests}
    names = (name for number in count(1) if (name := f"{plan.id}-{number}") not in taken)
    for session in sessions:
        test = played_test(plan, (session,)).test
        if action_digest(test) not in present:
            present.add(action_digest(test))
            yield next(names), session, test


def _content(assignment: Assignment, plan: FuzzPlan, file: Path, entries: Sequence[str]) -> bytes:
    program, part = plan.program.file, plan.templates[0].test.part
    if not file.exists():
        heading = _HEADING.format(id=assignment.id, program=program, part=part)
        return (heading + "".join(entries)).encode()
    old = read_document(file).data
    if not isinstance(old, dict) or (old["program"], old["part"]) != (program, part):
        raise FuzzError(f"{file} holds other tests: give the entry `{plan.id}` of fuzz.yaml another id.")
    before = file.read_bytes()
    return before + (b"" if before.endswith(b"\n") else b"\n") + "".join(entries).encode()


def _entry(plan: FuzzPlan, name: str, session: RandomSession, test: Test) -> str:
    """Return the test as an item of the list in its file."""
    entry: dict[str, Any] = {"id": name, "title": _TITLE, "points": "0", **plan.templates[session.like].keys}
    if test.provision.deck is not None:
        entry["deck"] = test.provision.deck
    if test.provision.random_seed is not None:
        entry["random_seed"] = str(test.provision.random_seed)
    match test.interaction:
        case Dialogue():
            entry["input"] = list(session.texts)
        case ReplSession():
            entry["repl"] = list(session.texts)
        case StdinRun(text=text):
            entry.pop("stdin", None)
            entry["stdin_text"] = text
        case FunctionCall(lines=lines, checks=checks):
            entry["call"] = session.texts[0]
            if checks != frozenset(USUAL_CHECKS):
                entry["checks"] = sorted(check.value for check in checks)
            if lines:
                entry["input"] = list(lines)
    return entry_text(entry)
