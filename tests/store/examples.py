"""Outcomes to keep. It imports little, because the writers of tests start with it."""

from grader.model.outcome import Outcome, Termination


def outcome(transcript: str) -> Outcome:
    return Outcome(
        transcript=transcript,
        typed=(),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0.1,
        cpu_seconds=0.2,
    )
