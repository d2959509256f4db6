"""Puts what is expected in place of what is close enough to it, in values in plain form."""

from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from grader.judge.pairing import paired
from grader.model.expectation import Tolerance

# In plain form an object is four levels of JSON, and a child goes fifty objects deep.
_DEEPEST = 250


# Of members that have more characters each is not tried with each, which would take longer than a second.
_MOST_TRIED = 10_000


def settled(expected: Any, actual: Any, tolerance: Tolerance | None, depth: int = 0) -> Any:
    """`actual` as far as it counts: numbers that are close, or the float as an integer, become those of `expected`.

    What else is in an object is left out.
    It may be of any shape. Members of sets, and unequal keys, are paired so that as many as possible are close.
    """
    if depth > _DEEPEST:
        return actual
    match expected, actual:
        case (int() | float(), int() | float()):
            return expected if _does(expected, actual, tolerance) else actual
        case ({"shown": str(wanted)}, {"shown": str(found)}) if tolerance and _are_close(wanted, found, tolerance):
            return expected
        case (list(), list()):
            both = zip(expected, actual, strict=False)
            return [settled(*one, tolerance, depth + 1) for one in both] + actual[len(expected) :]
        case ({"set": list(wanted)}, {"set": list(found)}):
            return {"set": _members(wanted, found, tolerance, depth + 1)}
        case ({"dict": list(wanted)}, {"dict": list(found)}) if all(isinstance(pair, list) and pair for pair in found):
            return {"dict": _pairs(wanted, found, tolerance, depth + 1)}
        case ({"instance": [name, list(wanted)]}, {"instance": [same, list(found)]}) if name == same:
            names = [attribute for attribute, _ in wanted]
            kept = [pair for pair in found if isinstance(pair, list) and pair and pair[0] in names]
            return {"instance": [name, _pairs(wanted, kept, tolerance, depth + 1)]}
        case ({"tuple": list(wanted)}, {"tuple": list(found)}):
            return {"tuple": settled(wanted, found, tolerance, depth + 1)}
    return actual


def _pairs(expected: Sequence[Any], actual: Sequence[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    """Pairs with equal keys stand for each other; the others are paired as members of sets are."""
    left = {repr(pair[0]): pair for pair in actual}
    others, known = [], []
    for wanted in expected:
        found = left.pop(repr(wanted[0]), None)
        if found is None:
            others.append(wanted)
        else:
            known.append(settled(wanted, found, tolerance, depth))
    return known + _members(others, list(left.values()), tolerance, depth)


def _members(expected: list[Any], actual: list[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    """Members of a set. Numbers are paired by their size; of others each is tried with each."""
    if all(map(_is_number, expected)):
        return _by_rank(expected, actual, tolerance, depth)
    same: list[Any] = []
    if len(repr(actual)) > _MOST_TRIED:
        common = {repr(one) for one in expected} & {repr(one) for one in actual}
        same = [one for one in expected if repr(one) in common]
        expected, actual = ([one for one in side if repr(one) not in common] for side in (expected, actual))
    if len(repr(expected)) > _MOST_TRIED or len(repr(actual)) > _MOST_TRIED:
        return same + _by_rank(expected, actual, tolerance, depth)
    shown = [repr(one) for one in expected]
    fitting = [
        [place for place, one in enumerate(actual) if repr(settled(wanted, one, tolerance, depth)) == shown[index]]
        for index, wanted in enumerate(expected)
    ]
    found = paired(range(len(fitting)), lambda index, _taken, _asked: fitting[index], {})
    others = [one for index, one in enumerate(expected) if index not in found]
    rest = [one for place, one in enumerate(actual) if place not in found.values()]
    return same + [expected[index] for index in found] + _by_rank(others, rest, tolerance, depth)


def _by_rank(expected: list[Any], actual: list[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    paired: list[Any] = settled(sorted(expected, key=_rank), sorted(actual, key=_rank), tolerance, depth)
    return paired


def _rank(plain: Any) -> tuple[Any, ...]:
    """So that numbers are in order, also as keys, and all else is in some order."""
    key = plain[0] if isinstance(plain, list) and plain else plain
    return (0, key) if _is_number(key) else (1, repr(key))


def _is_number(plain: Any) -> bool:
    return isinstance(plain, int | float) and not isinstance(plain, bool)


def _does(wanted: int | float, found: int | float, tolerance: Tolerance | None) -> bool:
    # An integer does wherever a float does (PEP 484).
    as_float = isinstance(wanted, float) and type(found) is int and wanted == found
    return as_float or (tolerance is not None and _is_close(wanted, found, tolerance))


def _is_close(wanted: Any, found: Any, tolerance: Tolerance) -> bool:
    if not (_is_number(wanted) and _is_number(found) and _is_finite(wanted) and _is_finite(found)):
        return False
    # As they are written, because 0.8 is no further from 0.7 than 0.1; and no number is too large.
    return tolerance.allows(Decimal(repr(wanted)), Decimal(repr(found)))


def _are_close(wanted: str, found: str, tolerance: Tolerance) -> bool:
    """Whether both are complex numbers whose real and imaginary parts are close."""
    try:
        one, other = complex(wanted), complex(found)
    except ValueError:
        return False
    return _is_close(one.real, other.real, tolerance) and _is_close(one.imag, other.imag, tolerance)


def _is_finite(number: int | float) -> bool:
    return isinstance(number, int) or isfinite(number)
