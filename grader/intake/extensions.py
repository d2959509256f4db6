"""extensions.yaml: another due date for single students."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from grader.spec.document import read_document
from grader.spec.problem import Problem, SpecError, nearest
from grader.spec.scalars import FormatOne, LocalTime
from grader.spec.validate import AT_LEAST_ONE, SpecModel, validate

FILE_NAME = "extensions.yaml"


class _Extension(SpecModel):
    student: str
    due: LocalTime
    reason: str = ""


class ExtensionsFile(SpecModel):
    """extensions.yaml"""

    format: FormatOne
    extensions: Annotated[tuple[_Extension, ...], AT_LEAST_ONE]


@dataclass(frozen=True)
class Extensions:
    """Due dates by student, and notes on students who have no submission."""

    due: Mapping[str, datetime]
    notes: tuple[str, ...] = ()


NO_EXTENSIONS = Extensions({})


def read_extensions(file: Path, zone: ZoneInfo, students: Iterable[str]) -> Extensions:
    """The extensions in `file`; times are local to `zone`.

    Raises SpecError when the file is faulty or names a student twice. A name that is not among `students` becomes a
    note, because an extension may be given to someone who hands in nothing.
    """
    document = read_document(file)
    content = validate(document, ExtensionsFile)
    known = set(students)
    due: dict[str, datetime] = {}
    problems: list[Problem] = []
    notes: list[str] = []
    for index, extension in enumerate(content.extensions):
        place = document.place(("extensions", index, "student"))
        if extension.student in due:
            problems.append(Problem(place, f"`{extension.student}` is given twice"))
        elif extension.student not in known:
            notes.append(f"{place}: no submission of `{extension.student}`{nearest(extension.student, known)}")
        due[extension.student] = extension.due.replace(tzinfo=zone)
    if problems:
        raise SpecError(problems)
    return Extensions(due, tuple(notes))
