"""Makes courses and assignments."""

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath
from grader.plugins.scaffolding.next_term import NewTerm, copy_course, dates_of, weeks_until
from grader.plugins.scaffolding.scaffold import make_assignment, make_course

_TIME_TO_HAND_IN = timedelta(days=14)
_A_YEAR = 52


def new_course(folder: FilePath) -> tuple[Path, ...]:
    """Make the folders and first files of a course, and return their paths. Raises ScaffoldError."""
    return tuple(make_course(Path(folder)))


def new_assignment(
    assignment_id: str, *, program: str | Sequence[str] | None = None, course: FilePath | None = None
) -> tuple[Path, ...]:
    """Make an assignment with a small program, due in two weeks; return the new paths, the reference first.

    Students hand in one `program` or several. Their expected transcripts must still be generated. Raises ScaffoldError
    if something already exists.
    """
    folder = course_for(Path(course) if course is not None else None, Path.cwd()).folder
    programs = (program,) if isinstance(program, str) else tuple(program or ())
    return make_assignment(folder, assignment_id, programs, date.today() + _TIME_TO_HAND_IN)


def new_term(
    folder: FilePath, *, weeks: int | None = None, starts: date | None = None, course: FilePath | None = None
) -> NewTerm:
    """Copy a course for another term to a new folder, without anything about students.

    All dates move by `weeks` (52 by default), or by enough weeks to put the first due date in the week that begins on
    `starts`. The weekday and the local time stay the same. Raises ScaffoldError if the folder exists, and SpecError for
    a faulty assignment.yaml.
    """
    source = course_for(Path(course) if course is not None else None, Path.cwd()).folder
    dates = dates_of(source)
    if weeks is None:
        weeks = _A_YEAR if starts is None else weeks_until(starts, dates)
    return copy_course(source, Path(folder), dates, timedelta(weeks=weeks))
