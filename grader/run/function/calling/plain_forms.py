"""Converts values to plain form, which JSON can hold, and back, in the students' interpreter.

Like `child`, which imports this file, it needs nothing but the standard library.
"""

import contextlib
import json
import os
import signal
import sys
import types
from enum import Enum
from functools import cached_property
from typing import Any

_SUITS = "♣♦♥♠"
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_DEEPEST = 50
LONGEST_TEXT = 1000
_MAX_DIGITS = 600
_MAX_INSTANCES = 10_000
_MAX_COPIES = 200
_SECONDS = 3
TOO_LARGE = {"object": "a value too large to compare"}
_SHOWN = (complex, bytes, bytearray, range)
_PROPERTIES = (property, cached_property)
_SCALARS = ((int, int.__index__), (str, str.__str__), (float, float.__float__), (bytes, bytes.__bytes__))


class Cards:
    """A maker and reader of a module's cards and decks, using its classes as they were before the program ran."""

    def __init__(self, module: Any, card: str, deck: str) -> None:
        self._card, self._deck = getattr(module, card), getattr(module, deck, None)
        self._rank, self._suit = self._card.rank, self._card.suit
        self._face_up = getattr(self._card, "is_face_up", lambda _: True)
        self._flip = getattr(self._card, "flip_card", lambda _: None)

    def card(self, name: str) -> Any:
        """Return the card with a name such as `10♠` or `3♥ face down`; `XX` is a blank card."""
        if name == "XX":
            return self._card()
        shown = name.split()[0]
        card = self._card(_RANKS.index(shown[:-1]) + 1, _SUITS.index(shown[-1]) + 1)
        if name != shown:
            self._flip(card)
        return card

    def deck(self, names: list[str]) -> Any:
        """Return a deck with these cards, the top one first."""
        if self._deck is None:
            raise TypeError("the module of the cards has no class for decks")
        deck = self._deck()
        self._list_inside(deck)[:] = [self.card(name) for name in reversed(names)]
        return deck

    def name(self, value: Any) -> str | None:
        """Return the name of a card, or None if `value` is not a card."""
        if not isinstance(value, self._card):
            return None
        rank, suit = self._rank(value), self._suit(value)
        if not (isinstance(rank, int) and isinstance(suit, int) and 1 <= rank <= 13 and 1 <= suit <= 4):
            return "XX"
        return _RANKS[rank - 1] + _SUITS[suit - 1] + ("" if self._face_up(value) else " face down")

    def cards_inside(self, value: Any) -> list[Any] | None:
        """Return the cards of a deck, the top one first, or None if `value` is not a deck."""
        if self._deck is None or not isinstance(value, self._deck):
            return None
        return self._list_inside(value)[::-1]

    def _list_inside(self, deck: Any) -> list[Any]:
        """Return the list that holds a deck's cards: of several lists, the one that a new deck has too."""
        lists: dict[str, list[Any]] = {name: value for name, value in vars(deck).items() if isinstance(value, list)}
        new = vars(self._deck()) if len(lists) > 1 and self._deck is not None else {}
        new_names = [name for name in new if name in lists] or list(lists)
        return lists[min(new_names, key=lambda name: not self._are_cards(new.get(name)))]

    def _are_cards(self, value: Any) -> bool:
        return isinstance(value, list) and value != [] and all(isinstance(item, self._card) for item in value)


def from_plain(plain: Any, cards: Cards | None, names: dict[str, Any]) -> Any:
    """Return the value of a plain form; expressions in it may use `names`."""
    if isinstance(plain, list):
        return [from_plain(item, cards, names) for item in plain]
    if not isinstance(plain, dict):
        return plain
    [(kind, content)] = plain.items()
    if kind == "python":
        return eval(compile(content, "<variables>", "eval"), names)
    if kind in ("card", "deck"):
        return _card_or_deck(kind, content, cards)
    if kind == "dict":
        return {from_plain(key, cards, names): from_plain(value, cards, names) for key, value in content}
    return {"tuple": tuple, "set": set}[kind](from_plain(item, cards, names) for item in content)


def _card_or_deck(kind: str, content: Any, cards: Cards | None) -> Any:
    if cards is None:
        raise TypeError("there is no module whose cards these could be")
    return cards.card(content) if kind == "card" else cards.deck([item["card"] for item in content])


def _numpy_scalar() -> Any:
    """Return the base class of numpy's numbers, or an empty tuple if the program has not imported numpy."""
    scalar_type = getattr(sys.modules.get("numpy"), "generic", None)
    return scalar_type if isinstance(scalar_type, type) else ()


