"""Everything a diagnosis may look at."""

from dataclasses import dataclass
from functools import cached_property

from grader.judge.divergence import Divergence, lines_of
from grader.judge.traceback import Traceback
from grader.run.outcome import Outcome
from grader.spec.assignment import Test


@dataclass(frozen=True)
class Evidence:
    """One session that did not pass, beside what was expected."""

    test: Test
    expected: str
    outcome: Outcome
    divergence: Divergence | None
    traceback: Traceback | None

    @property
    def actual(self) -> str:
        """The student's transcript."""
        return self.outcome.transcript

    @cached_property
    def expected_lines(self) -> list[str]:
        """The expected transcript by lines."""
        return lines_of(self.expected)

    @cached_property
    def actual_lines(self) -> list[str]:
        """The student's transcript by lines."""
        return lines_of(self.actual)
