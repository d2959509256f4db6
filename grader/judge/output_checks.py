"""Judges output by checks on parts of it instead of a whole transcript."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from grader.judge.call_transcript import without_headers, without_tracebacks
from grader.judge.calls import call_judge
from grader.judge.judge import judge_ending
from grader.judge.nearest_line import with_nearest_line
from grader.judge.plugin_check import fault_by_plugin
from grader.judge.printed_numbers import other_numbers
from grader.model.expectation import (
    Contains,
    HasJson,
    HasLines,
    HasNumbers,
    HasUnordered,
    Lacks,
    Matches,
    OutputCheck,
    OutputChecks,
    OutputStream,
    PluginCheck,
)
from grader.model.expected_call import read_expected_call
from grader.model.general_causes import INTERNAL_ERROR, OUTPUT_CHECK
from grader.model.interaction import Dialogue, FunctionCall, shows_typing
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.text.escape import quote
from grader.text.pattern_words import form_words
from grader.text.patterns import is_found
from grader.text.sentence import Sentence, say


class ExpectedJsonError(Exception):
    """The expected output is not JSON."""


@dataclass(frozen=True)
class _Output:
    """The text that the program itself printed, and the positions where it asked for input."""

    text: str
    prompts: tuple[range, ...] = ()


def remove_typing(test: Test, outcome: Outcome) -> str:
    """Return the output without typed text, but with the newlines of typed lines, so that lines do not run together."""
    return _printed(test, outcome).text


def _printed(test: Test, outcome: Outcome) -> _Output:
    """Return the output without typed text and without the headers between calls."""
    text, place = "", 0
    prompts: list[range] = []
    is_shown = shows_typing(test.interaction)
    for typed in outcome.typed:
        text += outcome.transcript[place : typed.offset]
        prompts.append(range(max(text.rfind("\n") + 1, prompts[-1].stop if prompts else 0), len(text)))
        shown = is_shown and outcome.transcript.startswith(typed.text, typed.offset)
        place = typed.offset + (len(typed.text) if shown else 0)
    text += outcome.transcript[place:]
    if isinstance(test.interaction, FunctionCall) and len(test.interaction.calls) > 1:
        return _Output(without_headers(test.interaction, text))
    if isinstance(test.interaction, Dialogue):
        text = test.interaction.printed_text(text)
    return _Output(text, tuple(prompts))


def judge_by_checks(test: Test, checks: Sequence[OutputCheck], expected: str, outcome: Outcome) -> Judgement:
    """Return the verdict on `outcome`, first by how it ended, as in every test, then by the checks.

    All checks must pass. `expected` is the reference's output, for checks without a value. Typed text does not count as
    output, although a terminal shows it.
    """
    judgement = judge_ending(test, expected, outcome)
    if judgement.verdict not in (Verdict.PASSED, Verdict.EXIT_STATUS):
        return judgement
    return _with_checks(test, checks, expected, outcome, judgement)


def judge_call_by_checks(
    test: Test, call: FunctionCall, checks: OutputChecks, expected: str, outcome: Outcome
) -> Judgement:
    """Return the verdict on calls, first by their stated results, then by the checks of their output.

    `expected` is the expected file, if a check needs the output of the reference.
    """
    judgement = call_judge().compare(test, call, read_expected_call(checks.call), outcome)
    if judgement.verdict is not Verdict.PASSED:
        return judgement
    return _with_checks(test, checks.checks, expected, outcome, judgement)


def _with_checks(
    test: Test, checks: Sequence[OutputCheck], expected: str, outcome: Outcome, judgement: Judgement
) -> Judgement:
    try:
        faults = [fault for fault in faults_of(test, checks, expected, outcome) if fault is not None]
    except ExpectedJsonError:
        missing = "`json: reference` in `expect` asks for the JSON of the reference, which prints none."
        return Judgement.without_verdict(INTERNAL_ERROR, missing)
    if not faults:
        return judgement
    others = say(" (and {others} more of the {checks} checks)", others=len(faults) - 1, checks=len(checks))
    sentence = say("{fault:clause}{more}.", fault=faults[0], more=others if len(faults) > 1 else "")
    return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=Diagnosis(OUTPUT_CHECK, sentence))


def faults_of(
    test: Test, checks: Sequence[OutputCheck], expected: str, outcome: Outcome
) -> tuple[Sentence | None, ...]:
    """Return the fault of each check as a sentence without its full stop, or None if the check passes.

    Raises ExpectedJsonError if the expected output is not JSON.
    """
    if isinstance(test.interaction, FunctionCall):
        if expected:
            of_reference = replace(outcome, transcript=read_expected_call(expected).printed, typed=())
            expected = remove_typing(test, of_reference)
        outcome = without_tracebacks(outcome, outcome.call.steps if outcome.call else ())
    printed = _printed(test, outcome)
    return tuple(_fault(check, expected, printed, outcome.errors) for check in checks)


def _fault(check: OutputCheck, expected: str, printed: _Output, errors: str) -> Sentence | None:
    match check.stream:
        case OutputStream.OUTPUT:
            where, output = say("The output"), printed
        case OutputStream.STDERR:
            where, output = say("Standard error"), _Output(errors)
        case _:
            assert_never(check.stream)
    fault = next(_faults(check, expected, output), None)
    if fault is None:
        return None
    if not check.says:
        return say("{where} {fault}", where=where, fault=fault)
    line = fault.value("nearest_line")
    if line is None:
        return say("{says}", says=check.says)
    return say("{says:clause} (the nearest line is {line})", says=check.says, line=line)


def _faults(check: OutputCheck, expected: str, output: _Output) -> Iterator[Sentence]:
    kind, text = check.kind, output.text
    same = str.casefold if check.ignore_case else str
    match kind:
        case Contains(texts=texts):
            absent_texts = (item for item in texts if same(item) not in same(text))
            yield from (
                with_nearest_line(say("does not contain {text}", text=quote(item)), item, text) for item in absent_texts
            )
        case Lacks(texts=texts):
            unwanted_texts = (item for item in texts if same(item) in same(text))
            yield from (say("contains {text}, which should not be there", text=quote(item)) for item in unwanted_texts)
        case Matches(patterns=patterns):
            missing = (item for item in patterns if not is_found(item, text, ignore_case=check.ignore_case))
            yield from (_without_form(item, text, ignore_case=check.ignore_case) for item in missing)
        case HasLines(lines=lines):
            yield from _missing_lines([*map(same, _lines(expected) if lines is None else lines)], same(text), text)
        case HasUnordered(lines=lines):
            yield from _other_lines([*map(same, _lines(expected) if lines is None else lines)], same(text), text)
        case HasNumbers():
            yield from other_numbers(kind, expected, text, output.prompts)
        case HasJson(text=wanted):
            yield from _other_json(expected if wanted is None else wanted, text)
        case PluginCheck():
            if (fault := fault_by_plugin(kind, text, expected)) is not None:
                yield say("{fault}", fault=fault)
        case _:
            assert_never(kind)


def _without_form(pattern: str, text: str, *, ignore_case: bool) -> Sentence:
    if text.strip() and not text.endswith("\n") and is_found(pattern, f"{text}\n", ignore_case=ignore_case):
        return say("does not end with a newline")
    form = form_words(pattern)
    if form is None:
        return with_nearest_line(say("has nothing of the form that is asked for"), "", text)
    remark = say(" (… stands for what may vary)") if "…" in form else ""
    return with_nearest_line(say("has nothing of the form {form}{remark}", form=form, remark=remark), form, text)


def _lines(text: str) -> list[str]:
    """Return the lines that are not blank, without trailing whitespace."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _missing_lines(expected: Sequence[str], text: str, printed: str) -> Iterator[Sentence]:
    remaining = iter(_lines(text))
    before = None
    for line in (line_of_check.rstrip() for line_of_check in expected):
        if line not in remaining:
            fault = say("has no line {line}", line=quote(line))
            if before is not None:
                fault = say("has no line {line} after {before}", line=quote(line), before=quote(before))
            yield fault if line in _lines(text) else with_nearest_line(fault, line, printed)
            return
        before = line


