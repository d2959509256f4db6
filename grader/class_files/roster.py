"""Reads the list of students in the class: roster.yaml, or roster.csv in the grader's format or another system's.

The recognised exports are the grading worksheet of Moodle, the gradebook of Canvas, the exported grades of Brightspace,
and the rosters of Gradescope, GitHub Classroom and Classroom 50.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import model_validator

from grader.config.csv_table import read_rows
from grader.config.scalars import FormatOne
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.errors import Problem, SourceLocation, SpecError, quoted
from grader.extensions import ROSTERS, extensions
from grader.model.submission import SECTION, StudentIdentity
from grader.text.names import student_key

FILE_NAMES = ("roster.yaml", "roster.csv")
_COLUMNS = {
    "id": ("id", "sid", "student id", "student number", "id number", "sis user id", "orgdefinedid"),
    "name": ("name", "full name", "student", "student name"),
    "email": ("email", "email address", "e-mail", "sis login email"),
    "login": ("login", "username", "user name", "sis login id", "github_username", "github username"),
    "moodle": ("moodle",),
    "canvas": ("canvas",),
}
_NAME_PARTS = (
    ("first name", "last name"),
    ("first_name", "last_name"),
    ("first name", "surname"),
    ("given name", "family name"),
)
_SECTIONS = ("section", "sections")


def student_name(identity: StudentIdentity) -> str:
    """Return the student's school id, or else the login, email or name; empty if all are missing."""
    return identity.id or identity.login or identity.email or identity.name or ""


def compared_id(value: str) -> str:
    """Normalise an id, login or email address for comparison: as in reports, but stripped and in lower case."""
    return student_key(value.strip()).lower()


Columns = Mapping[str, tuple[str, ...]]
"""The column headings for each part of an identity, in lower case."""


@dataclass(frozen=True, kw_only=True)
class RosterForm:
    """The format of a list exported by another system; `columns` returns nothing for the header of another format.

    `mend` changes the parts of an identity in a row, or returns None if the row is not about a student.
    """

    columns: Callable[[Sequence[str]], Columns | None]
    mend: Callable[[dict[str, str]], dict[str, str] | None] = lambda fields: fields


class _StudentEntry(SpecModel):
    """A student, with at least one of `id`, `login`, `email` and `name`."""

    name: str | None = None
    """The full name."""
    id: str | None = None
    """The school's number for the student."""
    email: str | None = None
    """The email address."""
    login: str | None = None
    """The account name, at the school or on GitHub."""
    moodle: str | None = None
    """The participant number in Moodle."""
    canvas: str | None = None
    """The user number in Canvas."""
    section: str | None = None
    """The student's section of the class."""
    columns: Mapping[str, str] = {}
    """Any other data about the student, by name. The column `team` groups students who submit together."""

    @model_validator(mode="after")
    def _names_a_student(self) -> "_StudentEntry":
        if not student_name(self.identity()):
            raise ValueError("found no student; expected at least one of `id`, `login`, `email` and `name`")
        return self

    def identity(self) -> StudentIdentity:
        """Return the student's identity."""
        return StudentIdentity(**self.model_dump(exclude={"section", "columns"}))

    def further(self) -> dict[str, str]:
        """Return the columns that are not part of the identity."""
        return {**({SECTION: self.section} if self.section else {}), **self.columns}


class RosterFile(SpecModel):
    """The students of the class.

    The file can also be a table, roster.csv, with a column for each key. Other columns are kept, and the headings
    of other systems are recognised. The column `team` groups students who submit together.
    """

    format: FormatOne
    """Version of this format: `1`."""
    students: Annotated[tuple[_StudentEntry, ...], AT_LEAST_ONE]
    """The students, each with at least one of `id`, `login`, `email` and `name`. The first of these keys that a
    student has is used as the student's name in reports and in the other files.
    """


@dataclass(frozen=True)
class Roster:
    """The students of a class by their name in reports: the id, or else the login, email or name.

    `further` holds each student's other columns, and `places` the students' locations in the file.
    """

    file: Path
    students: Mapping[str, StudentIdentity]
    further: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    places: Mapping[str, SourceLocation] = field(default_factory=dict)

    @property
    def unknown_columns(self) -> tuple[str, ...]:
        """Return the columns that the grader does not use itself."""
        names = (name for columns in self.further.values() for name in columns)
        return tuple(name for name in dict.fromkeys(names) if name != SECTION)


