"""The search behind the `--shortest` option, which is a plugin."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rich.text import Text

from grader.api.request import GradeRequest, Progress
from grader.extensions import SHORTEST, extension
from grader.model.results import ClassResult, GradedSubmission, ShorterSession
from grader.selfcheck.check import SelfCheck


@dataclass(frozen=True)
class ShortestSearch:
    """A search for the shortest sessions that show failures.

    `of_check` yields the sessions of a self-check for the terminal; `of_class` maps groups of failures to sessions.
    """

    of_check: Callable[[SelfCheck, GradedSubmission, Progress], Iterator[Text]]
    of_class: Callable[[ClassResult, GradeRequest, Progress], Mapping[str, ShorterSession]]


def shortest_search() -> ShortestSearch:
    """Load the search. Raises ExtensionError if no such plugin is installed."""
    return extension(SHORTEST, "sessions", "--shortest").load(ShortestSearch)
