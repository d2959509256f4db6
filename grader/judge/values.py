"""Compares values in plain form and says in words where they differ.

A function under test may return anything, so every step here takes time in proportion to the size of the values.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from math import isfinite
from typing import Any, NamedTuple

from grader.model.codec import Plain, words
from grader.text.escape import escape_controls

_LONGEST = 80


_DEEPEST = 100


_MOST = 20


# To align lists that differ in more places than this could take minutes; they are compared place by place.
_MOST_ALIGNED = 100


_KINDS: dict[type[object], str] = {list: "list", tuple: "tuple", frozenset: "set", dict: "dictionary"}


class _Shown(str):
    """A value that is compared by its words: a card, an object of unknown kind, a number that must be exactly so.

    It is not equal to the text of these words, nor are numbers of different types to each other, as Python has it.
    """

    __slots__ = ()

    def __new__(cls, words: str) -> "_Shown":
        """Mark the words, so that no text is equal to them; see `_text`."""
        return super().__new__(cls, f"\0{words}")

    @property
    def words(self) -> str:
        """The words."""
        return self[1:]


def _text(text: str) -> str:
    return f"\0\0{text}" if text.startswith("\0") else text


class _Deck(tuple[Any, ...]):
    """The cards of a deck, which is no tuple."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Whether the other is a deck of the same cards."""
        return type(other) is _Deck and super().__eq__(other)

    __hash__ = tuple.__hash__


class _Item(NamedTuple):
    """A place of two sequences: what is expected there and what was found, each a tuple of one value or none."""

    place: int
    wanted: tuple[Any, ...]
    found: tuple[Any, ...]


def differences(name: str, expected: Plain, actual: object, tolerance: Decimal | None) -> list[str]:
    """Where `actual`, in plain form but from a child process and so of any shape, differs from `expected`.

    Each is a sentence such as `tableau[2][1]: 3♥ expected, missing`; `name` is what the whole value is called. At most
    20 are named.
    """
    exact = tolerance is None
    wanted, found = _decoded(expected, exact=exact), _decoded(actual, exact=exact)
    if _is_rearranged(wanted, found):
        said = iter([f"{name}: {_short(wanted)} expected, found the same in another order: {_short(found)}"])
    else:
        said = _differences(name, wanted, found, tolerance or Decimal(0))
    return [escape_controls(sentence) for sentence in islice(said, _MOST)]


def shallow(value: object, depth: int = 0) -> object:
    """A value in plain form, of any shape, without what is nested very deeply."""
    if depth > _DEEPEST and isinstance(value, list | dict):
        return {"object": "a value nested very deeply"}
    if isinstance(value, dict):
        return {name: shallow(item, depth + 1) for name, item in value.items()}
    return [shallow(item, depth + 1) for item in value] if isinstance(value, list) else value


def _differences(path: str, wanted: Any, found: Any, tolerance: Decimal) -> Iterator[str]:
    """The differences from the first on, each when it is asked for."""
    if _is_close(wanted, found, tolerance):
        return
    if type(wanted) is not type(found) or not isinstance(wanted, list | tuple | dict | frozenset):
        yield f"{path}: {_other(wanted, found)}"
    elif isinstance(wanted, frozenset):
        # The members of a set have no place.
        lacking, unwanted = (sorted(map(_short, members)) for members in (wanted - found, found - wanted))
        for pair in zip_longest(map(_missing, lacking), map(_unwanted, unwanted)):
            yield f"{path}: {'; '.join(filter(None, pair))}"
    elif isinstance(wanted, dict):
        for key in (*wanted, *(key for key in found if key not in wanted)):
            ours, theirs = ((pairs[key],) if key in pairs else () for pairs in (wanted, found))
            yield from _differences_at(f"{path}[{_short(key)}]", ours, theirs, tolerance)
    else:
        for item in _different_items(wanted, found, tolerance):
            yield from _differences_at(f"{path}[{item.place}]", item.wanted, item.found, tolerance)


def _differences_at(path: str, wanted: tuple[Any, ...], found: tuple[Any, ...], tolerance: Decimal) -> Iterator[str]:
    """The differences at one place, at which a value may be missing."""
    if wanted and found:
        yield from _differences(path, wanted[0], found[0], tolerance)
    elif wanted:
        yield f"{path}: {_missing(_short(wanted[0]))}"
    else:
        yield f"{path}: {_unwanted(_short(found[0]))}"


def _different_items(wanted: Any, found: Any, tolerance: Decimal) -> Iterator[_Item]:
    """The places from the first difference of two sequences to the last one."""
    shorter = min(len(wanted), len(found))
    start = next((n for n in range(shorter) if not _is_close(wanted[n], found[n], tolerance)), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if not _is_close(wanted[-1 - n], found[-1 - n], tolerance)), rest)
    ours, theirs = range(start, len(wanted) - end), range(start, len(found) - end)
    for our, their in _alignment([wanted[n] for n in ours], [found[n] for n in theirs]):
        for n in range(max(len(our), len(their))):
            here, there = ours[our.start : our.stop][n : n + 1], theirs[their.start : their.stop][n : n + 1]
            place = (here or there)[0]
            yield _Item(place, tuple(wanted[m] for m in here), tuple(found[m] for m in there))


