"""Removes the differences that the comparison policy ignores from a transcript; the rest is compared exactly."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise

from grader.judge.alignment import AlignedPair, LineMatch, in_any_order, in_order
from grader.judge.as_printed import as_printed, without_ignored_end
from grader.model.judgement import Note, NoteKind
from grader.model.outcome import Outcome, TypedLine
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.text.difference import lines_of
from grader.text.sentence import Sentence, say

_LAST_SPACES = re.compile(r"(?:\A|(?<=\n))[ \t]+\Z")
_MAX_LINES = 20_000
_MAX_TIMES = 4
"""The maximum number of lines to mend, absolutely and as a multiple of the expected lines. Any further output stays
unchanged.
"""
_TRACEBACK = "Traceback (most recent call last):"
_CANNOT_READ = re.compile(r'  File "[^"\n]+", line \d|SyntaxError: ')
_SAID = {
    NoteKind.TRAILING_WHITESPACE: say("trailing whitespace"),
    NoteKind.SPACE_CHANGE: say("too few or too many spaces"),
    NoteKind.TAB_EXPANSION: say("spaces in place of tabs, or before them"),
    NoteKind.BLANK_LINES: say("too few or too many blank lines"),
    NoteKind.CASE: say("uppercase instead of lowercase letters, or the other way round"),
    NoteKind.LINE_ORDER: say("lines in another order"),
    NoteKind.CHARACTERS: say("invisible or other characters that need not be there"),
    NoteKind.NUMBERS: say("numbers that are close enough"),
    NoteKind.WILDCARD_LINES: say("your own text where the handout leaves it open"),
}


@dataclass(frozen=True)
class Normalized:
    """Both transcripts without the ignored differences, and notes on these differences.

    In these places, the transcript of `outcome` shows the expected text; where any text is allowed, both show the
    student's text. See `MendedTranscripts` for `open_texts`.
    """

    expected: str
    outcome: Outcome
    notes: tuple[Note, ...] = ()
    open_texts: tuple[tuple[int, int], ...] = ()


def normalize(expected: str, outcome: Outcome, comparison: ComparisonPolicy) -> Normalized:
    """Remove from `outcome` the differences that `comparison` ignores."""
    if comparison == ComparisonPolicy():
        return Normalized(expected, outcome)
    match = LineMatch(comparison)
    outcome = replace(outcome, transcript=match.without_marks(outcome.transcript))
    if expected == outcome.transcript:
        return Normalized(expected, outcome)
    end = _end_of_lines(outcome.transcript, most_lines(expected.count("\n")))
    first, rest = outcome.transcript[:end], outcome.transcript[end:]
    typed = [line for line in outcome.typed if line.offset <= end]
    normalized = _mended(expected, replace(outcome, transcript=first, typed=tuple(typed)), match)
    mended = normalized.outcome
    longer = len(mended.transcript) - end
    later = [TypedLine(line.offset + longer, line.text) for line in outcome.typed[len(typed) :]]
    whole = replace(outcome, transcript=mended.transcript + rest, typed=(*mended.typed, *later))
    return replace(normalized, outcome=whole)


def most_lines(expected: int) -> int:
    """Return the maximum number of printed lines to compare, because each line costs time and memory."""
    return max(_MAX_LINES, _MAX_TIMES * expected)


def _end_of_lines(text: str, count: int) -> int:
    """Return the offset after the first `count` lines of a string."""
    ends = islice(re.finditer("\n", text), count - 1, None)
    last = next(ends, None)
    return last.end() if last else len(text)


def _mended(expected: str, outcome: Outcome, match: LineMatch) -> Normalized:
    """Remove the differences from a transcript of bounded length."""
    comparison = match.comparison
    body, end = _without_trailing_spaces(expected, outcome.transcript, comparison)
    mending = _Mending(expected=expected[: len(expected) - len(end)], actual=body, match=match)
    text = mending.text() + end
    if body != outcome.transcript or end:
        mending.places[NoteKind.TRAILING_WHITESPACE].add(len(lines_of(outcome.transcript)) or 1)
    typed = tuple(TypedLine(mending.offset(min(line.offset, len(body))), line.text) for line in outcome.typed)
    return Normalized(
        mending.with_own_texts() + end,
        replace(outcome, transcript=text, typed=typed),
        mending.notes(),
        tuple((number + 1, len(lines)) for number, lines in sorted(mending.own_texts.items())),
    )


def _without_trailing_spaces(expected: str, actual: str, comparison: ComparisonPolicy) -> tuple[str, str]:
    """Return `actual` with trailing spaces removed or added to match `expected`, if only one of them has any.

    Spaces after the last newline form a separate line, which has no counterpart on the other side.
    """
    if IgnoredDifference.TRAILING_WHITESPACE not in comparison.ignore:
        return actual, ""
    expected_spaces, actual_spaces = (
        match[0] if (match := _LAST_SPACES.search(text)) else "" for text in (expected, actual)
    )
    if bool(expected_spaces) == bool(actual_spaces):
        return actual, ""
    return actual[: len(actual) - len(actual_spaces)], expected_spaces


@dataclass
class _Side:
    """A transcript split into lines, with ignored blank lines kept separately: `before[n]` precedes line n."""

    lines: list[str]
    numbers: list[int]
    before: list[list[str]]

    @cached_property
    def traceback(self) -> int:
        """Return the index of the line where a traceback begins, or the number of lines without a traceback.

        The error for a program that Python cannot even parse does not have a header.
        """
        starts = (
            index for index, line in enumerate(self.lines) if line.endswith(_TRACEBACK) or _CANNOT_READ.match(line)
        )
        return next(starts, len(self.lines))


def _side(text: str, match: LineMatch, *, skip_blank: bool) -> _Side:
    side = _Side([], [], [[]])
    for number, line in enumerate(lines_of(text)):
        if skip_blank and match.is_empty(line):
            side.before[-1].append(line)
        else:
            side.lines.append(line)
            side.numbers.append(number)
            side.before.append([])
    return side


@dataclass(kw_only=True)
class _Mending:
    """The state while mending a transcript."""

    expected: str
    actual: str
    match: LineMatch
    places: dict[NoteKind, set[int]] = field(default_factory=lambda: defaultdict(set))
    moved: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The start and length of each actual line in the mended transcript."""
    cut: dict[int, int] = field(default_factory=dict)
    """How many ignored spaces an actual line lacks at its end in the mended transcript."""
    own_texts: dict[int, list[str]] = field(default_factory=dict)
    """The actual lines that replace an expected line where any text is allowed."""
    printed: dict[int, str] = field(default_factory=dict)
    """The expected lines with numbers and letter case as printed, where these differences are ignored."""
    filled: set[int] = field(default_factory=set)
    """Lines of an open text without a counterpart in a shorter actual text."""
    added: set[int] = field(default_factory=set)
    """Lines of an actual text without a counterpart in a shorter open text."""

    def text(self) -> str:
        ignore = self.match.comparison.ignore
        skip_blank = IgnoredDifference.BLANK_LINES in ignore
        expected, actual = (_side(text, self.match, skip_blank=skip_blank) for text in (self.expected, self.actual))
        pairs = self._pairs(expected, actual)
        pairs = self._with_open_text(pairs, expected, actual)
        self._note_order(pairs, actual)
        lines: list[str] = []
        length = 0
        last = following = 0
        was_missing = False
        for pair in pairs:
            is_missing = pair[1] is None and pair[0] not in self.filled
            if pair[0] is not None:
                last, following = expected.numbers[pair[0]], pair[0] + 1
            elif pair[1] is not None and pair[1] < actual.traceback and pair[1] not in self.added:
                # An extra line comes after the blank lines before the next expected line, so that it differs first.
                lines += expected.before[following]
                length += sum(len(blank) + 1 for blank in expected.before[following])
                expected.before[following] = actual.before[pair[1]] = []
            both_missing, was_missing = is_missing and was_missing, is_missing
            for line, number in () if both_missing else self._mended(pair, last, expected, actual):
                lines.append(line)
                if number is not None:
                    self.moved[number] = (length, len(line))
                length += len(line) + 1
        right = all(self._matches(pair, expected, actual) for pair in pairs)
        if right or not lines:
            lines += self._last_blank_lines(expected, actual, right=right)
        elif pairs[-1][1] is not None:
            lines += expected.before[-1]
        ends = self.expected if right and skip_blank else self.actual
        if ends.endswith("\n") != self.actual.endswith("\n"):
            self.places[NoteKind.BLANK_LINES].add(len(lines_of(self.actual)))
        return "\n".join(lines) + ("\n" if lines and ends.endswith("\n") else "")

    def _pairs(self, expected: _Side, actual: _Side) -> Sequence[AlignedPair]:
        """Pair the lines. Extra or missing lines stay where they are if all other lines are in order."""
        if IgnoredDifference.LINE_ORDER in self.match.comparison.ignore:
            pairs = in_any_order(expected.lines, actual.lines, self.match)
            matched = [pair[1] for pair in pairs if self._matches(pair, expected, actual) and pair[1] is not None]
            if len(matched) == len(pairs) or matched != sorted(matched):
                return pairs
        return in_order(expected.lines, actual.lines, self.match)

    def _with_open_text(self, pairs: Sequence[AlignedPair], expected: _Side, actual: _Side) -> list[AlignedPair]:
        """Accept any number of lines for an open text of several lines."""
        is_open = [self.match.is_open(line) for line in expected.lines]
        several = {index for first, both in enumerate(pairwise(is_open)) if all(both) for index in (first, first + 1)}
        several |= {index for index, line in enumerate(expected.lines) if self.match.may_be_several(line)}
        result: list[AlignedPair] = []
        inside = False
        last = 0
        for pair in pairs:
            expected_index, index = pair
            last = actual.numbers[index] if index is not None else last
            if inside and expected_index is None and index is not None and self._may_be_own(index, expected, actual):
                self.added.add(index)
                self.places[NoteKind.WILDCARD_LINES].add(last + 1)
            elif inside and expected_index in several and index is None:
                self.filled.add(expected_index)
                self.places[NoteKind.WILDCARD_LINES].add(last + 1)
            else:
                inside = expected_index in several and self._matches(pair, expected, actual)
            result.append(pair)
        return result

    def _may_be_own(self, index: int, expected: _Side, actual: _Side) -> bool:
        return not self._is_in_new_traceback(index, expected, actual) and self.match.may_be_own(actual.lines[index])

    def _is_in_new_traceback(self, index: int, expected: _Side, actual: _Side) -> bool:
        """Return whether a printed line is part of a traceback where no traceback is expected."""
        return index >= actual.traceback and expected.traceback == len(expected.lines)

    def _mended(self, pair: AlignedPair, last: int, expected: _Side, actual: _Side) -> list[tuple[str, int | None]]:
        """Return the mended lines for a pair, preceded by blank lines, each with the number of the actual line.

        `last` is the number of the expected line in this pair, or else of the previous expected line.
        """
        expected_index, index = pair
        if index is None:
            if expected_index in self.filled:
                self.own_texts[last] = []
            # If the line is missing, it differs first.
            return [(text, None) for text in expected.before[expected_index]] if expected_index is not None else []
        number = actual.numbers[index]
        empty = actual.before[index]
        line = actual.lines[index]
        if expected_index is not None and self._matches(pair, expected, actual):
            line = self._accepted(expected.lines[expected_index], line, number, last)
            if empty != expected.before[expected_index]:
                self.places[NoteKind.BLANK_LINES].add(number + 1)
            empty = expected.before[expected_index]
        elif index in self.added:
            self.own_texts[last] += (*empty, line)
        elif expected_index is not None and index < actual.traceback:
            both = expected.lines[expected_index], line
            wanted, shown = (without_ignored_end(line, self.match.comparison) for line in both)
            wanted = as_printed(wanted, shown, self.match.comparison)
            if wanted != shown:
                self.printed[last], self.cut[number], line = wanted, len(line) - len(shown), shown
            # Blank lines do not count here either, but a traceback must stay in one piece so that it can be parsed.
            empty = expected.before[expected_index]
        return [*((text, None) for text in empty), (line, number)]

    def _accepted(self, expected: str, actual: str, number: int, expected_number: int) -> str:
        """Return the replacement for a matching actual line, which is the line itself where its text may differ."""
        kinds = [*self.match.reasons(expected, actual)]
        for kind in kinds:
            self.places[kind].add(number + 1)
        if NoteKind.NUMBERS in kinds or NoteKind.CASE in kinds:
            self.printed[expected_number] = actual
            return actual
        if not self.match.is_open(expected) and not self.match.fits_pattern(expected, actual):
            return expected
        self.own_texts[expected_number] = [actual]
        return actual

    def with_own_texts(self) -> str:
        """Return the expected transcript with the student's own text wherever any text is allowed."""
        texts = {number: [line] for number, line in self.printed.items()} | self.own_texts
        lines = [text for number, line in enumerate(lines_of(self.expected)) for text in texts.get(number, [line])]
        return "\n".join(lines) + ("\n" if lines and self.expected.endswith("\n") else "")

    def _matches(self, pair: AlignedPair, expected: _Side, actual: _Side) -> bool:
        expected_index, index = pair
        if expected_index is None or index is None:
            return expected_index in self.filled or index in self.added
        line = expected.lines[expected_index]
        if self._is_in_new_traceback(index, expected, actual) and self.match.is_open(line):
            # A traceback does not count as the student's own text.
            return line == actual.lines[index]
        return self.match.same(line, actual.lines[index])

    def _last_blank_lines(self, expected: _Side, actual: _Side, *, right: bool) -> list[str]:
        if right and actual.before[-1] != expected.before[-1]:
            self.places[NoteKind.BLANK_LINES].add(len(lines_of(self.actual)))
        return expected.before[-1] if right else actual.before[-1]

    def _note_order(self, pairs: Sequence[AlignedPair], actual: _Side) -> None:
        order = [index for _, index in pairs if index is not None]
        for earlier, later in pairwise(order):
            if later < earlier:
                self.places[NoteKind.LINE_ORDER].add(actual.numbers[later] + 1)

    def offset(self, offset: int) -> int:
        """Map an offset in the actual transcript to the mended one, at the same distance from the end of the line."""
        number = bisect_right(self._starts, offset) - 1
        index = bisect_right(self._kept, number) - 1
        if index < 0:
            return 0
        moved_line = self._kept[index]
        start, length = self.moved[moved_line]
        if moved_line < number:
            return start + length
        end = self.actual.find("\n", offset)
        to_end = max((len(self.actual) if end < 0 else end) - self.cut.get(number, 0) - offset, 0)
        return start + max(length - to_end, 0)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.actual))]

    @cached_property
    def _kept(self) -> list[int]:
        return sorted(self.moved)

    def notes(self) -> tuple[Note, ...]:
        return tuple(
            Note(kind, say("Ignored: {what} ({where}).", what=_SAID[kind], where=_where(self.places[kind])))
            for kind in NoteKind
            if self.places.get(kind)
        )


