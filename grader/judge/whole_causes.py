"""Causes that explain every difference of a transcript at once."""

from grader.judge.diagnosis import Diagnosis
from grader.judge.differences import kinds_between
from grader.judge.evidence import Evidence


def only_one_kind_of_difference(evidence: Evidence) -> Diagnosis | None:
    """All lines are right but for one kind of difference, or but for empty lines."""
    return _one_kind(evidence) or _empty_lines(evidence) or _last_line_end(evidence)


def _one_kind(evidence: Evidence) -> Diagnosis | None:
    divergence = evidence.divergence
    if divergence is None or divergence.expected is None or divergence.actual is None:
        return None
    if len(evidence.expected_lines) != len(evidence.actual_lines) or divergence.expected == divergence.actual:
        return None
    for kind in kinds_between(divergence.expected, divergence.actual):
        differing = [
            (expected, actual)
            for expected, actual in zip(evidence.expected_lines, evidence.actual_lines, strict=True)
            if expected != actual
        ]
        if all(kind.rewrite(expected) == kind.rewrite(actual) for expected, actual in differing):
            said = kind.say(divergence.expected, divergence.actual)
            return Diagnosis(kind.cause, f"In line {divergence.line} {said}{_more(len(differing) - 1)}.")
    return None


def _more(others: int) -> str:
    if not others:
        return "; all else is right"
    return f"; {others} more line{'s differ' if others > 1 else ' differs'} in this way, all else is right"


def _empty_lines(evidence: Evidence) -> Diagnosis | None:
    divergence = evidence.divergence
    if divergence is None or [line for line in evidence.expected_lines if line] != [
        line for line in evidence.actual_lines if line
    ]:
        return None
    difference = len(evidence.expected_lines) - len(evidence.actual_lines)
    if divergence.expected == "" and difference:
        said = f"An empty line is missing before line {divergence.line}"
    elif divergence.actual == "" and difference:
        said = f"The empty line {divergence.line} is too much"
    else:
        return None
    others = abs(difference) - 1
    more = f" ({others} more elsewhere)" if others else ""
    return Diagnosis("empty-line", f"{said}{more}; all else is right.")


def _last_line_end(evidence: Evidence) -> Diagnosis | None:
    if evidence.expected == evidence.actual + "\n":
        return Diagnosis("last-line-end", "Only the line end after the last line is missing.")
    if evidence.expected + "\n" == evidence.actual:
        return Diagnosis("last-line-end", "Only the line end after the last line is too much.")
    return None
