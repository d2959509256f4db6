"""Tries versions of a program in forks, and records there which lines tests run."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from grader.model.interaction import FunctionCall
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine
from grader.model.results import TestResult
from grader.plugins.locating.ranking import TracedTest
from grader.plugins.locating.repairing.failing import MendedProgram
from grader.plugins.locating.repairing.forked_versions import MAX_BYTES, ForkedVersion, ForkServer
from grader.plugins.locating.repairing.suspicion import suspicious_lines
from grader.plugins.locating.stand_ins import right_until

_TIMES_LONGER_IF_STARVED = 20


@dataclass(frozen=True)
class Forks:
    """The forks of `server` for versions of a program, which may use this many `seconds` of processor time.

    They may run `times_longer` than that.
    """

    server: ForkServer
    seconds: float
    times_longer: int = _TIMES_LONGER_IF_STARVED

    def version(self, text: str) -> ForkedVersion:
        """Return a version of the program."""
        return ForkedVersion(text, self.server, self.seconds, self.seconds * self.times_longer)

    @contextmanager
    def versions(self, texts: Sequence[str]) -> Iterator[Sequence[ForkedVersion]]:
        """Yield versions of the program; see `OpenVersions`."""
        yield list(map(self.version, texts))

    def ranks(self, program: MendedProgram, failed: TestResult, passed: Sequence[TestResult]) -> Mapping[int, int]:
        """Return the order of suspicion of the lines that the failing test runs before its first wrong output."""
        version = self.version(program.text)

        def ran(result: TestResult) -> TracedTest:
            is_right = result.verdict is Verdict.PASSED
            # The transcript of a call is only a part of what is printed.
            to_the_end = is_right or isinstance(result.test.interaction, FunctionCall)
            lines = version.lines(result.test, MAX_BYTES if to_the_end else _right_bytes(result))
            return TracedTest(passed=is_right, lines=tuple(CodeLine(program.name, line) for line in lines))

        return suspicious_lines(program.name, program.text, ran(failed), list(map(ran, passed)))


def _right_bytes(result: TestResult) -> int:
    transcript = result.outcome.transcript if result.outcome else ""
    return len(transcript[: right_until(result)].encode("utf-8", "surrogateescape"))
