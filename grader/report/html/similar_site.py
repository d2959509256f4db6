"""Writes pages about similar programs, for the instructor alone; no page of the site about marks leads there.

FOLDER/index.html          the pairs
FOLDER/pairs/NUMBER.html   two programs side by side
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.insight.similar import Pair
from grader.report.files import ReportError
from grader.report.html.pages import neighbours, page_environment, write_page
from grader.report.html.similar_page import pair_view
from grader.report.similar_text import NOT_GUILT
from grader.spec.assignment import Assignment

_MOST_PAIRS = 500


@dataclass(frozen=True)
class Search:
    """What was searched for: pairs that share `least` percent, but for what is `given` or in over `common` programs."""

    least: float
    common: int
    given: Sequence[str]


def write_similar(assignment: Assignment, pairs: Sequence[Pair], search: Search, folder: Path) -> Path:
    """Write pages about `pairs`, the most similar 500, to `folder`, replacing earlier ones; returns the first page.

    Raises ReportError when the folder cannot be written, or holds what may be given to students.
    """
    if (folder / "students").exists():
        raise ReportError(f"{folder} holds reports on students: similar programs go to a folder of their own.")
    environment = page_environment(assignment, "report", "similar")
    environment.globals.update(not_guilt=NOT_GUILT)
    index, page = (environment.get_template(name) for name in ("similar.html", "pair.html"))
    views = [pair_view(pair) for pair in pairs[:_MOST_PAIRS]]
    names = [f"{number:03}" for number in range(1, len(views) + 1)]
    try:
        shutil.rmtree(folder / "pairs", ignore_errors=True)
        (folder / "pairs").mkdir(parents=True)
        for number, (view, around) in enumerate(zip(views, neighbours(names), strict=True)):
            write_page(folder / "pairs" / f"{names[number]}.html", page.render(page=view, number=number + 1, **around))
        text = index.render(pairs=list(zip(names, views, strict=True)), found=len(pairs), search=search)
        write_page(folder / "index.html", text)
    except OSError as error:
        raise ReportError(f"The pages cannot be written: {error}") from None
    return folder / "index.html"