def _other_lines(expected_lines: Sequence[str], text: str, printed: str) -> Iterator[Sentence]:
    expected, actual = Counter(line.rstrip() for line in expected_lines if line.strip()), Counter(_lines(text))
    for line in expected - actual:
        if actual[line]:
            yield say("does not have the line {line} {often} times", line=quote(line), often=expected[line])
        else:
            yield with_nearest_line(say("does not have the line {line}", line=quote(line)), line, printed)
    for line in actual - expected:
        if expected[line]:
            yield say("has the line {line} too often", line=quote(line))
        else:
            yield say("has the line {line}, which should not be there", line=quote(line))


def _other_json(expected: str, text: str) -> Iterator[Sentence]:
    try:
        expected_value = json.loads(expected)
    except (ValueError, RecursionError):
        raise ExpectedJsonError from None
    try:
        actual_value = json.loads(text)
        if _is_same_json(expected_value, actual_value):
            return
        found = _short(actual_value)
    except (ValueError, RecursionError):
        yield say("is not JSON")
        return
    yield say("is not the expected value: found {found}; expected {wanted}", found=found, wanted=_short(expected_value))


def _is_same_json(first: object, second: object) -> bool:
    """Compare two values by the rules of JSON, where 1 equals 1.0 but not true."""
    match first, second:
        case (dict(), dict()):
            return first.keys() == second.keys() and all(
                _is_same_json(value, second[key]) for key, value in first.items()
            )
        case (list(), list()):
            return len(first) == len(second) and all(map(_is_same_json, first, second))
        case _:
            return first == second and isinstance(first, bool) == isinstance(second, bool)


def _short(value: object) -> str:
    return quote(json.dumps(value, ensure_ascii=False, sort_keys=True))
