"""Gives the submission of a team to each of its members."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.class_files.roster import Roster, compared_id
from grader.intake.attempt import Attempt, ReceivedClass
from grader.intake.class_file import AboutClass
from grader.intake.enrolment import REFUSED, UNDECIDED, account_of, numbered
from grader.model.submission import StudentIdentity
from grader.plugins.teams.claims import Claims, claims_to
from grader.plugins.teams.class_teams import COLUMN, ClassTeams, Member, Team, class_teams
from grader.text.names import student_key


def with_teams(arrived: ReceivedClass, about: AboutClass) -> ReceivedClass:
    """Return the attempts, with a team's attempts under the name of each member. Raises SpecError."""
    listed = class_teams(arrived, about)
    if not listed.teams:
        return arrived
    alone: list[Attempt] = []
    handed_in: dict[str, list[Attempt]] = {team.name: [] for team in listed.teams.values()}
    for arrival in arrived.arrivals:
        team = listed.team_of(arrival)
        (alone if team is None else handed_in[team.name]).append(arrival)
    shared: list[Attempt] = []
    about_teams: list[str] = []
    for team in listed.teams.values():
        claims = claims_to(team, handed_in[team.name], listed)
        alone += (_under_other_name(attempt, team) for attempt in claims.apart)
        counted = [REFUSED] if claims.is_open else _without_copies(claims.counted)
        shared += _attempts_of_members(team, counted, listed, about.roster)
        about_teams += [*_notes_on_rejected(team, claims), *_notes_on_team(team, counted)]
    notes = (*arrived.notes, *listed.notes, *about_teams)
    together = tuple(tuple(team.members) for team in listed.teams.values())
    return ReceivedClass(numbered([*alone, *shared]), notes, (*arrived.teams, *together))


def _without_copies(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Return the attempts with different contents, because Gradescope lists a team's submission under each member."""
    different: list[Attempt] = []
    for attempt in attempts:
        if all(attempt.contents != other.contents for other in different):
            different.append(attempt)
    return different


def _under_other_name(attempt: Attempt, team: Team) -> Attempt:
    """Return an attempt under a name that is not a member's."""
    keys = set(map(compared_id, team.members))
    is_taken = compared_id(attempt.student) in keys
    return replace(attempt, student=student_key(f"{attempt.student} ({account_of(attempt)})")) if is_taken else attempt


def _notes_on_rejected(team: Team, claims: Claims) -> Iterator[str]:
    reason = f": {UNDECIDED}" if claims.is_open else ", whose members' accounts are in the roster"
    for student in dict.fromkeys(_under_other_name(attempt, team).student for attempt in claims.apart):
        yield f"{student} is not taken for the team {team.name}{reason}"


def _attempts_of_members(
    team: Team, attempts: Sequence[Attempt], listed: ClassTeams, roster: Roster | None
) -> Iterator[Attempt]:
    """Yield the attempts of a team for each member."""
    words = f"the submission of {team.name}, a team: {', '.join(team.members)}"
    for member in team.members.values():
        for attempt in attempts:
            is_own = listed.owners(attempt) == (member.owner or member.student,)
            yield replace(
                attempt,
                student=member.student,
                identity=attempt.identity if is_own else _identity(member),
                owner=member.owner,
                roster={**attempt.roster, _column(member, roster): team.name},
                notes=(*attempt.notes, words) if len(team.members) > 1 else attempt.notes,
            )


def _identity(member: Member) -> StudentIdentity:
    """Return the identity, completed from the roster if the student is listed there."""
    return StudentIdentity(login=member.student) if member.identity == StudentIdentity() else member.identity


def _column(member: Member, roster: Roster | None) -> str:
    """Return the heading of the roster's team column, as it is spelled there."""
    columns = roster.further.get(member.owner or "", {}) if roster else {}
    return next((column for column in columns if column.casefold() == COLUMN), COLUMN)


def _notes_on_team(team: Team, attempts: Sequence[Attempt]) -> Iterator[str]:
    """Yield a note on a team that submitted nothing, or that submitted under several names."""
    names = dict.fromkeys(attempt.student for attempt in attempts)
    if not names:
        yield f"{team.place}: no submission of the team {team.name} ({', '.join(team.members)})"
    elif len(names) > 1:
        yield f"{' and '.join(names)} are all of the team {team.name}: they are taken for attempts of each member"
