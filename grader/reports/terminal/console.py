"""The console that reports are printed on, and the progress bar beside them on standard error."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text


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


_HANGING = 2


_MOST_INDENTED = 0.5


def screen_width(console: Console) -> int | None:
    """The columns of the terminal; None where the lines of a pipe, file or log may be of any length."""
    return console.width if console.file.isatty() else None


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Print `lines`; those too wide for a terminal are broken between words. In pipes and files a line stays a line."""
    for line in lines:
        for piece in _wrapped(console, line):
            console.print(piece, soft_wrap=True)


def _wrapped(console: Console, line: Text) -> Iterator[Text]:
    width = screen_width(console)
    if width is None or line.cell_len <= width:
        yield line
        return
    lead = len(line.plain) - len(line.plain.lstrip(" "))
    if lead + _HANGING > width * _MOST_INDENTED:
        yield line
        return
    for number, piece in enumerate(line[lead:].wrap(console, width - lead - _HANGING)):
        yield Text(" " * (lead + _HANGING * (number > 0))).append_text(piece)
