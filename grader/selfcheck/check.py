"""Self-checks, which run an assignment's public tests on a program, wherever the assignment comes from.

Bundles run this on a bare Python, so it must not need any of the packages for reading a course.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import GraderError, closest, quoted, reported_as
from grader.expected.transcripts import ExpectedTranscripts, write_transcript
from grader.files.archive_reader import UnsafeInputError
from grader.grading.grade_submission import TestSession
from grader.intake.further_files import unused_words
from grader.intake.match_files import ANY_DEPTH, FoundFile, file_requirements, files_in, match_files
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test, Visibility
from grader.reports.printed_report import CheckSettings
from grader.run.find_python import StudentPython
from grader.run.interface import RunnerFactory
from grader.run.student_python import python_for_check
from grader.run.system import SystemKind, can_run, lacks, this_system
from grader.text.sentence import say

PUBLIC_ONLY = frozenset({Visibility.PUBLIC})
Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""A context manager created from a task's name and its number of steps, which yields a function to call after each
step.
"""


TakeIn = Callable[[Assignment, Path], AbstractContextManager[Submission]]
"""A context manager that yields the files at a path as a submission; the files exist in its context. Raises CheckError.
"""


@dataclass(frozen=True)
class FinishedTest:
    """A completed test; the verdict is None while it depends on other tests."""

    session: TestSession
    verdict: Verdict | None


StopRule = Callable[[Test, Sequence[FinishedTest]], str | None]
"""A function that returns why a test is skipped after the finished ones, in words for students, or None."""


class CheckError(GraderError):
    """There is nothing to check, or it cannot be checked."""


@contextmanager
def open_unchanged(assignment: Assignment, path: Path) -> Iterator[Submission]:
    """Yield the folder or single program at `path`, unchanged, as a submission."""
    yield submission_at(assignment, path)


@dataclass(frozen=True, kw_only=True)
class SelfCheck:
    """A program or folder to check, the tests that `system` can run, and the ids of the tests that it cannot.

    Programs are run with `python`. `take_in` yields the files as a submission. `stop_rules` decide which tests are
    skipped, `remarks` tell the student about the choice of tests.
    """

    assignment: Assignment
    path: Path
    tests: tuple[Test, ...]
    transcripts: ExpectedTranscripts
    system: SystemKind
    left_out: tuple[str, ...]
    python: StudentPython = StudentPython()
    take_in: TakeIn = open_unchanged
    stop_rules: tuple[StopRule, ...] = ()
    remarks: tuple[str, ...] = ()

    def settings(self, show: int, *, full: bool = False) -> CheckSettings:
        """Return the settings that reports show before the first test."""
        return CheckSettings(
            assignment=self.assignment,
            tests=self.tests,
            show=show,
            full=full,
            lacks=(*self.remarks, *self._changed_copies, *self.other_python, *lacks(self.system)),
            left_out=self.left_out,
            folder=self.path,
        )

    @property
    def other_python(self) -> tuple[str, ...]:
        """Warnings that programs run with a different version of Python than in the course."""
        difference = self.assignment.python.differs_from(self.python.version)
        return () if difference is None else (difference,)

    @property
    def _changed_copies(self) -> Iterator[str]:
        """Yield a warning for each provided module that differs from the student's own copy."""
        folder = self.path if self.path.is_dir() else self.path.parent
        for module in self.assignment.provided:
            with suppress(OSError):
                if (folder / module.file).read_bytes().split() != module.source.read_bytes().split():
                    yield say("the tests use the course's {file}; your own copy differs from it", file=module.file)


def names_at(path: Path) -> list[str]:
    """Return the names of the files to check, which are `path` itself or the contents of that folder.

    Raises CheckError.
    """
    if not path.exists():
        close = None
        with suppress(OSError):
            close = closest(path.name, [entry.name for entry in path.parent.iterdir()])
        hint = f"; did you mean {quoted(close)}?" if close else "."
        raise CheckError(f"There is no file or folder {path}{hint}")
    return [_name_of(entry) for entry in ([path] if path.is_file() else path.iterdir())]


