"""Text that students wrote or printed, as HTML in which nothing is hidden and nothing acts."""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from grader.judge.characters import harmless, is_odd, name, visible

# Printable ASCII and line ends need no look.
_SUSPECT = re.compile(r"[^\x20-\x7e\n]")
_BLANKS = re.compile(r" +")


def plain(text: str) -> str:
    """`text` on one line, with control characters, bidirectional ones among them, as marks such as `<U+202E>`."""
    return text if text.isprintable() else harmless(text)


def shown(text: str) -> Markup:
    """`text`, perhaps of several lines; control characters become marks that tell their names, tabs stay tabs."""
    return _marked(text, _mark)


def differing(text: str) -> Markup:
    """A part of a line that is not as expected: blanks at its ends and everything odd become marks."""
    body = text.strip(" ")
    if not body:
        return _dots(text)
    start = text.index(body)
    return _dots(text[:start]) + _marked(body, _odd_mark) + _dots(text[start + len(body) :])


def differing_line(text: str, start: int, end: int) -> Markup:
    """A line that is not as expected from `start` to `end`, which is set off unless it is the whole line or nothing."""
    body = len(text.rstrip(" "))
    if start == 0 and end in (0, len(text)):
        return differing(text) if end else _ending_in_dots(text, body)
    inner = text[start:end]
    marked = Markup("<mark>{}</mark>").format(differing(inner)) if inner else Markup('<mark class="gap"></mark>')
    return _ending_in_dots(text[:start], body) + marked + _ending_in_dots(text[end:], body - end)


def _ending_in_dots(text: str, body: int) -> Markup:
    body = max(body, 0)
    return shown(text[:body]) + _dots(text[body:])


def _dots(blanks: str) -> Markup:
    return Markup('<i class="c">{}</i>').format("·" * len(blanks)) if blanks else Markup()


def _marked(text: str, mark: "_Mark") -> Markup:
    return Markup(_SUSPECT.sub(lambda found: mark(found[0]), str(escape(text))))


@lru_cache(maxsize=4096)
def _mark(character: str) -> str:
    if character == "\t":
        return '<i class="t">\t</i>'
    return _named(character, harmless(character))


@lru_cache(maxsize=4096)
def _odd_mark(character: str) -> str:
    return _named(character, visible(character, 0, 1)[1] if is_odd(character) else character)


def _named(character: str, mark: str) -> str:
    if mark == character:
        return character
    return str(Markup('<i class="c" title="{}">{}</i>').format(name(character), mark))