@dataclass(frozen=True)
class _Row:
    place: SourceLocation
    identity: StudentIdentity
    further: Mapping[str, str]


def read_roster(file: Path) -> Roster:
    """Return the roster in `file`, in YAML or CSV according to its name.

    Raises SpecError if it is faulty or repeats a student.
    """
    rows: dict[str, _Row] = {}
    keys: dict[str, str] = {}
    problems: list[Problem] = []
    for row in _read_csv(file) if file.suffix.lower() == ".csv" else _read_yaml(file):
        name = student_name(row.identity)
        key = compared_id(name)
        earlier_name = keys.setdefault(key, name)
        if name in rows:
            problems.append(Problem(row.place, f"{quoted(name)} is given twice"))
        elif earlier_name != name:
            message = (
                f"{quoted(name)} and {quoted(earlier_name)} would be the same student; expected ids that differ in more"
            )
            problems.append(Problem(row.place, message))
        rows[name] = row
    if problems:
        raise SpecError(problems)
    if not rows:
        raise SpecError([Problem(SourceLocation(file, 1, 1), "found no student; expected a row for each")])
    students = {name: row.identity for name, row in rows.items()}
    further = {name: row.further for name, row in rows.items()}
    return Roster(file, students, further, {name: row.place for name, row in rows.items()})


def _read_yaml(file: Path) -> Iterator[_Row]:
    document = read_document(file)
    for index, entry in enumerate(validate(document, RosterFile).content.students):
        yield _Row(document.place(("students", index)), entry.identity(), entry.further())


def _read_csv(file: Path) -> Iterator[_Row]:
    rows = read_rows(file)
    _, names = next(rows, (1, []))
    header = [name.strip().lower() for name in names]
    form, columns = _form(header)
    further = _further_columns(names, columns)
    if not columns:
        message = "found no known column; expected some of `id`, `name`, `email`, `login`"
        raise SpecError([Problem(SourceLocation(file, 1, 1), message)])
    _check_headings(file, header, columns)
    for line, row in rows:
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        fields = {key: " ".join(cells.get(name, "") for name in names).strip() for key, names in columns.items()}
        mended = form.mend(fields)
        if mended is not None:
            identity = StudentIdentity(**{key: value or None for key, value in mended.items()})
            if not student_name(identity):
                raise SpecError([Problem(SourceLocation(file, line, 1), "found a row without a student")])
            said_too = {name: cells[key] for key, name in further.items() if cells.get(key)}
            yield _Row(SourceLocation(file, line, 1), identity, said_too)


def _check_headings(file: Path, header: Sequence[str], columns: Mapping[str, tuple[str, ...]]) -> None:
    """Reject a header that repeats a column of the student's identity. Raises SpecError."""
    for heading in (heading for parts in columns.values() for heading in parts):
        if header.count(heading) > 1:
            column = header.index(heading, header.index(heading) + 1) + 1
            message = f"the column {quoted(heading)} is given twice; expected it once"
            raise SpecError([Problem(SourceLocation(file, 1, column), message)])


def _form(header: Sequence[str]) -> tuple[RosterForm, Columns]:
    """Return the format of a list, and its columns for each part of an identity. Raises ExtensionError."""
    for item in extensions(ROSTERS).values():
        form = item.load(RosterForm)
        if columns := form.columns(header):
            return form, columns
    return RosterForm(columns=known_columns), known_columns(header)


def known_columns(header: Sequence[str]) -> Columns:
    """Map each part of an identity to the columns with a commonly used heading."""
    by_key = {key: next((name for name in names if name in header), None) for key, names in _COLUMNS.items()}
    columns: dict[str, tuple[str, ...]] = {key: (name,) for key, name in by_key.items() if name is not None}
    for parts in _NAME_PARTS:
        if "name" not in columns and set(parts) <= set(header):
            columns["name"] = parts
    return columns


def _further_columns(names: Sequence[str], columns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns that are not part of an identity, as a map from lower-case headings to names."""
    used = {name for parts in columns.values() for name in parts}
    headings = {name.strip().lower(): name.strip() for name in names if name.strip()}
    return {
        heading: SECTION if heading in _SECTIONS else name for heading, name in headings.items() if heading not in used
    }
