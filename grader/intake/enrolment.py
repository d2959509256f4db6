"""Matches submissions with the roster: their owners, unknown students, and students without a submission."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.class_files.roster import Roster, compared_id
from grader.errors import nearest, quoted
from grader.intake.attempt import Attempt, FileContents, ReceivedClass, mark_of
from grader.model.submission import StudentIdentity
from grader.text.names import student_key
from grader.text.words import some_of

_NOTHING = "nothing was handed in"
_MOST_NAMED = 8
Clue = tuple[str, str]
"""A clue to a submission's student: its kind and its text."""


_CLUES = {
    "moodle": "number in Moodle",
    "canvas": "number in Canvas",
    "id": "id",
    "email": "email",
    "login": "login",
    "address": "start of the email",
    "name": "name",
    "run together": "name",
}


def with_roster(arrived: ReceivedClass, roster: Roster) -> ReceivedClass:
    """Return the class under the names in the roster, with a row for each student who did not submit.

    A student is recognised by an id on the platform, then by the school's id, the email address or the login, the start
    of the email address, and finally by a unique name. A login shared by several students belongs to a team, and every
    member gets the submission. Unrecognised students stay in the class with a note, and a note reports clues that point
    to another student.
    """
    by_clue = students_by_clue(roster.students)
    stated = _logins(arrived.arrivals, by_clue)
    arrivals: list[Attempt] = []
    notes: list[str] = []
    teams = list(arrived.teams)
    present: set[str] = set()
    keys = set(map(student_key, roster.students))
    for arrival in arrived.arrivals:
        clues = [clue for clue in clues_to(arrival) if clue in by_clue]
        owners = (arrival.owner,) if arrival.owner else owners_by(clues, by_clue)
        if arrival.has_chosen_login and not _logins([arrival], by_clue) and stated.intersection(owners):
            # Students can choose their logins, so a login that only resembles a student's must not replace that
            # student.
            name = f"{arrival.student} (login)"
            notes.append(f"{name} is not taken for {owners[0]}, whose submission has the login of {roster.file.name}")
            arrivals.append(replace(arrival, student=student_key(name)))
            continue
        if not owners and arrival.student in keys:
            # A display name that equals a student's key must not replace that student.
            arrival = replace(arrival, student=student_key(f"{arrival.student} ({mark_of(arrival)})"))
        notes += _contradictions(arrival.student, owners, {clue: by_clue[clue] for clue in clues}, roster)
        if not owners and arrival.student not in present:
            notes.append(_about_unknown(arrival.student, [name for clue in clues for name in by_clue[clue]], roster))
        if len(owners) > 1:
            notes.append(f"{arrival.student} is a team of {roster.file.name}: {', '.join(owners)}")
            teams.append(tuple(map(student_key, owners)))
        present.update(owners or [arrival.student])
        arrivals += [_under_name(arrival, owner, roster) for owner in owners] or [arrival]
    missing = [name for name in roster.students if name not in present]
    arrivals += [_placeholder(name, roster) for name in missing]
    about = (*_about_missing(missing, roster), *_about_columns(roster))
    return ReceivedClass(numbered(arrivals), (*arrived.notes, *dict.fromkeys(notes), *about), tuple(teams))


def _placeholder(name: str, roster: Roster) -> Attempt:
    """Return a placeholder for a student who did not submit."""
    nothing = Attempt(student="", contents=FileContents(), source="", notes=(_NOTHING,))
    return _under_name(nothing, name, roster)


def recognised(names: Iterable[str], roster: Roster) -> set[str]:
    """Return the folder names that point to a student or team in the roster."""
    by_clue = students_by_clue(roster.students)
    folders = {
        name: Attempt(student=name, contents=FileContents(), source=name, identity=StudentIdentity(login=name))
        for name in names
    }
    return {name for name, folder in folders.items() if any(clue in by_clue for clue in clues_to(folder))}


def _under_name(arrival: Attempt, owner: str, roster: Roster) -> Attempt:
    identity = roster.students[owner].filled(arrival.identity)
    further = {**roster.further.get(owner, {}), **arrival.roster}
    return replace(arrival, student=student_key(owner), identity=identity, roster=further)


