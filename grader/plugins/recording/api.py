"""Turns a played session of a reference into a test."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.api.course import assignment_for_files, course_for
from grader.authoring.reference_files import reference_files
from grader.config.scalars import NAME, NAME_RULE
from grader.errors import nearest
from grader.expected.transcripts import expected_file
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue
from grader.model.program import Limits, Program, ProvidedSettings
from grader.plugins.recording.add import add_test
from grader.plugins.recording.play import PlayedSession, play, play_on_screen
from grader.plugins.recording.test_file import EditedTest, RecordError
from grader.run.environment import RunEnvironment, open_environment
from grader.run.interface import Launch
from grader.run.student_python import student_python
from grader.run.workspace import workspace


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    """The reference to play and the test to make from it; None means the default.

    `id` is by default recorded-1 and so on, `output` the file with the tests of the program. With `screen`, the
    program draws, and keys are recorded.
    """

    program: Path
    assignment: str | None = None
    course: Path | None = None
    id: str | None = None
    title: str = ""
    points: str = "0"
    public: bool = False
    output: Path | None = None
    screen: bool = False


@dataclass(frozen=True)
class RecordedTest:
    """A test that was recorded: the file that it was added to, and the expected files that were written."""

    id: str
    file: Path
    expected: tuple[Path, ...]


def record(request: RecordRequest, announce: Callable[[str, str], None]) -> RecordedTest | None:
    """Let a person play the reference in this terminal, and add the typed lines as a test, or return None after Ctrl-C.

    `announce` is called with the program and the id of the test when everything is ready. Raises RecordError if the
    test cannot be recorded.
    """
    course = course_for(request.course, request.program)
    assignment = assignment_for_files(course, request.assignment, [request.program.name], request.program)
    program = _program(assignment, request.program.name)
    test_id = _test_id(assignment, request.id)
    file = request.output or _tests_file(assignment, program)
    if file.parent.resolve() != (assignment.folder / "tests").resolve() or file.suffix != ".yaml":
        raise RecordError(f"{file} would not be read; expected a .yaml file in {assignment.folder / 'tests'}.")
    if not (os.isatty(0) and os.isatty(1)):
        raise RecordError("To record a test, play the program in a terminal; input and output must not be redirected.")
    announce(program.file, test_id)
    with open_environment(student_python(assignment.python)) as environment:
        played = _play(assignment, program, environment, play_on_screen if request.screen else play)
        if played.interrupted or played.exit_status is None:
            return None
        entry = EditedTest(
            id=test_id,
            title=request.title,
            public=request.public,
            points=request.points,
            lines=played.lines,
            exit_status=played.exit_status,
            way=played.way,
            settings=played.settings,
        )
        add_test(course, assignment, file, (program.file, assignment.parts[0].id), entry, environment=environment)
    (test,) = (test for test in course.assignment(assignment.id).tests if test.id == test_id)
    return RecordedTest(test_id, file, tuple(expected_file(assignment, test, variant) for variant in program.variants))


def _program(assignment: Assignment, name: str) -> Program:
    program = assignment.program_of.get(name)
    if program is None:
        raise RecordError(f"{name} is no program of {assignment.id}{nearest(name, assignment.program_of)}")
    if not program.reference.is_file():
        raise RecordError(f"The reference {program.reference} is missing.")
    if program.reference.suffix != ".py":
        raise RecordError(f"Only references in Python can be played, and {program.reference.name} is none.")
    return program


def _test_id(assignment: Assignment, named: str | None) -> str:
    taken = {test.id for test in assignment.tests}
    if named is None:
        return next(name for number in count(1) if (name := f"recorded-{number}") not in taken)
    if not NAME.fullmatch(named):
        raise RecordError(f"`{named}` cannot be the id of a test; expected {NAME_RULE}.")
    if named in taken:
        raise RecordError(f"There is a test with the id `{named}` already.")
    return named


def _tests_file(assignment: Assignment, program: Program) -> Path:
    """Return the file with the program's tests; if there are several, return the file with tests that type lines."""
    tests = [test for test in assignment.tests if test.program == program.file and test.location]
    played = [test for test in tests if isinstance(test.interaction, Dialogue)] or tests
    files = sorted({test.location.file for test in played if test.location})
    if len(files) == 1:
        return files[0]
    if not files:
        return assignment.folder / "tests" / f"{Path(program.file).stem}.yaml"
    names = ", ".join(str(file) for file in files)
    raise RecordError(f"{program.file} has tests in several files: say with --output which of them: {names}")


def _play(
    assignment: Assignment,
    program: Program,
    environment: RunEnvironment,
    hold: Callable[[Launch, Limits, int, int], PlayedSession],
) -> PlayedSession:
    """Play the reference in the folder and environment of a test."""
    edition = next(iter(assignment.editions), None)
    variables = ProvidedSettings(edition=edition, variant=program.variants[0]).environment
    files = reference_files(assignment, program, program.reference)
    with workspace(files, environment.scratch) as folder:
        return hold(environment.interpreter.program(program.file, folder, variables), assignment.limits, 0, 1)
