"""Marks the part of a line in which it differs from another line, as HTML."""

from markupsafe import Markup

from grader.reports.html.text import named_mark, shown, with_marks
from grader.text.escape import is_odd, show_invisible


def differing_line(text: str, start: int, end: int) -> Markup:
    """Mark up a line that differs from `start` to `end`, highlighting that part unless it is empty or the whole line.

    In that part, spaces at both ends and all odd characters become marks, as do spaces at the end of the line.
    """
    body = len(text.rstrip(" "))
    if start == 0 and end in (0, len(text)):
        return Markup(_differing(text) if end else _ending_in_dots(text, body))
    inner = text[start:end]
    marked = f"<mark>{_differing(inner)}</mark>" if inner else '<mark class="gap"></mark>'
    return Markup(_ending_in_dots(text[:start], body) + marked + _ending_in_dots(text[end:], body - end))


def _differing(text: str) -> str:
    body = text.strip(" ")
    if not body:
        return _dots(len(text))
    start = text.index(body)
    marked = with_marks(body, _odd_mark)
    return _dots(start) + marked + _dots(len(text) - start - len(body))


def _ending_in_dots(text: str, body: int) -> str:
    body = max(body, 0)
    return f"{shown(text[:body])}{_dots(len(text) - body)}"


def _dots(count: int) -> str:
    return f'<i class="c">{"·" * count}</i>' if count > 0 else ""


def _odd_mark(character: str) -> str:
    return named_mark(character, show_invisible(character, 0, 1)[1] if is_odd(character) else character)
