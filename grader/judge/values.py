"""Compares values in plain form and says in words where they differ."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from grader.judge.characters import harmless
from grader.spec.plain import Plain, words

_LONGEST = 80
_DEEPEST = 100
_MOST = 20


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


class _Deck(list[Any]):
    """The cards of a deck, which is no list."""


Change = tuple[str, str]
"""Where two values differ, and how."""


def differences(name: str, expected: Plain, actual: object, tolerance: Decimal | None) -> list[str]:
    """Where `actual`, in plain form but from a child process and so of any shape, differs from `expected`.

    Each is a sentence such as `tableau[2][1]: 3♥ expected, missing`; `name` is what the whole value is called. At most
    20 are named.
    """
    exact = tolerance is None
    changes = _changes(name, _decoded(expected, exact), _decoded(actual, exact), float(tolerance or 0))
    return [harmless(f"{path}: {what}") for path, what in sorted(changes)[:_MOST]]


def _changes(path: str, wanted: Any, found: Any, within: float) -> Iterator[Change]:
    if type(wanted) is not type(found):
        if not _close(wanted, found, within):
            yield path, f"{_short(wanted)} expected, found {_short(found)}"
    elif isinstance(wanted, list | tuple):
        yield from _changes_in_sequence(path, wanted, found, within)
    elif isinstance(wanted, dict):
        for key in wanted.keys() | found.keys():
            yield from _changes_at(f"{path}[{_short(key)}]", wanted, key, found, key, within)
    elif isinstance(wanted, frozenset):
        yield from ((path, _missing(item)) for item in wanted - found)
        yield from ((path, _too_much(item)) for item in found - wanted)
    elif wanted != found and not _close(wanted, found, within):
        yield path, f"{_short(wanted)} expected, found {_short(found)}"


def _changes_in_sequence(path: str, wanted: Sequence[Any], found: Sequence[Any], within: float) -> Iterator[Change]:
    """Items that stand for each other are compared; which ones do is looked for only when the lengths differ."""
    # Only so many differences are named, and what a child sends may be long.
    found = found[: len(wanted) + _MOST]
    if len(wanted) == len(found):
        pairs: Iterable[tuple[int, int]] = ((index, index) for index in range(len(wanted)))
    else:
        matcher = SequenceMatcher(None, list(map(_words, wanted)), list(map(_words, found)), autojunk=False)
        pairs = (pair for _, *ends in matcher.get_opcodes() for pair in zip_longest(range(*ends[:2]), range(*ends[2:])))
    for index, other in pairs:
        number = index if index is not None else other
        yield from _changes_at(f"{path}[{number}]", wanted, index, found, other, within)


def _changes_at(path: str, wanted: Any, key: Any, found: Any, other: Any, within: float) -> Iterator[Change]:
    """What differs at a key of either; None or a key that is not there has no value."""
    is_wanted, is_found = _has(wanted, key), _has(found, other)
    if is_wanted and is_found:
        yield from _changes(path, wanted[key], found[other], within)
    elif is_wanted:
        yield path, _missing(wanted[key])
    else:
        yield path, _too_much(found[other])


def _has(container: Any, key: Any) -> bool:
    return key in container if isinstance(container, dict) else key is not None


def _close(wanted: object, found: object, within: float) -> bool:
    if not (isinstance(wanted, int | float) and isinstance(found, int | float)):
        return False
    try:
        return abs(wanted - found) <= within
    except OverflowError:
        return False


def _missing(value: object) -> str:
    return f"{_short(value)} expected, missing"


def _too_much(value: object) -> str:
    return f"{_short(value)} should not be there"


def _short(value: object) -> str:
    text = _words(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _words(value: object) -> str:
    match value:
        case _Shown():
            return value.words
        case _Deck():
            return f"a deck of {_joined(value)}" if value else "an empty deck"
        case list():
            return f"[{_joined(value)}]"
        case tuple():
            return f"({_joined(value)}{',' if len(value) == 1 else ''})"
        case frozenset():
            return f"{{{', '.join(sorted(map(_words, value)))}}}"
        case dict():
            return f"{{{', '.join(f'{_words(key)}: {_words(inner)}' for key, inner in value.items())}}}"
    return repr(value)


def _joined(items: Any) -> str:
    return ", ".join(map(_words, items))


def _decoded(plain: Any, exact: bool, depth: int = 0) -> Any:
    """What a plain form stands for, with cards and unknown objects as words. Never fails: a child may send anything."""
    if depth > _DEEPEST:
        return _Shown("a value nested very deeply")
    match plain:
        case list():
            return [_decoded(item, exact, depth + 1) for item in plain]
        case {"card": str(name)}:
            return _Shown(name)
        case {"deck": list(cards)}:
            return _Deck(_decoded(card, exact, depth + 1) for card in cards)
        case {"tuple": list(items)}:
            return tuple(_decoded(item, exact, depth + 1) for item in items)
        case {"set": list(items)}:
            return frozenset(_hashable(_decoded(item, exact, depth + 1)) for item in items)
        case {"dict": list(pairs)} if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return {
                _hashable(_decoded(key, exact, depth + 1)): _decoded(value, exact, depth + 1) for key, value in pairs
            }
        case dict():
            return _Shown(words(plain) if set(plain) <= {"object", "number"} else repr(plain))
    return _scalar(plain, exact)


def _scalar(plain: Any, exact: bool) -> Any:
    match plain:
        case str():
            return _text(plain)
        case bool():
            return _Shown(repr(plain))
        case int() | float() if exact:
            return _Shown(repr(plain))
    return plain


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return _Shown(_words(value))
    return value
