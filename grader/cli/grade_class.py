"""Grades the classes of one request."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from grader.cli import INTERRUPTED
from grader.cli.find import assignment_for_files
from grader.cli.machine import Machine
from grader.cli.progress import progress_bar
from grader.cli.request import Request
from grader.expected.transcripts import load_transcripts
from grader.intake import extensions as extension_files
from grader.intake import roster as roster_files
from grader.intake.arrival import Arrived, Space
from grader.intake.class_folder import names_in, open_class
from grader.intake.extensions import NO_EXTENSIONS, Extensions, read_extensions
from grader.intake.find import find_arrivals
from grader.intake.manual_marks import FILE_NAMES, NOBODY_MARKED, NOT_MARKED, MarkedByHand, read_manual_marks
from grader.intake.matching import wanted_by
from grader.intake.roster import Roster, read_roster
from grader.intake.submission import Submission, SubmittedFile
from grader.intake.taken import Intake, taken_in
from grader.pipeline.batch import grade_batch
from grader.pipeline.outcomes import Archive, Outcomes
from grader.pipeline.results import GradedSubmission
from grader.report.best_attempt import best_attempt
from grader.report.class_text import print_class
from grader.report.files import sole_writer, write_reports
from grader.report.graded_class import GradedClass, Row, graded_row
from grader.spec.assignment import Assignment
from grader.spec.course import Course
from grader.spec.problem import Place, Problem, SpecError
from grader.store.digest import UntraceableError, folder_digest
from grader.store.store import PastRun

_PIPE_WIDTH = 120


@dataclass(frozen=True)
class Unfinished:
    """A run that is not to be repeated: it was interrupted, needs a test run again, or its reports have links."""

    exit_code: int


def grade_classes(request: Request, course: Course, archive: Archive, machine: Machine) -> PastRun | Unfinished:
    """Grade the submissions, write the reports and print the marks.

    The exit code is 130 after Ctrl-C, 1 when a mark could not be told; one that only waits for what a person has to
    mark is no failure.
    """
    console = _console()
    code = 0
    settled = True
    printed = ""
    reports: dict[str, str] = {}
    for graded in graded_classes(request, course, archive, machine):
        folder = reports_folder(request, course, graded.assignment)
        with sole_writer(folder):
            write_reports(graded, folder)
            with suppress(UntraceableError):
                reports[str(folder)] = folder_digest(folder)
        printed += _print(console, graded, folder)
        if graded.not_graded:
            return Unfinished(INTERRUPTED)
        if any(row.mark is None and not row.not_yet_marked for row in graded.rows):
            code = 1
        known = str(folder) in reports
        settled = settled and known and not any(row.graded.needs_rerun for row in graded.rows)
    return PastRun(code, printed, reports) if settled else Unfinished(code)


def graded_classes(request: Request, course: Course, archive: Archive, machine: Machine) -> Iterator[GradedClass]:
    """Grade the classes of the request, one after the other; what the store holds is not run again.

    What came in archives or repositories lies in files that are there until the last class was asked for.
    """
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        for assignment, path in classes_in(course, request.assignment, request.folder):
            wanted = wanted_by(assignment)
            space = Space(Path(unpacked), wanted.limits, wanted.zone)
            where = open_class(path, space, wanted.names)
            roster = _roster(request.roster, where.beside)
            arrived = find_arrivals(where, wanted, space, kind=request.intake, roster=roster)
            granted = _extensions(request.extensions, where.beside, assignment, arrived)
            by_hand = _marked_by_hand(request.marks, where.beside, assignment, arrived)
            intake = taken_in(arrived, wanted, space, partial(_due, assignment, granted))
            yield _grade_class(assignment, intake, granted, by_hand, archive, machine)


def _due(assignment: Assignment, granted: Extensions, student: str) -> datetime:
    return granted.due.get(student, assignment.due)


def reports_folder(request: Request, course: Course, assignment: Assignment) -> Path:
    """Where the reports on a class go."""
    return (request.reports or course.folder / "reports") / assignment.id


def _print(console: Console, graded: GradedClass, folder: Path) -> str:
    """Print the marks of a class; returns what was printed, terminal control sequences included."""
    with console.capture() as capture:
        print_class(console, graded)
        console.print(f"Reports: {folder}", soft_wrap=True)
    console.file.write(capture.get())
    return capture.get()


def _console() -> Console:
    """Standard output; a table that goes into a pipe or file is not squeezed into 80 columns."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, _PIPE_WIDTH)
    return console


