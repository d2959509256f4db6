"""One trial of a student's tests: a child process tries them on one of the instructor's programs.

A student's tests run in the process that records their results, so they could forge their results. But they do not know
which program is which, so cheating is no better than guessing.
"""

import ast
import io
import json
import os
import secrets
import tempfile
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePath

from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.plugins.own_tests.trial_result import FIXTURES, TrialEnd, TrialResult, reported
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter

_MAX_BYTES = 10_000_000


@dataclass(frozen=True, kw_only=True)
class TrialReport:
    """One trial of the tests in `program`, with a single program in place of `module`."""

    program: str
    module: str
    tried: TrialProgram
    cpu_seconds: int
    secret: str
    descriptor: int

    @property
    def child(self) -> str:
        """The name of the script that tries the tests."""
        return f"trial-{self.secret[:8]}.py"

    @property
    def files(self) -> Mapping[str, str]:
        """The texts of the files to add to the working folder, by name."""
        return {self.child: _child_text(), self._request_name: self._request()}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        child = interpreter.program(self.child, workdir, variables, (self._request_name,))
        return replace(child, descriptors={3: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome of the trial, given the child's outcome, without anything about the program."""
        return replace(session, reported=reported(_read_report(os.pread(self.descriptor, _MAX_BYTES, 0), self.secret)))

    @property
    def _request_name(self) -> str:
        return f"request-{self.secret[:8]}.json"

    def _request(self) -> str:
        return json.dumps(
            {
                "program": self.program,
                "module": PurePath(self.module).stem,
                "text": without_comments(self.tried.text),
                "cpu_seconds": self.cpu_seconds,
                "secret": self.secret,
                "fixtures": FIXTURES,
            }
        )


@cache
def _child_text() -> str:
    """Return the text of a file that this process never runs itself. The file may be in an archive."""
    return files("grader.plugins.own_tests").joinpath("child.py").read_text(encoding="utf-8")


@contextmanager
def reported_trial(program: str, tests: OwnTests, limits: Limits) -> Iterator[TrialReport]:
    """Yield a report, with a fresh secret, for a trial of the tests in `program` on the only program of `tests`.

    The trial may use half of the time as processor time, because a busy machine may use the other half.
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


def without_comments(text: str) -> str:
    """Return a Python program without its comments, which may describe its fault and could be read in memory.

    Text that this Python cannot parse is not changed.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        ast.parse(plain)
        tokens = list(tokenize.generate_tokens(io.StringIO(plain).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return text
    lines = plain.split("\n")
    for token in tokens:
        if token.type == tokenize.COMMENT:
            (row, begin), (_, end) = token.start, token.end
            lines[row - 1] = lines[row - 1][:begin] + lines[row - 1][end:]
    return "\n".join(lines)


def _read_report(content: bytes, secret: str) -> tuple[TrialResult, ...]:
    """Read the result of a trial; return nothing if this is not a valid report."""
    try:
        plain = json.loads(content)
        if secrets.compare_digest(plain["secret"], secret):
            return (_trial_result(plain["found"]),)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return ()


def _trial_result(plain: object) -> TrialResult:
    """Read the result for a program. If it is malformed, the tests ended the process themselves."""
    match plain:
        case {"end": str(end), "test": str(test), "line": int() | None as line, "error": str(error)} if end in list(
            TrialEnd
        ):
            return TrialResult(number=0, end=TrialEnd(end), tests=0, test=test, line=line, code="", error=error)
    return TrialResult(number=0, end=TrialEnd.ENDED, tests=0, test="", line=None, code="", error="")
