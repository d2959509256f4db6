"""Matches submissions with the roster: their owners, unknown students, and students without a submission."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.class_files.roster import Roster, compared_id
from grader.errors import nearest, quoted
from grader.intake.attempt import Attempt, FileContents, ReceivedClass, RefusedContents, marks_of
from grader.model.submission import StudentIdentity
from grader.text.names import student_key
from grader.text.words import some_of

_NOTHING = Attempt(student="", contents=FileContents(), source="", notes=("nothing was handed in",))
UNDECIDED = "names that students choose do not say whose this is, so a person must decide"
REFUSED = replace(_NOTHING, contents=RefusedContents(UNDECIDED), notes=())
_MAX_NAMED = 8
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
    claims = _rival_accounts(arrived.arrivals, by_clue)
    undecided = [owners for owners, rivals in claims.items() if not any(rivals.values())]
    arrivals: list[Attempt] = []
    notes: list[str] = []
    teams = list(arrived.teams)
    present: set[str] = set()
    candidates: set[str] = set()
    keys = set(map(student_key, roster.students))
    for arrival in arrived.arrivals:
        clues = [clue for clue in clues_to(arrival) if clue in by_clue]
        owners = _owners(arrival, by_clue)
        if not claims[owners].get(account_of(arrival), True):
            # Students choose their names and some logins, which must not replace another student's submission.
            arrivals.append(_as_unknown(arrival, keys))
            reason = f": {UNDECIDED}" if owners in undecided else f", whose account is in {roster.file.name}"
            notes.append(f"{arrivals[-1].student} is not taken for {', '.join(owners)}{reason}")
            continue
        if not owners and arrival.student in keys:
            # A display name that equals a student's key must not replace that student.
            arrival = replace(arrival, student=student_key(f"{arrival.student} ({marks_of(arrival)[0]})"))
        notes += _contradictions(arrival.student, owners, {clue: by_clue[clue] for clue in clues}, roster)
        if not owners and arrival.student not in present:
            names = [name for clue in clues for name in by_clue[clue]]
            notes.append(_about_unknown(arrival.student, names, roster))
            candidates.update(names)
        if len(owners) > 1:
            notes.append(f"{arrival.student} is a team of {roster.file.name}: {', '.join(owners)}")
            teams.append(tuple(map(student_key, owners)))
        present.update(owners or [arrival.student])
        arrivals += [_under_name(arrival, owner, roster) for owner in owners] or [arrival]
    doubtful = (candidates - present).union(*undecided)
    arrivals += [_under_name(REFUSED, name, roster) for name in roster.students if name in doubtful]
    missing = [name for name in roster.students if name not in present | doubtful]
    arrivals += [_under_name(_NOTHING, name, roster) for name in missing]
    notes = [*arrived.notes, *dict.fromkeys(notes), *_about_missing(missing, roster), *_about_columns(roster)]
    return ReceivedClass(numbered(arrivals), tuple(notes), tuple(teams))


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
    return replace(arrival, student=student_key(owner), identity=identity, roster=further, former=arrival.student)


def _about_unknown(student: str, candidates: Sequence[str], roster: Roster) -> str:
    if not candidates:
        return f"{student} is not in {roster.file.name}{nearest(student, roster.students)}"
    names = ", ".join(dict.fromkeys(candidates))
    advice = "a person must decide: give each the number of the platform, or write an id before the name of the folder"
    return f"{student} could be more than one student in {roster.file.name}: {names}; {advice}"


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
        columns = some_of(roster.unknown_columns, _MAX_NAMED)
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


def _rival_accounts(
    arrivals: Iterable[Attempt], by_clue: Mapping[Clue, tuple[str, ...]]
) -> dict[tuple[str, ...], dict[str, bool]]:
    """Map students to the rival accounts that point to them; True if a clue does that the holder cannot choose."""
    claims: dict[tuple[str, ...], dict[str, bool]] = defaultdict(dict)
    for arrival in arrivals:
        owners, account = _owners(arrival, by_clue), account_of(arrival)
        if owners and (account or arrival.owner):
            claims[owners][account] = claims[owners].get(account, False) or is_sure(arrival, owners, by_clue)
    return defaultdict(dict, {owners: rivals for owners, rivals in claims.items() if len(rivals) > 1})


def is_sure(arrival: Attempt, owners: tuple[str, ...], by_clue: Mapping[Clue, tuple[str, ...]]) -> bool:
    """Return whether an attempt points to these students by a clue that its account's holder cannot choose."""
    exact = [clue for clue in _exact(arrival.identity) if clue[0] not in ("address", arrival.account and "id")]
    if arrival.identity.login and not arrival.has_chosen_login:
        exact.append(("id", compared_id(arrival.identity.login)))
    return bool(arrival.owner) or any(by_clue.get(clue) == owners for clue in exact)


def account_of(arrival: Attempt) -> str:
    """Return the platform's account that submitted an attempt; empty if only the student's name is known."""
    identity = arrival.identity
    login = identity.login if arrival.has_chosen_login or identity.name else ""
    return arrival.account or identity.moodle or identity.canvas or identity.email or login or ""


def _as_unknown(arrival: Attempt, keys: Collection[str]) -> Attempt:
    """Return an attempt of an unknown student, under a name that no student in the roster has."""
    mark = "login" if arrival.has_chosen_login else account_of(arrival) if arrival.student in keys else ""
    name = student_key(f"{arrival.student} ({mark})") if mark else arrival.student
    identity = replace(arrival.identity, id=None) if arrival.account else arrival.identity
    return replace(arrival, student=name, identity=identity)


def _owners(arrival: Attempt, by_clue: Mapping[Clue, tuple[str, ...]]) -> tuple[str, ...]:
    return (arrival.owner,) if arrival.owner else owners_by(clues_to(arrival), by_clue)


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
    if arrival.account and identity.email:
        # An account's holder can choose the id, but not the email address.
        yield "email", compared_id(identity.email)
    yield from _exact(identity)
    if identity.login:
        login = compared_id(identity.login)
        yield from (("id", login), ("email", login), ("address", login))
    if identity.email:
        yield "login", _local_part(identity.email)
    yield from _names(identity.name or identity.login or "")


def _exact(identity: StudentIdentity) -> Iterator[Clue]:
    for key in ("moodle", "canvas", "id", "email", "login"):
        value = getattr(identity, key)
        if value:
            yield key, compared_id(value)
    if identity.email:
        yield "address", _local_part(identity.email)


def _local_part(email: str) -> str:
    """Return the part of an email address before the @, which is often a login."""
    return compared_id(email).partition("@")[0]


def _names(name: str) -> Iterator[Clue]:
    """Yield a name in the forms used for comparison: its words sorted, and joined as in Canvas, family name first."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold())
    if words:
        yield "name", " ".join(sorted(words))
        yield "run together", "".join(words)
        yield "run together", words[-1] + "".join(words[:-1])
