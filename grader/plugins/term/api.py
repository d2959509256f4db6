"""Makes the table of a term."""

from collections.abc import Iterator
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath
from grader.config.validation import Validated
from grader.errors import Problem, SpecError
from grader.plugins.term.reported import NoReportsError, ReportedClass, TermError, read_reported
from grader.plugins.term.table import TermTable, term_table
from grader.plugins.term.term_file import FILE_NAME, TermFile, read_term


def term(file: FilePath | None = None, *, course: FilePath | None = None, so_far: bool = False) -> TermTable:
    """Return the table of the term that `file` describes, by default term.yaml of the course.

    Its assignments belong to `course`, by default the course around the file. With `so_far`, assignments without
    reports are ignored. Raises SpecError if the file is faulty or refers to missing reports, and TermError if the
    reports do not match each other.
    """
    if file is None:
        file = course_for(Path(course) if course is not None else None, Path.cwd()).folder / FILE_NAME
    place = Path(file)
    description = read_term(place)
    classes = tuple(_classes(description, place.parent, so_far=so_far))
    return term_table(
        description.content,
        classes,
        lambda assignment: course_for(Path(course or place.parent), place).assignment(assignment),
    )


def _classes(description: Validated[TermFile], folder: Path, *, so_far: bool) -> Iterator[ReportedClass]:
    problems: list[Problem] = []
    for index, entry in enumerate(description.content.assignments):
        place = description.document.place(("assignments", index, "id"))
        reports = description.content.reports(entry, folder)
        try:
            graded = read_reported(reports)
        except NoReportsError as error:
            if not so_far:
                problems.append(Problem(place, f"{error}; grade the class first, or leave it out with --so-far"))
            continue
        except TermError as error:
            problems.append(Problem(place, str(error)))
            continue
        if graded.assignment == entry.id:
            yield graded
        else:
            problems.append(Problem(place, f"{reports} has the results of {graded.assignment}; expected {entry.id}"))
    if problems:
        raise SpecError(problems)
