"""Functions for authors of assignments: expected transcripts, bundles and schemas."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.api.course import course_for, load
from grader.api.request import FilePath, Progress, no_progress
from grader.authoring.generate import answered
from grader.authoring.generate import generate as run_references
from grader.authoring.stale_files import TranscriptFinding, findings, repair
from grader.class_files.all_files import CommentsFile
from grader.class_files.extensions import ExtensionsFile
from grader.class_files.manual_marks import MarksFile
from grader.class_files.overrides import OverridesFile
from grader.class_files.requests import RequestsFile
from grader.class_files.roster import RosterFile
from grader.config.json_schema import json_schema
from grader.config.validation import SpecModel
from grader.errors import GraderError, reported_as
from grader.expected.transcripts import wanted
from grader.extensions import SCHEMAS, extensions
from grader.intake.choose_attempt import SubmissionFile
from grader.model.assignment import Assignment
from grader.model.python_request import minor_version
from grader.run.environment import open_environment
from grader.run.find_python import StudentPython, python_at
from grader.run.run_slots import cores
from grader.run.student_python import asked_python, with_packages
from grader.selfcheck.bundle import BundleFile, make_file, make_folder
from grader.spec.assignment_file import AssignmentFile
from grader.spec.tests_file import TestsFile

SCHEMA_MODELS: dict[str, type[SpecModel]] = {
    "assignment": AssignmentFile,
    "tests": TestsFile,
    "extensions": ExtensionsFile,
    "marks": MarksFile,
    "overrides": OverridesFile,
    "comments": CommentsFile,
    "requests": RequestsFile,
    "roster": RosterFile,
    "submission": SubmissionFile,
}
"""The kinds of YAML files of the core that people write, by the name of the schema."""


class SchemaError(GraderError):
    """The schemas cannot be written, or there is none of that name."""


@dataclass(frozen=True)
class GeneratedTranscripts:
    """The expected files of an assignment: how many there are to be, and those that were not as they should be.

    `notes` are for those who write the assignment.
    """

    assignment: Assignment
    count: int
    findings: tuple[TranscriptFinding, ...]
    notes: tuple[str, ...] = ()


ReportGenerated = Callable[[GeneratedTranscripts], None]
"""Hears of each assignment as soon as it is done."""


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
    """Run the references and bring the expected files of the assignments, by default of all, up to date.

    `python` is the interpreter to run them with in place of what the assignments ask for, `jobs` the number of sessions
    at a time, by default one per core.
    Raises GenerationError when a reference fails, another GraderError when there is no such course or assignment.
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
    """Find what `generate` would change, and change nothing. It takes and raises the same."""
    done = []
    for generated in _generated(assignments, course, python, jobs, progress):
        report(generated)
        done.append(generated)
    return tuple(done)


def _generated(
    names: Sequence[str] | None,
    course: FilePath | None,
    named_python: FilePath | None,
    jobs: int | None,
    progress: Progress,
) -> Iterator[GeneratedTranscripts]:
    course_found = course_for(Path(course) if course is not None else None, Path.cwd())
    chosen = [course_found.assignment(name) for name in names] if names else course_found.assignments()
    named = None if named_python is None else python_at(Path(named_python))
    for assignment in chosen:
        count = len(list(wanted(assignment, assignment.tests)))
        python = _python_for(assignment, named, progress)
        steps = len(list(answered(assignment, assignment.tests)))
        with open_environment(python) as environment, progress(assignment.id, steps) as tick:
            texts = run_references(assignment, assignment.tests, environment, jobs=jobs or cores(), tick=tick)
        found_there = tuple(findings(assignment.folder / "expected", texts))
        yield GeneratedTranscripts(assignment, count, found_there, _in_place_of(assignment, named))


def _python_for(assignment: Assignment, named: StudentPython | None, progress: Progress) -> StudentPython:
    """Return the Python that was named on the command line, or else the one that the assignment asks for."""
    request = assignment.python
    return with_packages(named or asked_python(request), request, lambda task: progress(task, 0))


def _in_place_of(assignment: Assignment, named: StudentPython | None) -> tuple[str, ...]:
    """Warn of a Python named though the assignment asks for another version."""
    asked = assignment.python.version
    if named is None or asked in (None, minor_version(named.version)):
        return ()
    warning = f"the references were run with Python {named.version}, as --python says; assignment.yaml asks for {asked}"
    return (f"{assignment.id}: {warning}",)


def bundle_file(
    assignment_id: str,
    file: FilePath,
    *,
    course: FilePath | None = None,
    checkers: bool = False,
    interactors: bool = False,
) -> tuple[Assignment, BundleFile]:
    """Make a self-check to hand out as one file, with the checkers and interactors of public tests or without them.

    Raises BundleError when it cannot be made.
    """
    assignment = load(assignment_id, course)
    return assignment, make_file(assignment, Path(file), checkers=checkers, interactors=interactors)


def bundle_folder(
    assignment_id: str,
    folder: FilePath,
    *,
    course: FilePath | None = None,
    checkers: bool = False,
    interactors: bool = False,
) -> tuple[Assignment, BundleFile]:
    """Make a self-check to hand out as a folder, which pip can install; see `bundle_file`."""
    assignment = load(assignment_id, course)
    return assignment, make_folder(assignment, Path(folder), checkers=checkers, interactors=interactors)


def schema(kind: str) -> str:
    """Return the JSON Schema of a kind of YAML file. Raises SchemaError when there is no such kind."""
    if kind in SCHEMA_MODELS:
        return json_schema(SCHEMA_MODELS[kind])
    if kind in (others := extensions(SCHEMAS)):
        return json_schema(others[kind].load(type))
    raise SchemaError(f"There is no schema {kind!r}; expected one of: {', '.join(_schema_kinds())}.")


def _schema_kinds() -> dict[str, None]:
    """Return the kinds of the core, then those of plugins."""
    return dict.fromkeys((*SCHEMA_MODELS, *extensions(SCHEMAS)))


def schema_file(kind: str) -> str:
    """Return the name of the file that a schema is written to."""
    return f"{kind}.schema.json"


def write_schemas(folder: FilePath) -> tuple[Path, ...]:
    """Write all schemas into a folder and return the files. Raises SchemaError when they cannot be written."""
    with reported_as(SchemaError, f"The schemas cannot be written to {folder}"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        written = []
        for kind in _schema_kinds():
            file = Path(folder) / schema_file(kind)
            file.write_text(schema(kind), encoding="utf-8")
            written.append(file)
    return tuple(written)
