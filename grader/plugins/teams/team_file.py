"""Reads teams.yaml or teams.csv: the teams of a class and their members."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from grader.class_files.roster import compared_id
from grader.config.csv_table import read_table
from grader.config.scalars import FormatOne, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.errors import Problem, SourceLocation, SpecError, quoted


class _Team(SpecModel):
    """A team."""

    team: Sentence | None = None
    """The name of the team. Default: the names of its students, joined with `-`."""
    students: Annotated[tuple[Sentence, ...], AT_LEAST_ONE]
    """The members, identified by their details in the roster (id, login, email or name) or by the names of their
    folders. Capital letters do not matter.
    """

    @property
    def name(self) -> str:
        """The name of the team: by default its members' names."""
        return (self.team or "-".join(student.strip() for student in self.students)).strip()


class _Row(SpecModel):
    team: Sentence
    student: Sentence


class TeamsFile(SpecModel):
    """The teams of a class.

    The file can also be a table, teams.csv, with a row for each student and the columns `team` and `student`.
    """

    format: FormatOne
    """Version of this format: `1`."""
    teams: Annotated[tuple[_Team, ...], AT_LEAST_ONE]
    """The teams. A student can only be in one team."""


class _TeamsTable(SpecModel):
    """The content of teams.csv: a row per student."""

    format: FormatOne
    teams: Annotated[tuple[_Row, ...], AT_LEAST_ONE]


@dataclass(frozen=True)
class WrittenMember:
    """A student as written in a file, the team, and the place in the file."""

    team: str
    student: str
    place: SourceLocation


def members_in(file: Path) -> Iterator[WrittenMember]:
    """Yield the members of all teams in `file`, YAML or CSV by its name. Raises SpecError if it is faulty."""
    if file.suffix == ".csv":
        table = read_table(file, "teams")
        for index, row in enumerate(validate(table, _TeamsTable).content.teams):
            yield WrittenMember(row.team.strip(), row.student.strip(), table.place(("teams", index, "student")))
        return
    document = read_document(file)
    names: set[str] = set()
    for index, team in enumerate(validate(document, TeamsFile).content.teams):
        if compared_id(team.name) in names:
            place = document.place(("teams", index, "team"))
            raise SpecError([Problem(place, f"the team {quoted(team.name)} is given twice")])
        names.add(compared_id(team.name))
        for number, student in enumerate(team.students):
            place = document.place(("teams", index, "students", number))
            yield WrittenMember(team.name, student.strip(), place)
