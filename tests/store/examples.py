"""Outcomes to keep. It imports little, because the writers of tests start with it."""

from grader.checkers import CheckResult
from grader.model.outcome import Outcome, Termination
from grader.store.stored_rows import StoredRow, Table
from grader.store.stored_values import encode_answer, encode_outcome


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


def outcome_row(key: str, transcript: str) -> StoredRow:
    return StoredRow(Table.OUTCOMES, key, encode_outcome(outcome(transcript)))


def answer_row(key: str, answer: CheckResult) -> StoredRow:
    return StoredRow(Table.ANSWERS, key, encode_answer(answer).encode("ascii"))
