"""Whether two lines are equal under a comparison policy, and what of the policy that takes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from grader.judge.note import NoteKind
from grader.spec.comparison import Comparison, Leniency

_BLANKS = re.compile("[ \t]+")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?", re.ASCII)
_LONGEST_WITH_NUMBERS = 10_000
_A_NUMBER = "\x00"

Rewriting = tuple[NoteKind, Callable[[str], str]]


@dataclass(frozen=True)
class LineMatch:
    """Compares lines under `comparison`."""

    comparison: Comparison

    def key(self, line: str) -> str:
        """A text that is the same for lines that are equal, numbers and lines of any text aside."""
        return self._key(line, self._rewritings)

    def same(self, expected: str, actual: str) -> bool:
        """Whether `actual` may stand where `expected` should."""
        if expected == actual or self._same(expected, actual, self._rewritings):
            return True
        return bool(actual.strip()) and self.is_open(expected)

    def is_empty(self, line: str) -> bool:
        """Whether a line counts as empty."""
        return not self.key(line)

    def reasons(self, expected: str, actual: str) -> Iterator[NoteKind]:
        """What is forgiven in `actual`: the rewritings without which the two lines would differ."""
        if expected == actual:
            return
        if not self._same(expected, actual, self._rewritings):
            yield NoteKind.ANY_TEXT
            return
        needed = [one for one in self._rewritings if not self._same(expected, actual, self._without(one))]
        if not needed:
            # Two rewritings do the same to this line: the first of them is named.
            needed = [one for one in self._rewritings if one[1](expected) != expected or one[1](actual) != actual][:1]
        yield from (kind for kind, _ in needed)
        if self.comparison.tolerance is not None and not self._same_but_for_numbers(expected, actual):
            yield NoteKind.NUMBERS

    @cached_property
    def _rewritings(self) -> tuple[Rewriting, ...]:
        ignore, characters = self.comparison.ignore, self.comparison.ignore_characters
        found: list[Rewriting] = []
        if characters:
            table = str.maketrans("", "", characters)
            found.append((NoteKind.CHARACTERS, lambda line: line.translate(table)))
        if Leniency.TRAILING_BLANKS in ignore:
            found.append((NoteKind.TRAILING_BLANKS, lambda line: line.rstrip(" \t")))
        if Leniency.BLANK_RUNS in ignore:
            found.append((NoteKind.BLANK_RUNS, lambda line: _BLANKS.sub(" ", line)))
        if Leniency.CASE in ignore:
            found.append((NoteKind.CASE, str.casefold))
        return tuple(found)

    @cached_property
    def _open_lines(self) -> re.Pattern[str] | None:
        patterns = [".*".join(map(re.escape, text.split("*"))) for text in self.comparison.any_text]
        return re.compile("|".join(patterns)) if patterns else None

    def is_open(self, expected: str) -> bool:
        """Whether the handout leaves an expected line open, so that any text may stand there."""
        return bool(self._open_lines and self._open_lines.fullmatch(expected))

    def _without(self, one: Rewriting) -> tuple[Rewriting, ...]:
        return tuple(other for other in self._rewritings if other is not one)

    def _key(self, line: str, rewritings: tuple[Rewriting, ...]) -> str:
        line = _rewritten(line, rewritings)
        if self.comparison.tolerance is None or len(line) > _LONGEST_WITH_NUMBERS:
            return line
        return _NUMBER.sub(_A_NUMBER, line)

    def _same(self, expected: str, actual: str, rewritings: tuple[Rewriting, ...]) -> bool:
        if self._key(expected, rewritings) != self._key(actual, rewritings):
            return False
        tolerance = self.comparison.tolerance
        return tolerance is None or _close(expected, actual, tolerance)

    def _same_but_for_numbers(self, expected: str, actual: str) -> bool:
        return _rewritten(expected, self._rewritings) == _rewritten(actual, self._rewritings)


def _rewritten(line: str, rewritings: tuple[Rewriting, ...]) -> str:
    for _, rewrite in rewritings:
        line = rewrite(line)
    return line


def _close(expected: str, actual: str, tolerance: Decimal) -> bool:
    """Whether the numbers in two lines are within `tolerance` of each other, one by one."""
    if expected == actual or max(len(expected), len(actual)) > _LONGEST_WITH_NUMBERS:
        return True
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(actual), strict=False)
    return all(abs(Decimal(wanted) - Decimal(found)) <= tolerance for wanted, found in pairs)
