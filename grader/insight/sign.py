"""What a failing test shows of the mistake behind it, so that the same mistake of two students shows the same.

What a program prints is the same in every run of a test, so the first line that differs counts as it is. Only what
depends on how a program is written is taken out: in errors the names and numbers, and the line of code.
"""

import hashlib
import json
import re
from dataclasses import astuple, dataclass

from grader.judge.traceback import find_traceback
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'[^'\n]*'|`[^`\n]*`|\"[^\"\n]*\"")
_NAMED = re.compile(r"(?<=function )\w+|\w+(?=\(\))")
_LONGEST = 500


@dataclass(frozen=True)
class Sign:
    """One failing test: the lines that differ, or what the program crashed with, without names and numbers."""

    test: str
    verdict: str
    cause: str
    expected: str
    actual: str

    @property
    def digest(self) -> str:
        """A short name of the sign, the same in every run."""
        return hashlib.sha256(json.dumps(astuple(self)).encode()).hexdigest()[:8]


def sign_of(result: TestResult) -> Sign:
    """The sign of a test that did not pass."""
    judgement = result.judgement
    cause = judgement.diagnosis.cause if judgement.diagnosis else ""
    expected, actual = _shown(result)
    return Sign(result.test.id, result.verdict, cause, expected[:_LONGEST], actual[:_LONGEST])


def _shown(result: TestResult) -> tuple[str, str]:
    """What to go by, on the expected and on the actual side."""
    judgement, outcome = result.judgement, result.outcome
    if result.verdict is Verdict.CRASH and outcome:
        trace = find_traceback(outcome.errors or outcome.transcript, result.test.program)
        return "", _plain(f"{trace.error}: {trace.message}") if trace else ""
    if judgement.differences:
        return "", "\n".join(judgement.differences)
    if judgement.divergence:
        return judgement.divergence.expected or "", judgement.divergence.actual or ""
    return "", _plain(judgement.diagnosis.sentence) if judgement.diagnosis else ""


def _plain(text: str) -> str:
    return _NUMBER.sub("0", _NAMED.sub("…", _QUOTED.sub("'…'", text)))
