"""The teams of a class, from its file and the column `team` of its roster, with the students' names in reports."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.class_files.roster import Roster, compared_id
from grader.errors import Problem, SourceLocation, SpecError, nearest, quoted
from grader.intake.attempt import Attempt, FileContents, ReceivedClass
from grader.intake.class_file import AboutClass
from grader.intake.enrolment import Clue, clues_to, is_sure, owners_by, students_by_clue
from grader.model.submission import StudentIdentity
from grader.plugins.teams.team_file import WrittenMember, members_in
from grader.text.names import student_key

COLUMN = "team"
_NAMES = ("name", "run together")
_BETWEEN_NAMES = re.compile(r"(?:[\W_]|\band\b)*")


@dataclass(frozen=True)
class Member:
    """A team member by the name in reports; `owner` is the name in the roster, or None for an unlisted student."""

    student: str
    identity: StudentIdentity
    owner: str | None = None

    @property
    def words(self) -> set[str]:
        """The names by which a folder may refer to the student."""
        identity = self.identity
        address = (identity.email or "").partition("@")[0]
        return {compared_id(word) for word in (self.student, identity.id, identity.login, address) if word}


@dataclass(frozen=True)
class Team:
    """A team, its members by their names in reports, and the place that mentions it first."""

    name: str
    place: SourceLocation
    members: dict[str, Member] = field(default_factory=dict)

    def is_joined_in(self, name: str) -> bool:
        """Return whether a name consists only of names of members, as in `z1-z2`."""
        rest = compared_id(name)
        words = sorted({word for member in self.members.values() for word in member.words}, key=len, reverse=True)
        for word in words:
            rest = re.sub(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", " ", rest, count=1)
        return rest != compared_id(name) and bool(_BETWEEN_NAMES.fullmatch(rest))


@dataclass(frozen=True, kw_only=True)
class ClassTeams:
    """The teams of a class by normalised name, the students by clue, and notes on unknown students.

    Without a roster, the students are the ones who submitted something.
    """

    teams: Mapping[str, Team]
    by_clue: Mapping[Clue, tuple[str, ...]]
    notes: Sequence[str]
    has_roster: bool

    def team_of(self, arrival: Attempt) -> Team | None:
        """Return the team that submitted an attempt, which is named after the team, a member, or several members.

        Students choose names, so an account in the roster comes first.
        """
        clues = (clue for clue in clues_to(arrival) if clue[0] not in _NAMES)
        if self.has_roster and (holders := owners_by(clues, self.by_clue)):
            return self._team_with(holders)
        names = {arrival.student, arrival.identity.login, arrival.identity.name}
        called = [self.teams[key] for key in (compared_id(name) for name in names if name) if key in self.teams]
        if called:
            return called[0]
        owners = self.owners(arrival)
        if owners and (self.has_roster or self._team_with(owners)):
            return self._team_with(owners)
        return next((team for team in self.teams.values() if team.is_joined_in(arrival.student)), None)

    def _team_with(self, owners: tuple[str, ...]) -> Team | None:
        return next((team for team in self.teams.values() if _names_in(team).issuperset(owners)), None)

    def is_sure(self, arrival: Attempt) -> bool:
        """Return whether the account of an attempt is a student's in the roster."""
        return self.has_roster and is_sure(arrival, self.owners(arrival), self.by_clue)

    def owners(self, arrival: Attempt) -> tuple[str, ...]:
        """Return the students to whom the attempt points."""
        return owners_by(clues_to(arrival), self.by_clue)


def _names_in(team: Team) -> set[str]:
    return {member.owner or member.student for member in team.members.values()}


def class_teams(arrived: ReceivedClass, about: AboutClass) -> ClassTeams:
    """Read the teams of a class. Raises SpecError if a student is in two teams, or a team has a student's name."""
    roster = about.roster
    students = roster.students if roster else {item.student: item.identity for item in arrived.arrivals}
    by_clue = students_by_clue(students)
    teams: dict[str, Team] = {}
    places: dict[str, tuple[WrittenMember, Team]] = {}
    problems: list[Problem] = []
    notes: list[str] = []
    for written in (*(members_in(about.file) if about.file else ()), *_in_column(roster)):
        team = teams.setdefault(compared_id(written.team), Team(written.team, written.place))
        member = _member(written.student, roster, students, by_clue)
        if roster and not member.owner:
            hint = nearest(written.student, roster.students)
            notes.append(f"{written.place}: {written.student} of {team.name} is not in {roster.file.name}{hint}")
        earlier, earlier_team = places.setdefault(compared_id(member.student), (written, team))
        if earlier_team is not team:
            message = f"{quoted(written.student)} is in the team {quoted(earlier_team.name)} too ({earlier.place})"
            problems.append(Problem(written.place, message))
        elif earlier is not written and earlier.place.file == written.place.file:
            problems.append(Problem(written.place, f"{quoted(written.student)} is given twice"))
        team.members.setdefault(member.student, member)
    listed = ClassTeams(teams=teams, by_clue=by_clue, notes=notes, has_roster=roster is not None)
    problems += _called_like_students(listed, set(places))
    if problems:
        raise SpecError(problems)
    return listed


def _in_column(roster: Roster | None) -> Iterator[WrittenMember]:
    for name, columns in roster.further.items() if roster else ():
        for column, team in columns.items():
            if column.casefold() == COLUMN and team.strip() and roster:
                yield WrittenMember(team.strip(), name, roster.places.get(name, SourceLocation(roster.file, 1, 1)))


def _member(
    written: str,
    roster: Roster | None,
    students: Mapping[str, StudentIdentity],
    by_clue: Mapping[Clue, tuple[str, ...]],
) -> Member:
    owners = (written,) if written in students else owners_by(clues_to(_nameless_attempt(written)), by_clue)
    if len(owners) != 1:
        return Member(student_key(written), StudentIdentity(login=written))
    return Member(student_key(owners[0]), students[owners[0]], owners[0] if roster else None)


def _nameless_attempt(name: str) -> Attempt:
    """Return an attempt with only a name."""
    return Attempt(student=name, contents=FileContents(), source=name, identity=StudentIdentity(login=name))


def _called_like_students(listed: ClassTeams, members: set[str]) -> Iterator[Problem]:
    """Yield a problem for each team with the name of a student who is not its member."""
    for key, team in listed.teams.items():
        owners = listed.owners(_nameless_attempt(team.name)) if listed.has_roster else ()
        students = {*map(compared_id, owners), *members.intersection([key])}
        if students.difference(map(compared_id, _names_in(team)), map(compared_id, team.members)):
            message = f"the team {quoted(team.name)} is called like a student who is not in it"
            yield Problem(team.place, message)
