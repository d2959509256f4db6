"""Compares values in plain form and says in words where they differ."""

import re
from decimal import Decimal
from typing import Any

from grader.model.codec import Plain, words
from grader.text.difference import common_prefix
from grader.text.escape import escape_controls

_LONGEST = 80


_BEFORE = 20


_DEEPEST = 100


_MOST = 20


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


class _Deck(list[Any]):
    """The cards of a deck, which is no list."""


def differences(name: str, expected: Plain, actual: object, tolerance: Decimal | None) -> list[str]:
    """Where `actual`, in plain form but from a child process and so of any shape, differs from `expected`.

    Each is a sentence such as `tableau[2][1]: 3♥ expected, missing`; `name` is what the whole value is called. At most
    20 are named.
    """
    from deepdiff import DeepDiff  # takes long to import, and most commands do without

    if tolerance is not None:
        actual = _settled(expected, actual, tolerance)
    wanted, found = _decoded(expected), _decoded(actual)
    if _is_rearranged(wanted, found):
        said = f"{_short(wanted)} expected, found the same in another order: {_short(found)}"
        return [escape_controls(f"{name}: {said}")]
    # DeepDiff leaves out keys that begin with two underscores, unless it is told not to.
    difference: Any = DeepDiff(wanted, found, view="tree", ignore_private_variables=False, threshold_to_diff_deeper=0)
    changes = [change for kind in sorted(difference) for change in difference[kind]]
    sentences = sorted(((_path(name, change), _what(change)) for change in changes), key=_in_order)
    return [escape_controls(f"{path}: {what}") for path, what in sentences[:_MOST]]


def _settled(expected: Any, actual: Any, tolerance: Decimal, depth: int = 0) -> Any:
    """`actual` with the numbers of `expected` in place of those that are close enough to them.

    Members of sets and keys are paired by their size.
    """
    if depth > _DEEPEST:
        return actual
    match expected, actual:
        case (int() | float(), int() | float()) if type(expected) is type(actual) is not bool:
            return expected if abs(Decimal(repr(expected)) - Decimal(repr(actual))) <= tolerance else actual
        case (list(), list()):
            both = zip(expected, actual, strict=False)
            return [_settled(*one, tolerance, depth + 1) for one in both] + actual[len(expected) :]
        case ({"set": list(wanted)}, {"set": list(found)}):
            return {"set": _settled(sorted(wanted, key=_size), sorted(found, key=_size), tolerance, depth + 1)}
        case ({"dict": list(wanted)}, {"dict": list(found)}) if all(isinstance(pair, list) and pair for pair in found):
            return {"dict": _settled_pairs(wanted, found, tolerance, depth + 1)}
        case ({"tuple": list(wanted)}, {"tuple": list(found)}):
            return {"tuple": _settled(wanted, found, tolerance, depth + 1)}
    return actual


def _settled_pairs(expected: list[Any], actual: list[Any], tolerance: Decimal, depth: int) -> Any:
    """Pairs with equal keys stand for each other, and then the others by the size of their keys."""
    left = {repr(pair[0]): pair for pair in expected}
    pairs = [(left.pop(repr(pair[0]), None), pair) for pair in actual]
    known = [_settled(wanted, pair, tolerance, depth) for wanted, pair in pairs if wanted is not None]
    others = sorted((pair for wanted, pair in pairs if wanted is None), key=lambda pair: _size(pair[0]))
    return known + _settled(sorted(left.values(), key=lambda pair: _size(pair[0])), others, tolerance, depth)


def _size(plain: Any) -> tuple[Any, ...]:
    """So that numbers are in order, and all else is in some order."""
    is_number = isinstance(plain, int | float) and not isinstance(plain, bool)
    return (0, plain) if is_number else (1, repr(plain))


