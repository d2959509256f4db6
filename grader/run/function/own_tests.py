"""A test of the tests that a student wrote: a child process tries them on good and bad programs of the instructor.

A student's tests run where what they find is noted, and could note something else. They do not know which of the
programs is which, so that they can win no more than by a guess.
"""

import json
import os
import random
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from grader.errors import SessionError
from grader.model.interaction import OwnTests, TrialProgram
from grader.model.outcome import Outcome, Termination, TrialEnd, TrialResult
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.function.call import own_text
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.run_slots import is_starved

_MOST_BYTES = 10_000_000

_ENDLESS = TrialResult(number=0, end=TrialEnd.ENDLESS, tests=0, test="", line=None, code="", error="")


def run_trials(test: Test, own: OwnTests, limits: Limits, run: Callable[[Test, Limits], Outcome]) -> Outcome:
    """Try the tests on each of the programs, in an order that they cannot know.

    Each program is tried by `run`, so that nothing of one trial is there in the next. It may take an equal share of the
    time. The first trial that does not end by itself is the last, but that tests wait or collect for ever is a way to
    refuse a bad program: tests that do so with every program fail by a good one. Raises SessionError when a busy
    machine had no time for a bad program, and the good ones were let pass.
    """
    order = random.SystemRandom().sample(range(len(own.programs)), len(own.programs))
    share = replace(limits, wall_seconds=limits.wall_seconds / len(order))
    outcomes: list[Outcome] = []
    trials: list[TrialResult] = []
    is_busy = False
    for number in order:
        alone = OwnTests(own.module, (own.programs[number],))
        outcome = run(replace(test, interaction=alone), share)
        if number >= len(own.good) and outcome.ending in (Termination.TIMED_OUT, Termination.MEMORY_LIMIT):
            is_busy = outcome.ending is Termination.TIMED_OUT and is_starved(outcome)
            found = () if is_busy else (_ENDLESS,)
            outcome = replace(outcome, ending=Termination.EXITED, exit_code=0, trials=found)
        outcomes.append(outcome)
        trials += (replace(result, number=number) for result in outcome.trials)
        if outcome.ending is not Termination.EXITED:
            break
    else:
        if is_busy and all(result.end is TrialEnd.PASSED for result in trials):
            raise SessionError("the machine was too busy to tell whether the tests of the student come to an end")
    return replace(
        outcomes[-1],
        wall_seconds=sum(one.wall_seconds for one in outcomes),
        cpu_seconds=sum(one.cpu_seconds for one in outcomes),
        trials=tuple(sorted(trials, key=lambda one: one.number)),
    )


@dataclass(frozen=True, kw_only=True)
class TrialReport:
    """One trial of the tests in `program` with one program in the place of `module`."""

    program: str
    module: str
    tried: TrialProgram
    cpu_seconds: int
    secret: str
    descriptor: int

    @property
    def child(self) -> str:
        """The name of the program that tries the tests."""
        return f"trial-{self.secret[:8]}.py"

    @property
    def files(self) -> Mapping[str, str]:
        """What must be in the working folder in addition to the submission: text by name."""
        source = own_text("trial.py")
        return {self.child: source, self._request_name: self._request()}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """What is started."""
        child = interpreter.program(self.child, workdir, variables, (self._request_name,))
        return replace(child, descriptors={3: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """The outcome of the trial, given that of the child: nothing of the program is shown."""
        return replace(session, trials=_read_report(os.pread(self.descriptor, _MOST_BYTES, 0), self.secret))

    @property
    def _request_name(self) -> str:
        return f"request-{self.secret[:8]}.json"

    def _request(self) -> str:
        return json.dumps(
            {
                "program": self.program,
                "module": PurePath(self.module).stem,
                "text": self.tried.text,
                "cpu_seconds": self.cpu_seconds,
                "secret": self.secret,
            }
        )


@contextmanager
def reported_trial(program: str, tests: OwnTests, limits: Limits) -> Iterator[TrialReport]:
    """Give a fresh secret and report for one trial of the tests in `program` on the only program of `tests`.

    It may take half of the time as processor time: the other half a busy machine may take away.
    """
    [tried] = tests.programs
    share = min(limits.wall_seconds / 2, limits.cpu_seconds or limits.wall_seconds)
    with tempfile.TemporaryFile(buffering=0) as report:
        yield TrialReport(
            program=program,
            module=tests.module,
            tried=tried,
            cpu_seconds=max(1, int(share)),
            secret=secrets.token_hex(16),
            descriptor=report.fileno(),
        )


def _read_report(content: bytes, secret: str) -> tuple[TrialResult, ...]:
    """What was found out about the program; nothing when this is no such report."""
    try:
        plain = json.loads(content)
        if secrets.compare_digest(plain["secret"], secret):
            return (_result(plain["found"]),)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return ()


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
