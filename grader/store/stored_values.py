"""Encodes all kinds of values in a store as bytes."""

import dataclasses
import json
import zlib
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from grader.checkers import CheckResult, CheckStatus
from grader.model.codec import from_plain
from grader.model.outcome import CallResult, CodeLine, Outcome, Termination, TraceStep, TypedLine

_FASTEST, _LITTLE_MEMORY = 1, 5


class DamagedError(ValueError):
    """A stored value is damaged, or was written by another version of the grader."""


def encode_outcome(outcome: Outcome) -> bytes:
    """Return bytes that `decode_outcome` converts to an equal outcome.

    Lone surrogates and exact times are preserved.
    """
    content = {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}
    content["typed"] = [[typed.offset, typed.text] for typed in outcome.typed]
    content["call"] = outcome.call and dataclasses.asdict(outcome.call)
    content["answer"] = outcome.answer and encode_answer(outcome.answer)
    # Traces are long, and this form is far shorter than one with field names.
    content["trace"] = [[step.newlines, [[line.file, line.line] for line in step.lines]] for step in outcome.trace]
    # Allocating zlib's default memory takes longer than compressing a short outcome.
    compressor = zlib.compressobj(_FASTEST, memLevel=_LITTLE_MEMORY)
    return compressor.compress(json.dumps(content).encode("ascii")) + compressor.flush()


def decode_outcome(data: bytes) -> Outcome:
    """Return the outcome that was encoded as `data`. Raises DamagedError."""
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        content["typed"] = tuple(TypedLine(offset, text) for offset, text in content["typed"])
        content["ending"] = Termination(content["ending"])
        content["call"] = content["call"] and from_plain(CallResult, content["call"])
        content["answer"] = content["answer"] and decode_answer(content["answer"])
        content["trace"] = _trace(content["trace"])
        return Outcome(**content)
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DamagedError(f"an outcome in it is damaged ({error})") from error


def _trace(content: list[Any]) -> tuple[TraceStep, ...]:
    return tuple(TraceStep(tuple(CodeLine(*line) for line in lines), newlines) for newlines, lines in content)


def encode_answer(answer: CheckResult) -> str:
    """Return ASCII text that `decode_answer` converts to an equal result of a checker or interactor."""
    return json.dumps([answer.status, answer.reason, None if answer.score is None else str(answer.score)])


def decode_answer(data: str | bytes) -> CheckResult:
    """Return the result of a checker or interactor that was encoded as `data`. Raises DamagedError."""
    try:
        status, reason, score = json.loads(data)
        return CheckResult(CheckStatus(status), reason, None if score is None else Decimal(score))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"an answer in it is damaged ({error})") from error


@dataclass(frozen=True)
class PastRun:
    """A run of `grader grade` that left nothing undecided: its output, and the digests of the folders it wrote.

    `summary` is the text that it added to a workflow's job summary.
    """

    exit_code: int
    printed: str
    reports: dict[str, str]
    summary: str = ""


def encode_run(run: PastRun) -> bytes:
    """Return ASCII bytes that `decode_run` converts to an equal run."""
    return json.dumps(asdict(run)).encode("ascii")


def decode_run(data: bytes) -> PastRun:
    """Return the run that was encoded as `data`. Raises DamagedError."""
    try:
        run = PastRun(**json.loads(data))
    except (ValueError, TypeError) as error:
        raise DamagedError(f"a run in it is damaged ({error})") from error
    if not (isinstance(run.exit_code, int) and isinstance(run.printed, str) and isinstance(run.reports, dict)):
        raise DamagedError("a run in it is damaged")
    return run
