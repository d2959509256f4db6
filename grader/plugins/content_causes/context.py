"""The context of a difference in a diagnosis: the input before it, and the lines that a wrong number counts."""

from dataclasses import replace

from grader.judge.causes.diagnose import diagnose
from grader.judge.evidence import FailureEvidence
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes import line, order
from grader.plugins.content_causes.unread import with_input_before
from grader.text.sentence import say


def in_context(diagnosis: Diagnosis, evidence: FailureEvidence) -> Diagnosis:
    """Return the diagnosis with the input before it and, for a number, the first line with another difference.

    A number may count lines that are printed later. In that case, it says nothing about the mistake.
    """
    remaining = line.accept_printed_numbers(evidence) if diagnosis.cause is line.NUMBER else None
    if remaining is not None:
        more = line.lines_too_many(evidence)
        if more:
            return _among_counted_lines(diagnosis, more, remaining)
        diagnosis = diagnosis.followed_by(say("{said:lower clause}", said=diagnose(remaining).sentence))
    return with_input_before(diagnosis, evidence) if diagnosis.cause.answers_input else diagnosis


def _among_counted_lines(diagnosis: Diagnosis, more: int, remaining: FailureEvidence) -> Diagnosis:
    """Return the diagnosis of the lines that a wrong number counts, followed by the diagnosis of the number."""
    wrong_end = order.wrong_end(remaining, more)
    counted = with_input_before(wrong_end, remaining) if wrong_end else diagnose(remaining)
    sentence = say("{first:clause}; {second:lower clause}.", first=counted.sentence, second=diagnosis.sentence)
    return replace(counted, sentence=sentence, telling=counted.telling or remaining.divergence)
