"""Starts programs under a sanitizer or valgrind, and collects the reported errors.

Reports go through a socket of their own, so that they are no part of what the program prints, and are taken at once: no
program can take back what was reported of it. It has the socket too and could add a report, which only harms itself,
because text that is no report counts as an error; or close it, and then does not report the mark that says that it
ended where leaks are looked for.
"""

import re
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import assert_never

from grader.model.outcome import Outcome, Termination
from grader.model.program import BuildCommands, ErrorFinder, Limits, NotWatched, Sanitized, Sanitizer, UnderValgrind
from grader.model.test import Test
from grader.run.interface import Launch
from grader.run.transcript import transcript_of
from grader.run.watched_code import FOUND_STATUS, MARK_VARIABLE, REPORT_DESCRIPTOR

_MOST_BYTES = 1_000_000
_NOT_CHECKED = "\n\n==0== Memory not checked\n"
# A memory error found by a sanitizer ends the program at once.
_ENDS_AT_ONCE = re.compile(r"ERROR: (?:Address|Leak)Sanitizer: ")
# As large as a stack may be: what is larger, valgrind takes for a switch to another stack.
_LARGEST_FRAME = 1 << 24
# The line of the student's that calls a function of a library, which calls others.
_MOST_CALLERS = 40
# A program may start itself again, or others, and has neither settings nor a channel of its own to valgrind.
_UNDISTURBED = ("--trace-children=yes", "--command-line-only=yes", "--vgdb=no")
# The shadow of all addresses is set aside, and next to nothing of it is used.
_SHADOW_BYTES = 1 << 46


def run_command(recipe: BuildCommands) -> tuple[str, ...]:
    """Return the command that runs the program."""
    match recipe.finder:
        case UnderValgrind(leaks=leaks):
            kinds = ("--show-leak-kinds=definite", "--errors-for-leak-kinds=definite")
            look = ("--leak-check=full", *kinds) if leaks else ("--leak-check=no",)
            ends = (f"--max-stackframe={_LARGEST_FRAME}", f"--error-exitcode={FOUND_STATUS}")
            reports = (
                "--quiet",
                f"--log-fd={REPORT_DESCRIPTOR}",
                "--fullpath-after=",
                f"--num-callers={_MOST_CALLERS}",
            )
            return ("valgrind", *_UNDISTURBED, *reports, *ends, *look, *recipe.run)
        case Sanitized() | NotWatched():
            return recipe.run


def limits_with(recipe: BuildCommands | None, limits: Limits) -> Limits:
    """Return the limits of the program: a sanitizer reserves addresses, which are no memory."""
    if recipe is not None and isinstance(recipe.finder, Sanitized):
        return replace(limits, data_bytes=_SHADOW_BYTES)
    return limits


class ReportSocket:
    """A socket that collects reports as they arrive."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()
        self._content = bytearray()
        self._thread = Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        while piece := self._ours.recv(1 << 16):
            if len(self._content) <= _MOST_BYTES:
                self._content += piece

    def finish(self) -> bytes:
        """Stop collecting, and return the reports up to a limit."""
        self._ours.shutdown(socket.SHUT_RD)
        self._thread.join()
        return bytes(self._content)

    def close(self) -> None:
        """Close both ends."""
        self.finish()
        self._ours.close()
        self.theirs.close()


@dataclass(frozen=True)
class ErrorReport:
    """Where the reports on one run go, and what sanitizers are told; None: nothing is reported.

    The program reports the `mark` when it ends so that leaks are looked for; it is empty where none are.
    """

    socket: ReportSocket | None
    variables: Mapping[str, str]
    mark: str = ""

    def launch(self, launch: Launch) -> Launch:
        """Return the same with the descriptor."""
        if self.socket is None:
            return launch
        return replace(
            launch,
            environment={**launch.environment, **self.variables},
            descriptors={**launch.descriptors, REPORT_DESCRIPTOR: self.socket.theirs.fileno()},
        )

    def outcome(self, outcome: Outcome, launch: Launch) -> Outcome:
        """Return the outcome with what was reported, without the path of the private folder."""
        if self.socket is None:
            return outcome
        content = self.socket.finish()
        report = transcript_of(content[:_MOST_BYTES].replace(self.mark.encode(), b""), launch).text
        is_whole = self.mark.encode() in content and len(content) <= _MOST_BYTES
        if not is_whole and outcome.ending is Termination.EXITED and not _ENDS_AT_ONCE.search(report):
            report += _NOT_CHECKED if report else _NOT_CHECKED.lstrip("\n")
        return replace(outcome, error_report=_without_build_folder(report, launch.workdir))


def _without_build_folder(report: str, workdir: Path) -> str:
    """Return the report without the path of the folder beside that of the run in which the program was built."""
    if workdir.parent == Path(workdir.anchor):
        return report
    return re.sub(rf"{re.escape(str(workdir.parent))}/[^/\s]+/", "", report)


@contextmanager
def error_report(test: Test) -> Iterator[ErrorReport]:
    """Open what takes the reports on one run of `test`."""
    finder: ErrorFinder = NotWatched() if test.recipe is None else test.recipe.finder
    match finder:
        case NotWatched():
            yield ErrorReport(socket=None, variables={})
        case Sanitized() | UnderValgrind():
            with closing(ReportSocket()) as reports:
                mark = f"|{secrets.token_hex(16)}|" if _looks_for_leaks(finder) else ""
                yield ErrorReport(reports, {**dict(_variables(finder)), MARK_VARIABLE: mark}, mark)
        case _:
            assert_never(finder)


def _looks_for_leaks(finder: Sanitized | UnderValgrind) -> bool:
    return finder.leaks and (isinstance(finder, UnderValgrind) or Sanitizer.ADDRESS in finder.sanitizers)


def _variables(finder: Sanitized | UnderValgrind) -> Iterator[tuple[str, str]]:
    if isinstance(finder, Sanitized):
        leaks = f"detect_leaks={int(finder.leaks)}"
        yield "ASAN_OPTIONS", f"{leaks}:color=never:allocator_may_return_null=1:detect_stack_use_after_return=1"
        yield "LSAN_OPTIONS", "color=never"
        yield "UBSAN_OPTIONS", "color=never:print_stacktrace=1"
