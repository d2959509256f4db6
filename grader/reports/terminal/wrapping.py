"""Prints lines of a report so that a narrow terminal shows them well: broken between words, with a hanging indent."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

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
