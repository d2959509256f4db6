"""Finds the course, assignment and classes for a request."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.api.request import FilePath, Progress, no_progress
from grader.errors import GraderError, closest, nearest, quoted
from grader.model.assignment import Assignment
from grader.spec.course import Course, CourseError, course_folder_for
from grader.text.names import composed
from grader.text.words import some_of

_MAX_NAMED = 4


def load(assignment: str, course: FilePath | None = None) -> Assignment:
    """Load the assignment with this id and all its tests.

    `course` is the course folder or a folder in it, by default the one around the working directory. Raises CourseError
    if the course or assignment does not exist, and SpecError if its files are faulty.
    """
    return course_for(Path(course) if course is not None else None, Path.cwd()).assignment(assignment)


def course_for(named: Path | None, path: Path) -> Course:
    """Return the course that the user specified, or the one around the working directory, or the one around `path`."""
    return Course(course_folder_for(named, path))


def assignment_for_files(course: Course, named: str | None, names: Iterable[str], where: Path) -> Assignment:
    """Return the assignment that the user specified, or the only one with a program named like one of the files.

    Raises CourseError unless exactly one assignment matches.
    """
    if named is not None:
        return course.assignment(named)
    names = set(names)
    # A course may have many assignments with many tests, and loading those with other file names would dominate a short
    # check.
    fitting = [
        candidate for candidate in course.assignments_that_mention(names) if names & set(candidate.program_named)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        ids = ", ".join(candidate.id for candidate in fitting)
        raise CourseError(f"{where} fits more than one assignment ({ids}): say which with --assignment.")
    if not where.exists():
        raise CourseError(f"There is no file or folder {where}.")
    assignments = course.assignments()
    program_names = {name for candidate in assignments for name in candidate.program_named}
    hint = nearest(where.name, program_names) if where.is_file() else _expected(program_names, names)
    raise CourseError(f"{where} holds no program of an assignment{hint}")


def _expected(program_names: Iterable[str], file_names: Iterable[str]) -> str:
    alike = sorted(name for name in file_names if closest(name, program_names))[:_MAX_NAMED]
    hint = f"; there is {', '.join(map(quoted, alike))}" if alike else ""
    return f"; expected one of: {', '.join(sorted(program_names))}{hint}"


@dataclass(frozen=True)
class ClassPlace:
    """A class to grade: the location of its submissions, and notes about other content.

    `doubtful` lists folders named like assignments that may belong to students.
    """

    assignment: Assignment
    folder: Path
    notes: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


def classes_in(
    course: Course, assignment_id: str | None, folder: Path, progress: Progress = no_progress
) -> Iterator[ClassPlace]:
    """Yield the classes in `folder`: one per subfolder named like an assignment, or else the folder itself.

    A subfolder with a program in it belongs to a student, even if it is named like an assignment. Raises CourseError if
    `folder` is a file but not an archive, or has programs next to the folders of classes.
    """
    _refuse_file(folder)
    if not folder.exists():
        likely = course.folder / "submissions" / folder
        hint = f"; did you mean {quoted(os.path.relpath(likely))}?" if likely.is_dir() else "."
        raise CourseError(f"There is no file or folder {folder}{hint}")
    reading = "Reading the tests"
    named = [name for name in course.assignment_ids() if (folder / name).is_dir()]
    assignments: dict[str, Assignment] = {}
    if named:
        with progress(reading, 0):
            assignments = dict(zip(course.assignment_ids(), course.assignments(), strict=True))
    programs = {program for assignment in assignments.values() for program in assignment.program_named}
    inner = [name for name in named if not _has_any(folder / name, programs)]
    if assignment_id is None and inner:
        notes = _note_on_others(folder, inner, programs)
        for name in inner:
            yield ClassPlace(assignments[name], folder / name, notes)
            notes = ()
        return
    if assignment_id is None and folder.resolve().name in course.assignment_ids():
        assignment_id = folder.resolve().name
    with progress(reading, 0):
        assignment = assignment_for_files(course, assignment_id, _file_names(folder, course), folder)
    yield ClassPlace(assignment, folder, doubtful=tuple(inner))


class SeveralClassesError(GraderError):
    """The submissions belong to more than one class."""


def only_class(course: Course, assignment_id: str | None, folder: Path, progress: Progress = no_progress) -> ClassPlace:
    """Return the only class in `folder`. Raises SeveralClassesError if there is more than one."""
    places = list(classes_in(course, assignment_id, folder, progress))
    if len(places) > 1:
        ids = ", ".join(place.assignment.id for place in places)
        raise SeveralClassesError(f"{folder} holds more than one class ({ids}); name the folder of one.")
    return places[0]


def _refuse_file(path: Path) -> None:
    from grader.intake.class_folder import is_archive

    if (path / "assignment.yaml").is_file() and (path / "tests").is_dir():
        raise CourseError(f"{path} holds tests, not submissions: expected a folder such as submissions/{path.name}.")
    if path.is_file() and not is_archive(path):
        raise CourseError(
            f"{path} is one file: expected a folder, or a zip or tar archive, with the submissions of a class. To "
            "grade one submission alone, use `grader check`."
        )


def _has_any(folder: Path, programs: Collection[str]) -> bool:
    """Return whether `folder` directly contains a program, as a student's folder does but a class's does not."""
    return any(composed(entry.name) in programs for entry in folder.iterdir())


def _note_on_others(folder: Path, classes: Sequence[str], programs: Collection[str]) -> tuple[str, ...]:
    """Return a note about other content next to the folders of classes. Raises CourseError if it contains programs."""
    from grader.intake.class_folder import names_in
    from grader.intake.further_files import is_leftover
    from grader.intake.plain_folder import INSTRUCTORS

    names = sorted(entry.name for entry in folder.iterdir() if not is_leftover(entry.name))
    others = [name for name in names if name not in INSTRUCTORS and name not in classes]
    if not others:
        return ()
    listed, called = some_of(others, _MAX_NAMED), ", ".join(classes)
    if any(
        name.endswith(tuple(programs))
        for folder_name in others
        for name in (folder_name, *names_in(folder / folder_name))
    ):
        raise CourseError(
            f"{folder} holds programs in {listed} beside {called}, which is called like an assignment: expected either "
            "the folders of classes alone or the submissions of one class. Grade one class with its folder, such as "
            f"{folder / classes[0]}; or, if all this is one class, say of which assignment with --assignment."
        )
    return (f"{listed} in {folder}: not graded, because {called} beside it is the folder of a class",)


def _file_names(folder: Path, course: Course) -> Iterator[str]:
    """Yield the names of the programs in `folder` and its subfolders, without students' prefixes."""
    # Only classes need this module, which knows the formats of downloads.
    from grader.intake.class_folder import names_in

    programs = [name for assignment in course.assignments() for name in assignment.program_named]
    for name_in_class in names_in(folder):
        yield name_in_class
        yield from (name for name in programs if name_in_class.endswith(name))


def reports_folder(named: FilePath | None, course: FilePath | None, near: Path) -> Path:
    """Return the folder for the reports on all assignments: the one the user specified, or reports/ in the course.

    By default, the course is the one around the working directory or around `near`.
    """
    if named is not None:
        return Path(named)
    return course_folder_for(Path(course) if course is not None else None, near) / "reports"
