"""Causes visible in a line whose rows of one character, such as `=====`, have another length."""

import re

from grader.judge.evidence import FailureEvidence, LinePair, finds_in_line
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.line import LINE_CUT_SHORT, LINE_TOO_LONG
from grader.text.escape import quote
from grader.text.sentence import say

_RUN = re.compile(r"([^\w\s()\[\]{}])\1*")
_SHORTEST = 3
_LONGEST_LINE = 100_000


@finds_in_line(LINE_CUT_SHORT, LINE_TOO_LONG)
def run_before_right_lines(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a row of another length if the next line is right, so that nothing has slipped into it."""
    following = slice(pair.number, pair.number + 1)
    is_right = evidence.expected_lines[following] == evidence.actual_lines[following]
    return _run(pair) if is_right else None


@finds_in_line(LINE_CUT_SHORT, LINE_TOO_LONG)
def run(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a row of another length."""
    return _run(pair)


def _run(pair: LinePair) -> Diagnosis | None:
    both = pair.expected, pair.actual
    if max(map(len, both)) > _LONGEST_LINE or len({_RUN.sub(r"\1", line) for line in both}) > 1:
        return None
    rows = zip(_RUN.finditer(pair.expected), _RUN.finditer(pair.actual), strict=True)
    expected_run, actual_run = next((expected[0], actual[0]) for expected, actual in rows if expected[0] != actual[0])
    if max(len(expected_run), len(actual_run)) < _SHORTEST:
        return None
    values = {
        "line": pair.number,
        "found": len(actual_run),
        "wanted": len(expected_run),
        "character": quote(actual_run[0]),
    }
    cause = LINE_CUT_SHORT if len(actual_run) < len(expected_run) else LINE_TOO_LONG
    return Diagnosis(cause, say("Line {line} has {found} {character} in a row; expected {wanted}.", **values))
