"""Writes pages about similar programs, for the instructor only; no page of the site about marks links to them.

FOLDER/index.html          the pairs
FOLDER/pairs/NUMBER.html   two programs side by side
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from grader.errors import reported_as
from grader.model.assignment import Assignment
from grader.plugins.similarity.fingerprints import Fingerprints, SimilarPair, disjoint_passages
from grader.plugins.similarity.terminal import NOT_GUILT, owner_words
from grader.reports.html.pages import neighbour_links, page_environment, write_page
from grader.reports.html.text import MAX_LINES, code_line, more_lines, shown
from grader.reports.write import ReportError
from grader.text.language import told

_COLOURS = 6
_MAX_PAIRS = 500
_LONGEST_LINE = 2_000


@dataclass(frozen=True, kw_only=True)
class ProgramView:
    """One of the two programs, on side `a` or `b`, and the `share` of it that the other one contains (0 to 1).

    `matches` holds the lines of its matching parts, `passages` the lines of all passages found.
    """

    fingerprints: Fingerprints
    share: float
    side: str
    matches: Sequence[tuple[int, int]]
    passages: Sequence[tuple[int, int]]

    @property
    def who(self) -> str:
        """The student who wrote the program."""
        return owner_words(self.fingerprints)

    @property
    def file(self) -> str:
        """The name of its file."""
        return self.fingerprints.source.file

    @property
    def lines(self) -> int:
        """Return how many of its lines are in matching parts."""
        return sum(end - begin + 1 for begin, end in self.matches)

    @property
    def code(self) -> Markup:
        """Its lines."""
        return Markup("\n".join(_program(self.fingerprints.source.code, self.side, self.matches, self.passages)))


@dataclass(frozen=True)
class PairView:
    """Two programs and the larger of their shares; each of their lines is in at most one matching part."""

    share: float
    programs: tuple[ProgramView, ProgramView]


def pair_view(pair: SimilarPair) -> PairView:
    """Arrange a pair for its page."""
    parts, passages = disjoint_passages(pair.passages), pair.passages
    first = ProgramView(
        fingerprints=pair.first,
        share=pair.first_share,
        side="a",
        matches=[passage.first for passage in parts],
        passages=[passage.first for passage in passages],
    )
    second = ProgramView(
        fingerprints=pair.second,
        share=pair.second_share,
        side="b",
        matches=[passage.second for passage in parts],
        passages=[passage.second for passage in passages],
    )
    return PairView(pair.share, (first, second))


def _program(
    code: str, side: str, parts: Sequence[tuple[int, int]], similar_lines: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield the lines; matching parts are blocks that link to their counterparts, other similar lines have a mark."""
    lines = code.split("\n")
    begins = {begin: number for number, (begin, _) in enumerate(parts, 1)}
    ends = {end for _, end in parts}
    also = {line for begin, end in similar_lines for line in range(begin, end + 1)}
    inside = False
    for number, line in enumerate(lines[:MAX_LINES], 1):
        if number in begins:
            yield _beginning(begins[number], side)
            inside = True
        yield code_line(number, _plain_code(line), "also" if number in also and not inside else "")
        if inside and number in ends:
            yield "</div>"
            inside = False
    if inside:
        yield "</div>"
    yield more_lines(len(lines))


def _plain_code(text: str) -> Markup:
    """Return a line of a program without colours, shortened if it is very long."""
    more = len(text) - _LONGEST_LINE
    words = told(" … {more:,} more characters", more=more)
    rest = f'<i class="end">{words}</i>' if more > 0 else ""
    return shown(text[:_LONGEST_LINE].rstrip("\r")) + Markup(rest)


def _beginning(number: int, side: str) -> str:
    other_side = "b" if side == "a" else "a"
    colour = (number - 1) % _COLOURS
    link = (
        f'<a class="jump" href="#{other_side}{number}" aria-label="Match {number}: to the other program">{number} ⇄</a>'
    )
    return f'<div class="match m{colour}" id="{side}{number}">{link}'


@dataclass(frozen=True)
class SimilaritySearch:
    """A search for pairs that share `least` percent, except for code that is `given` or in over `common` programs."""

    least: float
    common: int
    given: Sequence[str]


def write_similar(assignment: Assignment, pairs: Sequence[SimilarPair], search: SimilaritySearch, folder: Path) -> Path:
    """Write pages about `pairs`, the most similar 500, to `folder`, replacing earlier ones; return the first page.

    Raises ReportError if the folder cannot be written, or contains files that may be given to students.
    """
    if (folder / "students").exists():
        raise ReportError(f"{folder} holds reports on students: similar programs go to a folder of their own.")
    environment = page_environment(assignment, f"{__package__}:similar")
    environment.globals.update(not_guilt=NOT_GUILT)
    index, page = (environment.get_template(f"{__package__}:{name}.html") for name in ("similar", "pair"))
    views = [pair_view(pair) for pair in pairs[:_MAX_PAIRS]]
    names = [f"{number:03}" for number in range(1, len(views) + 1)]
    with reported_as(ReportError, "The pages cannot be written"):
        shutil.rmtree(folder / "pairs", ignore_errors=True)
        (folder / "pairs").mkdir(parents=True)
        for number, (view, links) in enumerate(zip(views, neighbour_links(names), strict=True)):
            write_page(folder / "pairs" / f"{names[number]}.html", page.render(page=view, number=number + 1, **links))
        text = index.render(pairs=list(zip(names, views, strict=True)), found=len(pairs), search=search)
        write_page(folder / "index.html", text)
    return folder / "index.html"