def self_check(
    assignment: Assignment,
    path: Path,
    transcripts_of: Callable[[Sequence[Test]], ExpectedTranscripts],
    visibilities: Collection[Visibility] = PUBLIC_ONLY,
    system: SystemKind = this_system(),
) -> SelfCheck:
    """Prepare to check `path` with the tests of these visibilities; `transcripts_of` returns their expected output.

    Raises CheckError without tests that `system` can run, and PythonMissingError if packages are missing.
    """
    tests = _tests_for(assignment, path, visibilities)
    possible = tuple(test for test in tests if can_run(system, test))
    if not possible:
        raise CheckError(f"None of the tests can be run on this system: {'; '.join(lacks(system))}.")
    left_out = tuple(test.id for test in tests if test not in possible)
    return SelfCheck(
        assignment=assignment,
        path=path,
        tests=possible,
        transcripts=transcripts_of(possible),
        system=system,
        left_out=left_out,
        python=python_for_check(assignment.python, system),
    )


def _tests_for(assignment: Assignment, path: Path, visibilities: Collection[Visibility]) -> list[Test]:
    named = assignment.program_named
    if path.is_file() and _name_of(path) not in named:
        close = closest(_name_of(path), named)
        hint = f"; rename it to {close} if it is your program" if close else f"; expected one of: {', '.join(named)}"
        raise CheckError(f"{path.name} is no program of {assignment.id}{hint}.")
    programs = {named[_name_of(path)].file} if path.is_file() else set(assignment.program_of)
    tests = [test for test in assignment.tests if test.visibility in visibilities and test.program in programs]
    if not tests:
        kinds = " or ".join(sorted(visibilities))
        raise CheckError(f"{assignment.id} has no {kinds} test for {', '.join(sorted(programs))}.")
    return tests


def open_runners(system: SystemKind, python: StudentPython = StudentPython()) -> AbstractContextManager[RunnerFactory]:
    """Open the runners for a self-check's tests on this kind of system, with `python` if there is a choice."""
    # Imported late, because each module needs features that other systems lack.
    if system is SystemKind.PIPES:
        from grader.run.portable.runner import pipe_runners

        return pipe_runners()
    from grader.run.environment import open_environment
    from grader.run.terminal.session import BEST_PROBES, PROBES_WITHOUT_PROC, SessionDrivers

    return open_environment(
        python, drivers=SessionDrivers(BEST_PROBES if system is SystemKind.LINUX else PROBES_WITHOUT_PROC)
    )


def _name_of(path: Path) -> str:
    """Return the name of a program with composed accents, as in the assignment."""
    return unicodedata.normalize("NFC", path.name)


def submission_at(assignment: Assignment, path: Path) -> Submission:
    """Return the folder or single program at `path` as a submission. Raises CheckError if it cannot be read."""
    if not path.is_dir():
        return Submission(
            student=path.name,
            files=(SubmittedFile(_name_of(path), path.resolve()), *_further_beside(assignment, path)),
            submitted=None,
            time_source=TimeSource.NONE,
            notes=(),
        )
    with reported_as(CheckError, f"{path} cannot be read"):
        student_files = _files_in(path, assignment, ANY_DEPTH)
        matched = match_files(student_files, file_requirements(assignment))
    return Submission(
        student=path.resolve().name,
        files=matched.files,
        submitted=None,
        time_source=TimeSource.NONE,
        notes=(*matched.notes, *((unused_words(matched.unused),) if matched.unused else ())),
        unused=matched.unused,
        refused=matched.refused,
    )


def _further_beside(assignment: Assignment, path: Path) -> tuple[SubmittedFile, ...]:
    """Return the files that can be submitted with the program at `path`. Raises CheckError."""
    if not assignment.further_files:
        return ()
    name = _name_of(path)
    program = assignment.program_named[name]
    alone = replace(file_requirements(assignment), programs={program.file: (name,)})
    with reported_as(CheckError, f"{path.parent} cannot be read"):
        deepest = max(pattern.count("/") for pattern in assignment.further_files)
        matched = match_files(_files_in(path.parent, assignment, deepest), alone)
    return tuple(file for file in matched.files if file.name not in assignment.program_named)


def _files_in(folder: Path, assignment: Assignment, deepest: int) -> tuple[FoundFile, ...]:
    """Return the files in the student's folder. Raises CheckError if there are too many, and OSError."""
    try:
        return files_in(folder, assignment.submission_policy.files, deepest)
    except UnsafeInputError as error:
        advice = "Put what is to be handed in into a new folder."
        raise CheckError(f"{folder} cannot be checked: {error}. {advice}") from None


def save_outputs(graded: GradedSubmission, folder: Path) -> None:
    """Write the program's output to `folder`, with one file per test. Raises CheckError if that fails."""
    with reported_as(CheckError, f"The outputs cannot be saved in {folder}"):
        for result in graded.results:
            if result.outcome:
                write_transcript(folder / f"{result.test.id}.txt", result.outcome.transcript)
