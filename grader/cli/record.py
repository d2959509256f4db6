"""`grader record`: the instructor plays the reference, and what was typed becomes a test."""

import os
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.authoring.generate import VARIANT_VARIABLE
from grader.authoring.recording.add import add_test
from grader.authoring.recording.play import PlayedSession, play
from grader.authoring.test_file_editor import EditedTest, RecordError
from grader.cli import INTERRUPTED
from grader.cli.find import assignment_for_files, course_for
from grader.config.scalars import NAME, NAME_RULE
from grader.errors import nearest
from grader.expected.transcripts import expected_file
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue
from grader.model.program import Program, ProvidedSettings
from grader.reports.terminal.console import output_console
from grader.reports.theme import TERMINAL
from grader.run.environment import RunEnvironment, open_environment
from grader.run.workspace import workspace


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    """What the user asked for; None stands for the default."""

    program: Path
    assignment: str | None
    course: Path | None
    id: str | None
    title: str
    points: str
    public: bool
    output: Path | None


def run_record(asked: RecordRequest) -> int:
    """Let the reference be played and add the test; returns the exit code."""
    course = course_for(asked.course, asked.program)
    assignment = assignment_for_files(course, asked.assignment, [asked.program.name], asked.program)
    program = _program(assignment, asked.program.name)
    test_id = _test_id(assignment, asked.id)
    file = asked.output or _tests_file(assignment, program)
    if file.resolve().parent != (assignment.folder / "tests").resolve() or file.suffix != ".yaml":
        raise RecordError(f"{file} would not be read; expected a .yaml file in {assignment.folder / 'tests'}.")
    if not (os.isatty(0) and os.isatty(1)):
        raise RecordError("To record a test, play the program in a terminal; input and output must not be redirected.")
    console = output_console()
    console.print(f"Play {program.file}; what you type becomes the test {test_id}.", style=TERMINAL.muted)
    console.print("End of input: Ctrl-D. To give up: Ctrl-C.", style=TERMINAL.muted)
    with open_environment() as bench:
        played = _play(assignment, program, bench)
        if played.interrupted or played.exit_status is None:
            console.print("\nIt was interrupted; nothing is recorded.", style=TERMINAL.heading)
            return INTERRUPTED
        entry = EditedTest(
            id=test_id,
            title=asked.title,
            public=asked.public,
            points=asked.points,
            lines=played.lines,
            exit_status=played.exit_status,
        )
        add_test(course, assignment, file, (program.file, assignment.parts[0].id), entry, bench)
    console.print(f"added: {test_id} in {file}", soft_wrap=True)
    for test in course.assignment(assignment.id).tests:
        for variant in program.variants if test.id == test_id else ():
            console.print(f"written: {expected_file(assignment, test, variant)}", soft_wrap=True)
    return 0


def _program(assignment: Assignment, name: str) -> Program:
    program = assignment.program_of.get(name)
    if program is None:
        raise RecordError(f"{name} is no program of {assignment.id}{nearest(name, assignment.program_of)}")
    if not program.reference.is_file():
        raise RecordError(f"The reference {program.reference} is missing.")
    if program.reference.suffix != ".py":
        raise RecordError(f"Only references in Python can be played, and {program.reference.name} is none.")
    return program


def _test_id(assignment: Assignment, asked: str | None) -> str:
    taken = {test.id for test in assignment.tests}
    if asked is None:
        return next(name for number in count(1) if (name := f"recorded-{number}") not in taken)
    if not NAME.fullmatch(asked):
        raise RecordError(f"`{asked}` cannot be the id of a test; expected {NAME_RULE}.")
    if asked in taken:
        raise RecordError(f"There is a test with the id `{asked}` already.")
    return asked


def _tests_file(assignment: Assignment, program: Program) -> Path:
    """The file that the tests of the program are in, those that are typed into it if there are several."""
    tests = [test for test in assignment.tests if test.program == program.file and test.location]
    played = [test for test in tests if isinstance(test.interaction, Dialogue)] or tests
    files = sorted({test.location.file for test in played if test.location})
    if len(files) == 1:
        return files[0]
    if not files:
        return assignment.folder / "tests" / f"{Path(program.file).stem}.yaml"
    names = ", ".join(str(file) for file in files)
    raise RecordError(f"{program.file} has tests in several files: say with --output which of them: {names}")


def _play(assignment: Assignment, program: Program, bench: RunEnvironment) -> PlayedSession:
    """Play the reference where and how a test would run it."""
    edition = next(iter(assignment.editions), None)
    told = {**ProvidedSettings(edition=edition).environment, VARIANT_VARIABLE: program.variants[0]}
    files = (*assignment.provided_files, (program.reference, program.file))
    with workspace(files, bench.scratch) as folder:
        sys.stdout.flush()
        return play(bench.interpreter.program(program.file, folder, told), assignment.limits, 0, 1)
