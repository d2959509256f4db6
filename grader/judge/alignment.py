"""Compares lines under a comparison policy, and pairs printed lines with expected lines."""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby, islice, takewhile

from grader.judge.line_diff import blocks
from grader.judge.pairing import Candidates, paired
from grader.model.expectation import Tolerance
from grader.model.judgement import NoteKind
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.text.patterns import as_part, fitting_groups

_SPACES = re.compile("[ \t]+")
NUMBER = r"[-+]?(?:\d+(?:\.\d+|\.(?=[\],]|[ \t]+[-+.\d\]]))?|(?<![\w.])\.\d+)(?:[eE][-+]?\d{1,3})?"
"""A number that may differ within the tolerance.

The decimal point must be unambiguous, because `p.33` is a page, and dates contain points. A trailing point only counts
as numpy prints it, before another number, `,` or `]`; any other point ends a sentence.
"""
_NUMBER = re.compile(NUMBER, re.ASCII)
_ANY_NUMBER = re.compile(r"(?:(?<![ \t])[ \t]+)?[-+−]?[$€£]?(?:\d+(?:[.,/_]\d+)*|\.\d+)(?:[eE][-+]?\d+)?%?[ \t]*")
_A_NUMBER = "\x00"
_A_MARK = "\x01"
Rewriting = tuple[NoteKind, Callable[[str], str]]
_MAX_TRIES = 20_000
"""The maximum number of comparisons between lines in the search for more matches."""
_MAX_COMPARED = 100
_ENOUGH = 3


