"""Replaces values in plain form with the expected values if they are close enough."""

from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from grader.judge.pairing import paired
from grader.model.expectation import Tolerance

# In plain form, an object takes four levels of JSON, and a child reports at most fifty nested objects.
_DEEPEST = 250
# With more characters than this, not every pair of members is tried, because that would take longer than a second.
_MAX_TRIED = 10_000


def settled(expected: Any, actual: Any, tolerance: Tolerance | None, depth: int = 0) -> Any:
    """Return `actual` without extra attributes, and with numbers replaced that are close enough to `expected`."""
    if depth > _DEEPEST:
        return actual
    match expected, actual:
        case (int() | float(), int() | float()):
            return expected if _is_accepted(expected, actual, tolerance) else actual
        case ({"shown": str(wanted)}, {"shown": str(found)}) if tolerance and _are_close(wanted, found, tolerance):
            return expected
        case (list(), list()):
            both = zip(expected, actual, strict=False)
            return [settled(*both_items, tolerance, depth + 1) for both_items in both] + actual[len(expected) :]
        case ({"set": list(wanted)}, {"set": list(found)}):
            return {"set": _members(wanted, found, tolerance, depth + 1)}
        case ({"dict": list(wanted)}, {"dict": list(found)}) if all(isinstance(pair, list) and pair for pair in found):
            return {"dict": _pairs(wanted, found, tolerance, depth + 1)}
        case ({"instance": [name, list(wanted)]}, {"instance": [same, list(found)]}) if name == same:
            names = [attribute for attribute, _ in wanted]
            attributes = [pair for pair in found if isinstance(pair, list) and pair and pair[0] in names]
            return {"instance": [name, _pairs(wanted, attributes, tolerance, depth + 1)]}
        case ({"tuple": list(wanted)}, {"tuple": list(found)}):
            return {"tuple": settled(wanted, found, tolerance, depth + 1)}
    return actual


def _pairs(expected: Sequence[Any], actual: Sequence[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    """Settle pairs with equal keys; pair the others as members of sets."""
    unmatched = {repr(pair[0]): pair for pair in actual}
    others, matched = [], []
    for expected_pair in expected:
        counterpart = unmatched.pop(repr(expected_pair[0]), None)
        if counterpart is None:
            others.append(expected_pair)
        else:
            matched.append(settled(expected_pair, counterpart, tolerance, depth))
    return matched + _members(others, list(unmatched.values()), tolerance, depth)


def _members(expected: list[Any], actual: list[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    """Settle the members of a set: numbers are paired by size, other members by trying each with each."""
    if all(map(_is_number, expected)):
        return _by_rank(expected, actual, tolerance, depth)
    same: list[Any] = []
    if len(repr(actual)) > _MAX_TRIED:
        common = {repr(member) for member in expected} & {repr(member) for member in actual}
        same = [member for member in expected if repr(member) in common]
        expected, actual = ([member for member in side if repr(member) not in common] for side in (expected, actual))
    if len(repr(expected)) > _MAX_TRIED or len(repr(actual)) > _MAX_TRIED:
        return same + _by_rank(expected, actual, tolerance, depth)
    shown = [repr(member) for member in expected]
    fitting = [
        [
            place
            for place, member in enumerate(actual)
            if repr(settled(expected_member, member, tolerance, depth)) == shown[index]
        ]
        for index, expected_member in enumerate(expected)
    ]
    partners = paired(range(len(fitting)), lambda index, _taken, _asked: fitting[index], {})
    others = [member for index, member in enumerate(expected) if index not in partners]
    rest = [member for place, member in enumerate(actual) if place not in partners.values()]
    return same + [expected[index] for index in partners] + _by_rank(others, rest, tolerance, depth)


def _by_rank(expected: list[Any], actual: list[Any], tolerance: Tolerance | None, depth: int) -> list[Any]:
    paired: list[Any] = settled(sorted(expected, key=_rank), sorted(actual, key=_rank), tolerance, depth)
    return paired


def _rank(plain: Any) -> tuple[Any, ...]:
    """Return a sort key that puts numbers first, in order, including numbers that are keys."""
    key = plain[0] if isinstance(plain, list) and plain else plain
    return (0, key) if _is_number(key) else (1, repr(key))


def _is_number(plain: Any) -> bool:
    return isinstance(plain, int | float) and not isinstance(plain, bool)


def _is_accepted(expected: int | float, actual: int | float, tolerance: Tolerance | None) -> bool:
    # An integer is accepted wherever a float is (PEP 484).
    as_float = isinstance(expected, float) and type(actual) is int and expected == actual
    return as_float or (tolerance is not None and _is_close(expected, actual, tolerance))


def _is_close(expected: Any, actual: Any, tolerance: Tolerance) -> bool:
    if not (_is_number(expected) and _is_number(actual) and _is_finite(expected) and _is_finite(actual)):
        return False
    # Compare them as decimals, because 0.8 and 0.7 should differ by exactly 0.1, and no number is too large.
    return tolerance.allows(Decimal(repr(expected)), Decimal(repr(actual)))


def _are_close(expected: str, actual: str, tolerance: Tolerance) -> bool:
    """Return whether both are complex numbers with close real and imaginary parts."""
    try:
        first, second = complex(expected), complex(actual)
    except ValueError:
        return False
    return _is_close(first.real, second.real, tolerance) and _is_close(first.imag, second.imag, tolerance)


def _is_finite(number: int | float) -> bool:
    return isinstance(number, int) or isfinite(number)
