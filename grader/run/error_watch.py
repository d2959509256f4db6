"""Watches running programs: languages look for errors such as memory misuse, and plugins for other things."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from grader.model.outcome import Outcome
from grader.model.program import Limits, RunWatch
from grader.run.interface import Launch


class WatchReport:
    """The report on a run; a program that is not watched has an empty one."""

    def launch(self, launch: Launch) -> Launch:
        """Return the launch, extended with everything that the report needs."""
        return launch

    def outcome(self, outcome: Outcome, _launch: Launch) -> Outcome:
        """Return the outcome, extended with the reported errors."""
        return outcome


class SessionWatch(RunWatch):
    """A watch on a running program that does nothing."""

    def files_beside(self) -> Mapping[str, bytes]:
        """Return extra files to place next to the program, as content by name."""
        return {}

    def limits(self, limits: Limits) -> Limits:
        """Return the limits of the program."""
        return limits

    def report(self, _limits: Limits, /) -> AbstractContextManager[WatchReport]:
        """Open a report on a run of the program with these limits."""
        return nullcontext(WatchReport())


class ErrorWatch(SessionWatch):
    """A tool that detects errors in a running program. This base class does nothing."""

    files: Mapping[str, str] = {}
    """The files that a build needs in addition to the submission, as text by name."""

    def missing(self) -> str | None:
        """Return the name of a missing tool, or None if everything is installed."""

    def build_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that builds the program. Raises SessionError if a tool is missing."""
        return command

    def run_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that runs the program."""
        return command
