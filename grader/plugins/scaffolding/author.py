"""Functions for authors of assignments who work with expected transcripts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath, Progress, no_progress
from grader.authoring.generate import answered
from grader.authoring.generate import generate as run_references
from grader.authoring.stale_files import TranscriptFinding, findings, repair
from grader.expected.transcripts import wanted
from grader.model.assignment import Assignment
from grader.model.python_request import minor_version
from grader.run.environment import open_environment
from grader.run.find_python import StudentPython, python_at
from grader.run.run_slots import cores
from grader.run.student_python import asked_python, with_packages


@dataclass(frozen=True)
class GeneratedTranscripts:
    """The number of expected files of an assignment, and the files that were out of date.

    `notes` are for the authors of the assignment.
    """

    assignment: Assignment
    count: int
    findings: tuple[TranscriptFinding, ...]
    notes: tuple[str, ...] = ()


ReportGenerated = Callable[[GeneratedTranscripts], None]
"""A function that receives each assignment's result as soon as it is available."""


def _ignore(_generated: GeneratedTranscripts) -> None:
    pass


def generate(
    assignments: Sequence[str] | None = None,
    *,
    course: FilePath | None = None,
    python: FilePath | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
    report: ReportGenerated = _ignore,
) -> tuple[GeneratedTranscripts, ...]:
    """Run the references and update the expected files of the given assignments, by default of all assignments.

    `python` is the interpreter to use instead of the one that the assignments ask for, and `jobs` is the number of
    parallel sessions, by default one per core. Raises GenerationError if a reference fails, and another GraderError if
    the course or assignment does not exist.
    """

    def repair_all(generated: GeneratedTranscripts) -> None:
        for finding in generated.findings:
            repair(finding)
        report(generated)

    return find_stale(assignments, course=course, python=python, jobs=jobs, progress=progress, report=repair_all)


def find_stale(
    assignments: Sequence[str] | None = None,
    *,
    course: FilePath | None = None,
    python: FilePath | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
    report: ReportGenerated = _ignore,
) -> tuple[GeneratedTranscripts, ...]:
    """Return what `generate` would change, without changing it. Takes the same arguments and raises the same errors."""
    course_found = course_for(Path(course) if course is not None else None, Path.cwd())
    chosen = [course_found.assignment(name) for name in assignments] if assignments else course_found.assignments()
    named = None if python is None else python_at(Path(python))
    done = []
    for assignment in chosen:
        count = len(list(wanted(assignment, assignment.tests)))
        chosen_python = _python_for(assignment, named, progress)
        steps = len(list(answered(assignment, assignment.tests)))
        with open_environment(chosen_python) as environment, progress(assignment.id, steps) as tick:
            texts = run_references(assignment, assignment.tests, environment, jobs=jobs or cores(), tick=tick)
        found_there = tuple(findings(assignment.folder / "expected", texts))
        generated = GeneratedTranscripts(assignment, count, found_there, _version_warning(assignment, named))
        report(generated)
        done.append(generated)
    return tuple(done)


def _python_for(assignment: Assignment, named: StudentPython | None, progress: Progress) -> StudentPython:
    """Return the Python from the command line, or else the one that the assignment asks for."""
    request = assignment.python
    return with_packages(named or asked_python(request), request, lambda task: progress(task, 0))


def _version_warning(assignment: Assignment, named: StudentPython | None) -> tuple[str, ...]:
    """Return a warning if the Python from the command line is not the version that the assignment asks for."""
    asked = assignment.python.version
    if named is None or asked in (None, minor_version(named.version)):
        return ()
    warning = f"the references were run with Python {named.version}, as --python says; assignment.yaml asks for {asked}"
    return (f"{assignment.id}: {warning}",)
