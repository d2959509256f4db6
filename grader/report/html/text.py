"""Text that students wrote or printed, as HTML in which nothing is hidden and nothing acts."""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from grader.judge.characters import harmless, is_odd, name, visible

# Printable ASCII, line ends, suits, cards and other pictures need no look.
_SUSPECT = re.compile(r"[^\x20-\x7e\n\u2660-\u2667\U0001f000-\U0001faff]")


def plain(text: str) -> str:
    """`text` on one line, with control characters, bidirectional ones among them, as marks such as `<U+202E>`."""
    return text if text.isprintable() else harmless(text)


def shown(text: str) -> Markup:
    """`text`, perhaps of several lines; control characters become marks that tell their names, tabs stay tabs."""
    return Markup(_shown(text))


def differing_line(text: str, start: int, end: int) -> Markup:
    """A line that is not as expected from `start` to `end`, which is set off unless it is the whole line or nothing.

    In that part blanks at both ends and everything odd become marks, and so do blanks at the end of the line.
    """
    body = len(text.rstrip(" "))
    if start == 0 and end in (0, len(text)):
        return Markup(_differing(text) if end else _ending_in_dots(text, body))
    inner = text[start:end]
    marked = f"<mark>{_differing(inner)}</mark>" if inner else '<mark class="gap"></mark>'
    return Markup(_ending_in_dots(text[:start], body) + marked + _ending_in_dots(text[end:], body - end))


def odd_characters(text: str, start: int, end: int) -> str:
    """The characters, each at least once, for which `differing_line` shows marks that need a name."""
    inner = text[start:end]
    blank = " " if inner != inner.strip(" ") or text.endswith(" ") else ""
    controls = (one for one in _SUSPECT.findall(text) if one != "\t" and _mark(one) != one)
    return f"{inner.replace(' ', '')}{blank}{''.join(controls)}"


def _shown(text: str) -> str:
    return _SUSPECT.sub(lambda found: _mark(found[0]), str(escape(text)))


def _differing(text: str) -> str:
    body = text.strip(" ")
    if not body:
        return _dots(len(text))
    start = text.index(body)
    marked = _SUSPECT.sub(lambda found: _odd_mark(found[0]), str(escape(body)))
    return _dots(start) + marked + _dots(len(text) - start - len(body))


def _ending_in_dots(text: str, body: int) -> str:
    body = max(body, 0)
    return _shown(text[:body]) + _dots(len(text) - body)


def _dots(count: int) -> str:
    return f'<i class="c">{"·" * count}</i>' if count > 0 else ""


@lru_cache(maxsize=4096)
def _mark(character: str) -> str:
    return '<i class="t">\t</i>' if character == "\t" else _named(character, harmless(character))


@lru_cache(maxsize=4096)
def _odd_mark(character: str) -> str:
    return _named(character, visible(character, 0, 1)[1] if is_odd(character) else character)


def _named(character: str, mark: str) -> str:
    if mark == character:
        return character
    return str(Markup('<i class="c" title="{}">{}</i>').format(name(character), mark))
