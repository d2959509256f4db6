"""The door for plugins that write web pages about a class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.results import ClassResult, ShorterSession
from grader.reports.probing import ProbedSubmissions


@dataclass(frozen=True)
class FurtherFindings:
    """Facts about a class besides its results.

    `probed` are submissions that random sessions were played with. In a session of `shorter` the failure that stands
    for a group shows, by the group's id.
    """

    probed: ProbedSubmissions | None = None
    shorter: Mapping[str, ShorterSession] = field(default_factory=dict)


@dataclass(frozen=True)
class PageWriter:
    """A writer of the pages about a class.

    `write` replaces those in a folder, in as many processes as it is told, and returns the first page. It raises
    ReportError when it cannot write.
    """

    write: Callable[[ClassResult, Path, int, FurtherFindings], Path]
