"""Computes the points for a partly correct transcript.

Extra output costs as much as missing output, so that a program that prints every line of a dictionary earns almost
nothing. Blank lines, and lines with only typed text, do not count on either side, because they take no effort to
produce.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge.alignment import LineMatch, in_any_order
from grader.judge.causes.reading import READS_PAST_INPUT, is_end_of_input, unread_lines
from grader.judge.line_diff import blocks
from grader.judge.normalize import most_lines
from grader.judge.output_checks import faults_of, remove_typing
from grader.judge.stack_trace import may_end_by_error, start_of_crash_report, traceback_of
from grader.model.expectation import OutputChecks
from grader.model.general_causes import OUTPUT_CHECK
from grader.model.interaction import FunctionCall, is_repl, shows_typing, typed_lines
from grader.model.judgement import Judgement, MendedTranscripts, Note, NoteKind, Verdict
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.partial_credit import (
    Milestone,
    Milestones,
    PartialChecks,
    PartialCredit,
    PartialLines,
    PartialRepair,
    PartialSteps,
    PartialWay,
    PluginShare,
    WholeLine,
)
from grader.model.test import IgnoredDifference, Test
from grader.text.difference import lines_of
from grader.text.sentence import Sentence, say, say_plural
from grader.text.words import format_decimal

_STOPPED = (
    Verdict.TIMEOUT,
    Verdict.CPU_LIMIT,
    Verdict.MEMORY_LIMIT,
    Verdict.PROCESS_LIMIT,
    Verdict.FILE_LIMIT,
    Verdict.OPEN_FILES_LIMIT,
    Verdict.OUTPUT_LIMIT,
    Verdict.CRASH,
    Verdict.RUNTIME_ERROR,
    Verdict.EXIT_STATUS,
)

_PROMPTS = (">>> ", "... ")


@dataclass(frozen=True)
class _Share:
    """A share of the points, and the reason in words."""

    share: Fraction
    words: Sentence


def with_partial_credit(
    test: Test, expected: str, outcome: Outcome, judgement: Judgement, typed: Sequence[int]
) -> Judgement:
    """Return `judgement` with the share of the points that a partly correct `outcome` earns.

    `typed` contains the offsets in `expected` where input was read. A program that did not end properly earns nothing,
    unless the test allows it.
    """
    partial = test.partial
    if partial is None or outcome.in_build or not _may_earn(test, outcome, judgement, partial):
        return judgement
    if isinstance(partial.way, PartialRepair) or _prints_unread_input(test, expected, outcome):
        return judgement
    compared = judgement.mended or MendedTranscripts(expected, outcome.transcript, outcome.typed)
    # The expected output of a call was mended without the reference's output, which the checks use.
    whole = expected if isinstance(test.expectation, OutputChecks) else compared.expected
    compared = replace(compared, expected=whole, open_texts=tuple(_wholly_open(test, expected, compared)))
    typed = [_moved(offset, expected, compared) for offset in typed]
    is_stopped = judgement.verdict in _STOPPED or _has_other_status(test, outcome)
    if is_stopped and not is_repl(test.interaction):
        # The crash report comes from the language, not the program.
        end = start_of_crash_report(test, compared.actual)
        typed_before = tuple(line for line in compared.typed if line.offset <= end)
        compared = replace(compared, actual=compared.actual[:end], typed=typed_before)
        outcome = replace(outcome, errors=outcome.errors[: start_of_crash_report(test, outcome.errors)])
    shown = replace(outcome, transcript=compared.actual, typed=compared.typed)
    if judgement.verdict in _STOPPED and not partial.if_stopped and _fails_check(test, whole, shown):
        return judgement
    result = _share(test, partial.way, compared, typed, shown)
    percent = f"{format_decimal(result.share * 100)} %"
    sentence = say("Partial credit: {what}, which earns {percent} of the points.", what=result.words, percent=percent)
    return replace(judgement, score=result.share, notes=(*judgement.notes, Note(NoteKind.PARTIAL_CREDIT, sentence)))


def _wholly_open(test: Test, expected: str, compared: MendedTranscripts) -> Iterator[tuple[int, int]]:
    """Yield the open texts that can be anything; a line with a pattern is right or wrong like any other."""
    match, lines = LineMatch(test.comparison), lines_of(expected)
    return ((number, count) for number, count in compared.open_texts if match.is_open(lines[number - 1]))


def _moved(offset: int, expected: str, compared: MendedTranscripts) -> int:
    """Return the position of an offset in the mended expected transcript, equally far from the end of its line."""
    line, to_end = expected.count("\n", 0, offset), f"{expected}\n".find("\n", offset) - offset
    line += sum(count - 1 for number, count in compared.open_texts if number <= line)
    return sum(len(text) + 1 for text in lines_of(compared.expected)[: line + 1]) - 1 - to_end


def _may_earn(test: Test, outcome: Outcome, judgement: Judgement, partial: PartialCredit) -> bool:
    if judgement.verdict is Verdict.WRONG_OUTPUT:
        cause = None if judgement.diagnosis is None else judgement.diagnosis.cause
        # Without a difference, the fault is elsewhere, such as printing text that should be typed.
        is_different = judgement.divergence is not None or cause == OUTPUT_CHECK
        is_excused = cause == READS_PAST_INPUT or _raises_as_it_may(test, outcome)
        return is_different and (partial.if_stopped or is_excused or not _has_other_status(test, outcome))
    return judgement.verdict in _STOPPED and (partial.if_stopped or _asks_on(test, outcome, judgement))


def _prints_unread_input(test: Test, expected: str, outcome: Outcome) -> bool:
    """Return whether a program prints a line that it never reads, at the end of a line that expects it to be typed.

    An expected line may also end in that text as output, so only surplus copies of these lines are counted.
    """
    typed_in = {outcome.transcript.count("\n", 0, typed.offset) for typed in outcome.typed}
    wanted = Counter(map(str.rstrip, lines_of(expected)))
    lines = (line.rstrip() for number, line in enumerate(lines_of(outcome.transcript)) if number not in typed_in)
    printed = wanted & Counter(lines)

    def is_printed(text: str) -> bool:
        typed, output, printed_here = (
            sum(lines[line] for line in lines if line.endswith(text))
            for lines in (Counter(map(str.rstrip, typed_lines(test.interaction))), wanted, printed)
        )
        return printed_here > max(output - typed, 0)

    return any(is_printed(text.rstrip()) for text in unread_lines(test, outcome))


def _has_other_status(test: Test, outcome: Outcome) -> bool:
    return outcome.ending is Termination.EXITED and not test.ending.fits(outcome)


def _raises_as_it_may(test: Test, outcome: Outcome) -> bool:
    """Return whether a call ends with an allowed exception; an unexpected exception has a different verdict."""
    is_of_call = isinstance(test.interaction, FunctionCall) and may_end_by_error(test, outcome)
    return is_of_call and traceback_of(test, outcome.errors or outcome.transcript) is not None


def _asks_on(test: Test, outcome: Outcome, judgement: Judgement) -> bool:
    """Return whether a program printed all expected output and only then asked for more input."""
    traceback = traceback_of(test, outcome.errors or outcome.transcript)
    if traceback is None or not is_end_of_input(traceback, outcome):
        return False
    return judgement.verdict is Verdict.EXIT_STATUS or (
        judgement.verdict is Verdict.CRASH and judgement.divergence is None
    )


def _fails_check(test: Test, expected: str, shown: Outcome) -> bool:
    """Return whether a program that only asks for more input has not printed everything the checks expect."""
    checks = test.expectation.checks if isinstance(test.expectation, OutputChecks) else ()
    return any(fault is not None for fault in faults_of(test, checks, expected, shown))


def _share(test: Test, way: PartialWay, compared: MendedTranscripts, typed: Sequence[int], shown: Outcome) -> _Share:
    match way:
        case PartialLines():
            return _share_of_lines(test, compared)
        case PartialSteps():
            return _share_of_steps(test, compared, typed)
        case Milestones(milestones) if isinstance(test.expectation, OutputChecks):
            return _share_beside_checks(test, milestones, shown)
        case Milestones(milestones):
            return _share_of_milestones(test, milestones, compared)
        case PluginShare() as way:
            return _Share(*way.share(compared.expected, compared.actual))
        case PartialChecks():
            return _share_of_checks(test, compared.expected, shown)


def _share_of_checks(test: Test, expected: str, outcome: Outcome) -> _Share:
    """Add up the shares of the checks that pass; at least one counts as failed, because the test failed.

    A program that prints nothing earns nothing, although it passes checks for text that must be absent.
    """
    checks = test.expectation.checks if isinstance(test.expectation, OutputChecks) else ()
    equal = Fraction(1, len(checks))
    shares = [equal if check.share is None else Fraction(check.share) for check in checks]
    faults = faults_of(test, checks, expected, outcome)
    held = [share for share, fault in zip(shares, faults, strict=True) if fault is None]
    if len(held) == len(checks):
        held.remove(min(held))
    if not (remove_typing(test, outcome) + outcome.errors).strip():
        held = []
    words = say_plural(
        len(held),
        "{count} of {checks} holds",
        "{count} of {checks} hold",
        checks=say_plural(len(checks), "{count} check", "{count} checks"),
    )
    return _Share(sum(held, Fraction(0)), words)


def _share_of_lines(test: Test, compared: MendedTranscripts) -> _Share:
    """Return the right lines as a share of the expected lines or, if there are more, of the printed lines.

    A failed test has a fault, so at least one line counts as wrong.
    """
    match = LineMatch(test.comparison)
    counts = _counting(test)
    is_open = {line for lines in _open_lines(compared) for line in lines}
    numbered = enumerate(lines_of(compared.expected))
    expected = [line for index, line in numbered if counts(line) and index not in is_open and not match.is_open(line)]
    own_texts = Counter(line for index, line in enumerate(lines_of(compared.expected)) if index in is_open)
    actual = list(_without(own_texts, filter(counts, lines_of(compared.actual))))
    if not expected:
        return _Share(Fraction(0), say("no line counts"))
    pair = in_any_order if IgnoredDifference.LINE_ORDER in test.comparison.ignore else _in_order
    pairs = pair(expected, actual[: most_lines(len(expected))], match)
    right = sum(match.same(expected[i], actual[j]) for i, j in pairs if i is not None and j is not None)
    right -= right == max(len(expected), len(actual))
    lines = say_plural(len(expected), "{count} line", "{count} lines")
    words = say_plural(right, "{count} of {lines} is right", "{count} of {lines} are right", lines=lines)
    if len(actual) > len(expected):
        words = say("{right}, and {printed} were printed", right=words, printed=len(actual))
    return _Share(Fraction(right, max(len(expected), len(actual))), words)


def _counting(test: Test) -> Callable[[str], bool]:
    """Return a predicate for the lines that count: not blank, and not just typed text after a Python prompt."""
    typed = {line.strip() for line in typed_lines(test.interaction)} if shows_typing(test.interaction) else set()
    prompts = _PROMPTS if is_repl(test.interaction) else ()

    def counts(line: str) -> bool:
        for prompt in prompts:
            line = line.removeprefix(prompt)
        text = line.strip()
        return bool(text) and text not in typed and text not in (">>>", "...")

    return counts


def _open_lines(compared: MendedTranscripts) -> Iterator[range]:
    """Yield the ranges of lines, from 0, in the mended expected transcript that hold the student's own text."""
    shift = 0
    for number, count in compared.open_texts:
        start = number - 1 + shift
        yield range(start, start + count)
        shift += count - 1


