"""Runs tests on changed versions of a program, many of which share a folder under names of their own.

Preparing a folder takes longer than running a program.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.model.assignment import Isolation
from grader.model.interaction import ReplSession
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.submission import SubmittedFile
from grader.model.test import Test
from grader.run.interface import RunnerFactory, TestRunner
from grader.text.difference import common_prefix

_MAX_AT_ONCE = 50
_LONGER_IF_STARVED = 20


@dataclass(frozen=True)
class StandIn:
    """A version of a program under the name `name`; no run of it exceeds the wall time of `limits`."""

    name: str
    runner: TestRunner
    limits: Limits

    def outcome(self, test: Test) -> Outcome:
        """Run a test of the original program, and return the outcome as if the version had the original name.

        A run that other processes delayed for too long is repeated with more time.
        """
        usual = test.limits or self.limits
        limits = replace(usual, wall_seconds=min(usual.wall_seconds, self.limits.wall_seconds))
        outcome = self._run(test, limits)
        if outcome.is_starved:
            wall_seconds = limits.wall_seconds * _LONGER_IF_STARVED
            outcome = self._run(test, replace(limits, wall_seconds=wall_seconds, cpu_seconds=1))
        stem, stand_in = Path(test.program).stem, Path(self.name).stem
        return replace(outcome, transcript=outcome.transcript.replace(stand_in, stem))

    def _run(self, test: Test, limits: Limits) -> Outcome:
        return self.runner.run(_for_program(test, self.name), limits, Isolation.FORK, test.environment)


@contextmanager
def stand_ins(
    program: str, texts: Sequence[str], files: Sequence[SubmittedFile], environment: RunnerFactory, limits: Limits
) -> Iterator[Sequence[StandIn]]:
    """Yield a stand-in for each of at most `most_at_once` versions of a program. Raises OSError and GraderError."""
    names = [_name(program, number) for number in range(len(texts))]
    with tempfile.TemporaryDirectory() as folder:
        paths = [(file.path, file.name) for file in files if file.name not in names]
        for name, text in zip(names, texts, strict=True):
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            paths.append((path, name))
        with environment.runner(paths) as runner:
            yield [StandIn(name, runner, limits) for name in names]


def most_at_once(program: str) -> int:
    """Return how many versions of a program can share a folder: one if it keeps its name."""
    return _MAX_AT_ONCE if program.endswith(".py") else 1


def right_until(result: TestResult) -> int:
    """Return how many characters of the output come before the first difference that counts."""
    transcript = result.outcome.transcript if result.outcome else ""
    right = common_prefix(result.expected, transcript)
    if result.compared is None:
        return right
    # What is compared lacks the differences that are ignored, most of which are in blanks and lines.
    expected, actual = ("".join(text.split()) for text in (result.compared.expected, result.compared.actual))
    return max(right, _end_of(transcript, common_prefix(expected, actual)))


def _end_of(text: str, count: int) -> int:
    """Return where the first `count` characters of a text end that are not blank."""
    for word in re.finditer(r"\S+", text):
        count -= len(word[0])
        if count <= 0:
            return word.end() + count
    return len(text)


def _name(program: str, number: int) -> str:
    """Return a name for a version, if possible as long as the original, so that no offset changes.

    A program that is built keeps its name, which the commands that build it contain.
    """
    if not program.endswith(".py"):
        return program
    stem = Path(program).stem
    return f"{stem[:-2] or 'x'}{number:02}.py"


def _for_program(test: Test, name: str) -> Test:
    """Return the test for a program with another name, which a session at Python's prompt imports."""
    interaction = test.interaction
    if isinstance(interaction, ReplSession):
        stem, stand_in = Path(test.program).stem, Path(name).stem
        interaction = replace(interaction, lines=tuple(line.replace(stem, stand_in) for line in interaction.lines))
    return replace(test, program=name, interaction=interaction)