def _about_unknown(student: str, candidates: Sequence[str], roster: Roster) -> str:
    if not candidates:
        return f"{student} is not in {roster.file.name}{nearest(student, roster.students)}"
    names = ", ".join(dict.fromkeys(candidates))
    return f"{student} could be more than one student in {roster.file.name}: {names}; give each an id or a login"


def _contradictions(
    student: str, owners: Sequence[str], by_clue: Mapping[Clue, Sequence[str]], roster: Roster
) -> Iterator[str]:
    """Yield a note about the first clue that points to students other than the owners."""
    if not owners:
        return
    for clue, names in by_clue.items():
        if set(owners).isdisjoint(names):
            yield (
                f"{student} is taken for {', '.join(owners)} of {roster.file.name}, though {quoted(clue[1])} is the "
                f"{_CLUES[clue[0]]} of {', '.join(names)}"
            )
            return


def _about_missing(missing: list[str], roster: Roster) -> Iterator[str]:
    if missing:
        yield f"{len(missing)} of {len(roster.students)} in {roster.file.name} handed in nothing: {', '.join(missing)}"


def _about_columns(roster: Roster) -> Iterator[str]:
    if roster.unknown_columns:
        columns = some_of(roster.unknown_columns, _MOST_NAMED)
        yield f"further columns of {roster.file.name}, kept for filters and exports: {columns}"


def numbered(arrivals: Iterable[Attempt]) -> tuple[Attempt, ...]:
    """Number each student's submissions as attempts, in the order in which they were found."""
    counts: dict[str, int] = {}
    numbered = []
    for arrival in arrivals:
        number = max(arrival.attempt, counts.get(arrival.student, 0) + 1)
        counts[arrival.student] = number
        numbered.append(replace(arrival, attempt=number))
    return tuple(numbered)


def students_by_clue(students: Mapping[str, StudentIdentity]) -> dict[Clue, tuple[str, ...]]:
    """Map each clue to the students it points to."""
    names: dict[Clue, tuple[str, ...]] = {}
    for name, identity in students.items():
        for clue in {*_exact(identity), *_names(identity.name or "")}:
            names[clue] = (*names.get(clue, ()), name)
    return names


def _logins(arrivals: Iterable[Attempt], by_clue: Mapping[Clue, Sequence[str]]) -> set[str]:
    """Return the students whose login in the roster appears in one of the submissions."""
    logins = (arrival.identity.login for arrival in arrivals if arrival.identity.login)
    owners = (by_clue.get(("login", compared_id(login)), ()) for login in logins)
    return {names[0] for names in owners if len(names) == 1}


def owners_by(clues: Iterable[Clue], by_clue: Mapping[Clue, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the students for the first clue that points to a single student or is a team's login."""
    pointed_to = ((clue, by_clue.get(clue, ())) for clue in clues)
    return next((names for clue, names in pointed_to if len(names) == 1 or (names and clue[0] == "login")), ())


def clues_to(arrival: Attempt) -> Iterator[Clue]:
    """Yield the clues to an attempt's owner, most reliable first."""
    identity = arrival.identity
    if identity.login and identity == StudentIdentity(login=identity.login):
        # A folder may be named after the student's login, id or email.
        identity = replace(identity, id=identity.login, email=identity.login)
    yield from _exact(identity)
    if identity.login:
        login = compared_id(identity.login)
        yield from (("id", login), ("email", login), ("address", login))
    if identity.email:
        yield "login", _start(identity.email)
    yield from _names(identity.name or identity.login or "")


def _exact(identity: StudentIdentity) -> Iterator[Clue]:
    for key in ("moodle", "canvas", "id", "email", "login"):
        value = getattr(identity, key)
        if value:
            yield key, compared_id(value)
    if identity.email:
        yield "address", _start(identity.email)


def _start(email: str) -> str:
    """Return the part of an address before the @, which is often a login."""
    return compared_id(email).partition("@")[0]


def _names(name: str) -> Iterator[Clue]:
    """Yield a name in the forms used for comparison: its words sorted, and joined as in Canvas, family name first."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold())
    if words:
        yield "name", " ".join(sorted(words))
        yield "run together", "".join(words)
        yield "run together", words[-1] + "".join(words[:-1])
