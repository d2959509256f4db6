"""A test of the tests that a student wrote: a child process tries them on good and bad programs of the instructor.

A student's tests run where what they find is noted, and could note something else. They do not know which of the
programs is which, so that they can win no more than by a guess.
"""

import json
import os
import random
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import PurePath

from grader.model.interaction import OwnTests
from grader.model.outcome import Outcome, TrialEnd, TrialResult
from grader.model.program import Limits
from grader.run.interface import Launch

_MOST_BYTES = 10_000_000


@dataclass(frozen=True, kw_only=True)
class TrialReport:
    """One trial of the tests in `program`, in which the programs come in `order`."""

    program: str
    tests: OwnTests
    cpu_seconds: int
    order: Sequence[int]
    secret: str
    descriptor: int

    @property
    def child(self) -> str:
        """The name of the program that tries the tests."""
        return f"trial-{self.secret[:8]}.py"

    @property
    def files(self) -> Mapping[str, str]:
        """What must be in the working folder in addition to the submission: text by name."""
        source = files("grader.run.function").joinpath("trial.py").read_text(encoding="utf-8")
        return {self.child: source, self._request_name: self._request()}

    def launch(self, child: Launch) -> Launch:
        """What is started, given what starts the child without arguments."""
        return replace(child, argv=(*child.argv, self._request_name), descriptors={3: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """The outcome of the test, given that of the child: nothing of the programs is shown."""
        found = _read_report(os.pread(self.descriptor, _MOST_BYTES, 0), self.secret)
        trials = [(number, result) for number, result in zip(self.order, found, strict=False)]
        return replace(session, trials=tuple(replace(one, number=number) for number, one in sorted(trials)))

    @property
    def _request_name(self) -> str:
        return f"request-{self.secret[:8]}.json"

    def _request(self) -> str:
        return json.dumps(
            {
                "program": self.program,
                "module": PurePath(self.tests.module).stem,
                "programs": [self.tests.programs[number].text for number in self.order],
                "cpu_seconds": self.cpu_seconds,
                "secret": self.secret,
            }
        )


@contextmanager
def reported_trial(program: str, tests: OwnTests, limits: Limits) -> Iterator[TrialReport]:
    """Give a fresh secret, order and report for one trial of the tests in `program`.

    Each of the programs may take an equal share of the processor time, half of which a busy machine may take away.
    """
    order = random.SystemRandom().sample(range(len(tests.programs)), len(tests.programs))
    share = min(limits.wall_seconds / (2 * len(order)), limits.cpu_seconds or limits.wall_seconds)
    with tempfile.TemporaryFile(buffering=0) as report:
        yield TrialReport(
            program=program,
            tests=tests,
            cpu_seconds=max(1, int(share)),
            order=order,
            secret=secrets.token_hex(16),
            descriptor=report.fileno(),
        )


def _read_report(content: bytes, secret: str) -> list[TrialResult]:
    """What was found out about each program; nothing when this is no such report."""
    try:
        plain = json.loads(content)
        if secrets.compare_digest(plain["secret"], secret):
            return [_result(one) for one in plain["found"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return []


def _result(plain: object) -> TrialResult:
    """What was found of one program; tests that note something else than a result have ended themselves."""
    match plain:
        case {
            "end": str(end),
            "tests": int(tests),
            "test": str(test),
            "line": int() | None as line,
            "code": str(code),
            "error": str(error),
        } if end in list(TrialEnd):
            return TrialResult(number=0, end=TrialEnd(end), tests=tests, test=test, line=line, code=code, error=error)
    return TrialResult(number=0, end=TrialEnd.ENDED, tests=0, test="", line=None, code="", error="")
