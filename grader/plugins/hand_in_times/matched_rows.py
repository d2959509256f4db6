"""Matches the rows of a times file with students' attempts.

Ids, logins and email addresses come before names, which students choose. A row that fits several students is left for a
person to decide, unless they are a team.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.class_files.roster import compared_id
from grader.files.archive_reader import archive_stem
from grader.intake.attempt import Attempt, ReceivedClass
from grader.plugins.hand_in_times.time_file import HandInTime
from grader.text.words import some_of

_MAX_NAMED = 8
AttemptsByIndex = Mapping[int, Attempt]
"""Attempts by index."""


@dataclass(frozen=True)
class MatchedRow:
    """A row with the attempts that have its name; `doubt` says why a person must decide which student is meant."""

    entry: HandInTime
    named: AttemptsByIndex
    doubt: str = ""


def matched_rows(rows: Sequence[HandInTime], arrived: ReceivedClass) -> Iterator[MatchedRow]:
    """Yield the rows, each with the attempts that have its name."""
    arrivals = dict(enumerate(arrived.arrivals))
    matched_by_id = [
        _attempts_with(row, arrivals, _report_names) or _attempts_with(row, arrivals, _accounts) for row in rows
    ]
    timed = {arrival.student for named in matched_by_id for arrival in named.values()}
    others = {index: arrival for index, arrival in arrivals.items() if arrival.student not in timed}
    for row, accounts in zip(rows, matched_by_id, strict=True):
        named = accounts or _attempts_with(row, others, _full_names)
        students = {arrival.student for arrival in named.values() if arrival.source}
        if len(students) > 1 and not any(students.issubset(team) for team in arrived.teams):
            names = some_of(sorted(students), _MAX_NAMED)
            yield MatchedRow(row, named, f"`{row.student}` fits several students, so a person must decide: {names}")
        else:
            yield MatchedRow(row, named)


def _attempts_with(row: HandInTime, arrivals: AttemptsByIndex, keys: Callable[[Attempt], set[str]]) -> AttemptsByIndex:
    return {index: arrival for index, arrival in arrivals.items() if compared_id(row.student) in keys(arrival)}


def _report_names(arrival: Attempt) -> set[str]:
    """Return the student's name in reports."""
    return {compared_id(arrival.student)}


def _accounts(arrival: Attempt) -> set[str]:
    """Return the names that the roster or the platform gives to the student or team of an attempt."""
    identity = arrival.identity
    team = (value for column, value in arrival.roster.items() if column.casefold() == "team")
    names = (identity.id, identity.login, identity.email, *team, folder_of(arrival))
    return {compared_id(name) for name in names if name}


def _full_names(arrival: Attempt) -> set[str]:
    return {compared_id(arrival.identity.name or "")}


def folder_of(arrival: Attempt) -> str:
    """Return the name of the submitted folder or archive, without its suffix."""
    name = arrival.source.partition("/")[0]
    return compared_id(archive_stem(name) or name)
