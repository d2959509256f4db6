"""Writes an expected line as it was printed, as far as the comparison policy ignores the difference."""

import re
from collections.abc import Iterator
from decimal import Decimal
from difflib import SequenceMatcher

from grader.model.test import ComparisonPolicy, IgnoredDifference

_LONGEST = 2000


_TOKEN = re.compile(r"(?P<number>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)|\w+|\s+|.", re.ASCII | re.DOTALL)


def as_printed(expected: str, actual: str, comparison: ComparisonPolicy) -> str:
    """Return `expected` with the letters and numbers of `actual` where their case or a tolerance allows it."""
    ignores_case = IgnoredDifference.CASE in comparison.ignore
    if not (ignores_case or comparison.tolerance) or max(len(expected), len(actual)) > _LONGEST:
        return expected
    wanted, found = [*_TOKEN.finditer(expected)], [*_TOKEN.finditer(actual)]

    def key(token: re.Match[str]) -> str:
        if comparison.tolerance and token["number"]:
            return "0"
        return token[0].casefold() if ignores_case else token[0]

    def pieces() -> Iterator[str]:
        place = 0
        keys = [*map(key, wanted)], [*map(key, found)]
        for start, other, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
            yield from (token[0] for token in wanted[place:start])
            both = zip(wanted[start : start + size], found[other : other + size], strict=True)
            yield from (_token_as_printed(*tokens, comparison) for tokens in both)
            place = start + size

    return "".join(pieces())


def _token_as_printed(wanted: re.Match[str], found: re.Match[str], comparison: ComparisonPolicy) -> str:
    tolerance = comparison.tolerance
    if tolerance and wanted["number"] and not tolerance.allows(Decimal(wanted[0]), Decimal(found[0])):
        return wanted[0]
    return found[0]
