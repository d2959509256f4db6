"""Finds the most telling cause of a failure: the first one in a written order that explains what happened."""

from dataclasses import replace
from functools import cache

from grader.extensions import CAUSES, load_group
from grader.judge.causes import (
    characters,
    ending,
    exceptions,
    found_errors,
    function,
    limits,
    line,
    order,
    reading,
    starting,
)
from grader.judge.evidence import CauseFamily, CauseFinder, FailureEvidence
from grader.model.cause import Cause
from grader.model.general_causes import (
    CHECKER,
    INTERNAL_ERROR,
    MISSING_FILE,
    NEEDS_REVIEW,
    NOT_RUN,
    OUTPUT_CHECK,
    OVERRIDE,
    REQUIRED_TEST,
    SEALED,
    SIDE_OUTPUT,
)
from grader.model.judgement import Diagnosis
from grader.text.sentence import say

_IN_SESSION: tuple[CauseFinder, ...] = (
    ending.cancelled,
    function.cannot_be_called,
    starting.build_error,
    starting.import_asks_for_input,
    limits.stopped,
    found_errors.found_by_tools,
    reading.reads_past_the_end,
    exceptions.exception,
    limits.ended_by_kernel,
    ending.signal,
    ending.no_output,
    ending.nothing_at_the_prompt,
    starting.import_prints,
    order.misplaced_newline,
    characters.encoding,
    reading.hidden_input,
    reading.wrong_prompt,
    characters.only_one_kind_of_difference,
    characters.only_blank_lines,
    characters.only_final_newline,
    reading.keeps_asking,
    order.repeated_lines,
    reading.echoed_input,
    order.swapped_lines,
    reading.ends_too_early,
    order.shifted_lines,
    reading.asks_at_another_time,
    reading.ends_before_asking,
    ending.truncated_output,
    ending.extra_output,
)
_IN_LINE: tuple[CauseFinder, ...] = (
    line.only_one_kind_of_difference,
    line.number,
    line.symbol,
    order.wrapped_line,
    line.prefix,
    reading.unread_input,
    line.text,
    reading.prints_input,
    ending.exit_status,
)

CORE_FINDERS = (*_IN_SESSION, *_IN_LINE)
"""The finders of the core, in the order of trial."""

GIVEN_ELSEWHERE: tuple[Cause, ...] = (
    NEEDS_REVIEW,
    OVERRIDE,
    REQUIRED_TEST,
    INTERNAL_ERROR,
    MISSING_FILE,
    NOT_RUN,
    CHECKER,
    SEALED,
    OUTPUT_CHECK,
    SIDE_OUTPUT,
    function.RETURNED,
    function.GIVEN,
    function.EXCEPTION,
    function.CALLS_EXIT,
)
"""The causes without a finder."""


@cache
def all_finders() -> tuple[CauseFinder, ...]:
    """Return the finders in the order of trial, with those of plugins that can be loaded."""
    families = load_group(CAUSES, CauseFamily).objects.values()
    return (*_IN_SESSION, *(finder for family in families for finder in family.finders), *_IN_LINE)


def all_causes() -> tuple[Cause, ...]:
    """Return every cause once: those of the finders, and those given elsewhere in the core."""
    return tuple(dict.fromkeys((*(cause for finder in all_finders() for cause in finder.causes), *GIVEN_ELSEWHERE)))


def diagnose(evidence: FailureEvidence) -> Diagnosis:
    """Return the first cause that applies.

    A game that took another course, was played on and then ran out of input, or got what was meant for another
    question, is explained by where it went astray.
    """
    if reading.is_out_of_input(evidence) and reading.went_astray_before(evidence):
        astray = diagnose(replace(evidence, traceback=None))
        return astray.followed_by(say("the program asks for more input than the test types"))
    if reading.takes_input_of_another_prompt(evidence):
        stop = exceptions.exception(evidence)
        if stop:
            astray = diagnose(replace(evidence, traceback=None))
            return astray.followed_by(say("{said:lower clause}", said=stop.sentence))
    for find in all_finders():
        diagnosis = find(evidence)
        if diagnosis:
            return _in_context(diagnosis, evidence)
    raise AssertionError("a session that did not pass ends otherwise than expected")


def _in_context(diagnosis: Diagnosis, evidence: FailureEvidence) -> Diagnosis:
    """Return the diagnosis with the input before and, after a number, the first line in which more differs.

    A number may count what is printed later, and then says nothing of the mistake.
    """
    remaining = line.beside_numbers(evidence) if diagnosis.cause is line.NUMBER else None
    if remaining is not None:
        more = line.lines_too_many(evidence)
        if more:
            return _among_counted_lines(diagnosis, more, remaining)
        diagnosis = diagnosis.followed_by(say("{said:lower clause}", said=diagnose(remaining).sentence))
    return reading.with_input_before(diagnosis, evidence) if diagnosis.cause.answers_input else diagnosis


def _among_counted_lines(diagnosis: Diagnosis, more: int, remaining: FailureEvidence) -> Diagnosis:
    """Return the diagnosis of the lines that a wrong number counts, followed by that of the number."""
    wrong_end = order.wrong_end(remaining, more)
    counted = reading.with_input_before(wrong_end, remaining) if wrong_end else diagnose(remaining)
    sentence = say("{first:clause}; {second:lower clause}.", first=counted.sentence, second=diagnosis.sentence)
    return replace(counted, sentence=sentence, telling=counted.telling or remaining.divergence)
