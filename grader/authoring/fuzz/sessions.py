"""A random session, and the test that plays it: made for a run, or written into a file of tests."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, assert_never

from grader.authoring.fuzz.fuzz_file import FuzzError, SessionPlan, VariedDeal
from grader.authoring.generate import generate
from grader.authoring.recording.add import replaced_file, write_expected
from grader.authoring.seeds.explore import deed
from grader.authoring.seeds.search_file import PACK, cards_stated, shuffled_deck
from grader.authoring.test_file_editor import written
from grader.config.yaml_reader import read_document
from grader.errors import SpecError
from grader.files.digest import digest
from grader.model.assignment import Assignment
from grader.model.counting import COUNTS_ALONE
from grader.model.expectation import FROM_REFERENCE
from grader.model.interaction import (
    USUAL_CHECKS,
    Dialogue,
    FunctionCall,
    Interaction,
    InteractorRun,
    OwnTests,
    ReplSession,
    StdinRun,
    program_input,
)
from grader.model.program import ProvidedSettings
from grader.model.test import Test
from grader.run.environment import RunEnvironment
from grader.spec.course import Course

_CALLS_AT_ONCE = 50


_NUMBER = re.compile(r"(?:(?<![\w.])|(?=-))-?[0-9]{1,18}(?![\w.])")


@dataclass(frozen=True)
class RandomSession:
    """What is typed or read, line by line, or the only call; `deal` is the seed of the deck or of chance."""

    texts: tuple[str, ...]
    deal: int | None = None


@dataclass(frozen=True)
class PlayedTest:
    """A test that plays these sessions: one, or several calls that a process makes one after the other.

    `drawn` is the session as it was drawn, where the reference does not read all of that.
    """

    sessions: tuple[RandomSession, ...]
    test: Test
    drawn: RandomSession | None = None


def is_left_open(plan: SessionPlan, session: RandomSession) -> bool:
    """Whether the handout does not say what such a session comes to."""
    return any(pattern.search(text) for pattern in plan.left_open for text in session.texts)


def played_tests(plan: SessionPlan, sessions: Sequence[RandomSession]) -> list[PlayedTest]:
    """The tests that play the sessions, as few as there can be."""
    return [played_test(plan, some) for some in _in_groups(sessions, _most_at_once(plan))]


def _in_groups(sessions: Sequence[RandomSession], most: int) -> Iterator[tuple[RandomSession, ...]]:
    for start in range(0, len(sessions), most):
        yield tuple(sessions[start : start + most])


def _most_at_once(plan: SessionPlan) -> int:
    """How many sessions a process may play: several only where what one leaves behind cannot concern the others."""
    call = plan.template.test.interaction
    alone = not isinstance(call, FunctionCall) or call.lines or call.variables or call.setup
    return 1 if alone or plan.vary is not None or plan.template.test.checker is not None else _CALLS_AT_ONCE


def played_test(plan: SessionPlan, sessions: tuple[RandomSession, ...]) -> PlayedTest:
    """The test that plays these sessions, as the test of the plan says what is not theirs."""
    like = plan.template.test
    name = digest([[list(session.texts), session.deal] for session in sessions])[:8]
    test = replace(
        like,
        id=f"{plan.id}-{name}",
        title="",
        interaction=_interaction(like.interaction, sessions),
        provision=_provision(plan, sessions[0]),
        expectation=FROM_REFERENCE,
        hidden_twin_of=None,
        sealed=False,
        counting=COUNTS_ALONE,
        partial=None,
        sample=None,
        location=None,
    )
    return PlayedTest(sessions, test)


def _interaction(like: Interaction, sessions: tuple[RandomSession, ...]) -> Interaction:
    lines = sessions[0].texts
    match like:
        case Dialogue() | ReplSession():
            return replace(like, lines=lines)
        case StdinRun():
            return StdinRun(name=None, text="".join(f"{line}\n" for line in lines))
        case FunctionCall():
            return replace(like, calls=tuple(session.texts[0] for session in sessions))
        case OwnTests() | InteractorRun():
            raise ValueError("a test that random sessions cannot be like")
        case _:
            assert_never(like)


def _provision(plan: SessionPlan, session: RandomSession) -> ProvidedSettings:
    like = plan.template.test
    if session.deal is None:
        return like.provision
    match plan.vary:
        case VariedDeal.DECK:
            return replace(like.provision, deck=shuffled_deck(PACK, session.deal, cards_stated(like)))
        case VariedDeal.RANDOM_SEED:
            return replace(like.provision, random_seed=session.deal)
        case None:
            return like.provision
        case _:
            assert_never(plan.vary)


def numbers_in(texts: Iterable[str]) -> list[int]:
    """The whole numbers that stand in the texts, each once, those near 0 first.

    Of `n-1` both -1 and 1 are taken, since the sign may be a minus.
    """
    found = {int(number) for text in texts for number in _NUMBER.findall(text)}
    return sorted(found | set(map(abs, found)), key=lambda number: (abs(number), number < 0))


def texts_of(test: Test) -> Iterator[str]:
    """What the test types, gives to read, or calls."""
    yield program_input(test.interaction)
    if isinstance(test.interaction, FunctionCall):
        yield from (*test.interaction.setup, *test.interaction.calls)


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
    plan: SessionPlan,
    sessions: Sequence[RandomSession],
    environment: RunEnvironment,
    *,
    jobs: int,
) -> AddedTests | None:
    """Add a test for each session that no test plays yet, with its expected files; None if there is none to add.

    Raises FuzzError or another GraderError, and leaves everything as it was, when the file cannot take them.
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
        if [deed(test) for test in tests] != [deed(test) for _, _, test in new]:
            raise FuzzError(
                f"The tests cannot be written to {file} so that they are like `{plan.template.test.id}`, whose loop or "
                "whose file says what they would need. Name a test of its own in fuzz.yaml."
            )
        write_expected(generate(assignment, tests, environment, jobs=jobs, tick=lambda: None))
    return AddedTests(file, tuple(name for name, _, _ in new))


def _new_tests(
    assignment: Assignment, plan: SessionPlan, sessions: Sequence[RandomSession]
) -> Iterator[tuple[str, RandomSession, Test]]:
    """The sessions that no test plays, with names that no test has."""
    there = {deed(test) for test in assignment.tests}
    taken = {test.id for test in assignment.tests}
    names = (name for number in count(1) if (name := f"{plan.id}-{number}") not in taken)
    for session in sessions:
        test = played_test(plan, (session,)).test
        if deed(test) not in there:
            there.add(deed(test))
            yield next(names), session, test


def _content(assignment: Assignment, plan: SessionPlan, file: Path, entries: Sequence[str]) -> bytes:
    program, part = plan.template.test.program, plan.template.test.part
    if not file.exists():
        heading = _HEADING.format(id=assignment.id, program=program, part=part)
        return (heading + "".join(entries)).encode()
    old = read_document(file).data
    if not isinstance(old, dict) or (old["program"], old["part"]) != (program, part):
        raise FuzzError(f"{file} holds other tests: give the entry `{plan.id}` of fuzz.yaml another id.")
    before = file.read_bytes()
    return before + (b"" if before.endswith(b"\n") else b"\n") + "".join(entries).encode()


def _entry(plan: SessionPlan, name: str, session: RandomSession, test: Test) -> str:
    """The test as an item of the list in its file."""
    entry: dict[str, Any] = {"id": name, "title": _TITLE, "points": "0", **plan.template.keys}
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
    return written(entry)
