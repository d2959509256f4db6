"""Results as rows, and as HTML for notebooks. A plugin creates both."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.extensions import VIEWS, extension


@dataclass(frozen=True)
class ResultViews:
    """The functions that convert a result to HTML, and to one dict per student or test."""

    html: Callable[[Any], str]
    records: Callable[[Any], list[dict[str, Any]]]


class ViewedResult:
    """A result that notebooks show as HTML, and whose records can be passed to pandas."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _views().html(self)

    def records(self) -> list[dict[str, Any]]:
        """Return one dict per student of a class, or per test of a student."""
        return _views().records(self)


def _views() -> ResultViews:
    return extension(VIEWS, "results", "notebooks").load(ResultViews)
