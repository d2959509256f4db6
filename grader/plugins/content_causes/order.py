"""Causes visible in the sequence of lines: joined, split, repeated, swapped, missing and extra lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice, takewhile

from grader.judge.alignment import LineMatch
from grader.judge.causes.reading import asked_in
from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import shows_typing, typed_lines
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes.characters import BLANK_LINE, all_else_is_right
from grader.text.difference import FirstDifference, without_numbers
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

MISSING_NEWLINE = Cause("missing-newline", CauseSubject.LINES)
"""Two lines are printed as one.

> A newline is missing in line 12 after `                  11 |     3.33%`: the next line follows on the same line.

> A newline is missing in line 2 after `Left: 4`: the prompt `Guess:` follows on the same line.

Look for `end=` and for a missing `print()`.
"""
EXTRA_NEWLINE = Cause("extra-newline", CauseSubject.LINES)
"""One line is printed as two.

> The prompt in line 1 ends with a newline; the input belongs on the same line.

Print the whole line at once, or use `end=''`. Pass the prompt to `input` instead of `print`.
"""
REPEATED_LINES = Cause("repeated-lines", CauseSubject.LINES)
"""Every line is printed twice.

> From line 3 on, every line is printed twice.

Look for a `print` that you used for debugging, or for a function that is called twice.
"""
MISSING_LINE = Cause("missing-line", CauseSubject.CONTENT, answers_input=True, surplus=False)
"""Some lines are missing, but the lines after them are right.

> Line 7, `                   4 | 11               |    10.00%`, is missing; all else is right, one line too early.

Find the case in which this line should be printed.
"""
EXTRA_LINE = Cause("extra-line", CauseSubject.CONTENT, answers_input=True, surplus=True)
"""Some lines should not be there, but the lines after them are right.

> Line 7, `debug 4`, should not be there; all else is right, one line too late.

Remove the `print`, or correct its condition.
"""
LINE_ORDER = Cause("line-order", CauseSubject.CONTENT, answers_input=True)
"""The lines are right, but in the wrong order.

> Lines 7 and 8 are swapped: line 7 should be `                   4 | 11               |    10.00%`.

> From line 2 on the lines are right, but in another order: `Rules` should come before `Menu`; all else is right.

Compare the order of your output with the handout. If the handout asks for it, sort the output.
"""
_FARTHEST = 40
_ENOUGH = 3
_NEXT = 4
_LOOKED_AT = 50
_MANY = 12
_SEVERAL_WORDS = 5
_LONGEST_SHIFT = 2000
_ROW_NUMBER = re.compile(r"\s*(-?\d+)\s*\|")


@finds_in_line(MISSING_NEWLINE, EXTRA_NEWLINE)
def misplaced_newline(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose two lines printed as one, or one as two."""
    asked = _prompt_on_its_own_line(evidence, pair)
    if asked:
        return asked
    following = evidence.expected_lines[pair.number : pair.number + _FARTHEST]
    if _is_joined(pair.actual, pair.expected, following):
        sentence = say(
            "A newline is missing in line {line} after {text}: the next line follows on the same line.",
            line=pair.number,
            text=_tail(pair.expected),
        )
        return Diagnosis(MISSING_NEWLINE, sentence)
    behind = _prompt_behind_text(evidence, pair, following)
    if behind:
        return behind
    if _is_cut_in_two(pair.expected, pair.actual, evidence.actual_lines[pair.number : pair.number + 1]):
        values = {"line": pair.number, "text": _tail(pair.actual)}
        sentence = say("Line {line} is broken in two: there is a newline after {text}.", **values)
        return Diagnosis(EXTRA_NEWLINE, sentence)
    return None