def classes_in(course: Course, assignment_id: str | None, folder: Path) -> Iterator[tuple[Assignment, Path]]:
    """The classes in `folder`: one per sub-folder named like an assignment, or else the folder itself."""
    if assignment_id is None:
        inner = [name for name in course.assignment_ids() if (folder / name).is_dir()]
        for name in inner:
            yield course.assignment(name), folder / name
        if inner:
            return
        if folder.resolve().name in course.assignment_ids():
            assignment_id = folder.resolve().name
    yield assignment_for_files(course, assignment_id, _file_names(folder, course), folder), folder


def _file_names(folder: Path, course: Course) -> Iterator[str]:
    """The names of the programs that lie in `folder` or one level below, prefixes of students taken off."""
    programs = [name for assignment in course.assignments() for name in assignment.program_named]
    for found in names_in(folder):
        yield found
        yield from (name for name in programs if found.endswith(name))


def _roster(named: Path | None, folder: Path) -> Roster | None:
    files = [named] if named else [folder / name for name in roster_files.FILE_NAMES if (folder / name).exists()]
    return read_roster(_only_one(files)) if files else None


def _only_one(files: Sequence[Path]) -> Path:
    if len(files) > 1:
        raise SpecError([Problem(Place(files[1], 1, 1), f"there is {files[0].name} too; expected one of them")])
    return files[0]


def _extensions(named: Path | None, folder: Path, assignment: Assignment, arrived: Arrived) -> Extensions:
    file = named or folder / extension_files.FILE_NAME
    if named is None and not file.exists():
        return NO_EXTENSIONS
    return read_extensions(file, assignment.zone, arrived.students)


def _marked_by_hand(named: Path | None, folder: Path, assignment: Assignment, arrived: Arrived) -> MarkedByHand:
    files = [named] if named else [folder / name for name in FILE_NAMES if (folder / name).exists()]
    return read_manual_marks(_only_one(files), assignment, arrived.students) if files else NOBODY_MARKED


def _grade_class(
    assignment: Assignment,
    intake: Intake,
    extensions: Extensions,
    by_hand: MarkedByHand,
    archive: Archive,
    machine: Machine,
) -> GradedClass:
    transcripts = load_transcripts(assignment, assignment.tests)
    done: list[GradedSubmission] = []
    # What several students handed in together is run once.
    sharing: dict[tuple[SubmittedFile, ...], list[Submission]] = {}
    for submission in intake.submissions:
        sharing.setdefault(submission.files, []).append(submission)
    with machine.bench() as bench, progress_bar() as progress:
        task = progress.add_task(assignment.id, total=len(sharing) * len(assignment.tests))
        with suppress(KeyboardInterrupt):
            done.extend(
                grade_batch(
                    assignment,
                    assignment.tests,
                    transcripts,
                    [shared[0] for shared in sharing.values()],
                    Outcomes(bench, archive),
                    jobs=machine.submissions_at_a_time,
                    tick=partial(progress.advance, task),
                )
            )
    graded = [replace(one, submission=submission) for one in done for submission in sharing[one.submission.files]]
    return _graded_class(assignment, intake, extensions, by_hand, graded)


def _graded_class(
    assignment: Assignment,
    intake: Intake,
    extensions: Extensions,
    by_hand: MarkedByHand,
    done: Sequence[GradedSubmission],
) -> GradedClass:
    rows: dict[str, list[Row]] = {}
    for graded in done:
        student = graded.submission.student
        row = graded_row(assignment, graded, extensions.due, by_hand.marks.get(student, NOT_MARKED))
        rows.setdefault(student, []).append(row)
    # An interruption may have left out some of the attempts.
    attempts = Counter(submission.student for submission in intake.submissions)
    complete = [student for student, count in attempts.items() if len(rows.get(student, ())) == count]
    return GradedClass(
        assignment,
        rows=tuple(best_attempt(rows[student]) for student in complete),
        not_graded=tuple(student for student in attempts if student not in complete),
        notes=(*intake.notes, *extensions.notes, *by_hand.notes),
    )
