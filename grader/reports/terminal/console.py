"""The console that prints reports, and the progress display on standard error."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import chain, repeat
from threading import Event, Thread
from time import monotonic

from rich.console import Console, RenderableType
from rich.text import Text

from grader.grading.under_way import NamingTick
from grader.text.escape import escape_controls
from grader.text.language import told

_PAUSES = (3, 5, 10)
"""The seconds before the first line and between later lines; the last number is repeated."""
_HANGING = 2
_MAX_INDENTED = 0.5


def output_console() -> Console:
    """Return the console for standard output, which uses colours in a terminal, plain text in a pipe, and no markup.

    It respects the environment variables NO_COLOR and FORCE_COLOR.
    """
    return Console(highlight=False, markup=False, emoji=False)


@contextmanager
def progress_bar(counted: str, task: str, steps: int) -> Iterator[Callable[[], None]]:
    """Show the progress of a task on standard error: a bar in a terminal, otherwise a line every few seconds.

    `counted` is the plural name of the steps, and is empty if the task's name already contains it. If the number of
    steps is unknown (0), only the elapsed time is shown.
    """
    console = Console(stderr=True)
    with _bar(console, counted, task, steps) if console.is_terminal else _lines(counted, task, steps) as tick:
        yield tick


@contextmanager
def _bar(console: Console, counted: str, task: str, steps: int) -> Iterator[Callable[[], None]]:
    # Pipes do not need this module, and should start quickly.
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    elapsed = TimeElapsedColumn(), TextColumn("used")
    count = BarColumn(), MofNCompleteColumn(), *([TextColumn(f"{counted},")] if counted else [])
    columns = (*count, *elapsed, TimeRemainingColumn(), TextColumn("left")) if steps else elapsed

    class NamingProgress(Progress):
        """A progress bar that shows slow tests below the bar."""

        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            if words := tick.longest():
                yield Text(escape_controls(words), no_wrap=True, overflow="ellipsis")

    tick = NamingTick(lambda: progress.advance(number))
    progress = NamingProgress(TextColumn("{task.description}"), *columns, console=console, transient=True)
    number = progress.add_task(task, total=steps or None)
    with progress:
        yield tick


@contextmanager
def _lines(counted: str, task: str, steps: int) -> Iterator[Callable[[], None]]:
    done: deque[None] = deque()
    tick = NamingTick(partial(done.append, None))
    ended = Event()

    def words(seconds: float) -> str:
        if not steps:
            return told("{task}: {seconds:.0f} s", task=task, seconds=seconds)
        what = f" {counted}" if counted else ""
        count = {"done": len(done), "steps": steps, "counted": what}
        line = told("{task}: {done} of {steps}{counted}, {seconds:.0f} s", task=task, seconds=seconds, **count)
        longest = escape_controls(tick.longest())
        return f"{line} ({longest})" if longest else line

    def write(line: str) -> None:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    # A new thread does not inherit the current language.
    call = (tell_progress, words, write, ended.wait, monotonic)
    thread = Thread(target=copy_context().run, args=call, daemon=True)
    thread.start()
    try:
        yield tick
    finally:
        ended.set()
        thread.join()


def tell_progress(
    words: Callable[[float], str],
    write: Callable[[str], None],
    has_ended: Callable[[float], bool],
    clock: Callable[[], float],
) -> None:
    """Print a line after three seconds, another after five more, and then one every ten seconds until the task ends.

    `words` returns the text for a task that has taken the given number of seconds; `has_ended` waits up to the given
    number of seconds for it to end.
    """
    began = clock()
    for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
        if has_ended(pause):
            return
        write(words(clock() - began))


def screen_width(console: Console) -> int | None:
    """Return the width of the terminal in columns; None for a pipe, file or log, whose lines can have any length."""
    return console.width if console.file.isatty() else None


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Print `lines`, breaking lines that are too wide for a terminal between words.

    In pipes and files, lines are not broken.
    """
    for line in lines:
        for piece in _wrapped(console, line):
            console.print(piece, soft_wrap=True)


def _wrapped(console: Console, line: Text) -> Iterator[Text]:
    width = screen_width(console)
    if width is None or line.cell_len <= width:
        yield line
        return
    lead = len(line.plain) - len(line.plain.lstrip(" "))
    if lead + _HANGING > width * _MAX_INDENTED:
        yield line
        return
    for number, piece in enumerate(line[lead:].wrap(console, width - lead - _HANGING)):
        yield Text(" " * (lead + _HANGING * (number > 0))).append_text(piece)