def shallow(value: object, depth: int = 0) -> object:
    """A value in plain form, of any shape, without what is nested very deeply."""
    if depth > _DEEPEST and isinstance(value, list | dict):
        return {"object": "a value nested very deeply"}
    if isinstance(value, dict):
        return {name: shallow(item, depth + 1) for name, item in value.items()}
    return [shallow(item, depth + 1) for item in value] if isinstance(value, list) else value


def _in_order(said: tuple[str, str]) -> list[tuple[int, str]]:
    """So that the item 10 comes after the item 9."""
    return [(int(piece) if piece.isdecimal() else 0, piece) for piece in re.split(r"([0-9]{1,9})", " ".join(said))]


def _path(name: str, change: Any) -> str:
    steps = change.path(output_format="list")
    if change.report_type.startswith("set_item"):
        # The members of a set have no place.
        steps = steps[:-1]
    return name + "".join(f"[{_short(step)}]" for step in steps)


def _what(change: Any) -> str:
    kind = change.report_type
    if kind.endswith("removed"):
        return f"{_short(change.t1)} expected, missing"
    if kind.endswith("added"):
        return f"{_short(change.t2)} should not be there"
    return _other(change.t1, change.t2)


def _other(wanted: object, found: object) -> str:
    """That one value is there for another one; of what kind they are is said where it could be overlooked."""
    kinds = _KINDS.get(type(wanted)), _KINDS.get(type(found))
    if None not in kinds and kinds[0] != kinds[1]:
        return f"the {kinds[0]} {_short(wanted)} expected, found the {kinds[1]} {_short(found)}"
    if type(found) is str and _words(found) == repr(_words(wanted)):
        return f"{_short(wanted)} expected, found the text {_short(found)}"
    if type(wanted) is str and _words(wanted) == repr(_words(found)):
        return f"the text {_short(wanted)} expected, found {_short(found)}"
    expected, actual = _shortened(_words(wanted), _words(found))
    return f"{expected} expected, found {actual}"


def _is_rearranged(wanted: object, found: object) -> bool:
    if not isinstance(wanted, list | tuple) or type(wanted) is not type(found) or wanted == found:
        return False
    return isinstance(found, list | tuple) and sorted(map(_words, wanted)) == sorted(map(_words, found))


def _short(value: object) -> str:
    return _cut(_words(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shortened(wanted: str, found: str) -> tuple[str, str]:
    """Two texts cut short, from shortly before the place where they differ if that would not show."""
    start = common_prefix(wanted, found) - _BEFORE
    if start + _BEFORE < _LONGEST - 1:
        return _cut(wanted), _cut(found)
    return f"…{_cut(wanted[start:])}", f"…{_cut(found[start:])}"


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


def _decoded(plain: Any, depth: int = 0) -> Any:
    """What a plain form stands for, with cards and unknown objects as words. Never fails: a child may send anything."""
    if depth > _DEEPEST:
        return _Shown("a value nested very deeply")
    match plain:
        case list():
            return [_decoded(item, depth + 1) for item in plain]
        case {"card": str(name)}:
            return _Shown(name)
        case {"deck": list(cards)}:
            return _Deck(_decoded(card, depth + 1) for card in cards)
        case {"tuple": list(items)}:
            return tuple(_decoded(item, depth + 1) for item in items)
        case {"set": list(items)}:
            return frozenset(_hashable(_decoded(item, depth + 1)) for item in items)
        case {"dict": list(pairs)} if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return {_hashable(_decoded(key, depth + 1)): _decoded(value, depth + 1) for key, value in pairs}
        case dict():
            return _Shown(words(plain) if set(plain) <= {"object", "number", "shown"} else repr(plain))
    return _scalar(plain)


def _scalar(plain: Any) -> Any:
    match plain:
        case str():
            return _text(plain)
        case bool():
            return _Shown(repr(plain))
        case int() | float():
            # Zero has no sign here, as Python compares.
            return _Shown(repr(plain + 0))
    return plain


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return _Shown(_words(value))
    return value
