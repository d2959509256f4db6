"""Makes characters visible that the eye does not see, and names those it mistakes for others."""

import unicodedata

_NAMES = {
    "\t": "tab",
    "\r": "carriage return",
    "\x00": "null character",
    "\x07": "bell",
    "\x08": "backspace",
    "\x1b": "escape",
    "\x7f": "delete",
    "\ufeff": "byte order mark",
}

_MARKS = {"\t": "→", "\r": "␍"}
_BLANK = "·"

LOOK_ALIKES = str.maketrans(
    {
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
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2500": "-",
        "\u2502": "|",
        "\u01c0": "|",
        "\u2223": "|",
        "\u2026": "...",
    }
)
"""Characters that print like an ASCII character, to that character."""


def is_odd(character: str) -> bool:
    """Whether a character is invisible, or looks like another one: it is named wherever it makes a difference."""
    if character == " ":
        return False
    category = unicodedata.category(character)
    return category[0] in "CZ" or category in ("Mn", "Me") or ord(character) in LOOK_ALIKES


def name(character: str) -> str:
    """A name for people: `U+FE0F (variation selector-16)`, `tab (U+0009)`, `byte 0xFF (not UTF-8)`."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X} (not UTF-8)"
    if character in _NAMES:
        return f"{_NAMES[character]} (U+{code:04X})"
    return f"U+{code:04X} ({unicodedata.name(character, 'a character without a name').lower()})"


def visible(line: str, start: int, end: int) -> tuple[str, str, str]:
    """`line` in three pieces, cut at `start` and `end`, with what the eye misses shown as marks.

    Tabs and odd characters are marked everywhere, blanks between `start` and `end` and at the end of the line.
    """
    body = len(line.rstrip(" "))
    shown = [
        _BLANK if one == " " and (start <= index < end or index >= body) else _visible_character(one)
        for index, one in enumerate(line)
    ]
    return "".join(shown[:start]), "".join(shown[start:end]), "".join(shown[end:])


def harmless(text: str) -> str:
    """`text` as it prints, but control characters shown as marks, so that none reaches a terminal."""
    return "".join(_visible_character(one) if unicodedata.category(one)[0] == "C" else one for one in text)


def legend(text: str) -> list[str]:
    """What the marks in a shown `text` stand for: `→ tab (U+0009)`, `<U+FE0F> variation selector-16`."""
    odd = dict.fromkeys(one for one in text if is_odd(one))
    return [f"{_visible_character(one)} {name(one)}" for one in odd]


def _visible_character(character: str) -> str:
    if character in _MARKS:
        return _MARKS[character]
    if not is_odd(character):
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"<0x{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"
