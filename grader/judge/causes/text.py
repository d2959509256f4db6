"""The cause of a difference that no other cause explains."""

from grader.judge.evidence import FailureEvidence, LinePair, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis
from grader.text.escape import quote_both
from grader.text.sentence import say

TEXT = Cause("text", CauseSubject.CONTENT, answers_input=True)
"""The line is wrong, and no other cause describes the difference.

> Line 2 is `So sad that you lost! ☹️`; expected `So sorry that you lost! ☹️`.

Look at the difference in the report, and run the program with the same input.
"""


@finds_in_line(TEXT)
def text(_: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a differing line."""
    expected, actual = quote_both(pair.expected, pair.actual)
    sentence = say("Line {line} is {found}; expected {wanted}.", line=pair.number, found=actual, wanted=expected)
    return Diagnosis(TEXT, sentence)
