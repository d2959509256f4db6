"""Shortens, as far as possible, a session in which a submission differs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.plugins.searching.fuzzing.fewest_lines import fewest_lines
from grader.plugins.searching.fuzzing.grammar import LinePattern, OneLine
from grader.plugins.searching.fuzzing.playing.reference import AnsweredTest
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession
from grader.plugins.searching.fuzzing.probe import FoundDifference, Probe
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan
from grader.plugins.searching.fuzzing.sessions import is_left_open

if TYPE_CHECKING:
    from grader.plugins.searching.fuzzing.session_source import SessionSource

_MAX_RUNS = 400
"""The number of runs that may be spent on shortening a session."""


@dataclass(frozen=True, kw_only=True)
class DifferingSubmission:
    """A submission with the difference `found`, in the first session of `source` in which it differs.

    `alike` holds earlier sessions in which it does not differ, or which the reference does not handle. `read_as` maps
    sessions that the reference does not read to the end to the part that it reads.
    """

    plan: FuzzPlan
    source: "SessionSource"
    found: FoundDifference
    alike: Iterable[RandomSession]
    read_as: Mapping[RandomSession, RandomSession]
    variants: Sequence[str]


def adopted(differing: DifferingSubmission, probe: Probe, others: Iterable[FoundDifference]) -> FoundDifference | None:
    """Return another submission's difference that this submission also has, for the same reason, or None."""
    for shorter in others:
        again = _played_again(probe, shorter.session, differing.variants)
        if again is not None and again.result.judgement.diagnosis == shorter.result.judgement.diagnosis:
            return again
    return None


def shortened(differing: DifferingSubmission, probe: Probe, goes_on: Callable[[], bool]) -> FoundDifference:
    """Return the shortest difference found within the allowed runs while `goes_on` holds, or else the given one.

    The same sessions are drawn again, with the answers remembered, and Hypothesis shortens them, starting from the
    first one that differs. Finally, other lines are removed, which it could not drop because they belong to a session
    that it varied.
    """
    tried = {**dict.fromkeys(differing.alike, False), differing.found.session: True}
    runs_left = _MAX_RUNS

    def differs(session: RandomSession) -> bool:
        nonlocal runs_left
        session = differing.read_as.get(session, session)
        if session not in tried:
            if runs_left == 0 or not goes_on():
                # This is not remembered, because an untried session is only unavailable, not known to be alike.
                return False
            runs_left -= 1
            tried[session] = _differs(probe, session, differing)
        return tried[session]

    shortest = _with_fewest_lines(
        differing.plan, differing.source.shortest(differs) or differing.found.session, differs
    )
    if shortest == differing.found.session:
        return differing.found
    return _played_again(probe, shortest, differing.variants) or differing.found


def _with_fewest_lines(
    plan: FuzzPlan, session: RandomSession, differs: Callable[[RandomSession], bool]
) -> RandomSession:
    """Return the session without the repeated lines that are not needed."""
    patterns = plan.grammar.lines
    if all(isinstance(pattern, OneLine) for pattern in patterns):
        return session
    before = sum(1 for _ in takewhile(_is_one_line, patterns))
    after = len(session.texts) - sum(1 for _ in takewhile(_is_one_line, reversed(patterns)))
    head, middle, tail = session.texts[:before], session.texts[before:after], session.texts[max(before, after) :]
    fewest = fewest_lines(middle, lambda lines: differs(replace(session, texts=(*head, *lines, *tail))))
    return replace(session, texts=(*head, *fewest, *tail))


def _is_one_line(pattern: LinePattern) -> bool:
    return isinstance(pattern, OneLine)


def _differs(probe: Probe, session: RandomSession, differing: DifferingSubmission) -> bool:
    """Return whether the submission differs; a failure of the grader does not count."""
    if is_left_open(differing.plan, session):
        return False
    try:
        return probe.differs(session, differing.variants)
    except (GraderError, OSError):
        return False


def _played_again(probe: Probe, session: RandomSession, variants: Sequence[str]) -> FoundDifference | None:
    """Return the difference in a session if it repeats, without the lines that the reference does not read."""
    answered = probe.reference.answer(session)
    return probe.again(answered, variants) if isinstance(answered, AnsweredTest) else None
