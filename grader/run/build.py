"""Which programs of a submission have been built, and how that ended."""

from collections.abc import Callable
from dataclasses import replace

from grader.run.outcome import Ending, Outcome
from grader.spec.assignment import Test


class Builds:
    """The builds of one submission: each program is built once, when its first test is run."""

    def __init__(self) -> None:
        self._outcomes: dict[str, Outcome] = {}

    def failure(self, test: Test, build: Callable[[], Outcome]) -> Outcome | None:
        """Return how the build of the test's program failed, None if it did not or there is nothing to build.

        `build` is called for the first test of a program.
        """
        if test.recipe is None or test.recipe.build is None:
            return None
        if test.program not in self._outcomes:
            self._outcomes[test.program] = build()
        outcome = self._outcomes[test.program]
        return None if is_built(outcome) else replace(outcome, in_build=True)


def is_built(outcome: Outcome) -> bool:
    """Say whether a build ended as it should."""
    return outcome.ending is Ending.EXITED and outcome.exit_code == 0
