"""Converts students' text and code to HTML in which nothing is hidden or active.

It is assembled here rather than in a template, because a site may have hundreds of thousands of lines.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup, escape

from grader.text.escape import escape_controls, name
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
    return Markup(with_marks(text, _mark))


def with_marks(text: str, mark: Callable[[str], str]) -> str:
    """Escape `text`, replacing each character that may be invisible or misleading with its `mark`."""
    return _SUSPECT.sub(lambda match: mark(match[0]), str(escape(text)))


def _mark(character: str) -> str:
    return '<i class="t">\t</i>' if character == "\t" else named_mark(character, escape_controls(character))


def named_mark(character: str, mark: str) -> str:
    """Return a mark whose title is the name of the character, unless the mark is the character itself."""
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