class PlainForms:
    """A converter of any value to plain form, with or without the state of objects."""

    def __init__(self, cards: Cards | None, folder: str | None) -> None:
        """Include the state of objects whose classes are defined in `folder`; with None, include no state."""
        self._cards = cards
        self._folder = folder
        self._around: list[int] = []
        self._instances_left = _MAX_INSTANCES
        self._copies_left = _MAX_COPIES

    def plain(self, value: Any, depth: int = 0) -> Any:
        """Return the plain form of a value."""
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int:
            # Python may refuse to write longer ones in decimal (see sys.set_int_max_str_digits).
            return value if abs(value) < 10**_MAX_DIGITS else {"number": hex(value)}
        if type(value) is float:
            return value if value - value == 0 else {"number": repr(value)}
        if type(value) in _SHOWN:
            return {"shown": repr(value)}
        if depth > _DEEPEST:
            return {"object": "a value nested very deeply"}
        if isinstance(value, _numpy_scalar()):
            return self.plain(value.item(), depth + 1)
        if self._cards and (name := self._cards.name(value)) is not None:
            return {"card": name}
        if self._cards and (cards_inside := self._cards.cards_inside(value)) is not None:
            return {"deck": [self.plain(item, depth + 1) for item in cards_inside]}
        return self._container(value, depth + 1)

    def _container(self, value: Any, depth: int) -> Any:
        """Convert a container. A derived class is read with the built-in methods, which no program can change.

        The same applies to classes derived from numbers and strings, such as IntEnum.
        """
        kind = type(value)
        for base, builtin in _SCALARS:
            if issubclass(kind, base):
                return self.plain(builtin(value), depth)
        if issubclass(kind, list):
            return [self.plain(item, depth) for item in list.__iter__(value)]
        if issubclass(kind, tuple):
            if fields := self._fields(kind):
                return self._instance(value, fields, depth)
            return {"tuple": [self.plain(item, depth) for item in tuple.__iter__(value)]}
        for base_set in (set, frozenset):
            if issubclass(kind, base_set):
                return {"set": sorted((self.plain(item, depth) for item in base_set.__iter__(value)), key=repr)}
        if issubclass(kind, dict):
            pairs = dict.items(value)
            return {"dict": [[self.plain(key, depth), self.plain(inner, depth)] for key, inner in pairs]}
        name = f"an object of {kind.__name__}"[:LONGEST_TEXT]
        return self._instance(value, (), depth) if self._is_of_program(kind) else {"object": name}

    def _is_of_program(self, kind: type) -> bool:
        if self._folder is None:
            return False
        if kind.__module__ == "types":
            # `make_dataclass` gives this as the module of its classes.
            return "__dataclass_fields__" in vars(kind)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return isinstance(file, str) and file.startswith(f"{self._folder}{os.sep}")

    def _fields(self, kind: type) -> tuple[str, ...]:
        """Return the field names of a named tuple class of the program, or an empty tuple for any other class."""
        fields = getattr(kind, "_fields", ())
        is_named = isinstance(fields, tuple) and all(type(field) is str for field in fields)
        return tuple(fields) if is_named and self._is_of_program(kind) else ()

    def _instance(self, value: Any, fields: tuple[str, ...], depth: int) -> Any:
        """Return the class and public attributes of an object, and its items if it is a named tuple with these fields.

        An object that contains itself is shown once.
        """
        name = type(value).__name__[:LONGEST_TEXT]
        if id(value) in self._around:
            return {"again": len(self._around) - self._around.index(id(value))}
        pairs = public_attributes(value)
        # A named tuple without other attributes cannot create ever more objects.
        self._instances_left -= bool(pairs) or not fields
        if self._instances_left < 0:
            return TOO_LARGE
        self._around.append(id(value))
        items = [self.plain(item, depth) for item in tuple.__iter__(value)] if fields else []
        attributes = [[attribute, form] for attribute, inner in pairs for form in self._forms(inner, value, depth)]
        self._around.pop()
        if fields:
            return {"tuple": items, "named": [name, *fields], **({"attributes": attributes} if attributes else {})}
        if not attributes:
            return {"object": f"an object of {name} without public attributes"}
        return {"instance": [name, attributes]}

    def _forms(self, inner: Any, value: Any, depth: int) -> list[Any]:
        """Return the plain form of an attribute of `value`, in a list that is empty if it has no value.

        The class of the reference may lack a property, so nothing that a property does may count: a copy of this
        process looks at it.
        """
        if isinstance(inner, _PROPERTIES) and self._copies_left > 0:
            self._copies_left -= 1
            return self._forms_in_copy(inner, value, depth)
        if isinstance(inner, (*_PROPERTIES, types.MemberDescriptorType)):
            with contextlib.suppress(Exception):
                return [self.plain(inner.__get__(value), depth)]
            return []
        return [self.plain(inner, depth)]

    def _forms_in_copy(self, inner: Any, value: Any, depth: int) -> list[Any]:
        """Return the plain form of a property, or an empty list if it fails, ends the process or takes too long."""
        reading, writing = os.pipe()
        copy = os.fork()
        if copy == 0:
            with contextlib.suppress(BaseException):
                end_soon()
                self._copies_left = 0
                with open(os.devnull, "r+") as nothing, contextlib.redirect_stdout(nothing):
                    os.dup2(nothing.fileno(), 0)
                    answer = self._forms(inner, value, depth), self._instances_left
                with open(writing, "w", encoding="ascii") as file:
                    file.write(json.dumps(answer))
            os._exit(0)
        os.close(writing)
        forms: list[Any] = []
        with open(reading, encoding="ascii") as file, contextlib.suppress(ValueError):
            forms, self._instances_left = json.load(file)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(copy, 0)
        return forms


def end_soon() -> None:
    """Let the system end this process after some seconds of work, or after twice as many in all."""
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    signal.alarm(2 * _SECONDS)


def public_attributes(value: Any) -> list[tuple[str, Any]]:
    """Return the public attributes of an object by name; slots and properties are not looked at."""
    if isinstance(value, Enum):
        return [("name", value._name_), ("value", value._value_)]
    attributes: dict[str, Any] = {}
    for kind in type(value).__mro__:
        for name, item in vars(kind).items():
            attributes.setdefault(name, item)
    state: dict[str, Any] = {}
    with contextlib.suppress(AttributeError):
        state = dict(object.__getattribute__(value, "__dict__"))
    attributes |= state
    kinds = (*_PROPERTIES, types.MemberDescriptorType)
    public = [name for name in sorted(attributes) if not name.startswith("_")]
    return [(name, attributes[name]) for name in public if name in state or isinstance(attributes[name], kinds)]
