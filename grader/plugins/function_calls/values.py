"""Compares values in plain form and describes their differences.

A function under test may return anything, however large. DeepDiff finds insertions, removals and changes, but may take
quadratic time or more; large values are compared item by item.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from grader.model.expectation import Tolerance
from grader.model.plain_values import Plain, words
from grader.plugins.function_calls.close_values import settled
from grader.text.difference import common_prefix
from grader.text.escape import escape_controls, look_alike, quote_both
from grader.text.sentence import Sentence, joined, say

_LONGEST = 80
_BEFORE = 20
_DEEPEST = 100
# In plain form, an object takes four levels of JSON, and a child reports at most fifty nested objects.
_DEEPEST_FORM = 250
MAX_DIFFERENCES = 1000
"""The maximum number of differences that are counted."""
# DeepDiff takes less than a second for this many items; ten characters of text count as one item.
_MAX_ALIGNED = 600
_CHARACTERS_OF_AN_ITEM = 10
# The digits are limited because Python may refuse to parse longer integers; see sys.set_int_max_str_digits.
_RANGE = re.compile(r"range\((-?\d{1,999}), (-?\d{1,999})(?:, (-?\d{1,999}))?\)", re.ASCII)
_KINDS: dict[type[object], Sentence] = {
    list: say("list"),
    tuple: say("tuple"),
    frozenset: say("set"),
    dict: say("dictionary"),
}
_NOTHING = object()
# The key of an object's class; no string in a value and no attribute name, even an empty one, can equal it.
_CLASS = "\0"


@dataclass(frozen=True)
class _Difference:
    """The place where two values differ, such as `tableau[2][1]`, and the difference."""

    path: str
    what: Sentence

    @property
    def sentence(self) -> Sentence:
        """Return the path and the difference as a sentence."""
        return say("{path}: {what}", path=self.path, what=self.what)


class _Shown(str):
    """A value compared by its textual form: a card, an object of unknown kind, or a number that must be exact.

    It never equals a string with the same words, and numbers of different types differ, unlike in Python.
    """

    __slots__ = ()

    def __new__(cls, words: str) -> "_Shown":
        """Mark the words, so that they differ from any string; see `_text`."""
        return super().__new__(cls, f"\0{words}")

    @property
    def words(self) -> str:
        """Return the words without the leading marker."""
        return self[1:]


def _text(text: str) -> str:
    return f"\0\0{text}" if text.startswith("\0") else text


class _Deck(tuple[Any, ...]):
    """The cards of a deck, distinct from any tuple."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is a deck of the same cards."""
        return type(other) is _Deck and super().__eq__(other)

    __hash__ = tuple.__hash__


class _Instance(dict[Any, Any]):
    """The attributes of an object, whose class is under the key `_CLASS`."""


class _Attribute(str):
    """The name of an attribute, distinct from any string that may be a dictionary key."""

    __slots__ = ()

    def __new__(cls, name: str) -> "_Attribute":
        """Mark the name, so that it differs from any string."""
        return super().__new__(cls, f"\0.{name}")


def differences(name: str, expected: Plain, actual: object, tolerance: Tolerance | None) -> list[Sentence]:
    """Describe how `actual`, which is untrusted data from a child process, differs from `expected`.

    Each is a sentence such as `tableau[2][1]: 3♥ expected, missing`; `name` is the name of the whole value. There
    are at most `MAX_DIFFERENCES`.
    """
    attributes = _attributes_in(expected)
    actual = _as_known(actual, attributes)
    if attributes or tolerance is not None or _has_float(expected):
        actual = settled(expected, actual, tolerance)
    expected_value, actual_value = _decoded(expected), _decoded(actual)
    if _is_rearranged(expected_value, actual_value):
        both = {"wanted": _short(expected_value), "found": _short(actual_value)}
        what = say("{wanted} expected, found the same in another order: {found}", **both)
        return [_Difference(name, what).sentence]
    is_small = _count(expected_value) + _count(actual_value) <= _MAX_ALIGNED
    aligned: list[_Difference] = []
    # DeepDiff cannot hash strings in sets if they are not valid UTF-8.
    with suppress(UnicodeEncodeError):
        aligned += _aligned(name, expected_value, actual_value) if is_small else ()
    # In sets, DeepDiff ignores order and repetition.
    found_differences = aligned or _differences_by_place(name, expected_value, actual_value)
    return [difference.sentence for difference in islice(found_differences, MAX_DIFFERENCES)]


