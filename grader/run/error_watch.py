"""The watches on programs: of a language for errors, especially in their use of memory, and of plugins."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from grader.model.outcome import Outcome
from grader.model.program import Limits, RunWatch
from grader.run.interface import Launch


class WatchReport:
    """The report on one run; of a program that is not watched there is none."""

    def launch(self, launch: Launch) -> Launch:
        """Return what is started, with what the report needs."""
        return launch

    def outcome(self, outcome: Outcome, _launch: Launch) -> Outcome:
        """Return the outcome with what was reported."""
        return outcome


class SessionWatch(RunWatch):
    """A watch on a program while it runs, which does nothing."""

    def files_beside(self) -> Mapping[str, bytes]:
        """Return the files that lie beside the program: content by name."""
        return {}

    def limits(self, limits: Limits) -> Limits:
        """Return the limits of the program."""
        return limits

    def report(self, _limits: Limits, /) -> AbstractContextManager[WatchReport]:
        """Open what takes the report on one run of a program that has these limits."""
        return nullcontext(WatchReport())


class ErrorWatch(SessionWatch):
    """What finds errors while a program runs. This one does nothing."""

    files: Mapping[str, str] = {}
    """The files that a build needs in addition to those of the submission: text by name."""

    def missing(self) -> str | None:
        """Name what is not installed here; return None if nothing is missing."""

    def build_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that builds the program. Raises SessionError if something is missing."""
        return command

    def run_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that runs the program."""
        return command