@dataclass(frozen=True)
class LineMatch:
    """Matches lines under `comparison`."""

    comparison: ComparisonPolicy

    def key(self, line: str) -> str:
        """Return a string that is the same for equal lines, including lines that differ in numbers or are open."""
        return self._read(line).key

    def same(self, expected: str, actual: str) -> bool:
        """Return whether `actual` matches the expected line."""
        if self._has_marks(expected):
            is_same = self.fits_pattern(expected, actual)
        else:
            is_same = expected == actual or self._are_close(self._read(expected), self._read(actual))
        return is_same or (self.may_be_own(actual) and self.is_open(expected))

    def may_be_own(self, actual: str) -> bool:
        """Return whether a printed line is acceptable where any text is accepted."""
        return bool(actual.strip()) and not (self._excluded and self._excluded.fullmatch(actual.strip()))

    def is_empty(self, line: str) -> bool:
        """Return whether a line counts as blank."""
        return not self.key(line)

    def numbers(self, line: str) -> list[Decimal]:
        """Return the numbers in a line that may differ within the tolerance; empty if numbers must be exact."""
        return [] if self.comparison.tolerance is None else self._read(line).numbers

    def reasons(self, expected: str, actual: str) -> Iterator[NoteKind]:
        """Yield the normalizations without which the two lines would differ."""
        if expected == actual or self.fits_pattern(expected, actual):
            return
        if not self._are_close(self._read(expected), self._read(actual)):
            yield NoteKind.WILDCARD_LINES
            return
        needed = [
            rewriting for rewriting in self._rewritings if not self._same(expected, actual, self._without(rewriting))
        ]
        if not needed and not self._same(expected, actual, ()):
            # Two normalizations have the same effect on this line, so the first one is reported.
            needed = [
                rewriting
                for rewriting in self._rewritings
                if rewriting[1](expected) != expected or rewriting[1](actual) != actual
            ][:1]
        yield from (kind for kind, _ in needed)
        if self.comparison.tolerance is not None and not self._same_but_for_numbers(expected, actual):
            yield NoteKind.NUMBERS

    def _read(self, line: str) -> "_Line":
        """Parse a line once and cache the result, because matching in any order compares it many times."""
        parsed = self._lines.get(line)
        if parsed is None:
            parsed = self._lines[line] = self._rewritten(line, self._rewritings)
        return parsed

    @cached_property
    def _lines(self) -> dict[str, "_Line"]:
        return {}

    @cached_property
    def _rewritings(self) -> tuple[Rewriting, ...]:
        ignore, characters = self.comparison.ignore, self.comparison.ignore_characters
        rewritings: list[Rewriting] = []
        if characters:
            table = str.maketrans("", "", characters)
            rewritings.append((NoteKind.CHARACTERS, lambda line: line.translate(table)))
        if IgnoredDifference.TAB_EXPANSION in ignore:
            rewritings.append((NoteKind.TAB_EXPANSION, str.expandtabs))
        if IgnoredDifference.TRAILING_WHITESPACE in ignore:
            rewritings.append((NoteKind.TRAILING_WHITESPACE, lambda line: line.rstrip(" \t")))
        if IgnoredDifference.SPACE_CHANGE in ignore:
            rewritings.append((NoteKind.SPACE_CHANGE, lambda line: _SPACES.sub(" ", line)))
        if IgnoredDifference.CASE in ignore:
            rewritings.append((NoteKind.CASE, str.casefold))
        return tuple(rewritings)

    @cached_property
    def _open_lines(self) -> re.Pattern[str] | None:
        return _fitting_one((*self.comparison.wildcard_lines, *self.comparison.wildcard_texts))

    @cached_property
    def _open_texts(self) -> re.Pattern[str] | None:
        return _fitting_one(self.comparison.wildcard_texts)

    @cached_property
    def _excluded(self) -> re.Pattern[str] | None:
        return _fitting_one(self.comparison.wildcard_excludes)

    def is_open(self, expected: str) -> bool:
        """Return whether the handout leaves this expected line open, so that any text is accepted."""
        return bool(self._open_lines and self._open_lines.fullmatch(expected))

    def may_be_several(self, expected: str) -> bool:
        """Return whether any number of lines may replace this open line."""
        return bool(self._open_texts and self._open_texts.fullmatch(expected))

    def without_numbers(self, line: str) -> str:
        """Return a string that is the same for lines that only differ in their numbers."""
        return _ANY_NUMBER.sub("0", self.key(line))

    def fixed(self, expected: Sequence[str]) -> Set[str]:
        """Return the lines of a transcript that are not open, without their numbers; empty if no line is open."""
        if self._open_lines is None:
            return frozenset()
        return {self.without_numbers(line) for line in expected if not self.is_open(line)}

    def fits_pattern(self, expected: str, actual: str) -> bool:
        """Return whether the expected line contains patterns and the actual line matches them."""
        patterns, tolerance = self.comparison.patterns, self.comparison.tolerance
        if not self._has_marks(expected):
            return False
        # Case is kept in the names of patterns and in the text that they match.
        ignores_case = IgnoredDifference.CASE in self.comparison.ignore
        rewritings = tuple(rewriting for rewriting in self._rewritings if rewriting[0] is not NoteKind.CASE)
        names = iter(self._marks.findall(expected))
        numbers: list[Decimal] = []
        whole = ""
        for index, piece in enumerate(self._loose.split(_rewritten(self._marks.sub(_A_MARK, expected), rewritings))):
            if index % 2 == 0:
                whole += re.escape(piece)
            elif piece == _A_MARK:
                whole += as_part(patterns[next(names)], f"mark_{index}")
            else:
                whole += f"(?P<number_{len(numbers)}>{_NUMBER.pattern})"
                numbers.append(Decimal(piece))
        groups = fitting_groups(whole, _rewritten(actual, rewritings), ignore_case=ignores_case)
        if groups is None or tolerance is None:
            return groups is not None
        return _close(numbers, [Decimal(groups[f"number_{at}"]) for at in range(len(numbers))], tolerance)

    def _has_marks(self, expected: str) -> bool:
        return bool(self.comparison.patterns and self._marks.search(expected))

    @cached_property
    def _loose(self) -> re.Pattern[str]:
        """Return a pattern for parts of an expected line that may differ: marks and, within a tolerance, numbers."""
        return re.compile(f"({_A_MARK})" if self.comparison.tolerance is None else f"({_A_MARK}|{_NUMBER.pattern})")

    def without_marks(self, printed: str) -> str:
        """Return the output with its pattern marks disabled, so that programs cannot print patterns."""
        return self._marks.sub(r"‹‹\1››", printed) if self.comparison.patterns else printed

    @cached_property
    def _marks(self) -> re.Pattern[str]:
        return re.compile(f"<<({'|'.join(map(re.escape, self.comparison.patterns))})>>")

    def _without(self, rewriting: Rewriting) -> tuple[Rewriting, ...]:
        return tuple(candidate for candidate in self._rewritings if candidate is not rewriting)

    def _rewritten(self, line: str, rewritings: tuple[Rewriting, ...]) -> "_Line":
        text = _rewritten(line, rewritings)
        return _Line(text, text if self.comparison.tolerance is None else _NUMBER.sub(_A_NUMBER, text))

    def _same(self, expected: str, actual: str, rewritings: tuple[Rewriting, ...]) -> bool:
        return self._are_close(self._rewritten(expected, rewritings), self._rewritten(actual, rewritings))

    def _are_close(self, expected: "_Line", actual: "_Line") -> bool:
        if expected.key != actual.key:
            return False
        tolerance = self.comparison.tolerance
        return tolerance is None or (
            _close(expected.numbers, actual.numbers, tolerance)
            and all(map(_may_end_alike, expected.number_texts, actual.number_texts))
        )

    def _same_but_for_numbers(self, expected: str, actual: str) -> bool:
        return self._read(expected).text == self._read(actual).text


