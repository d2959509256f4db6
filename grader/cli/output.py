"""Output shared by commands: a workflow's job summary, and messages on standard error next to a report."""

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING

from grader.api.request import GradeRequest, Progress, Tick, no_progress
from grader.errors import GraderError, reported_as
from grader.extensions import COMMANDS, find_extension

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.model.results import ClassResult, GradedSubmission

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells."""

_MAX_BYTES = 1_000_000


class SummaryError(GraderError):
    """The job summary cannot be written."""


def add_step_summary(markdown: str) -> None:
    """Add Markdown to the job summary of a GitHub workflow, if there is one. Raises SummaryError."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file or not markdown:
        return
    # GitHub rejects a summary of more than 1 MiB entirely.
    content = markdown.encode("utf-8", "backslashreplace")[:_MAX_BYTES].decode("utf-8", "ignore")
    failure = f"The job summary cannot be added to {file}"
    with reported_as(SummaryError, failure), Path(file).open("a", encoding="utf-8") as summary:
        summary.write(content)


class Messages:
    """A command's messages on standard error next to its report: notes, and progress."""

    def notes(self, assignment: "Assignment", further: Sequence[str] = ()) -> None:
        """Print the notes about an assignment's files, and any other notes that no report contains."""
        from grader.text.escape import escape_controls

        for note in (*assignment.notes, *further):
            print(f"note: {escape_controls(str(note))}", file=sys.stderr)

    def warnings(self, graded: "ClassResult") -> None:
        """Print why the marks of a whole class may be wrong, even with `-q`."""
        from grader.text.escape import escape_controls

        for warning in graded.warnings:
            print(f"warning: {escape_controls(f'{graded.assignment.id}: {warning}')}", file=sys.stderr)

    def replaces(self, assignment: str, other: str) -> None:
        """Print that the reports on an assignment were about another class, even with `-q`."""
        from grader.text.escape import escape_controls

        words = f"{assignment}: this replaces the reports on {other}; to keep both, name another folder with --reports"
        print(f"note: {escape_controls(words)}", file=sys.stderr)

    def class_notes(self, graded: "ClassResult") -> None:
        """Print notes about incomplete marks in a class and entries without effect, even with `-q`."""
        from grader.text.escape import escape_controls

        elsewhere = {*map(str, graded.assignment.notes), *graded.warnings, *graded.without_effect}
        self.notes(graded.assignment, [note for note in graded.notes if note not in elsewhere])
        for entry in graded.without_effect:
            print(f"warning: {escape_controls(f'{graded.assignment.id}: {entry}')}", file=sys.stderr)

    def next_command(self, folder: Path, *, waits: bool) -> None:
        """Suggest the next command after grading in a terminal; `waits` means that a person must decide something."""
        command, purpose = ("serve", "decide in the browser") if waits else ("report", "make web pages")
        if sys.stderr.isatty() and find_extension(COMMANDS, command):
            print(f"Next: grader {command} {shlex.quote(str(folder))}   ({purpose})", file=sys.stderr)

    def progress(self, counted: str, /) -> Progress:
        """Return a callback for the progress of a task; see `progress_bar`."""
        from grader.reports.terminal.console import progress_bar

        return partial(progress_bar, counted)

    @contextmanager
    def stage(self, task: str) -> Iterator[None]:
        """Report that a stage is finished, and the time since the start."""
        with self.progress("")(task, 0):
            yield

    def detail(self, line: str, /) -> None:
        """Print a detail for users who asked for details."""

    def tests(self, graded: "GradedSubmission", /) -> None:
        """Print the verdicts of a submission for users who asked for details."""


class QuietMessages(Messages):
    """The messages with `-q`: only errors, which are reported elsewhere."""

    def notes(self, assignment: "Assignment", further: Sequence[str] = ()) -> None:
        """Print nothing."""

    def next_command(self, folder: Path, *, waits: bool) -> None:
        """Print nothing."""

    def progress(self, _counted: str, /) -> Progress:
        """Print nothing."""
        return no_progress


@dataclass(frozen=True)
class VerboseMessages(Messages):
    """The messages with `-v`, which include details and how long each task took."""

    clock: Callable[[], float] = perf_counter

    def progress(self, counted: str, /) -> Progress:
        """Report the progress of a task, and finally how long it took."""
        return partial(self._timed, counted)

    @contextmanager
    def _timed(self, counted: str, task: str, steps: int) -> Iterator[Tick]:
        began = self.clock()
        with super().progress(counted)(task, steps) as tick:
            yield tick
        words = counted.removesuffix("s") if steps == 1 else counted
        count = f"{steps} {words}".rstrip() + " in " if steps else ""
        self.detail(f"{task}: {count}{self.clock() - began:.2f} s")

    def detail(self, line: str, /) -> None:
        """Print the detail."""
        from grader.text.escape import escape_controls

        print(escape_controls(line), file=sys.stderr)

    def tests(self, graded: "GradedSubmission", /) -> None:
        """Print the verdicts, and how long the sessions took if they ran."""
        for result in graded.results:
            seconds = f", {result.outcome.wall_seconds:.2f} s" if result.outcome else ""
            self.detail(f"{graded.submission.student}, {result.test.id}: {result.verdict}{seconds}")


class InterruptibleProgress:
    """Progress of the tests; the first Ctrl-C sets `cancelled` instead of ending the command."""

    def __init__(self, messages: Messages) -> None:
        self.cancelled = Event()
        self._progress = messages.progress("verdicts")

    @contextmanager
    def __call__(self, task: str, steps: int) -> Iterator[Tick]:
        """Show progress. In a task without a number of steps, such as reading files, Ctrl-C simply ends the command."""
        interrupts = _first_interrupt_sets(self.cancelled) if steps else nullcontext()
        with interrupts, self._progress(task, steps) as tick:
            yield tick


def graded_classes(request: GradeRequest, messages: Messages) -> "Iterator[ClassResult]":
    """Grade the classes of the request and report progress.

    The first Ctrl-C stops grading and keeps the work done so far.
    """
    from grader.api.grade import grade_classes

    progress = InterruptibleProgress(messages)
    for graded in grade_classes(request, progress=progress, report=messages.tests, cancelled=progress.cancelled):
        messages.warnings(graded)
        yield graded


@contextmanager
def _first_interrupt_sets(event: Event) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # If Ctrl-C was ignored when the command started, keep ignoring it.
        yield
        return

    def set_event(_number: int, _frame: FrameType | None) -> None:
        event.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, set_event)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
