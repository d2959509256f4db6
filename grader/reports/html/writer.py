"""The interface for plugins that write web pages about a class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.results import ClassResult, ShorterSession
from grader.reports.probing import ProbedSubmissions


@dataclass(frozen=True)
class FurtherFindings:
    """Information about a class in addition to its results.

    `probed` describes submissions that were tested in random sessions. `shorter` maps the id of a failure group to a
    session that shows its typical failure.
    """

    probed: ProbedSubmissions | None = None
    shorter: Mapping[str, ShorterSession] = field(default_factory=dict)


@dataclass(frozen=True)
class PageWriter:
    """A function that writes the pages about a class.

    `write` replaces the pages in a folder, using the given number of processes, and returns the first page. Raises
    ReportError.
    """

    write: Callable[[ClassResult, Path, int, FurtherFindings], Path]
