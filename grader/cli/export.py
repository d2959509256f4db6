"""`grader export`: marks and feedback in the formats of learning platforms, and autograders for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from grader.cli import INTERRUPTED
from grader.cli.formats import Format, HiddenTests
from grader.cli.grading import known_classes
from grader.cli.request import GradeRequest
from grader.model.student_result import ClassResult
from grader.platforms.autolab import autolab_autograder, autolab_output
from grader.platforms.canvas.gradebook import canvas_gradebook, new_canvas_gradebook
from grader.platforms.classroom import classroom_autograder, classroom_result
from grader.platforms.gradescope.results import gradescope_autograder, gradescope_results
from grader.platforms.moodle.feedback import moodle_feedback
from grader.platforms.moodle.worksheet import moodle_worksheet
from grader.platforms.plain_files import junit_xml, own_csv
from grader.platforms.platform import ExportedFiles, ExportError, file_per_student
from grader.platforms.prairielearn import prairielearn_results
from grader.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from grader.platforms.shared.output_text import has_score_or_none_counts
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import new_run, record
from grader.spec.course import Course
from grader.spec.course_folder import course_folder_for
from grader.store.provenance import Provenance, origin_of
from grader.text.escape import escape_controls

Write = Callable[[ClassResult, Provenance], ExportedFiles]


_FOLDERS = (Format.GRADESCOPE, Format.AUTOLAB, Format.PRAIRIELEARN, Format.CLASSROOM)


@dataclass(frozen=True)
class ExportOptions:
    """What is said of the format besides: the downloaded sheet, its encoding, the column to fill, hidden tests."""

    sheet: Path | None = None
    encoding: str | None = None
    column: str | None = None
    hidden_tests: HiddenTests | None = None


_EXPORT_OPTIONS: Mapping[str, tuple[Format, ...]] = {
    "sheet": (Format.MOODLE, Format.FEEDBACK, Format.CANVAS),
    "encoding": (Format.MOODLE, Format.FEEDBACK, Format.CANVAS),
    "column": (Format.CANVAS,),
    "hidden_tests": (Format.GRADESCOPE,),
}


def export_class(
    request: GradeRequest,
    kind: Format,
    choices: ExportOptions,
    *,
    jobs: int | None,
    store_file: Path | None,
    output: Path | None,
) -> int:
    """Write the class in a format and say whose mark is not in it; returns the exit code, 1 if there is such a one."""
    console = Console(highlight=False)
    write = _writer(kind, choices)
    course = course_folder_for(request.course, request.folder)
    code = 0
    with known_classes(request, jobs=jobs, store_file=store_file) as classes:
        found = list(classes)
    if any(graded.not_graded for graded in found):
        return INTERRUPTED
    if len(found) > 1 and (choices.sheet or output):
        ids = ", ".join(graded.assignment.id for graded in found)
        raise ExportError(f"There is more than one class ({ids}): name the folder of one.")
    run = new_run(kind)
    for graded in found:
        origin = origin_of(graded.assignment)
        exported = write(graded, origin)
        # First the log: no mark ever leaves and is not in there.
        told = replace(graded, rows=tuple(row for row in graded.rows if row.student in exported.students))
        record((request.reports or course / "reports") / AUDIT_LOG, told, origin, run)
        folder = course / "exports" / graded.assignment.id
        _write(console, exported, output, folder / kind if _is_folder(kind) else folder, kind)
        code = max(code, _say(console, exported))
    return code


def export_autograder(name: str, kind: Format, course_folder: Path | None, sandbox: str, output: Path | None) -> int:
    """Write the autograder of an assignment for a platform; returns the exit code."""
    course = Course(course_folder_for(course_folder, Path.cwd()))
    assignment = course.assignment(name)
    make: dict[Format, Callable[[], ExportedFiles]] = {
        Format.GRADESCOPE_AUTOGRADER: lambda: gradescope_autograder(assignment, course.folder, sandbox),
        Format.AUTOLAB_AUTOGRADER: lambda: autolab_autograder(assignment, course.folder, sandbox),
        Format.CLASSROOM_AUTOGRADER: lambda: classroom_autograder(assignment, course.folder),
    }
    _write(Console(highlight=False), make[kind](), output, course.folder / "exports" / assignment.id / kind, kind)
    return 0


def _is_folder(kind: Format) -> bool:
    return kind in _FOLDERS or kind.is_autograder


def _writer(kind: Format, choices: ExportOptions) -> Write:
    for name, formats in _EXPORT_OPTIONS.items():
        if getattr(choices, name) is not None and kind not in formats:
            raise ExportError(f"--{name.replace('_', '-')} is for {', '.join(formats)}, not for {kind}.")
    sheet = _sheet(choices)
    if kind is Format.MOODLE and sheet is None:
        raise ExportError("Name the grading worksheet that was downloaded from Moodle with --sheet.")
    hidden = choices.hidden_tests or HiddenTests.AFTER_PUBLISHED
    gradescope = partial(gradescope_results, hidden=hidden)
    none = has_score_or_none_counts
    writers: dict[Format, Write] = {
        Format.CSV: lambda graded, _: own_csv(graded),
        Format.FEEDBACK: lambda graded, _: moodle_feedback(graded, sheet),
        Format.GRADESCOPE: lambda graded, origin: file_per_student(graded, gradescope, ".json", origin),
        Format.AUTOLAB: lambda graded, origin: file_per_student(graded, autolab_output, ".txt", origin, none),
        Format.PRAIRIELEARN: lambda graded, origin: file_per_student(
            graded, prairielearn_results, ".json", origin, none
        ),
        Format.CLASSROOM: lambda graded, origin: file_per_student(graded, classroom_result, ".base64", origin),
        Format.JUNIT: junit_xml,
    }
    if sheet is None:
        writers[Format.CANVAS] = lambda graded, _: new_canvas_gradebook(graded, choices.column)
    else:
        writers[Format.MOODLE] = lambda graded, _: moodle_worksheet(graded, sheet)
        writers[Format.CANVAS] = lambda graded, _: canvas_gradebook(graded, sheet, choices.column)
    return writers[kind]


def _sheet(choices: ExportOptions) -> GradebookFile | None:
    if choices.sheet is None:
        return None
    try:
        return read_gradebook_file(choices.sheet.read_bytes(), str(choices.sheet), choices.encoding)
    except OSError as error:
        raise ExportError(f"{choices.sheet} cannot be read: {error.strerror}") from None


def _write(console: Console, exported: ExportedFiles, output: Path | None, folder: Path, kind: Format) -> None:
    """Write the files to `folder`, or to `output`: a folder, or a file if there is to be but one."""
    single = not _is_folder(kind) and output is not None
    try:
        for name, content in exported.files.items():
            file = output if single and output else (output or folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            if not _is_folder(kind):
                console.print(f"written: {file}", soft_wrap=True, markup=False)
    except OSError as error:
        raise ExportError(f"The export cannot be written: {error}") from None
    if _is_folder(kind):
        console.print(f"written: {len(exported.files)} files to {output or folder}", soft_wrap=True, markup=False)


def _say(console: Console, exported: ExportedFiles) -> int:
    for note in exported.notes:
        console.print(escape_controls(note), soft_wrap=True, markup=False)
    if not exported.left_out:
        return 0
    console.print("Not in it:", soft_wrap=True)
    for sentence in exported.left_out:
        console.print(f"  {escape_controls(sentence)}", soft_wrap=True, markup=False)
    return 1
