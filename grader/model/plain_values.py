"""The values in function calls as plain data and in words."""

import re
from collections.abc import Callable
from typing import TypeAlias

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
SUITS = "♣♦♥♠"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FACE_DOWN = " face down"
CARD = re.compile(rf"(?:{'|'.join(RANKS)})[{SUITS}](?:{FACE_DOWN})?|XX")


def holds_cards(value: Plain) -> bool:
    """Return whether `value` contains a card or a deck."""
    if isinstance(value, dict):
        return "card" in value or "deck" in value or any(holds_cards(inner) for inner in value.values())
    return isinstance(value, list) and any(holds_cards(inner) for inner in value)


def words(value: Plain) -> str:
    """Return `value` as people write it, with cards unquoted and strings in quotes."""
    match value:
        case {"card": str(name)}:
            return name
        case {"deck": list(cards)}:
            return f"a deck of {_joined(cards)} (top first)" if cards else "an empty deck"
        case {"tuple": list(items)}:
            return f"({_joined(items)}{',' if len(items) == 1 else ''})"
        case {"set": list(items)}:
            return f"{{{_joined(items)}}}" if items else "set()"
        case {"dict": list(pairs)}:
            return f"{{{', '.join(_pair(pair) for pair in pairs if isinstance(pair, list))}}}"
        case {"object": str(text)} | {"number": str(text)} | {"shown": str(text)} | {"python": str(text)}:
            return text
        case list():
            return f"[{_joined(value)}]"
    return _object_words(value) if isinstance(value, dict) else repr(value)


def _object_words(value: dict[str, Plain]) -> str:
    match value:
        case {"instance": [str(name), list(attributes)]}:
            return f"{name}({_joined(attributes, _attribute)})"
        case {"again": int(levels)}:
            return "the object that it is in" if levels == 1 else f"the object {levels} levels up"
    return repr(value)


def _joined(items: list[Plain], shown: Callable[[Plain], str] = words) -> str:
    return ", ".join(shown(item) for item in items)


def _pair(pair: list[Plain]) -> str:
    key, value = pair
    return f"{words(key)}: {words(value)}"


def _attribute(pair: Plain) -> str:
    match pair:
        case [str(name), value]:
            return f"{name}={words(value)}"
    return words(pair)
