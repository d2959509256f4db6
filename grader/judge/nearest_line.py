"""Finds the line of an output that is closest to a string it should contain."""

from difflib import SequenceMatcher

from grader.judge.evidence import cause_families
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

_MAX_LINES = 500
_MAX_CHARACTERS = 300
_SMALLEST_BLOCK = 3
_LEAST = 0.5


def with_nearest_line(fault: Sentence, expected: str, text: str) -> Sentence:
    """Add to a fault the line of `text` closest to `expected`, or a remark that the output is empty."""
    if not text.strip():
        return say("{fault}; it is blank", fault=fault)
    first = expected.strip().split("\n", 1)[0]
    line = _nearest(first, text)
    if line is None:
        return fault
    shown = say("{fault}; the nearest line is {nearest_line}", fault=fault, nearest_line=quote(line))
    words = next(filter(None, (family.difference(first, line) for family in cause_families())), None)
    return shown if words is None else say("{shown}: {said}", shown=shown, said=words)


def _nearest(expected: str, text: str) -> str | None:
    """Return the closest line, or None if no line contains half of the expected text."""
    lines = [line[:_MAX_CHARACTERS] for line in text.split("\n", _MAX_LINES)[:_MAX_LINES] if line.strip()]
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(expected.casefold()[:_MAX_CHARACTERS])
    best, nearest = (_LEAST, 0.0), None
    for line in lines:
        matcher.set_seq1(line.casefold())
        if matcher.quick_ratio() * (len(line) + len(expected)) < best[0] * 2 * len(expected):
            continue
        blocks = (block.size for block in matcher.get_matching_blocks())
        share = sum(size for size in blocks if size >= min(_SMALLEST_BLOCK, len(expected))) / max(len(expected), 1)
        if (share, matcher.ratio()) > best:
            best, nearest = (share, matcher.ratio()), line
    return nearest
