"""Converts students' text and code to HTML in which nothing is hidden or active.

It is assembled here rather than in a template, because a site may have hundreds of thousands of lines.
"""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from grader.text.escape import escape_controls, is_odd, name, show_invisible
from grader.text.language import in_language, language_tag, told

# Printable ASCII, line endings, suits, cards and other pictures do not need a check.
_SUSPECT = re.compile(r"[^\x20-\x7e\n\u2660-\u2667\U0001f000-\U0001faff]")
MAX_LINES = 5_000
"""The maximum number of lines of a program to show."""


def visible_in_page(text: str) -> str:
    """Return `text` on a single line, with control and bidirectional characters as marks such as `<U+202E>`."""
    return text if text.isprintable() else escape_controls(text)


def shown(text: str) -> Markup:
    """Escape `text`, which may have several lines; control characters become marks with their names, tabs are kept."""
    return Markup(_shown(text))


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


def _shown(text: str) -> str:
    return _SUSPECT.sub(lambda match: _mark(match[0]), str(escape(text)))


def _differing(text: str) -> str:
    body = text.strip(" ")
    if not body:
        return _dots(len(text))
    start = text.index(body)
    marked = _SUSPECT.sub(lambda match: _odd_mark(match[0]), str(escape(body)))
    return _dots(start) + marked + _dots(len(text) - start - len(body))


def _ending_in_dots(text: str, body: int) -> str:
    body = max(body, 0)
    return _shown(text[:body]) + _dots(len(text) - body)


def _dots(count: int) -> str:
    return f'<i class="c">{"·" * count}</i>' if count > 0 else ""


def _mark(character: str) -> str:
    return '<i class="t">\t</i>' if character == "\t" else _named(character, escape_controls(character))


def _odd_mark(character: str) -> str:
    return _named(character, show_invisible(character, 0, 1)[1] if is_odd(character) else character)


def _named(character: str, mark: str) -> str:
    return character if mark == character else _titled(character, mark, language_tag())


@lru_cache(maxsize=4096)
def _titled(character: str, mark: str, _language: str) -> str:
    return str(Markup('<i class="c" title="{}">{}</i>').format(in_language(name(character)), mark))


def code_line(number: int, code: Markup, kind: str, sign: str = "", anchor: str = "") -> str:
    """Return a line of a program; `kind` is a CSS class, and `sign` is HTML placed before the line number."""
    name = f"l {kind}".rstrip()
    opening = f'<div class="{name}" id="{anchor}">' if anchor else f'<div class="{name}">'
    return f'{opening}{sign}<span class="n">{number}</span><code>{code}</code></div>'


def more_lines(count: int) -> str:
    """Return a line with the number of lines of a program that are not shown, if any."""
    words = told("… {more:,} more lines", more=count - MAX_LINES)
    return f'<p class="muted">{words}</p>' if count > MAX_LINES else ""
