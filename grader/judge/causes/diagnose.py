"""Finds the most informative cause of a failure: the first in a fixed order that explains what happened."""

from dataclasses import replace
from functools import cache

from grader.judge.causes import ending, exceptions, limits, reading, starting, text
from grader.judge.evidence import CauseFinder, FailureEvidence, cause_families
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

CORE_FINDERS: tuple[CauseFinder, ...] = (
    ending.cancelled,
    starting.build_error,
    starting.import_asks_for_input,
    limits.stopped,
    reading.reads_past_the_end,
    exceptions.exception,
    limits.ended_by_kernel,
    ending.signal,
    ending.no_output,
    ending.nothing_at_the_prompt,
    starting.import_prints,
    reading.keeps_asking,
    ending.truncated_output,
    ending.extra_output,
    text.text,
    reading.prints_input,
    ending.exit_status,
)
"""The core's finders, in the order in which they are tried."""

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
)
"""Causes that no finder returns, because other parts of the grader set them."""


@cache
def all_finders() -> tuple[CauseFinder, ...]:
    """Return the finders in the order in which they are tried, including those of plugins that can be loaded."""
    finders: list[CauseFinder] = []
    for core_finder in CORE_FINDERS:
        if core_finder is text.text:
            finders += (finder for family in cause_families() for finder in family.finders)
        finders += (finder for family in cause_families() for finder in family.before.get(core_finder, ()))
        finders.append(core_finder)
    return tuple(finders)


def all_causes() -> tuple[Cause, ...]:
    """Return every cause once: first the finders' causes, then the ones set elsewhere."""
    return tuple(dict.fromkeys((*(cause for finder in all_finders() for cause in finder.causes), *GIVEN_ELSEWHERE)))


def diagnose(evidence: FailureEvidence) -> Diagnosis:
    """Return the first cause that applies.

    If a game took a different course and then ran out of input, or received the answer to another question, the
    diagnosis describes the point where it went wrong.
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
            for family in cause_families():
                diagnosis = family.complete(diagnosis, evidence)
            return diagnosis
    raise AssertionError("a session that did not pass ends otherwise than expected")
