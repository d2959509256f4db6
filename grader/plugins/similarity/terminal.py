"""Similar programs for the terminal."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from grader.plugins.similarity.fingerprints import Fingerprints, SharedPassage, SimilarPair
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls

NOT_GUILT = (
    "This shows similarity, not guilt: programs for the same task are alike, more so the shorter they are. "
    "Look at the passages, and talk to people, before you conclude anything."
)

_WIDTH = 58


def similar_lines(pairs: Sequence[SimilarPair], *, show: int) -> Iterator[Text]:
    """Yield a line per pair, and the matching passages of the first `show` side by side."""
    yield Text(NOT_GUILT, TerminalStyle.WARNING)
    for number, pair in enumerate(pairs):
        first, second = pair.first.source, pair.second.source
        yield Text()
        yield (
            Text(f"{pair.first_share:>4.0%} of ", TerminalStyle.HEADING)
            .append(escape_controls(f"{owner_words(pair.first)} {first.file}"))
            .append(f", {pair.second_share:.0%} of ", TerminalStyle.HEADING)
            .append(escape_controls(f"{owner_words(pair.second)} {second.file}"))
        )
        for passage in pair.passages if number < show else ():
            yield from _side_by_side(pair, passage)


def owner_words(program: Fingerprints) -> str:
    """Name the author of a program, and say if it is from an earlier class."""
    return f"{program.source.student} (earlier)" if program.source.earlier else program.source.student


def _side_by_side(pair: SimilarPair, passage: SharedPassage) -> Iterator[Text]:
    yield Text()
    first_lines, second_lines = _numbered(pair.first, passage.first), _numbered(pair.second, passage.second)
    for first_line, second_line in zip_longest(first_lines, second_lines, fillvalue=""):
        yield Text(f"    {first_line:<{_WIDTH}} │ {second_line}", TerminalStyle.MUTED)


def _numbered(program: Fingerprints, lines: tuple[int, int]) -> list[str]:
    first, last = lines
    shown = program.source.code.split("\n")[first - 1 : last]
    return [escape_controls(f"{number:>4} {line.rstrip()}")[:_WIDTH] for number, line in enumerate(shown, first)]
