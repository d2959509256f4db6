"""Finds the most telling cause of a failure: the first one in a fixed order that explains what happened."""

from collections.abc import Callable
from dataclasses import replace

from grader.judge.causes import characters, ending, line, order, reading
from grader.judge.evidence import FailureEvidence
from grader.model.judgement import Diagnosis

_CAUSES: tuple[Callable[[FailureEvidence], Diagnosis | None], ...] = (
    ending.cancelled,
    ending.build_error,
    reading.asks_for_input,
    ending.limits,
    reading.reads_past_the_end,
    ending.exception,
    ending.signal,
    ending.no_output,
    ending.nothing_at_the_prompt,
    reading.prints,
    order.line_end,
    line.encoding,
    reading.prompt,
    characters.only_one_kind_of_difference,
    characters.only_empty_lines,
    characters.only_last_line_end,
    reading.keeps_reading,
    order.doubled_lines,
    reading.doubled_echo,
    order.swapped_lines,
    order.shifted_lines,
    reading.asks_at_another_time,
    reading.ends_before_asking,
    ending.stops_early,
    ending.goes_on,
    line.only_one_kind_of_difference,
    line.wrong_deal,
    line.number,
    line.symbol,
    line.prefix,
    reading.input_left,
    line.text,
    ending.exit_status,
)


def diagnose(evidence: FailureEvidence) -> Diagnosis:
    """The first cause of the catalogue (docs/diagnoses.md) that applies.

    A game that took another course, was played on and then ran out of input is explained by where it went astray.
    """
    if reading.is_out_of_input(evidence) and evidence.went_on_with_input:
        astray = diagnose(replace(evidence, traceback=None))
        return astray.followed_by("the program asks for more input than the test types")
    for cause in _CAUSES:
        diagnosis = cause(evidence)
        if diagnosis:
            return diagnosis
    raise AssertionError("a session that did not pass ends otherwise than expected")
