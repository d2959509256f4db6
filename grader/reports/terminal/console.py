"""The console that reports are printed on, and the progress bar beside them on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def output_console() -> Console:
    """Standard output: colours in a terminal, plain text in a pipe, and no text is ever read as markup.

    The environment variables NO_COLOR and FORCE_COLOR are obeyed.
    """
    return Console(highlight=False, markup=False, emoji=False)


@contextmanager
def progress_bar(counted: str, task: str, steps: int) -> Iterator[Callable[[], None]]:
    """A bar with the count of what is `counted`, the time used and left; nothing when there is no terminal."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{counted},"),
        TimeElapsedColumn(),
        TextColumn("used,"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        yield partial(progress.advance, progress.add_task(task, total=steps))
