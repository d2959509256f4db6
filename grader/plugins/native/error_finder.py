"""Starts programs under a sanitizer or valgrind, and collects the reported errors.

Reports go through a separate socket, so they are not part of the output, and are collected at once, so a program cannot
take back what was reported about it. The program has the socket too. If it adds a report, it only harms itself, because
any other text counts as an error. If it closes the socket, it cannot send the mark that confirms a check for leaks.
"""

import re
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from grader.errors import SessionError
from grader.model.outcome import Outcome, Termination
from grader.model.program import BuildCommands, ErrorFinder, Limits, Sanitized, Sanitizer, UnderValgrind
from grader.plugins.native.missing_finder import missing_finder
from grader.plugins.native.watched_code import (
    FOUND_STATUS,
    MARK_VARIABLE,
    REPORT_DESCRIPTOR,
    source_beside,
    watched_command,
)
from grader.run.error_watch import ErrorWatch, WatchReport
from grader.run.interface import Launch
from grader.run.transcript import transcript_of

_MAX_BYTES = 1_000_000
_NOT_CHECKED = "\n\n==0== Memory not checked\n"
# A memory error found by a sanitizer ends the program at once.
_ENDS_AT_ONCE = re.compile(r"ERROR: (?:Address|Leak)Sanitizer: ")
# As large as a stack may be, because valgrind takes anything larger for a switch to another stack.
_LARGEST_FRAME = 1 << 24
# Enough frames for a student's line that calls a library function, which calls other functions.
_MAX_CALLERS = 40
# A program may restart itself, or start others, which then have neither settings nor a channel to valgrind.
_UNDISTURBED = ("--trace-children=yes", "--command-line-only=yes", "--vgdb=no")
SHADOW_BYTES = 1 << 46
"""The addresses that a sanitizer reserves as a shadow of all other addresses; almost none of them are used."""


class ReportSocket:
    """A socket that collects reports as they arrive."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()
        self._content = bytearray()
        self._thread = Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        while piece := self._ours.recv(1 << 16):
            if len(self._content) <= _MAX_BYTES:
                self._content += piece

    def finish(self) -> bytes:
        """Stop collecting, and return the reports, up to a limit."""
        self._ours.shutdown(socket.SHUT_RD)
        self._thread.join()
        return bytes(self._content)

    def close(self) -> None:
        """Close both ends."""
        self.finish()
        self._ours.close()
        self.theirs.close()


@dataclass(frozen=True)
class ErrorReport(WatchReport):
    """The destination of the reports on one run, and the settings of sanitizers.

    The program reports the `mark` if it ends in a way that checks for leaks; the mark is empty if leaks are not
    checked.
    """

    socket: ReportSocket
    variables: Mapping[str, str]
    mark: str = ""

    def launch(self, launch: Launch) -> Launch:
        """Return the launch with the descriptor."""
        return replace(
            launch,
            environment={**launch.environment, **self.variables},
            descriptors={**launch.descriptors, REPORT_DESCRIPTOR: self.socket.theirs.fileno()},
        )

    def outcome(self, outcome: Outcome, launch: Launch) -> Outcome:
        """Return the outcome with the report, without the path of the private folder."""
        content = self.socket.finish()
        report = transcript_of(content[:_MAX_BYTES].replace(self.mark.encode(), b""), launch).text
        is_whole = self.mark.encode() in content and len(content) <= _MAX_BYTES
        if not is_whole and outcome.ending is Termination.EXITED and not _ENDS_AT_ONCE.search(report):
            report += _NOT_CHECKED if report else _NOT_CHECKED.lstrip("\n")
        return replace(outcome, error_report=self.plain(report, launch))

    def plain(self, report: str, launch: Launch) -> str:
        """Return a report without the path of the private folder."""
        return _without_build_folder(report, launch.workdir)


def _without_build_folder(report: str, workdir: Path) -> str:
    """Return the report without the path of the build folder, which is beside the folder of the run."""
    if workdir.parent == Path(workdir.anchor):
        return report
    return re.sub(rf"{re.escape(str(workdir.parent))}/[^/\s]+/", "", report)


class WatchedProgram(ErrorWatch):
    """A program that is built with sanitizers, or runs in valgrind."""

    def __init__(self, recipe: BuildCommands) -> None:
        """Watch the program of this recipe."""
        self._recipe = recipe
        self._finder = recipe.finder
        self.files = source_beside(self._finder)

    def missing(self) -> str | None:
        """Return the name of something that is not installed here, or None if nothing is missing."""
        return missing_finder(self._recipe)

    def build_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that builds the program. Raises SessionError if something is missing."""
        fault = self.missing()
        if fault is not None:
            raise SessionError(fault)
        return watched_command(self._finder, command)

    def run_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that runs the program."""
        if not isinstance(self._finder, UnderValgrind):
            return command
        kinds = ("--show-leak-kinds=definite", "--errors-for-leak-kinds=definite")
        look = ("--leak-check=full", *kinds) if self._finder.leaks else ("--leak-check=no",)
        ends = (f"--max-stackframe={_LARGEST_FRAME}", f"--error-exitcode={FOUND_STATUS}")
        reports = (
            "--quiet",
            f"--log-fd={REPORT_DESCRIPTOR}",
            "--fullpath-after=",
            f"--num-callers={_MAX_CALLERS}",
        )
        return ("valgrind", *_UNDISTURBED, *reports, *ends, *look, *command)

    def limits(self, limits: Limits) -> Limits:
        """Return the program's limits. A sanitizer reserves addresses without using the memory."""
        return replace(limits, data_bytes=SHADOW_BYTES) if isinstance(self._finder, Sanitized) else limits

    @contextmanager
    def report(self, _: Limits) -> Iterator[ErrorReport]:
        """Open a report on one run of a program with these limits."""
        with closing(ReportSocket()) as reports:
            mark = f"|{secrets.token_hex(16)}|" if _looks_for_leaks(self._finder) else ""
            yield ErrorReport(reports, {**dict(_variables(self._finder)), MARK_VARIABLE: mark}, mark)


def _looks_for_leaks(finder: ErrorFinder) -> bool:
    if isinstance(finder, Sanitized):
        return finder.leaks and Sanitizer.ADDRESS in finder.sanitizers
    return isinstance(finder, UnderValgrind) and finder.leaks


def _variables(finder: ErrorFinder) -> Iterator[tuple[str, str]]:
    if isinstance(finder, Sanitized):
        leaks = f"detect_leaks={int(finder.leaks)}"
        yield "ASAN_OPTIONS", f"{leaks}:color=never:allocator_may_return_null=1:detect_stack_use_after_return=1"
        yield "LSAN_OPTIONS", "color=never"
        yield "UBSAN_OPTIONS", "color=never:print_stacktrace=1"
