"""Finds the course and the assignment that a command is about."""

from collections.abc import Iterable
from pathlib import Path

from grader.errors import closest, nearest, quoted
from grader.model.assignment import Assignment
from grader.spec.course import Course
from grader.spec.course_folder import CourseError, course_folder_for

_MOST_NAMED = 4


def course_for(named: Path | None, path: Path) -> Course:
    """The course the user named, or the one around the working folder, or the one around `path`."""
    return Course(course_folder_for(named, path))


def assignment_for_files(course: Course, named: str | None, names: Iterable[str], where: Path) -> Assignment:
    """The assignment the user named, or the only one that asks for a file called as one of `names`.

    Raises CourseError when there is none or more than one.
    """
    if named is not None:
        return course.assignment(named)
    names = set(names)
    assignments = course.assignments()
    fitting = [one for one in assignments if names & set(one.program_named)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        ids = ", ".join(one.id for one in fitting)
        raise CourseError(f"{where} fits more than one assignment ({ids}): say which with --assignment.")
    if not where.exists():
        raise CourseError(f"There is no file or folder {where}.")
    known = {name for one in assignments for name in one.program_named}
    hint = nearest(where.name, known) if where.is_file() else _expected(known, names)
    raise CourseError(f"{where} holds no program of an assignment{hint}")


def _expected(known: Iterable[str], there: Iterable[str]) -> str:
    alike = sorted(name for name in there if closest(name, known))[:_MOST_NAMED]
    hint = f"; there is {', '.join(map(quoted, alike))}" if alike else ""
    return f"; expected one of: {', '.join(sorted(known))}{hint}"
