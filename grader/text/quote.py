"""Quotes pieces of a text in a sentence: short, and harmless to a terminal."""

from grader.text.difference import differing_spans
from grader.text.escape import LOOK_ALIKES, escape_controls, is_odd, show_invisible

_LONGEST = 60


_LONGEST_MARKED = 100


_BEFORE = 30


def quote(text: str) -> str:
    """`text` in backquotes, cut after some 60 characters."""
    if not text:
        return "a blank line"
    return _short(escape_controls(text[: _LONGEST + 1]), _LONGEST)


def quote_both(expected: str, actual: str) -> tuple[str, str]:
    """Two differing texts in backquotes, cut to where they differ.

    When they would look the same, what the eye misses is marked in the part that differs.
    """
    start, expected_end, actual_end = differing_spans(expected, actual)
    low = max(start - _BEFORE, 0) if max(len(expected), len(actual)) > _LONGEST else 0
    pieces = [(expected, expected_end), (actual, actual_end)]
    mark = len({_look(text[low : low + _LONGEST]) for text, _ in pieces}) == 1
    both = [_piece(text, low, start, end if mark else start) for text, end in pieces]
    return both[0], both[1]


def _look(text: str) -> str:
    """What the eye sees of `text`."""
    return "".join(one for one in text.translate(LOOK_ALIKES) if one != " " and not is_odd(one))


def _piece(text: str, low: int, start: int, end: int) -> str:
    if not text:
        return "a blank line"
    piece = text[low : low + _LONGEST]
    start, end = start - low, min(end - low, len(piece))
    shown = "".join(show_invisible(piece, start, end)) if start < end else escape_controls(piece)
    after = "…" * (low + len(piece) < len(text))
    return _short(f"{'…' * (low > 0)}{shown}{after}", _LONGEST_MARKED)


def _short(shown: str, longest: int) -> str:
    return f"`{shown[:longest]}…`" if len(shown) > longest else f"`{shown}`"