def _alignment(wanted: list[Any], found: list[Any]) -> Iterator[tuple[range, range]]:
    """The stretches of two lists that are in place of each other; one of them may be empty.

    What can be changed, such as the columns of a tableau, keeps its place.
    """
    whole = range(len(wanted)), range(len(found))
    if max(map(len, whole)) > _MOST_ALIGNED or not all(map(_is_hashable, wanted + found)):
        yield whole
        return
    for kind, our, our_end, their, their_end in SequenceMatcher(None, wanted, found, autojunk=False).get_opcodes():
        if kind != "equal":
            yield range(our, our_end), range(their, their_end)


def _is_close(wanted: Any, found: Any, tolerance: Decimal) -> bool:
    """Whether two values are equal, or numbers that are close enough."""
    if wanted == found:
        return True
    if not isinstance(wanted, int | float) or not isinstance(found, int | float):
        return False
    # As they are written, because 0.8 is no further from 0.7 than 0.1; and no number is too large.
    return abs(Decimal(repr(wanted)) - Decimal(repr(found))) <= tolerance


def _missing(shown: str) -> str:
    return f"{shown} expected, missing"


def _unwanted(shown: str) -> str:
    return f"{shown} should not be there"


def _other(wanted: object, found: object) -> str:
    """That one value is there for another one; of what kind they are is said where it could be overlooked."""
    kinds = _KINDS.get(type(wanted)), _KINDS.get(type(found))
    if None not in kinds and kinds[0] != kinds[1]:
        return f"the {kinds[0]} {_short(wanted)} expected, found the {kinds[1]} {_short(found)}"
    if type(found) is str and _words(found) == repr(_words(wanted)):
        return f"{_short(wanted)} expected, found the text {_short(found)}"
    if type(wanted) is str and _words(wanted) == repr(_words(found)):
        return f"the text {_short(wanted)} expected, found {_short(found)}"
    return f"{_short(wanted)} expected, found {_short(found)}"


def _is_rearranged(wanted: object, found: object) -> bool:
    if not isinstance(wanted, list | tuple) or type(wanted) is not type(found) or wanted == found:
        return False
    if not isinstance(found, list | tuple) or len(wanted) != len(found):
        return False
    try:
        return Counter(wanted) == Counter(found)
    except TypeError:
        return sorted(map(_words, wanted)) == sorted(map(_words, found))


def _short(value: object) -> str:
    text = _beginning(value, _LONGEST)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _beginning(value: object, length: int) -> str:
    """The words of a value, or so much of them that it is longer than `length`."""
    text = ""
    for piece in _pieces(value):
        text += piece
        if len(text) > length:
            break
    return text


def _words(value: object) -> str:
    return "".join(_pieces(value))


def _pieces(value: object) -> Iterator[str]:
    match value:
        case _Shown():
            yield value.words
        case _Deck():
            yield "a deck of " if value else "an empty deck"
            yield from _joined(value)
        case list():
            yield "["
            yield from _joined(value)
            yield "]"
        case tuple():
            yield "("
            yield from _joined(value)
            yield ",)" if len(value) == 1 else ")"
        case frozenset():
            yield f"{{{', '.join(sorted(map(_words, value)))}}}"
        case dict():
            yield "{"
            for number, (key, inner) in enumerate(value.items()):
                yield ", " if number else ""
                yield from _pieces(key)
                yield ": "
                yield from _pieces(inner)
            yield "}"
        case _:
            yield repr(value)


def _joined(items: Any) -> Iterator[str]:
    for number, item in enumerate(items):
        yield ", " if number else ""
        yield from _pieces(item)


def _decoded(plain: Any, *, exact: bool, depth: int = 0) -> Any:
    """What a plain form stands for, with cards and unknown objects as words. Never fails: a child may send anything."""
    if depth > _DEEPEST:
        return _Shown("a value nested very deeply")
    match plain:
        case list():
            return [_decoded(item, exact=exact, depth=depth + 1) for item in plain]
        case {"card": str(name)}:
            return _Shown(name)
        case {"deck": list(cards)}:
            return _Deck(_decoded(card, exact=exact, depth=depth + 1) for card in cards)
        case {"tuple": list(items)}:
            return tuple(_decoded(item, exact=exact, depth=depth + 1) for item in items)
        case {"set": list(items)}:
            return frozenset(_hashable(_decoded(item, exact=exact, depth=depth + 1)) for item in items)
        case {"dict": list(pairs)} if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return {
                _hashable(_decoded(key, exact=exact, depth=depth + 1)): _decoded(value, exact=exact, depth=depth + 1)
                for key, value in pairs
            }
        case dict():
            return _Shown(words(plain) if set(plain) <= {"object", "number"} else repr(plain))
    return _scalar(plain, exact=exact)


def _scalar(plain: Any, *, exact: bool) -> Any:
    match plain:
        case str():
            return _text(plain)
        case bool():
            return _Shown(repr(plain))
        # Marked, it is no integer either.
        case float() if exact or not isfinite(plain):
            return _Shown(repr(plain))
    return plain


def _hashable(value: Any) -> Any:
    return value if _is_hashable(value) else _Shown(_words(value))


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
