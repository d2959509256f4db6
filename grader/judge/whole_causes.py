"""Causes that explain every difference of a transcript at once."""

from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.differences import kinds_between
from grader.judge.evidence import Evidence


def only_one_kind_of_difference(evidence: Evidence) -> Diagnosis | None:
    """All lines are right but for one kind of difference."""
    pair = evidence.pair
    if pair is None or len(evidence.expected_lines) != len(evidence.actual_lines):
        return None
    for kind in kinds_between(pair.expected, pair.actual):
        differing = [
            (expected, actual)
            for expected, actual in zip(evidence.expected_lines, evidence.actual_lines, strict=True)
            if expected != actual
        ]
        if all(kind.rewrite(expected) == kind.rewrite(actual) for expected, actual in differing):
            said = kind.say(pair.expected, pair.actual)
            return Diagnosis(kind.cause, f"In line {pair.number} {said}{_more(len(differing) - 1)}.")
    return None


def _more(others: int) -> str:
    if not others:
        return "; all else is right"
    return f"; {others} more line{'s differ' if others > 1 else ' differs'} in this way, all else is right"


def only_empty_lines(evidence: Evidence) -> Diagnosis | None:
    """All lines are right but for empty ones."""
    divergence = evidence.divergence
    if divergence is None or list(filter(None, evidence.expected_lines)) != list(filter(None, evidence.actual_lines)):
        return None
    missing = len(evidence.expected_lines) - len(evidence.actual_lines)
    if divergence.expected == "" and divergence.actual != "":
        said, others = f"An empty line is missing at line {divergence.line}", missing - 1
    elif divergence.actual == "" and divergence.expected != "":
        said, others = f"There is an empty line too many at line {divergence.line}", -missing - 1
    else:
        return None
    return Diagnosis(Cause.EMPTY_LINE, f"{said}{_elsewhere(others)}; all else is right.")


def _elsewhere(others: int) -> str:
    if others < 0:
        return ", and other empty lines stand in the wrong place"
    return f", and {others} more further on" if others else ""


def only_last_line_end(evidence: Evidence) -> Diagnosis | None:
    """All is right but for the very last line end."""
    if evidence.expected == evidence.actual + "\n":
        return Diagnosis(Cause.LAST_LINE_END, "The line end after the last line is missing; all else is right.")
    if evidence.expected + "\n" == evidence.actual:
        return Diagnosis(Cause.LAST_LINE_END, "There is a line end too many after the last line; all else is right.")
    return None