def _attributes_in(value: Any) -> dict[str, set[str]]:
    """Map the class names in a value to the attributes of their objects."""
    attributes_by_class: dict[str, set[str]] = defaultdict(set)
    waiting = [value]
    while waiting:
        match waiting.pop():
            case {"instance": [str(name), list(attributes)]}:
                attributes_by_class[name] |= {attribute for attribute, _ in attributes}
                waiting += (inner for _, inner in attributes)
            case list() as items:
                waiting += items
            case dict() as mapping:
                waiting += mapping.values()
    return attributes_by_class


def _has_float(plain: Any) -> bool:
    waiting = [plain]
    while waiting:
        match waiting.pop():
            case float():
                return True
            case list() as items:
                waiting += items
            case dict() as mapping:
                waiting += mapping.values()
    return False


def _as_known(actual: Any, wanted_attributes: Mapping[str, set[str]], depth: int = 0) -> Any:
    """Drop the attributes that the reference's objects lack, because a program may store more in an object."""
    if not wanted_attributes or depth > _DEEPEST_FORM:
        return actual
    match actual:
        case {"tuple": list(items), "named": [str(name), *fields]} if name in wanted_attributes and len(fields) == len(
            items
        ):
            more = actual.get("attributes")
            # A property may have the name of an item, and then replaces it.
            named = [*zip(fields, items, strict=True), *(more if isinstance(more, list) and _are_pairs(more) else [])]
            values = {str(field): item for field, item in named if str(field) in wanted_attributes[name]}
            pairs = [[field, _as_known(item, wanted_attributes, depth + 1)] for field, item in sorted(values.items())]
            return {"instance": [name, pairs]}
        case {"instance": [str(name), list(attributes)]} if name in wanted_attributes:
            pairs = attributes if _are_pairs(attributes) else []
            known_pairs = [
                [key, _as_known(inner, wanted_attributes, depth + 1)]
                for key, inner in pairs
                if str(key) in wanted_attributes[name]
            ]
            return {"instance": [name, known_pairs]}
        case list():
            return [_as_known(item, wanted_attributes, depth + 1) for item in actual]
        case dict():
            return {key: _as_known(item, wanted_attributes, depth + 1) for key, item in actual.items()}
    return actual


def shallow(value: object, depth: int = 0) -> object:
    """Return a copy of a plain value of any shape with very deep nesting cut off."""
    if depth > _DEEPEST_FORM and isinstance(value, list | dict):
        return {"object": "a value nested very deeply"}
    if isinstance(value, dict):
        return {name: shallow(item, depth + 1) for name, item in value.items()}
    return [shallow(item, depth + 1) for item in value] if isinstance(value, list) else value


def short_words(value: object) -> str:
    """Return a plain value from a child process in words, shortened if long."""
    return _short(_decoded(value))


def _count(value: Any) -> int:
    """Count the items of a value, stopping once there are too many to align."""
    match value:
        case str():
            return 1 + len(value) // _CHARACTERS_OF_AN_ITEM
        case list() | tuple() | frozenset():
            items: Iterable[Any] = value
        case dict():
            items = (item for pair in value.items() for item in pair)
        case _:
            return 1
    size = 1
    for item in items:
        size += _count(item)
        if size > _MAX_ALIGNED:
            break
    return size


