"""Quotes text, and makes invisible or easily confused characters visible."""

import re
import unicodedata

from grader.text.difference import differing_spans
from grader.text.sentence import Sentence, joined, say

_NAMES = {
    "\t": say("tab"),
    "\n": say("newline"),
    "\r": say("carriage return"),
    "\x00": say("null character"),
    "\x07": say("bell"),
    "\x08": say("backspace"),
    "\x1b": say("escape"),
    "\x7f": say("delete"),
    "\ufeff": say("byte order mark"),
}

ANSI_ESCAPE_CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_MARKS = {"\t": "→", "\r": "␍"}
_SPACE = "·"
_JOINER = "\u200d"
_PICTURES = range(0x1F000, 0x1FB00)
LOOK_ALIKES = str.maketrans(
    {
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        "\u00a0": " ",
        "\u2007": " ",
        "\u2009": " ",
        "\u202f": " ",
        "\u3000": " ",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u2015": "-",
        "\u2212": "-",
        "\u00b4": "'",
        "\u2018": "'",
        "\u2019": "'",
        "\u2032": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2033": '"',
        "\u2500": "-",
        "\u2502": "|",
        "\u01c0": "|",
        "\u2223": "|",
        "\u2026": "...",
    }
)
"""A map from characters that look like ASCII characters to the latter. Full-width forms are 0xFEE0 above ASCII."""


# The characters that represent bytes 0x80 to 0xFF outside UTF-8 ("surrogateescape").
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF
_LONGEST = 60
_LONGEST_MARKED = 100
_BEFORE = 30


def is_odd(character: str) -> bool:
    """Return whether a character is invisible or looks like another, so that a diff must show its name.

    Lines of boxes do not count, because a box made of their names is hard to recognise.
    """
    if character in " \u2500\u2502":
        return False
    category = unicodedata.category(character)
    return category[0] in "CZ" or category in ("Mn", "Me") or ord(character) in LOOK_ALIKES


def name(character: str) -> Sentence:
    """Return a readable name: `U+FE0F (variation selector-16)`, `tab (U+0009)`, `byte 0xFF (not UTF-8)`."""
    code = ord(character)
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        return say("byte 0x{byte:02X} (not UTF-8)", byte=code - 0xDC00)
    if character in _NAMES:
        return say("{name} (U+{code:04X})", name=_NAMES[character], code=code)
    unicode_name = unicodedata.name(character, "").lower()
    return say("U+{code:04X} ({name})", code=code, name=unicode_name or say("a character without a name"))


def show_invisible(line: str, start: int, end: int) -> tuple[str, str, str]:
    """Cut `line` at `start` and `end` into three pieces, with marks for characters that are easily missed.

    Tabs and control characters are marked everywhere. Spaces are marked at both ends of the middle piece and at the end
    of the line. Other odd characters are only marked between `start` and `end`, so a correct emoji is left alone.
    """
    shown = [mark for _, mark in _shown(line, start, end)]
    return "".join(shown[:start]), "".join(shown[start:end]), "".join(shown[end:])


def marked(line: str, start: int, end: int) -> str:
    """Return the characters of `line` that `show_invisible` shows as marks."""
    return "".join(character for character, mark in _shown(line, start, end) if mark != character)


def escape_controls(text: str) -> str:
    """Return `text` with marks instead of control characters, which must not reach a terminal."""
    # Most texts are printable, and checking each character takes a long time. A sentence becomes plain text.
    if text.isascii() and text.isprintable():
        return str(text)
    return "".join(_mark(character) if _is_control(character) else character for character in text)


def legend(text: str) -> list[Sentence]:
    """Return the names of the marks in a shown `text`: `→ tab (U+0009)`, `<U+FE0F> U+FE0F (variation selector-16)`."""
    names = [joined(" ", (_mark(character), name(character))) for character in dict.fromkeys(text) if is_odd(character)]
    return [joined(" ", (_SPACE, say("space"))), *names] if " " in text else names


def _shown(line: str, start: int, end: int) -> list[tuple[str, str]]:
    body = len(line.rstrip(" "))
    part = line[start:end]
    first, last = end - len(part.lstrip(" ")), start + len(part.rstrip(" "))
    shown = []
    for index, character in enumerate(line):
        inside = start <= index < end
        if character == " ":
            edge = inside and (index < first or index >= last)
            mark = _SPACE if edge or index >= body else character
        else:
            mark = _mark(character) if _is_control(character) or (inside and is_odd(character)) else character
        shown.append((character, mark))
    return shown


def _is_control(character: str) -> bool:
    """Return whether a terminal might act on the character, or display nothing.

    A joiner is part of many emoji. A picture that is missing from this Python's Unicode tables is harmless.
    """
    if character == _JOINER or ord(character) in _PICTURES:
        return False
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp")


def _mark(character: str) -> str:
    if character in _MARKS:
        return _MARKS[character]
    code = ord(character)
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        return f"<0x{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"


def quote(text: str) -> str:
    """Return `text` in backquotes, shortened to about 60 characters."""
    if not text:
        return say("a blank line")
    return _short(escape_controls(text[: _LONGEST + 1]), _LONGEST)


def quote_both(expected: str, actual: str) -> tuple[str, str]:
    """Return two differing texts in backquotes, shortened to the part that differs.

    If they would look the same, easily missed characters are marked in that part.
    """
    start, expected_end, actual_end = differing_spans(expected, actual)
    low = max(start - _BEFORE, 0) if max(len(expected), len(actual)) > _LONGEST else 0
    pieces = [(expected, expected_end), (actual, actual_end)]
    mark = _look(expected[low : low + _LONGEST]) == _look(actual[low : low + _LONGEST])
    both = [_piece(text, low, start, end if mark else start) for text, end in pieces]
    return both[0], both[1]


def _look(text: str) -> str:
    """Return how `text` appears to a reader."""
    text = unicodedata.normalize("NFC", text).translate(LOOK_ALIKES)
    return "".join(character for character in text if character != " " and not is_odd(character))


def look_alike(first: str, second: str) -> bool:
    """Return whether two short texts look the same although they differ in more than spaces."""
    return _look(first) == _look(second) and first.replace(" ", "") != second.replace(" ", "")


def _piece(text: str, low: int, start: int, end: int) -> str:
    if not text:
        return say("a blank line")
    piece = text[low : low + _LONGEST]
    start, end = start - low, min(end - low, len(piece))
    shown = "".join(show_invisible(piece, start, end)) if start < end else escape_controls(piece)
    after = "…" * (low + len(piece) < len(text))
    return _short(f"{'…' * (low > 0)}{shown}{after}", _LONGEST_MARKED)


def _short(shown: str, longest: int) -> str:
    return f"`{shown[:longest]}…`" if len(shown) > longest else f"`{shown}`"