@finds_in_line(EXTRA_NEWLINE)
def wrapped_line(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a line that continues in one of the next lines, as a table with too few columns does."""
    if not pair.actual.strip() or not pair.expected.startswith(pair.actual):
        return None
    rest = pair.expected[len(pair.actual) :].strip()
    following = evidence.actual_lines[pair.number : pair.number + _NEXT]
    later = next((number for number, text in enumerate(following, 1) if text.strip().startswith(rest)), None)
    if later is None or len(rest) < _ENOUGH:
        return None
    values = {"line": pair.number, "text": quote(rest), "later": pair.number + later}
    sentence = say("Line {line} is broken too early: {text} belongs at its end, and comes in line {later}.", **values)
    return Diagnosis(EXTRA_NEWLINE, sentence)


def _prompt_on_its_own_line(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a prompt that ends with a newline, so that the input is in the next line."""
    following = evidence.start + len(pair.actual) + 1
    end = evidence.actual.find("\n", following)
    typed = next((typed_line for typed_line in evidence.outcome.typed if following <= typed_line.offset <= end), None)
    if typed is None or not typed.text or not pair.actual.strip() or not pair.expected.endswith(typed.text):
        return None
    if pair.expected.removesuffix(typed.text).strip() != pair.actual.strip():
        return None
    before = evidence.actual[following : typed.offset]
    values = {
        "line": pair.number,
        "printed": say(" and {text} is printed after it", text=quote(before)) if before else "",
        "hint": say(": is print() called inside input()?") if before.strip() == "None" else say("."),
    }
    sentence = say(
        "The prompt in line {line} ends with a newline{printed}; the input belongs on the same line{hint}", **values
    )
    return Diagnosis(EXTRA_NEWLINE, sentence)


def _is_joined(whole: str, head: str, following: Sequence[str]) -> bool:
    """Return whether a line joins another line and one or more of the lines after it, ignoring blank lines."""
    rest = whole[len(head) :].strip(" ") if head.strip(" ") and whole.startswith(head) else ""
    for line in filter(str.strip, following if rest else ()):
        if not rest.startswith(line.strip(" ")):
            return False
        rest = rest[len(line.strip(" ")) :].lstrip(" ")
        if not rest:
            return True
    return False


def _prompt_behind_text(evidence: FailureEvidence, pair: LinePair, following: Sequence[str]) -> Diagnosis | None:
    """Diagnose a prompt that should be on a line of its own, but follows other text on the same line."""
    asked = asked_in(evidence)
    if asked is None or not pair.expected.strip():
        return None
    before = evidence.actual[evidence.start : asked.offset].rstrip()
    lines = (line.removesuffix(asked.text).strip() for line in following if line.endswith(asked.text))
    prompt = next((text for text in lines if text and before.endswith(text)), "")
    text = before.removesuffix(prompt).rstrip()
    if not prompt or not text or pair.expected.endswith(before):
        return None
    sentence = say(
        "A newline is missing in line {line} after {text}: the prompt {prompt} follows on the same line.",
        line=pair.number,
        text=_tail(text),
        prompt=quote(prompt),
    )
    return Diagnosis(MISSING_NEWLINE, sentence)


def _is_cut_in_two(whole: str, head: str, following: Sequence[str]) -> bool:
    tail = following[0].strip(" ") if following else ""
    return head.strip(" ") != "" and tail != "" and whole.startswith(head) and whole[len(head) :].strip(" ") == tail


def _tail(text: str) -> str:
    return quote(text[-_FARTHEST:])


@finds(REPEATED_LINES)
def repeated_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output in which each line is printed twice, from some line on."""
    if evidence.divergence is None:
        return None
    expected, actual = evidence.expected_lines, evidence.actual_lines
    differing = evidence.divergence.line - 1
    for start in range(differing - 1, max(differing - 5, -1), -1):
        if _doubled(expected[start : start + _LOOKED_AT], actual[start : start + 2 * _LOOKED_AT]) >= _ENOUGH:
            sentence = say("From line {line} on, every line is printed twice.", line=start + 1)
            return Diagnosis(REPEATED_LINES, sentence)
    return None


def _doubled(expected: Sequence[str], actual: Sequence[str]) -> int:
    """Count the different lines printed twice in a row, from the start."""
    seen = set()
    for line, first, second in zip(expected, actual[::2], actual[1::2], strict=False):
        if not line == first == second:
            break
        seen.add(line)
    return len(seen)


@finds(LINE_ORDER)
def swapped_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose two swapped lines, or lines that are all in a different order."""
    pair = evidence.pair
    if pair is None or asked_in(evidence) is not None:
        # The program asked for input in this line, so it is a matter of timing, not of order.
        return None
    expected, actual, at = evidence.expected_lines, evidence.actual_lines, pair.number - 1
    for other_index in range(at + 1, min(at + _FARTHEST, len(expected), len(actual))):
        if (
            expected[other_index] == pair.actual
            and actual[other_index] == pair.expected
            and pair.actual
            and pair.expected
        ):
            values = {"line": pair.number, "other": other_index + 1, "wanted": quote(pair.expected)}
            sentence = say("Lines {line} and {other} are swapped: line {line} should be {wanted}.", **values)
            return Diagnosis(LINE_ORDER, sentence)
        if expected[other_index] != actual[other_index]:
            break
    if len(evidence.expected) == len(evidence.actual) and sorted(expected) == sorted(actual):
        return Diagnosis(
            LINE_ORDER,
            say(
                "All lines are there, but not in the right order: line {line} should be {wanted}.",
                line=pair.number,
                wanted=quote(pair.expected),
            ),
        )
    return None


@dataclass(frozen=True)
class _Shift:
    """An explanation: after `missing` expected and `extra` actual lines, the next `lines` lines are the same."""

    lines: int
    missing: int
    extra: int

    @property
    def merit(self) -> tuple[int, int]:
        return self.lines, -self.missing - self.extra


@finds(LINE_ORDER, MISSING_LINE, EXTRA_LINE, BLANK_LINE)
def shifted_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose missing or extra lines after which the output continues as expected."""
    if evidence.divergence is None:
        return None
    at = evidence.divergence.line - 1
    expected, actual = (lines[at : at + _LONGEST_SHIFT] for lines in (evidence.expected_lines, evidence.actual_lines))
    shifts = [_shift(expected, actual, size, 0) for size in _sizes(expected, actual)]
    shifts += (_shift(expected, actual, 0, size) for size in _sizes(actual, expected))
    best = _row_shift(expected, actual) or max([_shift(expected, actual, 1, 1), *shifts], key=lambda shift: shift.merit)
    if (
        best.lines < _enough_lines(expected, actual)
        or bool(best.missing) == bool(best.extra)
        or _is_in_place(evidence, best)
        or _asks_for_input(evidence, actual[: best.extra])
    ):
        return None
    line = evidence.divergence.line
    if best.missing:
        diagnosis = _misplaced(line, expected[0], evidence) or _missing(line, expected[: best.missing], evidence)
    else:
        diagnosis = _extra(line, actual[: best.extra], evidence)
    return replace(
        diagnosis, sentence=say("{said:clause}{rest}.", said=diagnosis.sentence, rest=_rest(evidence, at, best))
    )


def _row_shift(expected: Sequence[str], actual: Sequence[str]) -> _Shift | None:
    """Explain extra or missing rows in a table whose rows each begin with their own number."""
    rows, actual_rows = _rows_by_number(expected), _rows_by_number(actual)
    if not rows or not actual_rows:
        return None
    missing, extra = rows.get(next(iter(actual_rows)), 0), actual_rows.get(next(iter(rows)), 0)
    return _Shift(_LOOKED_AT, missing, extra) if bool(missing) != bool(extra) else None


def _rows_by_number(lines: Sequence[str]) -> dict[str, int]:
    """Map the number at the start of each row of a table to its first row's index, up to the end of the table."""
    numbers = list(map(_ROW_NUMBER.match, takewhile(lambda line: "|" in line, lines)))
    rows: dict[str, int] = {}
    for index, number in enumerate(numbers if numbers and numbers[0] else ()):
        if number:
            rows.setdefault(number[1], index)
    return rows


def _enough_lines(expected: Sequence[str], actual: Sequence[str]) -> int:
    """Return how many lines must be the same: more if the first lines are different answers in similar words."""
    if not expected or not actual:
        return 1
    words, other_words = (lines[0][:_LONGEST_SHIFT].split() for lines in (expected, actual))
    matcher = SequenceMatcher(None, words, other_words, autojunk=False)
    run = matcher.find_longest_match().size
    return _MANY if run >= _SEVERAL_WORDS and 2 * run > max(len(words), len(other_words)) else 1


def _is_in_place(evidence: FailureEvidence, shift: _Shift) -> bool:
    """Return whether the first differing line replaces the expected line, judging by the lines that follow."""
    expected, actual = evidence.expected_lines, evidence.actual_lines
    first = evidence.actual.count("\n", 0, evidence.start)
    after = [typed.offset for typed in evidence.outcome.typed if typed.offset >= evidence.start]
    if not after:
        return len(expected) == len(actual) and shift.missing + shift.extra > 1
    asked = evidence.actual.count("\n", 0, after[0])
    return first < asked < first + shift.missing and expected[asked : asked + 1] == actual[asked : asked + 1]


def _asks_for_input(evidence: FailureEvidence, extra: Sequence[str]) -> bool:
    """Return whether `extra` lines contain input: then they replace the expected lines, and the test continued."""
    end = evidence.start + sum(len(line) + 1 for line in extra)
    return bool(extra) and (asked_in(evidence) is not None or types_between(evidence, evidence.start, end))


def types_between(evidence: FailureEvidence, start: int, end: int) -> bool:
    """Return whether input is typed between two places of the transcript."""
    shown = shows_typing(evidence.test.interaction)
    return shown and any(start <= typed.offset < end for typed in evidence.outcome.typed)


def _sizes(longer: Sequence[str], shorter: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of lines that can be skipped in `longer` so that both continue with the same line."""
    if shorter:
        fitting = (size for size, line in enumerate(longer) if size and line == shorter[0])
        yield from islice(fitting, _FARTHEST)
    elif longer:
        yield len(longer)


def _rest(evidence: FailureEvidence, at: int, shift: _Shift) -> str:
    """Describe the lines from index `at` on that follow the shift, if all of them are right."""
    following = evidence.expected_lines[at + shift.missing :]
    is_right = any(following) and following == evidence.actual_lines[at + shift.extra :]
    if not (is_right and all_else_is_right(evidence)):
        return ""
    count = shift.missing + shift.extra
    if shift.missing:
        return say_plural(
            count, "; all else is right, one line too early", "; all else is right, {count} lines too early"
        )
    return say_plural(count, "; all else is right, one line too late", "; all else is right, {count} lines too late")


def _shift(expected: Sequence[str], actual: Sequence[str], missing: int, extra: int) -> _Shift:
    same = 0
    has_text = False
    for expected_line, actual_line in zip(islice(expected, missing, None), islice(actual, extra, None), strict=False):
        if expected_line != actual_line or same == _LOOKED_AT:
            break
        same += 1
        has_text = has_text or expected_line.strip() != ""
    ended = missing + same == len(expected) and extra + same == len(actual)
    convincing = has_text and (ended or same >= _ENOUGH)
    return _Shift((_LOOKED_AT if ended else same) if convincing else 0, missing, extra)


def wrong_end(evidence: FailureEvidence, more: int) -> Diagnosis | None:
    """Diagnose missing or extra lines at the end of a long answer to an input.

    `more` is the number of extra lines in the whole output, negative if lines are missing.
    """
    first, end = _answer_around(evidence)
    expected, actual = evidence.expected_lines[first:end], evidence.actual_lines[first:end]
    longer, shorter = (actual, expected) if more > 0 else (expected, actual)
    both = zip(longer, islice(shorter, abs(more), None), strict=False)
    shared = [line for line, _ in takewhile(lambda lines: lines[0] == lines[1], both)]
    at = len(shared)
    rest, other_rest = (list(map(without_numbers, lines[at + abs(more) :])) for lines in (longer, shorter))
    wrong = longer[at : at + abs(more)]
    if at < _ENOUGH or not any(map(str.strip, shared)) or rest != other_rest or not any(map(str.strip, wrong)):
        return None
    index = at + next(number for number, line in enumerate(wrong) if line.strip())
    place = FirstDifference(
        first + index + 1, 1, *(lines[index] if index < len(lines) else None for lines in (expected, actual))
    )
    values = {"text": quote(longer[index])}
    if more > 0:
        sentence = say_plural(
            more,
            "The last line, {text}, should not be there.",
            "The last {count} lines, from {text} on, should not be there.",
            **values,
        )
        return Diagnosis(EXTRA_LINE, sentence, place)
    sentence = say_plural(
        -more, "The last line, {text}, is missing.", "The last {count} lines, from {text} on, are missing.", **values
    )
    return Diagnosis(MISSING_LINE, sentence, place)


def _answer_around(evidence: FailureEvidence) -> tuple[int, int]:
    """Return the range of lines between the inputs around the first difference."""
    before = [typed.offset for typed in evidence.outcome.typed if typed.offset < evidence.start]
    after = [typed.offset for typed in evidence.outcome.typed if typed.offset >= evidence.start]
    first = evidence.actual.count("\n", 0, before[-1]) + 1 if before else 0
    return first, evidence.actual.count("\n", 0, after[0]) if after else len(evidence.actual_lines)


def _misplaced(line: int, missing: str, evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a line that is not missing but printed later."""
    if not missing.strip() or not evidence.actual_lines.count(missing) == evidence.expected_lines.count(missing) == 1:
        return None
    values = {"line": line, "text": quote(missing), "later": evidence.actual_lines.index(missing) + 1}
    return Diagnosis(LINE_ORDER, say("Line {line}, {text}, comes too late: it stands in line {later}.", **values))


def _prompt_not_asked(missing: str, evidence: FailureEvidence) -> str | None:
    """Return the prompt in a missing line, if its input was never typed."""
    unsent = evidence.outcome.unsent
    if not unsent or not shows_typing(evidence.test.interaction):
        return None
    lines = typed_lines(evidence.test.interaction)
    ends = [line for line in lines[-unsent:] + lines if line and missing.endswith(line) and missing != line]
    return missing.removesuffix(ends[0]) if ends else None


def _missing(line: int, missing: Sequence[str], evidence: FailureEvidence) -> Diagnosis:
    if not any(missing):
        sentence = say_plural(
            len(missing),
            "A blank line is missing at line {line}.",
            "{count} blank lines are missing at line {line}.",
            line=line,
        )
        return Diagnosis(BLANK_LINE, sentence)
    if len(missing) == 1:
        prompt = _prompt_not_asked(missing[0], evidence)
        if LineMatch(evidence.test.comparison).is_open(missing[0]):
            values = {"line": line, "text": quote(missing[0])}
            return Diagnosis(MISSING_LINE, say("Line {line}, a text of your own such as {text}, is missing.", **values))
        what = say("the prompt {prompt}", prompt=quote(prompt)) if prompt else quote(missing[0])
        return Diagnosis(MISSING_LINE, say("Line {line}, {what}, is missing.", line=line, what=what))
    values = {"line": line, "text": _telling(missing)}
    if _says_one_thing(missing):
        blank = _blank_lines(len(missing) - 1)
        return Diagnosis(MISSING_LINE, say("At line {line} {text} is missing, with {blank}.", blank=blank, **values))
    many = len(missing)
    sentence = say("{number} lines from line {line} on are missing, among them {text}.", number=many, **values)
    return Diagnosis(MISSING_LINE, sentence)


def _extra(line: int, extra: Sequence[str], evidence: FailureEvidence) -> Diagnosis:
    if not any(extra):
        sentence = say_plural(
            len(extra),
            "There is an extra blank line at line {line}.",
            "There are {count} extra blank lines at line {line}.",
            line=line,
        )
        return Diagnosis(BLANK_LINE, sentence)
    if len(extra) == 1:
        before = evidence.actual_lines[line - 2] if line > 1 else None
        values = {"line": line, "text": quote(extra[0])}
        if extra[0] == before:
            return Diagnosis(EXTRA_LINE, say("Line {line}, {text}, is printed twice.", **values))
        return Diagnosis(EXTRA_LINE, say("Line {line}, {text}, should not be there.", **values))
    values = {"line": line, "text": _telling(extra)}
    if _says_one_thing(extra):
        blank = _blank_lines(len(extra) - 1)
        sentence = say("At line {line} {text} should not be there, nor {blank} beside it.", blank=blank, **values)
        return Diagnosis(EXTRA_LINE, sentence)
    many = len(extra)
    sentence = say("{number} lines from line {line} on should not be there, among them {text}.", number=many, **values)
    return Diagnosis(EXTRA_LINE, sentence)


def _says_one_thing(lines: Sequence[str]) -> bool:
    return sum(1 for line in lines if line) == 1


def _blank_lines(count: int) -> Sentence:
    return say("a blank line") if count == 1 else say("{number} blank lines", number=count)


def _telling(lines: Sequence[str]) -> str:
    """Quote the first line with visible text, or at least a space."""
    return quote(next(filter(str.strip, lines), next(filter(None, lines))))
