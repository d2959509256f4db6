"""The explanation for a program that draws and reaches the time limit."""

from grader.judge.causes.limits import TIMEOUT
from grader.judge.evidence import FailureEvidence, finds
from grader.model.judgement import Diagnosis
from grader.model.outcome import Termination
from grader.plugins.screens.settings import OnScreen
from grader.text.sentence import say


@finds(TIMEOUT)
def never_waited(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that draws and did not wait for a key."""
    if not isinstance(evidence.test.interaction, OnScreen) or evidence.outcome.ending is not Termination.TIMED_OUT:
        return None
    sentence = say(
        "After {seconds:.3g} seconds, the program still did not wait for a key: look for a loop that does not end, or "
        "for a screen that keeps changing without a key.",
        seconds=evidence.outcome.wall_seconds,
    )
    return Diagnosis(TIMEOUT, sentence)
