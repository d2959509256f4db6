"""Causes that show in which lines follow which: joined, split, repeated, swapped, missing and extra lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from grader.judge.alignment import LineMatch
from grader.judge.causes.characters import BLANK_LINE
from grader.judge.causes.reading import asked_in
from grader.judge.evidence import FailureEvidence, LinePair, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import shows_typing, typed_lines
from grader.model.judgement import Diagnosis
from grader.text.escape import quote
from grader.text.sentence import Sentence, say, say_plural

MISSING_NEWLINE = Cause("missing-newline", CauseSubject.LINES)
EXTRA_NEWLINE = Cause("extra-newline", CauseSubject.LINES)
REPEATED_LINES = Cause("repeated-lines", CauseSubject.LINES)
MISSING_LINE = Cause("missing-line", CauseSubject.CONTENT)
EXTRA_LINE = Cause("extra-line", CauseSubject.CONTENT)
LINE_ORDER = Cause("line-order", CauseSubject.CONTENT)


_FARTHEST = 40


_ENOUGH = 3


_NEXT = 4


_LOOKED_AT = 50


_LONGEST_SHIFT = 2000


@finds(MISSING_NEWLINE, EXTRA_NEWLINE)
def misplaced_newline(evidence: FailureEvidence) -> Diagnosis | None:
    """Two lines are printed as one, or one as two."""
    pair = evidence.pair
    if pair is None:
        return None
    asked = _prompt_on_its_own_line(evidence, pair)
    if asked:
        return asked
    if _is_cut_in_two(pair.actual, pair.expected, evidence.expected_lines[pair.number : pair.number + 1]):
        said = say(
            "A newline is missing in line {line} after {text}: the next line follows on the same line.",
            line=pair.number,
            text=_tail(pair.expected),
        )
        return Diagnosis(MISSING_NEWLINE, said)
    if _is_cut_in_two(pair.expected, pair.actual, evidence.actual_lines[pair.number : pair.number + 1]):
        told = {"line": pair.number, "text": _tail(pair.actual)}
        said = say("Line {line} is broken in two: there is a newline after {text}.", **told)
        return Diagnosis(EXTRA_NEWLINE, said)
    return None


@finds(EXTRA_NEWLINE)
def wrapped_line(evidence: FailureEvidence) -> Diagnosis | None:
    """A line goes on in one of the next lines, as a table with too few columns."""
    pair = evidence.pair
    if pair is None or not pair.actual.strip() or not pair.expected.startswith(pair.actual):
        return None
    rest = pair.expected[len(pair.actual) :].strip()
    following = evidence.actual_lines[pair.number : pair.number + _NEXT]
    later = next((number for number, text in enumerate(following, 1) if text.strip().startswith(rest)), None)
    if later is None or len(rest) < _ENOUGH:
        return None
    told = {"line": pair.number, "text": quote(rest), "later": pair.number + later}
    said = say("Line {line} is broken too early: {text} belongs at its end, and comes in line {later}.", **told)
    return Diagnosis(EXTRA_NEWLINE, said)


def _prompt_on_its_own_line(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """A prompt ends with a newline, so that the input stands in the next line."""
    following = evidence.start + len(pair.actual) + 1
    end = evidence.actual.find("\n", following)
    typed = next((one for one in evidence.outcome.typed if following <= one.offset <= end), None)
    if typed is None or not typed.text or not pair.actual.strip() or not pair.expected.endswith(typed.text):
        return None
    if pair.expected.removesuffix(typed.text).strip() != pair.actual.strip():
        return None
    before = evidence.actual[following : typed.offset]
    told = {
        "line": pair.number,
        "printed": say(" and {text} is printed after it", text=quote(before)) if before else "",
        "hint": say(": is print() called inside input()?") if before.strip() == "None" else say("."),
    }
    said = say(
        "The prompt in line {line} ends with a newline{printed}; the input belongs on the same line{hint}", **told
    )
    return Diagnosis(EXTRA_NEWLINE, said)


def _is_cut_in_two(whole: str, head: str, following: Sequence[str]) -> bool:
    tail = following[0].strip(" ") if following else ""
    return head.strip(" ") != "" and tail != "" and whole.startswith(head) and whole[len(head) :].strip(" ") == tail


def _tail(text: str) -> str:
    return quote(text[-_FARTHEST:])


@finds(REPEATED_LINES)
def repeated_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """From some line on, each line is printed twice."""
    if evidence.divergence is None:
        return None
    expected, actual = evidence.expected_lines, evidence.actual_lines
    differing = evidence.divergence.line - 1
    for start in range(differing - 1, max(differing - 5, -1), -1):
        if _doubled(expected[start : start + _LOOKED_AT], actual[start : start + 2 * _LOOKED_AT]) >= _ENOUGH:
            said = say("From line {line} on, every line is printed twice.", line=start + 1)
            return Diagnosis(REPEATED_LINES, said)
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
    """Two lines are swapped, or all lines are there in another order."""
    pair = evidence.pair
    if pair is None or asked_in(evidence) is not None:
        # A line that was asked for is at another time, not at another place.
        return None
    expected, actual, at = evidence.expected_lines, evidence.actual_lines, pair.number - 1
    for other in range(at + 1, min(at + _FARTHEST, len(expected), len(actual))):
        if expected[other] == pair.actual and actual[other] == pair.expected and pair.actual and pair.expected:
            told = {"line": pair.number, "other": other + 1, "wanted": quote(pair.expected)}
            said = say("Lines {line} and {other} are swapped: line {line} should be {wanted}.", **told)
            return Diagnosis(LINE_ORDER, said)
        if expected[other] != actual[other]:
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
    """An explanation: after `missing` expected lines and `extra` actual ones both go on alike for `lines` lines."""

    lines: int
    missing: int
    extra: int

    @property
    def merit(self) -> tuple[int, int]:
        return self.lines, -self.missing - self.extra


@finds(LINE_ORDER, MISSING_LINE, EXTRA_LINE, BLANK_LINE)
def shifted_lines(evidence: FailureEvidence) -> Diagnosis | None:
    """Some lines are missing or extra; after them the output goes on as expected."""
    if evidence.divergence is None:
        return None
    at = evidence.divergence.line - 1
    expected, actual = (lines[at : at + _LONGEST_SHIFT] for lines in (evidence.expected_lines, evidence.actual_lines))
    shifts = [_shift(expected, actual, size, 0) for size in _sizes(expected, actual)]
    shifts += (_shift(expected, actual, 0, size) for size in _sizes(actual, expected))
    best = max([_shift(expected, actual, 1, 1), *shifts], key=lambda shift: shift.merit)
    if not best.lines or (best.missing and best.extra) or _asks_for_input(evidence, actual[: best.extra]):
        return None
    line = evidence.divergence.line
    if best.missing:
        found = _misplaced(line, expected[0], evidence) or _missing(line, expected[: best.missing], evidence)
    else:
        found = _extra(line, actual[: best.extra], evidence)
    return replace(found, sentence=say("{said:clause}{rest}.", said=found.sentence, rest=_rest(evidence, at, best)))


def _asks_for_input(evidence: FailureEvidence, extra: Sequence[str]) -> bool:
    """Return whether something was typed in `extra` lines: they stand for what was expected, and the test went on."""
    end = evidence.start + sum(len(line) + 1 for line in extra)
    return bool(extra) and (asked_in(evidence) is not None or _types_between(evidence, evidence.start, end))


def _types_between(evidence: FailureEvidence, start: int, end: int) -> bool:
    shown = shows_typing(evidence.test.interaction)
    return shown and any(start <= typed.offset < end for typed in evidence.outcome.typed)


def _sizes(longer: Sequence[str], other: Sequence[str]) -> Iterator[int]:
    """Yield how many lines may be left out of `longer` so that both go on alike."""
    if other:
        fitting = (size for size, line in enumerate(longer) if size and line == other[0])
        yield from islice(fitting, _FARTHEST)
    elif longer:
        yield len(longer)


def _rest(evidence: FailureEvidence, at: int, shift: _Shift) -> str:
    """Describe the lines from index `at` on that follow the shift, if all of them are right."""
    following = evidence.expected_lines[at + shift.missing :]
    if not any(following) or following != evidence.actual_lines[at + shift.extra :]:
        return ""
    count = shift.missing + shift.extra
    if shift.missing:
        return say_plural(
            count, "; all else is right, one line too early", "; all else is right, {count} lines too early"
        )
    return say_plural(count, "; all else is right, one line too late", "; all else is right, {count} lines too late")


def _shift(expected: Sequence[str], actual: Sequence[str], missing: int, extra: int) -> _Shift:
    same = 0
    said = False
    for wanted, found in zip(islice(expected, missing, None), islice(actual, extra, None), strict=False):
        if wanted != found or same == _LOOKED_AT:
            break
        same += 1
        said = said or wanted.strip() != ""
    ended = missing + same == len(expected) and extra + same == len(actual)
    convincing = said and (ended or same >= _ENOUGH)
    return _Shift((_LOOKED_AT if ended else same) if convincing else 0, missing, extra)


def _misplaced(line: int, missing: str, evidence: FailureEvidence) -> Diagnosis | None:
    """The line is not missing, it is printed further on."""
    if not missing.strip() or evidence.actual_lines.count(missing) < evidence.expected_lines.count(missing):
        return None
    later = evidence.actual_lines.index(missing, line - 1) + 1 if missing in evidence.actual_lines[line - 1 :] else None
    if later is None:
        return None
    told = {"line": line, "text": quote(missing), "later": later}
    return Diagnosis(LINE_ORDER, say("Line {line}, {text}, comes too late: it stands in line {later}.", **told))


def _prompt_not_asked(missing: str, evidence: FailureEvidence) -> str | None:
    """The prompt in a missing line, if its input was never typed."""
    unsent = evidence.outcome.unsent
    if not unsent or not shows_typing(evidence.test.interaction):
        return None
    lines = typed_lines(evidence.test.interaction)
    ends = [line for line in lines[-unsent:] + lines if line and missing.endswith(line) and missing != line]
    return missing.removesuffix(ends[0]) if ends else None


def _missing(line: int, missing: Sequence[str], evidence: FailureEvidence) -> Diagnosis:
    if not any(missing):
        said = say_plural(
            len(missing),
            "A blank line is missing at line {line}.",
            "{count} blank lines are missing at line {line}.",
            line=line,
        )
        return Diagnosis(BLANK_LINE, said)
    if len(missing) == 1:
        prompt = _prompt_not_asked(missing[0], evidence)
        if LineMatch(evidence.test.comparison).is_open(missing[0]):
            told = {"line": line, "text": quote(missing[0])}
            return Diagnosis(MISSING_LINE, say("Line {line}, a text of your own such as {text}, is missing.", **told))
        what = say("the prompt {prompt}", prompt=quote(prompt)) if prompt else quote(missing[0])
        return Diagnosis(MISSING_LINE, say("Line {line}, {what}, is missing.", line=line, what=what))
    told = {"line": line, "text": _telling(missing)}
    if _says_one_thing(missing):
        blank = _blank_lines(len(missing) - 1)
        return Diagnosis(MISSING_LINE, say("At line {line} {text} is missing, with {blank}.", blank=blank, **told))
    many = len(missing)
    said = say("{number} lines from line {line} on are missing, among them {text}.", number=many, **told)
    return Diagnosis(MISSING_LINE, said)


def _extra(line: int, extra: Sequence[str], evidence: FailureEvidence) -> Diagnosis:
    if not any(extra):
        said = say_plural(
            len(extra),
            "There is an extra blank line at line {line}.",
            "There are {count} extra blank lines at line {line}.",
            line=line,
        )
        return Diagnosis(BLANK_LINE, said)
    if len(extra) == 1:
        before = evidence.actual_lines[line - 2] if line > 1 else None
        told = {"line": line, "text": quote(extra[0])}
        if extra[0] == before:
            return Diagnosis(EXTRA_LINE, say("Line {line}, {text}, is printed twice.", **told))
        return Diagnosis(EXTRA_LINE, say("Line {line}, {text}, should not be there.", **told))
    told = {"line": line, "text": _telling(extra)}
    if _says_one_thing(extra):
        blank = _blank_lines(len(extra) - 1)
        said = say("At line {line} {text} should not be there, nor {blank} beside it.", blank=blank, **told)
        return Diagnosis(EXTRA_LINE, said)
    many = len(extra)
    said = say("{number} lines from line {line} on should not be there, among them {text}.", number=many, **told)
    return Diagnosis(EXTRA_LINE, said)


def _says_one_thing(lines: Sequence[str]) -> bool:
    return sum(1 for line in lines if line) == 1


def _blank_lines(count: int) -> Sentence:
    return say("a blank line") if count == 1 else say("{number} blank lines", number=count)


def _telling(lines: Sequence[str]) -> str:
    """The first line in which something is to be seen, or at least a space."""
    return quote(next(filter(str.strip, lines), next(filter(None, lines))))
