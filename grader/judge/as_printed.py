"""Rewrites an expected line as the program printed it, where the comparison policy ignores the difference."""

import re
from collections.abc import Iterator
from decimal import Decimal
from difflib import SequenceMatcher

from grader.judge.alignment import NUMBER
from grader.model.test import ComparisonPolicy, IgnoredDifference

_LONGEST = 2000
_TOKEN = re.compile(rf"(?P<number>{NUMBER})|[^\W\d]+|\s+|.", re.ASCII | re.DOTALL)


def as_printed(expected: str, actual: str, comparison: ComparisonPolicy) -> str:
    """Return `expected` with the letters, spaces and numbers from `actual` where their difference is ignored."""
    ignores_case = IgnoredDifference.CASE in comparison.ignore
    ignores_spaces = IgnoredDifference.SPACE_CHANGE in comparison.ignore
    if not (ignores_case or ignores_spaces or comparison.tolerance) or max(len(expected), len(actual)) > _LONGEST:
        return expected
    expected_tokens, actual_tokens = [*_TOKEN.finditer(expected)], [*_TOKEN.finditer(actual)]

    def key(token: re.Match[str]) -> str:
        if comparison.tolerance and token["number"]:
            # The `1` in `1 apple` does not match all of `1.0`, so the surrounding characters must be equal.
            before, after = token.string[: token.start()].lstrip(), token.string[token.end() :].rstrip()
            return f"{before[-1:]}0{after[:1]}"
        if ignores_spaces and token[0].isspace():
            return " "
        return token[0].casefold() if ignores_case else token[0]

    def pieces() -> Iterator[str]:
        place = 0
        keys = [*map(key, expected_tokens)], [*map(key, actual_tokens)]
        for start, actual_start, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
            yield from (token[0] for token in expected_tokens[place:start])
            both = zip(
                expected_tokens[start : start + size], actual_tokens[actual_start : actual_start + size], strict=True
            )
            yield from (_token_as_printed(*tokens, comparison) for tokens in both)
            place = start + size

    return "".join(pieces())


def without_ignored_end(line: str, comparison: ComparisonPolicy) -> str:
    """Return a line without spaces at its end if they are ignored."""
    is_ignored = comparison.ignore & {IgnoredDifference.TRAILING_WHITESPACE, IgnoredDifference.SPACE_CHANGE}
    return line.rstrip(" \t") if is_ignored else line


def _token_as_printed(expected: re.Match[str], actual: re.Match[str], comparison: ComparisonPolicy) -> str:
    tolerance = comparison.tolerance
    if tolerance and expected["number"] and not tolerance.allows(Decimal(expected[0]), Decimal(actual[0])):
        return expected[0]
    return actual[0]
