"""Values of calls as plain data."""

from collections.abc import Iterable
from typing import TypeAlias

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def holds_cards(value: Plain) -> bool:
    """Return whether there is a card or a deck in `value`."""
    if isinstance(value, dict):
        return "card" in value or "deck" in value or any(holds_cards(inner) for inner in value.values())
    return isinstance(value, list) and any(holds_cards(inner) for inner in value)


def unknown_object(value: Plain) -> str | None:
    """Return the first object in `value` of which only the kind is known; None when all of it can be compared."""
    inner: Iterable[Plain] = ()
    match value:
        case {"object": str(text)}:
            return text
        case {"tuple": list(items)}:
            # Other attributes of a named tuple are not compared where the reference has one.
            inner = items
        case list():
            inner = value
        case dict():
            inner = value.values()
    return next((name for item in inner if (name := unknown_object(item)) is not None), None)
