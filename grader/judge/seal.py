"""Seals: digests that reveal which line of a transcript is the first wrong one, but not the correct text.

Each line has a digest of all lines up to it, so the digests match up to the first wrong line and differ after it. They
are salted and slow to compute, so a line can only be guessed as a whole, at about 100 guesses a second on one core. A
line with few possible values can be guessed, as docs/reference/seals.md explains.
"""

import hashlib
import secrets
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate

from grader.judge.alignment import LineMatch
from grader.judge.traceback import stack_frames
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.text.difference import lines_of

_COST = 1 << 12
_BLOCK_SIZE = 8
_DIGEST_BYTES = 12
_SALT_BYTES = 16


@dataclass(frozen=True)
class TranscriptSeal:
    """An expected transcript as one digest per line, in hexadecimal digits like the salt.

    `cost` is scrypt's parameter n (RFC 7914).
    """

    salt: str
    cost: int
    digests: tuple[str, ...]


@dataclass(frozen=True)
class WrongLine:
    """The first wrong line of a transcript, counted from 1. If `is_missing`, it would come after the last line."""

    number: int
    is_missing: bool = False
    is_too_much: bool = False


def seal(expected: str, comparison: ComparisonPolicy) -> TranscriptSeal:
    """Seal a transcript for comparison under `comparison`, which must be a policy that supports seals."""
    salt = secrets.token_bytes(_SALT_BYTES)
    states = _running_digests([text for _, text in _lines(expected, comparison)], salt)
    with ThreadPoolExecutor() as pool:
        return TranscriptSeal(salt.hex(), _COST, tuple(pool.map(lambda state: _digest(state, salt, _COST), states)))


def first_wrong_line(sealed: TranscriptSeal, actual: str, comparison: ComparisonPolicy) -> WrongLine | None:
    """Return the first line of `actual` that differs from the sealed transcript, or None."""
    salt = bytes.fromhex(sealed.salt)
    lines = _lines(actual, comparison)[: len(sealed.digests) + 1]
    states = _running_digests([text for _, text in lines], salt)

    def differs(index: int) -> bool:
        return _digest(states[index], salt, sealed.cost) != sealed.digests[index]

    both = min(len(lines), len(sealed.digests))
    right = bisect_left(range(both), True, key=differs)
    if right < both:
        return WrongLine(lines[right][0])
    if len(lines) > both:
        return WrongLine(lines[both][0], is_too_much=True)
    if len(sealed.digests) > both:
        return WrongLine(len(lines_of(actual)) + 1, is_missing=True)
    return None


def _lines(text: str, comparison: ComparisonPolicy) -> list[tuple[int, str]]:
    """Return the lines to compare with their numbers, including newlines but without ignored differences.

    The stack frames in a traceback are always ignored.
    """
    match = LineMatch(comparison)
    calls = {number for frames in stack_frames(text) for number in _numbers(text, frames)}
    numbered = enumerate(lines_of(text), start=1)
    lines = [(number, match.key(line)) for number, line in numbered if number not in calls]
    if IgnoredDifference.BLANK_LINES in comparison.ignore:
        return [(number, line) for number, line in lines if line]
    if lines and not text.endswith("\n"):
        number, last = lines.pop()
        # Spaces after the last newline do not form a line if trailing whitespace is ignored.
        return [(index, f"{line}\n") for index, line in lines] + ([(number, last)] if last else [])
    return [(number, f"{line}\n") for number, line in lines]


def _numbers(text: str, place: range) -> range:
    """Return the line numbers in a part of the text."""
    first = text.count("\n", 0, place.start) + 1
    return range(first, first + text.count("\n", place.start, place.stop))


def _running_digests(lines: Sequence[str], salt: bytes) -> list[bytes]:
    """Return a fast digest of the lines up to each line; the slow digest is computed from it."""
    content = (line.encode("utf-8", "surrogateescape") for line in lines)
    return list(accumulate(content, lambda state, line: hashlib.blake2b(state + line).digest(), initial=salt))[1:]


def _digest(state: bytes, salt: bytes, cost: int) -> str:
    return hashlib.scrypt(state, salt=salt, n=cost, r=_BLOCK_SIZE, p=1, dklen=_DIGEST_BYTES).hex()
