"""Watches programs while they run: languages look for errors such as misuse of memory, plugins for other things."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from grader.model.outcome import Outcome
from grader.model.program import Limits, RunWatch
from grader.run.interface import Launch


class WatchReport:
    """The report on one run; a program that is not watched has none."""

    def launch(self, launch: Launch) -> Launch:
        """Return the launch, with everything that the report needs."""
        return launch

    def outcome(self, outcome: Outcome, _launch: Launch) -> Outcome:
        """Return the outcome with the reported errors."""
        return outcome


class SessionWatch(RunWatch):
    """A watch on a running program that does nothing."""

    def files_beside(self) -> Mapping[str, bytes]:
        """Return the extra files to put beside the program: content by name."""
        return {}

    def limits(self, limits: Limits) -> Limits:
        """Return the limits of the program."""
        return limits

    def report(self, _limits: Limits, /) -> AbstractContextManager[WatchReport]:
        """Open a report on one run of a program with these limits."""
        return nullcontext(WatchReport())


class ErrorWatch(SessionWatch):
    """A tool that detects errors in a running program. This base class does nothing."""

    files: Mapping[str, str] = {}
    """The files that a build needs in addition to those of the submission: text by name."""

    def missing(self) -> str | None:
        """Return the name of something that is not installed here, or None if nothing is missing."""

    def build_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that builds the program. Raises SessionError if something is missing."""
        return command

    def run_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that runs the program."""
        return command