def _aligned(name: str, expected: Any, actual: Any) -> Iterator[_Difference]:
    """Yield the differences in order; inserted or removed items do not shift the ones after them."""
    from deepdiff import DeepDiff  # slow to import, and most commands do not need it

    # By default, DeepDiff skips keys that begin with two underscores.
    difference: Any = DeepDiff(
        expected, actual, view="tree", ignore_private_variables=False, threshold_to_diff_deeper=0
    )
    differences_found: list[_Difference] = []
    sets: dict[str, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for kind in sorted(difference):
        for change in difference[kind]:
            steps = change.path(output_format="list")
            if kind.startswith("set_item"):
                # The members of a set have no position.
                is_added = kind.endswith("added")
                sets[_path(name, steps[:-1])][is_added].append(change.t2 if is_added else change.t1)
            else:
                differences_found.append(_Difference(_path(name, steps), _changed(kind, change)))
    for path, (missing, unwanted) in sets.items():
        differences_found += (_Difference(path, what) for what in _set_differences(missing, unwanted))
    yield from sorted(differences_found, key=_sort_key)


def _path(name: str, steps: Sequence[Any]) -> str:
    return _extended_path(name, "".join(map(_step, steps)))


def _extended_path(path: str, step: str) -> str:
    """Append a step to a path; the first name may be translated."""
    return joined("", (path, step)) if step else path


def _step(step: object) -> str:
    """Format a step into a value: an index, a key or an attribute."""
    if isinstance(step, _Attribute):
        return f".{step[2:]}"
    if step == _CLASS:
        return ""
    return f"[{_short(step)}]"


def _changed(kind: str, change: Any) -> Sentence:
    if kind.endswith("removed"):
        return _missing(_short(change.t1))
    return _extra(_short(change.t2)) if kind.endswith("added") else _replaced(change.t1, change.t2)


def _sort_key(difference: _Difference) -> list[tuple[int, str]]:
    """Return a sort key that puts item 10 after item 9."""
    return [
        (int(piece) if piece.isdecimal() else 0, piece)
        for piece in re.split(r"([0-9]{1,9})", f"{difference.path} {difference.what}")
    ]


def _set_differences(missing: Iterable[Any], unwanted: Iterable[Any]) -> Iterator[Sentence]:
    both = zip_longest(map(_missing, sorted(map(_short, missing))), map(_extra, sorted(map(_short, unwanted))))
    return (joined("; ", filter(None, pair)) for pair in both)


def _differences_by_place(path: str, expected: Any, actual: Any) -> Iterator[_Difference]:
    """Yield differences lazily, place by place."""
    if expected == actual:
        return
    if actual is _NOTHING:
        yield _Difference(path, _missing(_short(expected)))
    elif expected is _NOTHING:
        yield _Difference(path, _extra(_short(actual)))
    elif type(expected) is not type(actual) or not isinstance(expected, list | tuple | dict | frozenset):
        yield _Difference(path, _replaced(expected, actual))
    elif isinstance(expected, frozenset):
        yield from (_Difference(path, what) for what in _set_differences(expected - actual, actual - expected))
    elif isinstance(expected, dict):
        for key in (*expected, *(key for key in actual if key not in expected)):
            ours, theirs = expected.get(key, _NOTHING), actual.get(key, _NOTHING)
            yield from _differences_by_place(_extended_path(path, _step(key)), ours, theirs)
    else:
        for place, (ours, theirs) in enumerate(zip_longest(expected, actual, fillvalue=_NOTHING)):
            yield from _differences_by_place(_extended_path(path, f"[{place}]"), ours, theirs)


def _missing(shown: str) -> Sentence:
    return say("{value} expected, missing", value=shown)


def _extra(shown: str) -> Sentence:
    return say("{value} should not be there", value=shown)


def _replaced(expected_value: object, actual_value: object) -> Sentence:
    """Describe a value that replaces another, with the types if the difference could be overlooked."""
    kinds = _KINDS.get(type(expected_value)), _KINDS.get(type(actual_value))
    both = {"wanted": _short(expected_value), "found": _short(actual_value)}
    if None not in kinds and kinds[0] != kinds[1]:
        values = {"kind": kinds[0], "other": kinds[1], **both}
        return say("the {kind} {wanted} expected, found the {other} {found}", **values)
    if type(actual_value) is str and _words(actual_value) == repr(_words(expected_value)):
        return say("{wanted} expected, found the text {found}", **both)
    if type(expected_value) is str and _words(expected_value) == repr(_words(actual_value)):
        return say("the text {wanted} expected, found {found}", **both)
    expected, actual = map(escape_controls, _shortened(_words(expected_value), _words(actual_value)))
    if look_alike(expected, actual):
        expected, actual = quote_both(expected, actual)
    return say("{wanted} expected, found {found}", wanted=expected, found=actual)


def _is_rearranged(expected: object, actual: object) -> bool:
    if not isinstance(expected, list | tuple) or type(expected) is not type(actual) or expected == actual:
        return False
    if not isinstance(actual, list | tuple) or len(expected) != len(actual):
        return False
    try:
        return Counter(expected) == Counter(actual)
    except TypeError:
        return sorted(map(_words, expected)) == sorted(map(_words, actual))


def _short(value: object) -> str:
    return escape_controls(_cut(_beginning(value, _LONGEST)))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shortened(expected: str, actual: str) -> tuple[str, str]:
    """Shorten two strings so that their first difference remains visible."""
    start = common_prefix(expected, actual) - _BEFORE
    if start + _BEFORE < _LONGEST - 1:
        return _cut(expected), _cut(actual)
    return f"…{_cut(expected[start:])}", f"…{_cut(actual[start:])}"


def _beginning(value: object, length: int) -> str:
    """Return the words of a value, cut a little after `length` characters."""
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
        case _Instance():
            attributes = ((key, inner) for key, inner in value.items() if key != _CLASS)
            yield f"{value[_CLASS].words.partition(' ')[2]}("
            for number, (key, inner) in enumerate(attributes):
                yield f"{', ' if number else ''}{key[2:]}="
                yield from _pieces(inner)
            yield ")"
        case dict():
            yield "{"
            for number, (key, inner) in enumerate(value.items()):
                yield ", " if number else ""
                yield from _pieces(key)
                yield ": "
                yield from _pieces(inner)
            yield "}"
        case _:
            yield repr(value.removeprefix("\0\0") if isinstance(value, str) else value)


def _joined(items: Any) -> Iterator[str]:
    for number, item in enumerate(items):
        yield ", " if number else ""
        yield from _pieces(item)


def _decoded(plain: Any, depth: int = 0) -> Any:
    """Decode a plain form, with cards and unknown objects as words. This never fails, whatever a child sends."""
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
        case dict():
            return _decoded_pairs(plain, depth + 1)
    return _scalar(plain)


def _decoded_pairs(plain: Any, depth: int) -> Any:
    match plain:
        case {"instance": [str(name), list(pairs)]} if _are_pairs(pairs):
            attributes: dict[str, Any] = {_Attribute(str(key)): _decoded(value, depth) for key, value in pairs}
            return _Instance({_CLASS: _Shown(f"an object of {name}"), **attributes})
        case {"dict": list(pairs)} if _are_pairs(pairs):
            return {_hashable(_decoded(key, depth)): _decoded(value, depth) for key, value in pairs}
        case {"shown": str(text)} if len(plain) == 1:
            return _Shown(_as_compared(text))
    return _Shown(words(plain) if set(plain) <= {"object", "number", "again"} else repr(plain))


def _as_compared(text: str) -> str:
    """Normalise equal ranges and equal complex numbers to one form; return other strings unchanged."""
    if match := _RANGE.fullmatch(text):
        start, stop, step = (int(number or 1) for number in match.groups())
        numbers = range(start, stop, step) if step else range(0)
        if not numbers:
            return repr(range(0))
        last = numbers[-1]
        return repr(range(start, last + (step if last != start else 1), step if last != start else 1))
    try:
        # The sign of zero is dropped, because Python ignores it in comparisons.
        return repr(complex(text) + 0)
    except ValueError:
        return text


def _are_pairs(pairs: list[Any]) -> bool:
    return all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)


def _scalar(plain: Any) -> Any:
    match plain:
        case str():
            return _text(plain)
        case bool():
            return _Shown(repr(plain))
        case int() | float():
            # The sign of zero is dropped, because Python ignores it in comparisons.
            return _Shown(repr(plain + 0))
    return plain


def _hashable(value: Any) -> Any:
    return value if _is_hashable(value) else _Shown(_words(value))


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