def _where(numbers: set[int]) -> Sentence:
    first, others = min(numbers), len(numbers) - 1
    return say("line {line} and {others} more", line=first, others=others) if others else say("line {line}", line=first)


def read_ahead_note(expected: Sequence[int], typed: Sequence[TypedLine]) -> Note | None:
    """Return a note about input read before the output due before it; `expected` has the offset of each line."""
    both = enumerate(zip(expected, typed, strict=False), start=1)
    return _read_ahead({number for number, (place, line) in both if line.offset < place})


def shown_late_note(outcome: Outcome) -> Note | None:
    """Return a note about input lines that appear later than they were read, as when a program switches off echo.

    A password is never shown, and the program that asks for it ends the line itself.
    """
    early: set[int] = set()
    for number, typed in enumerate(outcome.typed, start=1):
        shown = f"{typed.text}\n"
        is_here = outcome.transcript.startswith((shown, "\n"), typed.offset)
        if not is_here and outcome.transcript.find(shown, typed.offset) >= 0:
            early.add(number)
    return _read_ahead(early)


def _read_ahead(early: set[int]) -> Note | None:
    if not early:
        return None
    sentence = say(
        "Input is read before the output that should come before it is printed ({where} of the input).",
        where=_where(early),
    )
    return Note(NoteKind.READ_AHEAD, sentence)
