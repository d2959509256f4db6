"""Finds the most telling cause of a failure: the first one in a fixed order that explains what happened."""

from collections.abc import Callable

from grader.judge import ending_causes, line_causes, whole_causes
from grader.judge.diagnosis import Diagnosis
from grader.judge.evidence import Evidence

_CAUSES: tuple[Callable[[Evidence], Diagnosis | None], ...] = (
    ending_causes.import_asks_for_input,
    ending_causes.traceback,
    ending_causes.limits,
    ending_causes.signal,
    ending_causes.no_output,
    whole_causes.only_one_kind_of_difference,
    ending_causes.keeps_reading,
    line_causes.asked_at_another_time,
    line_causes.missing_lines,
    line_causes.extra_lines,
    ending_causes.stops_early,
    ending_causes.goes_on,
    line_causes.only_one_kind_of_difference,
    line_causes.wrong_deal,
    line_causes.number,
    line_causes.prefix,
    ending_causes.input_left,
    line_causes.text,
    ending_causes.exit_status,
)


def diagnose(evidence: Evidence) -> Diagnosis:
    """The first cause of the catalogue (docs/diagnoses.md) that applies."""
    for cause in _CAUSES:
        diagnosis = cause(evidence)
        if diagnosis:
            return diagnosis
    raise AssertionError("a session that did not pass ends otherwise than expected")