@dataclass(frozen=True)
class _Line:
    """A line without its ignored parts. In its `key`, all numbers that may differ are replaced by the same text."""

    text: str
    key: str

    @cached_property
    def numbers(self) -> list[Decimal]:
        return [Decimal(number) for number in self.number_texts]

    @cached_property
    def number_texts(self) -> list[str]:
        return _NUMBER.findall(self.text)


def _may_end_alike(expected: str, actual: str) -> bool:
    """Return whether either both texts or neither of them ends in a point."""
    return "." in expected and "." in actual if "." in (expected[-1], actual[-1]) else True


def _fitting_one(texts: Sequence[str]) -> re.Pattern[str] | None:
    """Compile a pattern that matches any of the texts, in which `*` matches anything; return None without texts."""
    return re.compile("|".join(".*".join(map(re.escape, text.split("*"))) for text in texts)) if texts else None


def _rewritten(line: str, rewritings: tuple[Rewriting, ...]) -> str:
    for _, rewrite in rewritings:
        line = rewrite(line)
    return line


def _close(expected: Sequence[Decimal], actual: Sequence[Decimal], tolerance: Tolerance) -> bool:
    """Return whether both sequences have equally many numbers, each within `tolerance` of its counterpart."""
    if len(expected) != len(actual):
        return False
    return all(map(tolerance.allows, expected, actual))


AlignedPair = tuple[int | None, int | None]
"""The indexes of an expected and an actual line, both of them set if the lines match or one replaces the other."""


