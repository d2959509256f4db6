"""Programs that have much in common, for the terminal."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from grader.insight.similar import Pair, Passage, Print
from grader.judge.characters import harmless

NOT_GUILT = (
    "This shows similarity, not guilt: programs for the same task are alike, more so the shorter they are. "
    "Look at the passages, and talk to people, before you conclude anything."
)
_WIDTH = 58


def similar_lines(pairs: Sequence[Pair], *, show: int) -> Iterator[Text]:
    """A line per pair, and the matching passages of the first `show` side by side."""
    yield Text(NOT_GUILT, "yellow")
    for number, pair in enumerate(pairs):
        first, second = pair.first.source, pair.second.source
        yield Text()
        yield (
            Text(f"{pair.first_share:>4.0%} of ", "bold")
            .append(harmless(f"{whose(pair.first)} {first.file}"))
            .append(f", {pair.second_share:.0%} of ", "bold")
            .append(harmless(f"{whose(pair.second)} {second.file}"))
        )
        for passage in pair.passages if number < show else ():
            yield from _side_by_side(pair, passage)


def whose(one: Print) -> str:
    """Who wrote the program, and whether that was in an earlier class."""
    return f"{one.source.student} (earlier)" if one.source.earlier else one.source.student


def _side_by_side(pair: Pair, passage: Passage) -> Iterator[Text]:
    yield Text()
    left, right = _numbered(pair.first, passage.first), _numbered(pair.second, passage.second)
    for one, other in zip_longest(left, right, fillvalue=""):
        yield Text(f"    {one:<{_WIDTH}} │ {other}", "dim")


def _numbered(one: Print, lines: tuple[int, int]) -> list[str]:
    first, last = lines
    shown = one.source.code.split("\n")[first - 1 : last]
    return [harmless(f"{number:>4} {line.rstrip()}")[:_WIDTH] for number, line in enumerate(shown, first)]
