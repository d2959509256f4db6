"""Lateness and numbers of things in words.

Exact numbers as text.

Prints lines of a report so that a narrow terminal shows them well.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal

from rich.console import Console
from rich.text import Text


def lateness_words(late: timedelta) -> str:
    """`in time`, `20 min late`, `1 d 3 h late`, rounded down to the minute; seconds below one minute."""
    return f"{duration_words(late)} late" if late else "in time"


def duration_words(duration: timedelta) -> str:
    """`20 min`, `1 d 3 h`, rounded down to the minute; seconds below one minute."""
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    said = " ".join(f"{pluralize} {unit}" for pluralize, unit in units if pluralize)
    return said or f"{seconds} s"


def pluralize(number: int, unit: str) -> str:
    """`1 day`, `2 days`."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def format_decimal(value: Decimal) -> str:
    """`value` without trailing zeros or exponent: 11.70 is `11.7`, 10 is `10`, -0 is `0`."""
    return f"{value.normalize() + 0:f}"


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