def in_order(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> list[AlignedPair]:
    """Pair lines in the order of both transcripts; every line belongs to exactly one pair."""
    pairs, start, actual_start = _while_right(expected, actual, match)
    rest = _rest(expected[start:], actual[actual_start:], match)
    pairs += ((_shift(index, start), _shift(actual_index, actual_start)) for index, actual_index in rest)
    return pairs


def _while_right(
    expected: Sequence[str], actual: Sequence[str], match: LineMatch
) -> tuple[list[AlignedPair], int, int]:
    """Pair lines up to the first wrong one; return the pairs, and the numbers of expected and actual lines used."""
    pairs: list[AlignedPair] = []
    index = actual_index = 0
    fixed, between = match.fixed(expected), _between_texts(expected, match)
    while index < len(expected) and actual_index < len(actual):
        if match.is_open(expected[index]):
            end, other_end = _ends_of_open_text(expected, actual, index, actual_index, match)
            if index in between:
                other_end = actual_index + _own_lines(actual[actual_index:other_end], expected[end:], match, fixed)
                rival = next(_rivals(actual[actual_index:other_end], between[index], match), None)
                if rival is not None and end < len(expected):
                    pairs += _side_by_side(range(index, end), range(actual_index, actual_index + rival))
                    return [*pairs, (end, actual_index + rival)], end + 1, actual_index + rival + 1
                other_end = other_end if rival is None else actual_index
        elif match.same(expected[index], actual[actual_index]):
            end, other_end = index + 1, actual_index + 1
        else:
            break
        pairs += _side_by_side(range(index, end), range(actual_index, other_end))
        index, actual_index = end, other_end
    return pairs, index, actual_index


def _between_texts(expected: Sequence[str], match: LineMatch) -> dict[int, list[str]]:
    """Map the start of each open text of any length to the fixed lines between it and the neighbouring open texts."""
    between: dict[int, list[str]] = {}
    start = end = 0
    for is_open, run in groupby(range(len(expected)), key=lambda index: match.is_open(expected[index])):
        indexes = list(run)
        if is_open and (len(indexes) > 1 or match.may_be_several(expected[indexes[0]])):
            lines = [line for line in expected[end : indexes[0]] if not match.is_open(line)] if between else []
            if between:
                between[start] += lines
            start, end = indexes[0], indexes[-1] + 1
            between[start] = [*lines]
    return between


def _rivals(text: Iterable[str], between: Iterable[str], match: LineMatch) -> Iterator[int]:
    """Yield the indexes of lines that only differ in numbers from a line in `between`, and so may be results."""
    alike: dict[str, list[str]] = defaultdict(list)
    for line in dict.fromkeys(between):
        alike[match.without_numbers(line)].append(line)
    for index, line in enumerate(text):
        others = alike.get(match.without_numbers(line), ())
        if 0 < len(others) <= _MAX_COMPARED and not any(match.same(other, line) for other in others):
            yield index


def _ends_of_open_text(
    expected: Sequence[str], actual: Sequence[str], start: int, actual_start: int, match: LineMatch
) -> tuple[int, int]:
    """Return the end of the open lines that begin at `start`, and the end of the text that replaces them.

    A single open line is replaced by one line at most. Several open lines, or an open line of any length, are replaced
    by all lines before the next fixed line. If the fixed line never appears, the open lines are matched one by one.
    """
    end = start
    while end < len(expected) and match.is_open(expected[end]):
        end += 1
    is_single = end == start + 1 and not match.may_be_several(expected[start])
    last = _end_of_text(actual, actual_start, actual_start + 1 if is_single else len(actual))
    if end == len(expected):
        return end, last
    follows = [
        index for index in range(actual_start, min(last + 1, len(actual))) if match.same(expected[end], actual[index])
    ]
    if not follows:
        return end, min(last, actual_start + end - start)
    # The text itself may contain the fixed line, such as a heading, so the lines after it decide.
    agreeing = {index: _agreeing(expected, actual, end, index, match) for index in follows}
    to_the_end = len(actual) - (len(expected) - end)
    if to_the_end in agreeing and end + agreeing[to_the_end] == len(expected):
        return end, to_the_end
    most = max(agreeing.values())
    block_ends = end + most == len(expected) or most == _MAX_COMPARED or match.is_open(expected[end + most])
    enough = most if block_ends else min(most, _ENOUGH)
    return end, next(index for index in follows if agreeing[index] >= enough)


def _own_lines(text: Sequence[str], follows: Sequence[str], match: LineMatch, fixed: Container[str]) -> int:
    """Count the student's own lines that replace an open text.

    They end where the expected continuation begins and appears once more, possibly with other numbers the first time.
    If all of them are expected elsewhere, apart from their numbers, the count is 0, because a board is not a message.
    """
    lines = [match.without_numbers(line) for line in text]
    after = [match.without_numbers(line) for line in follows[: len(text)]]
    starts = range(max(len(lines) - len(after), 0), len(lines) - _ENOUGH + 1)
    begun = (at for at in starts if match.same(follows[0], text[at]))
    count = next((at for at in begun if lines[at:] == after[: len(lines) - at]), len(lines))
    return 0 if all(line in fixed for line in lines[:count]) else count


def _end_of_text(actual: Sequence[str], start: int, most: int) -> int:
    """Return the index of the first blank line from `start` onwards, or `most`."""
    return next((index for index in range(start, most) if not actual[index].strip()), most)


def _agreeing(expected: Sequence[str], actual: Sequence[str], start: int, actual_start: int, match: LineMatch) -> int:
    """Count the lines that match one after another from these indexes to the next open line."""
    pairs = zip(islice(expected, start, None), islice(actual, actual_start, None), strict=False)
    agreeing = takewhile(lambda pair: not match.is_open(pair[0]) and match.same(*pair), islice(pairs, _MAX_COMPARED))
    return sum(1 for _ in agreeing)


def in_any_order(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> list[AlignedPair]:
    """Pair as many matching lines as possible, in the order of the expected lines; pair the rest in sequence."""
    pairs = _by_numbers(expected, actual, match)
    waiting = [index for index in range(len(expected)) if index not in pairs]
    pairs = paired(waiting, _fitting(expected, actual, match), pairs)
    others = sorted(set(range(len(actual))).difference(pairs.values()))
    missing = [index for index in range(len(expected)) if index not in pairs]
    pairs.update(zip(missing, others, strict=False))
    surplus = others[len(missing) :]
    return [*((index, pairs.get(index)) for index in range(len(expected))), *((None, index) for index in surplus)]


def _fitting(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> Candidates:
    """Return a function that yields the actual lines matching an expected line, limiting the total number of tries."""
    tries = _MAX_TRIES

    def candidates(index: int, taken: Container[int], asked: Container[int]) -> Iterator[int]:
        nonlocal tries
        # Unpaired lines come first, and sorting many of them would take a long time.
        for candidate in sorted(range(len(actual)), key=taken.__contains__) if tries else ():
            if tries and candidate not in asked:
                tries -= 1
                if match.same(expected[index], actual[candidate]):
                    yield candidate

    return candidates


def _by_numbers(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> dict[int, int]:
    """Pair expected lines with actual lines that have the same text and close numbers, smallest numbers first.

    In this order, no line takes a partner that another line needs.
    """
    expected_groups, actual_groups = (_in_groups(lines, match) for lines in (expected, actual))
    pairs: dict[int, int] = {}
    for key, indexes in expected_groups.items():
        waiting = actual_groups[key]
        for index in indexes:
            while waiting and not (same := match.same(expected[index], actual[waiting[0]])):
                if match.numbers(actual[waiting[0]]) > match.numbers(expected[index]):
                    break
                waiting.popleft()
            if waiting and same:
                pairs[index] = waiting.popleft()
    return pairs


def _in_groups(lines: Sequence[str], match: LineMatch) -> dict[str, deque[int]]:
    """Group the indexes of lines that are equal apart from numbers, and sort each group by its numbers."""
    groups: dict[str, deque[int]] = defaultdict(deque)
    for index in sorted(range(len(lines)), key=lambda index: match.numbers(lines[index])):
        groups[match.key(lines[index])].append(index)
    return groups


def _shift(index: int | None, by: int) -> int | None:
    return None if index is None else index + by


def _rest(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> Iterator[AlignedPair]:
    keys = [match.key(line) for line in expected], [match.key(line) for line in actual]
    if len(expected) == len(actual):
        # With equal counts, position is as good a guide as content.
        yield from _side_by_side(range(len(expected)), range(len(actual)))
        return
    for block in blocks(*keys):
        yield from _side_by_side(block.expected, block.actual)


def _side_by_side(expected_range: range, actual_range: range) -> Iterator[AlignedPair]:
    both = min(len(expected_range), len(actual_range))
    yield from zip(expected_range[:both], actual_range[:both], strict=True)
    yield from ((index, None) for index in expected_range[both:])
    yield from ((None, index) for index in actual_range[both:])
