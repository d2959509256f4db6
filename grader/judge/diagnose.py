"""Finds the most telling cause of a failure: the first one in a fixed order that explains what happened."""

from collections.abc import Callable
from dataclasses import replace

from grader.judge import (
    build_causes,
    encoding_causes,
    ending_causes,
    import_causes,
    input_causes,
    line_causes,
    order_causes,
    whole_causes,
)
from grader.judge.diagnosis import Diagnosis
from grader.judge.evidence import Evidence

_CAUSES: tuple[Callable[[Evidence], Diagnosis | None], ...] = (
    ending_causes.cancelled,
    build_causes.build_error,
    import_causes.asks_for_input,
    ending_causes.limits,
    input_causes.reads_past_the_end,
    ending_causes.exception,
    ending_causes.signal,
    ending_causes.no_output,
    ending_causes.nothing_at_the_prompt,
    import_causes.prints,
    order_causes.line_end,
    encoding_causes.encoding,
    input_causes.prompt,
    whole_causes.only_one_kind_of_difference,
    whole_causes.only_empty_lines,
    whole_causes.only_last_line_end,
    input_causes.keeps_reading,
    order_causes.doubled_lines,
    input_causes.doubled_echo,
    order_causes.swapped_lines,
    order_causes.shifted_lines,
    input_causes.asks_at_another_time,
    input_causes.ends_before_asking,
    ending_causes.stops_early,
    ending_causes.goes_on,
    line_causes.only_one_kind_of_difference,
    line_causes.wrong_deal,
    line_causes.number,
    line_causes.symbol,
    line_causes.prefix,
    input_causes.input_left,
    line_causes.text,
    ending_causes.exit_status,
)


def diagnose(evidence: Evidence) -> Diagnosis:
    """The first cause of the catalogue (docs/diagnoses.md) that applies.

    A game that took another course, was played on and then ran out of input is explained by where it went astray.
    """
    if input_causes.is_out_of_input(evidence) and evidence.went_on_with_input:
        astray = diagnose(replace(evidence, traceback=None))
        return astray.followed_by("the program asks for more input than the test types")
    for cause in _CAUSES:
        diagnosis = cause(evidence)
        if diagnosis:
            return diagnosis
    raise AssertionError("a session that did not pass ends otherwise than expected")
