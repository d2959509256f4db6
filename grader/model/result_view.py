"""Results as rows and in a notebook. A plugin makes both."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.extensions import VIEWS, extension


@dataclass(frozen=True)
class ResultViews:
    """The functions that make HTML, and a dict per student or test, of a result."""

    html: Callable[[Any], str]
    records: Callable[[Any], list[dict[str, Any]]]


class ViewedResult:
    """A result whose HTML a notebook shows, and whose records pandas takes."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _views().html(self)

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per student of a class, or per test of a student."""
        return _views().records(self)


def _views() -> ResultViews:
    return extension(VIEWS, "results", "notebooks").load(ResultViews)
