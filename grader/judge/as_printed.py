"""Write an expected line as it was printed, as far as the comparison policy ignores the difference.

A close number is put in only between the same neighbours: of `1 apple`, the `1` does not stand for all of `1.0`.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from itertools import count

from grader.judge.alignment import NUMBER
from grader.model.test import ComparisonPolicy, IgnoredDifference

_LONGEST = 2000
_TOKEN = re.compile(rf"(?P<number>{NUMBER})|[^\W\d]+|\s+|.", re.ASCII | re.DOTALL)


def as_printed(expected: str, actual: str, comparison: ComparisonPolicy) -> str:
    """Return `expected` with the letters and numbers of `actual` where their case or a tolerance allows it."""
    ignores_case = IgnoredDifference.CASE in comparison.ignore
    if not (ignores_case or comparison.tolerance) or max(len(expected), len(actual)) > _LONGEST:
        return expected
    expected_tokens, actual_tokens = [*_TOKEN.finditer(expected)], [*_TOKEN.finditer(actual)]

    def key(token: re.Match[str]) -> str:
        if comparison.tolerance and token["number"]:
            return "0"
        return token[0].casefold() if ignores_case else token[0]

    def pieces() -> Iterator[str]:
        place = 0
        keys = [*map(key, expected_tokens)], [*map(key, actual_tokens)]
        around, actual_around = map(_with_ends, keys)
        for start, actual_start, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
            yield from (token[0] for token in expected_tokens[place:start])
            for index, actual_index in zip(range(start, start + size), count(actual_start), strict=False):
                tokens = expected_tokens[index], actual_tokens[actual_index]
                is_alike = around[index : index + 3] == actual_around[actual_index : actual_index + 3]
                yield _token_as_printed(*tokens, comparison, is_alike=is_alike)
            place = start + size

    return "".join(pieces())


def _with_ends(keys: list[str]) -> list[str]:
    """Return the keys of a line between its two ends, with all spaces alike, and none at an end."""
    ends = (0, len(keys) - 1)
    return ["", *(" " * (index not in ends) if key.isspace() else key for index, key in enumerate(keys)), ""]


def _token_as_printed(
    expected: re.Match[str], actual: re.Match[str], comparison: ComparisonPolicy, *, is_alike: bool
) -> str:
    tolerance = comparison.tolerance
    if (
        tolerance
        and expected["number"]
        and not (is_alike and tolerance.allows(Decimal(expected[0]), Decimal(actual[0])))
    ):
        return expected[0]
    return actual[0]
