"""Decides which of the accounts that submitted for a team belong to its members."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.intake.attempt import Attempt
from grader.intake.enrolment import account_of
from grader.plugins.teams.class_teams import ClassTeams, Team


@dataclass(frozen=True)
class Claims:
    """The attempts that count for a team, and the attempts kept apart from it. If `is_open`, a person must decide."""

    counted: Sequence[Attempt]
    apart: Sequence[Attempt] = ()
    is_open: bool = False


def claims_to(team: Team, attempts: Sequence[Attempt], listed: ClassTeams) -> Claims:
    """Return which attempts count for a team.

    Two accounts are never accepted because of their names alone, unless they name different members of the team.
    """
    sure = {account_of(attempt) for attempt in attempts if listed.is_sure(attempt)}
    accounts: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for attempt in attempts:
        accounts[listed.owners(attempt)].add(account_of(attempt))
    doubtful = [
        attempt
        for attempt in attempts
        if account_of(attempt) not in {"", *sure}
        and not (_is_named_after_member(attempt, team, listed) and len(accounts[listed.owners(attempt)]) == 1)
    ]
    if not doubtful or len(set[str]().union(*accounts.values())) == 1:
        return Claims(attempts)
    if not sure:
        return Claims((), attempts, is_open=True)
    return Claims([attempt for attempt in attempts if attempt not in doubtful], doubtful)


def _is_named_after_member(attempt: Attempt, team: Team, listed: ClassTeams) -> bool:
    """Return whether an attempt points to a member who has no other account of the platform in the roster."""
    owners = listed.owners(attempt)
    members = [member for member in team.members.values() if owners == (member.owner or member.student,)]
    given = [(getattr(attempt.identity, key), key) for key in ("moodle", "canvas")]
    return bool(members) and all(
        number in (None, getattr(member.identity, key)) or not getattr(member.identity, key)
        for member in members
        for number, key in given
    )