def _without(texts: Counter[str], lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines except the ones in `texts`, each omitted as many times as it is counted there."""
    remaining = Counter(texts)
    for line in lines:
        if remaining[line]:
            remaining[line] -= 1
        else:
            yield line


def _in_order(expected: Sequence[str], actual: Sequence[str], match: LineMatch) -> Iterator[tuple[int, int]]:
    for block in blocks(*([*map(match.key, lines)] for lines in (expected, actual))):
        if block.is_equal:
            yield from zip(block.expected, block.actual, strict=True)


def _share_of_steps(test: Test, compared: MendedTranscripts, typed: Sequence[int]) -> _Share:
    """Return the share of right steps before the first wrong step; steps without output are not counted.

    After a wrong step, the session takes a different course, so later steps are only right by chance.
    """
    expected_steps = list(_steps(test, compared.expected, list(zip(typed, typed_lines(test.interaction), strict=True))))
    actual_steps = list(_steps(test, compared.actual, [(line.offset, line.text) for line in compared.typed]))
    right = 0
    for expected, actual in zip(expected_steps, actual_steps, strict=False):
        if expected != actual:
            break
        right += bool(expected.strip())
    count = sum(bool(step.strip()) for step in expected_steps)
    right = min(right, max(count - 1, 0))
    steps = say_plural(count, "{count} step", "{count} steps")
    words = say_plural(
        right, "the first {count} of {steps} is right", "the first {count} of {steps} are right", steps=steps
    )
    return _Share(Fraction(right, count) if count else Fraction(0), words)


def _steps(test: Test, transcript: str, typed: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield the output before the first input, between inputs and after the last input, without typed text."""
    start = 0
    for offset, line in typed:
        yield _printed(test, transcript[start:offset])
        start = offset
        if shows_typing(test.interaction) and transcript.startswith(f"{line}\n", start):
            start += len(line) + 1
    yield _printed(test, transcript[start:])


def _printed(test: Test, step: str) -> str:
    """Remove Python's own prompt from the end of a step."""
    if is_repl(test.interaction):
        for prompt in _PROMPTS:
            step = step.removesuffix(prompt)
    return step


def _share_of_milestones(test: Test, milestones: Sequence[Milestone], compared: MendedTranscripts) -> _Share:
    """Add up the shares of the milestones, searching for each one after the previous one.

    A share shrinks in proportion if the line is longer than expected, and all shares shrink if too many lines are
    printed.
    """
    counts, match = _counting(test), LineMatch(test.comparison)
    lines = [line for line in lines_of(_without_typed(test, compared.actual, compared.typed)) if counts(line)]
    expected_lines = [line for line in lines_of(compared.expected) if counts(line)]
    places, expected_places = (_places(milestones, searched, match) for searched in (lines, expected_lines))
    reached = [
        (milestone, Fraction(milestone.share) * _needed_part(milestone, place, expected_place, match))
        for milestone, place, expected_place in zip(milestones, places, expected_places, strict=True)
        if place is not None
    ]
    expected, share = len(expected_lines), sum((part for _, part in reached), Fraction(0))
    words = _reached_words(len(reached), len(milestones))
    if share < sum(milestone.share for milestone, _ in reached):
        words = say("{reached}, in longer lines than expected", reached=words)
    if len(lines) > expected:
        values = {"reached": words, "printed": len(lines), "expected": expected}
        words = say("{reached}, with {printed} lines printed instead of {expected}", **values)
        share = share * expected / len(lines)
    return _Share(share, words)


def _share_beside_checks(test: Test, milestones: Sequence[Milestone], shown: Outcome) -> _Share:
    """Add up the shares of the milestones in lines of any length, because checks do not restrict other output."""
    places = _places(milestones, lines_of(remove_typing(test, shown)), LineMatch(test.comparison))
    reached = [milestone.share for milestone, place in zip(milestones, places, strict=True) if place is not None]
    return _Share(sum(map(Fraction, reached), Fraction(0)), _reached_words(len(reached), len(milestones)))


def _reached_words(reached: int, milestones: int) -> Sentence:
    return say_plural(
        reached,
        "{count} of {milestones} is reached",
        "{count} of {milestones} are reached",
        milestones=say_plural(milestones, "{count} milestone", "{count} milestones"),
    )


def _without_typed(test: Test, transcript: str, typed: Sequence[TypedLine]) -> str:
    """Return the program's own output, with each input replaced by a newline."""
    if not shows_typing(test.interaction):
        return transcript
    return "\n".join(_steps(test, transcript, [(line.offset, line.text) for line in typed]))


def _needed_part(milestone: Milestone, line: str, expected: str | None, match: LineMatch) -> Fraction:
    """Return the ratio of the expected length to the length of a longer line, ignoring whitespace; otherwise 1."""
    if isinstance(milestone.sign, WholeLine) or (expected is not None and match.same(expected, line)):
        return Fraction(1)
    keys = (match.key(text) for text in (milestone.words if expected is None else expected, line))
    expected_length, length = (len("".join(key.split())) for key in keys)
    return Fraction(expected_length, max(expected_length, length, 1))


def _places(milestones: Sequence[Milestone], lines: Sequence[str], match: LineMatch) -> list[str | None]:
    """Return the line that reaches each milestone, or None if the milestone is missed."""
    places: list[str | None] = []
    start = 0
    for milestone in milestones:
        place = next((index for index in range(start, len(lines)) if _is_at(milestone, lines[index], match)), None)
        places.append(None if place is None else lines[place])
        start = start if place is None else place + 1
    return places


def _is_at(milestone: Milestone, line: str, match: LineMatch) -> bool:
    sign = milestone.sign
    if isinstance(sign, WholeLine):
        return match.same(sign.line, line)
    return sign.text in line or match.key(sign.text) in match.key(line)


def milestones_not_in(test: Test, outcome: Outcome) -> list[str]:
    """Return the milestones of a test that are missing from the reference's transcript."""
    if test.partial is None or not isinstance(test.partial.way, Milestones):
        return []
    milestones = test.partial.way.milestones
    counts = _counting(test)
    by_checks = isinstance(test.expectation, OutputChecks)
    text = remove_typing(test, outcome) if by_checks else _without_typed(test, outcome.transcript, outcome.typed)
    places = _places(milestones, list(filter(counts, lines_of(text))), LineMatch(test.comparison))
    return [milestone.words for milestone, place in zip(milestones, places, strict=True) if place is None]
