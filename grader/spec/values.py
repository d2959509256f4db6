"""Reads the values in function tests, which authors write plainly: numbers, strings, lists, playing cards and decks.

The result can be represented in JSON: numbers, strings, true, false, null and lists stay as they are, and everything
else becomes a mapping whose single key is its kind, such as {"card": "3♥"}.
"""

import re

from grader.config.yaml_reader import QuotedText
from grader.errors import unexpected
from grader.model.plain_values import CARD, Plain
from grader.text.syntax import parse_expression

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_DECIMAL = re.compile(r"[-+]?[0-9]{1,300}\.[0-9]{1,300}")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "none": None, "null": None}


def plain_value(data: object) -> Plain:
    """Return the value of `data` from a spec file. Raises ValueError.

    A string that looks like a number, a card or one of the words true, false and none becomes that value; other strings
    are kept. A quoted string is a card or a string.
    """
    match data:
        case QuotedText() if not CARD.fullmatch(data):
            return str(data)
        case str():
            return _scalar(data)
        case list():
            return [plain_value(item) for item in data]
        case {"text": str(text), **others} if not others:
            return text
        case {"python": str(text), **others} if not others:
            return {"python": _expression(text)}
        case {"deck": deck, **others} if not others:
            return {"deck": _deck(deck)}
        case {"tuple": list(items), **others} if not others:
            return {"tuple": [plain_value(item) for item in items]}
        case {"set": list(items), **others} if not others:
            return {"set": [plain_value(item) for item in items]}
        case dict():
            return {"dict": [[plain_value(key), plain_value(value)] for key, value in data.items()]}
    raise unexpected(data, "a value")


def known_value(data: object) -> Plain:
    """Return the value of `data` if it can be determined without running Python; raise ValueError otherwise."""
    value = plain_value(data)
    if _has_expression(value):
        raise unexpected(data, "a value; what only Python can work out is compared with the reference")
    return value


def _has_expression(value: Plain) -> bool:
    match value:
        case {"python": str()}:
            return True
        case dict():
            return any(map(_has_expression, value.values()))
        case list():
            return any(map(_has_expression, value))
    return False


def _scalar(text: str) -> Plain:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    if CARD.fullmatch(text):
        return {"card": text}
    return _WORDS.get(text.lower(), text)


def is_expression(text: str) -> bool:
    """Return whether `text` is a single Python expression."""
    try:
        parse_expression(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _expression(text: str) -> str:
    if not is_expression(text):
        raise unexpected(text, "an expression of Python such as Account(5)")
    return str(text)


def _deck(data: object) -> list[Plain]:
    names = data.split() if isinstance(data, str) else data
    if not isinstance(names, list) or not all(isinstance(name, str) and CARD.fullmatch(name) for name in names):
        raise unexpected(data, "the cards of a deck, the top card first, such as 3♠ 10♥")
    return [{"card": name} for name in names]
