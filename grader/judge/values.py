"""Compares values in plain form and says in words where they differ.

A function under test may return anything, however large. DeepDiff finds what was inserted, removed and changed, for
which it may take the square of the size and more; large values are compared place by place.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from grader.judge.close_values import settled
from grader.model.codec import Plain, words
from grader.model.expectation import Tolerance
from grader.text.difference import common_prefix
from grader.text.escape import escape_controls
from grader.text.sentence import Sentence, joined, say

_LONGEST = 80
_BEFORE = 20
_DEEPEST = 100
# In plain form an object is four levels of JSON, and a child goes fifty objects deep.
_DEEPEST_FORM = 250
_MOST = 20
# The most items, with ten characters of a text as one, for which DeepDiff is done within a second.
_MOST_ALIGNED = 600
_CHARACTERS_OF_AN_ITEM = 10
# More digits could not be read; see sys.set_int_max_str_digits.
_RANGE = re.compile(r"range\((-?\d{1,999}), (-?\d{1,999})(?:, (-?\d{1,999}))?\)", re.ASCII)
_KINDS: dict[type[object], Sentence] = {
    list: say("list"),
    tuple: say("tuple"),
    frozenset: say("set"),
    dict: say("dictionary"),
}
_NOTHING = object()


@dataclass(frozen=True)
class _Difference:
    """Where two values differ, such as `tableau[2][1]`, and how."""

    path: str
    what: Sentence

    @property
    def sentence(self) -> Sentence:
        """Both, as a sentence."""
        return say("{path}: {what}", path=self.path, what=self.what)


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


class _Instance(dict[Any, Any]):
    """The attributes of an object, whose class is under the key `_CLASS`."""


class _Attribute(str):
    """The name of an attribute, which is no text that a dictionary may have as a key."""

    __slots__ = ()

    def __new__(cls, name: str) -> "_Attribute":
        """Mark the name."""
        return super().__new__(cls, f"\0.{name}")


# No name of an attribute, which may even be empty, becomes this.
_CLASS = str.__new__(_Attribute, "\0")


def differences(name: str, expected: Plain, actual: object, tolerance: Tolerance | None) -> list[Sentence]:
    """Where `actual`, in plain form but from a child process and so of any shape, differs from `expected`.

    Each is a sentence such as `tableau[2][1]: 3♥ expected, missing`; `name` is what the whole value is called. At
    most 20 are named.
    """
    attributes = _attributes_in(expected)
    actual = _as_known(actual, attributes)
    if attributes or tolerance is not None or _has_float(expected):
        actual = settled(expected, actual, tolerance)
    wanted, found = _decoded(expected), _decoded(actual)
    if _is_rearranged(wanted, found):
        both = {"wanted": _short(wanted), "found": _short(found)}
        what = say("{wanted} expected, found the same in another order: {found}", **both)
        said = iter([_Difference(name, what)])
    else:
        find = _aligned if _count(wanted) + _count(found) <= _MOST_ALIGNED else _by_place
        said = find(name, wanted, found)
    return [one.sentence for one in islice(said, _MOST)]


def _attributes_in(value: Any) -> dict[str, set[str]]:
    """The attributes that objects in a value have, by the name of their class."""
    found: dict[str, set[str]] = defaultdict(set)
    waiting = [value]
    while waiting:
        match waiting.pop():
            case {"instance": [str(name), list(attributes)]}:
                found[name] |= {attribute for attribute, _ in attributes}
                waiting += (inner for _, inner in attributes)
            case list() as items:
                waiting += items
            case dict() as mapping:
                waiting += mapping.values()
    return found


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


def _as_known(actual: Any, known: Mapping[str, set[str]], depth: int = 0) -> Any:
    """`actual` without attributes that objects of the reference do not have: a program may keep more in an object."""
    if not known or depth > _DEEPEST_FORM:
        return actual
    match actual:
        case {"tuple": list(items), "named": [str(name), *fields]} if name in known and len(fields) == len(items):
            more = actual.get("attributes")
            # A property may have the name of an item, which it then stands for.
            named = [*zip(fields, items, strict=True), *(more if isinstance(more, list) and _are_pairs(more) else [])]
            found = {str(field): item for field, item in named if str(field) in known[name]}
            pairs = [[field, _as_known(item, known, depth + 1)] for field, item in sorted(found.items())]
            return {"instance": [name, pairs]}
        case {"instance": [str(name), list(attributes)]} if name in known:
            pairs = attributes if _are_pairs(attributes) else []
            kept = [[key, _as_known(inner, known, depth + 1)] for key, inner in pairs if str(key) in known[name]]
            return {"instance": [name, kept]}
        case list():
            return [_as_known(item, known, depth + 1) for item in actual]
        case dict():
            return {key: _as_known(item, known, depth + 1) for key, item in actual.items()}
    return actual


def shallow(value: object, depth: int = 0) -> object:
    """A value in plain form, of any shape, without what is nested very deeply."""
    if depth > _DEEPEST_FORM and isinstance(value, list | dict):
        return {"object": "a value nested very deeply"}
    if isinstance(value, dict):
        return {name: shallow(item, depth + 1) for name, item in value.items()}
    return [shallow(item, depth + 1) for item in value] if isinstance(value, list) else value


def short_words(value: object) -> str:
    """A value in plain form but from a child process, in words, cut when they are long."""
    return _short(_decoded(value))


def _count(value: Any) -> int:
    """How many items a value has, up to those that are too many."""
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
        if size > _MOST_ALIGNED:
            break
    return size


def _aligned(name: str, wanted: Any, found: Any) -> Iterator[_Difference]:
    """The differences in order, where items that were inserted or removed do not move those after them."""
    from deepdiff import DeepDiff  # takes long to import, and most commands do without

    # DeepDiff leaves out keys that begin with two underscores, unless it is told not to.
    difference: Any = DeepDiff(wanted, found, view="tree", ignore_private_variables=False, threshold_to_diff_deeper=0)
    said: list[_Difference] = []
    sets: dict[str, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for kind in sorted(difference):
        for change in difference[kind]:
            steps = change.path(output_format="list")
            if kind.startswith("set_item"):
                # The members of a set have no place.
                is_added = kind.endswith("added")
                sets[_path(name, steps[:-1])][is_added].append(change.t2 if is_added else change.t1)
            else:
                said.append(_Difference(_path(name, steps), _changed(kind, change)))
    for path, (lacking, unwanted) in sets.items():
        said += (_Difference(path, what) for what in _of_set(lacking, unwanted))
    yield from sorted(said, key=_in_order)


def _path(name: str, steps: Sequence[Any]) -> str:
    return _further(name, "".join(map(_step, steps)))


def _further(path: str, step: str) -> str:
    """A path with one more step; the name at its beginning may be said in another language."""
    return joined("", (path, step)) if step else path


def _step(step: object) -> str:
    """A step into a value: an index, a key or an attribute."""
    if isinstance(step, _Attribute):
        return "" if step == _CLASS else f".{step[2:]}"
    return f"[{_short(step)}]"


def _changed(kind: str, change: Any) -> Sentence:
    if kind.endswith("removed"):
        return _missing(_short(change.t1))
    return _unwanted(_short(change.t2)) if kind.endswith("added") else _other(change.t1, change.t2)


def _in_order(said: _Difference) -> list[tuple[int, str]]:
    """So that the item 10 comes after the item 9."""
    return [
        (int(piece) if piece.isdecimal() else 0, piece)
        for piece in re.split(r"([0-9]{1,9})", f"{said.path} {said.what}")
    ]


def _of_set(lacking: Iterable[Any], unwanted: Iterable[Any]) -> Iterator[Sentence]:
    both = zip_longest(map(_missing, sorted(map(_short, lacking))), map(_unwanted, sorted(map(_short, unwanted))))
    return (joined("; ", filter(None, pair)) for pair in both)


def _by_place(path: str, wanted: Any, found: Any) -> Iterator[_Difference]:
    """The differences from the first on, each when it is asked for; items are compared with those in their place."""
    if wanted == found:
        return
    if found is _NOTHING:
        yield _Difference(path, _missing(_short(wanted)))
    elif wanted is _NOTHING:
        yield _Difference(path, _unwanted(_short(found)))
    elif type(wanted) is not type(found) or not isinstance(wanted, list | tuple | dict | frozenset):
        yield _Difference(path, _other(wanted, found))
    elif isinstance(wanted, frozenset):
        yield from (_Difference(path, what) for what in _of_set(wanted - found, found - wanted))
    elif isinstance(wanted, dict):
        for key in (*wanted, *(key for key in found if key not in wanted)):
            ours, theirs = wanted.get(key, _NOTHING), found.get(key, _NOTHING)
            yield from _by_place(_further(path, _step(key)), ours, theirs)
    else:
        for place, (ours, theirs) in enumerate(zip_longest(wanted, found, fillvalue=_NOTHING)):
            yield from _by_place(_further(path, f"[{place}]"), ours, theirs)


def _missing(shown: str) -> Sentence:
    return say("{value} expected, missing", value=shown)


def _unwanted(shown: str) -> Sentence:
    return say("{value} should not be there", value=shown)


def _other(wanted: object, found: object) -> Sentence:
    """That one value is there for another one; of what kind they are is said where it could be overlooked."""
    kinds = _KINDS.get(type(wanted)), _KINDS.get(type(found))
    both = {"wanted": _short(wanted), "found": _short(found)}
    if None not in kinds and kinds[0] != kinds[1]:
        told = {"kind": kinds[0], "other": kinds[1], **both}
        return say("the {kind} {wanted} expected, found the {other} {found}", **told)
    if type(found) is str and _words(found) == repr(_words(wanted)):
        return say("{wanted} expected, found the text {found}", **both)
    if type(wanted) is str and _words(wanted) == repr(_words(found)):
        return say("the text {wanted} expected, found {found}", **both)
    expected, actual = map(escape_controls, _shortened(_words(wanted), _words(found)))
    return say("{wanted} expected, found {found}", wanted=expected, found=actual)


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
    return escape_controls(_cut(_beginning(value, _LONGEST)))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shortened(wanted: str, found: str) -> tuple[str, str]:
    """Two texts cut short, from shortly before the place where they differ if that would not show."""
    start = common_prefix(wanted, found) - _BEFORE
    if start + _BEFORE < _LONGEST - 1:
        return _cut(wanted), _cut(found)
    return f"…{_cut(wanted[start:])}", f"…{_cut(found[start:])}"


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
            yield repr(value)


def _joined(items: Any) -> Iterator[str]:
    for number, item in enumerate(items):
        yield ", " if number else ""
        yield from _pieces(item)


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
        case dict():
            return _decoded_pairs(plain, depth + 1)
    return _scalar(plain)


def _decoded_pairs(plain: Any, depth: int) -> Any:
    match plain:
        case {"instance": [str(name), list(pairs)]} if _are_pairs(pairs):
            attributes = {_Attribute(str(key)): _decoded(value, depth) for key, value in pairs}
            return _Instance({_CLASS: _Shown(f"an object of {name}"), **attributes})
        case {"dict": list(pairs)} if _are_pairs(pairs):
            return {_hashable(_decoded(key, depth)): _decoded(value, depth) for key, value in pairs}
        case {"shown": str(text)} if len(plain) == 1:
            return _Shown(_as_compared(text))
    return _Shown(words(plain) if set(plain) <= {"object", "number", "again"} else repr(plain))


def _as_compared(text: str) -> str:
    """One form for equal ranges and for equal complex numbers; other texts stay as they are."""
    if found := _RANGE.fullmatch(text):
        start, stop, step = (int(number or 1) for number in found.groups())
        numbers = range(start, stop, step) if step else range(0)
        if not numbers:
            return repr(range(0))
        last = numbers[-1]
        return repr(range(start, last + (step if last != start else 1), step if last != start else 1))
    try:
        # Zero has no sign here, as Python compares.
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
            # Zero has no sign here, as Python compares.
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
