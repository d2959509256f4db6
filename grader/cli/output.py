"""What commands share in what they print: the job summary of a workflow, and the progress, which Ctrl-C ends."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

from grader.errors import GraderError

if TYPE_CHECKING:
    from grader.model.assignment import Assignment

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells give it."""

_MOST_BYTES = 1_000_000


class SummaryError(GraderError):
    """The job summary cannot be written."""


def add_step_summary(markdown: str) -> None:
    """Add Markdown to the job summary of a GitHub workflow, if there is one. Raises SummaryError."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file or not markdown:
        return
    # A summary of more than 1 MiB is refused as a whole.
    content = markdown.encode("utf-8", "backslashreplace")[:_MOST_BYTES].decode("utf-8", "ignore")
    try:
        with Path(file).open("a", encoding="utf-8") as summary:
            summary.write(content)
    except OSError as error:
        raise SummaryError(f"The job summary cannot be added to {file}: {error.strerror}") from None


def print_notes(assignment: "Assignment") -> None:
    """Print the notes on the files of an assignment to standard error, where they are in no report."""
    from grader.text.escape import escape_controls

    for note in assignment.notes:
        print(f"note: {escape_controls(str(note))}", file=sys.stderr)


class InterruptibleProgress:
    """A progress bar of tests, during which the first Ctrl-C sets `cancelled` instead of ending the command."""

    def __init__(self) -> None:
        self.cancelled = Event()

    @contextmanager
    def __call__(self, task: str, steps: int) -> Iterator[Callable[[], None]]:
        """Show the bar; see `Progress`."""
        from grader.reports.terminal.console import progress_bar

        with progress_bar("tests", task, steps) as tick, _first_interrupt_sets(self.cancelled):
            yield tick


@contextmanager
def _first_interrupt_sets(event: Event) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # A command that was started to ignore Ctrl-C goes on ignoring it.
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
