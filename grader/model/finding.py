"""Plugins' findings about graded submissions, and how they appear on a student's page."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.model.outcome import CodeLine
from grader.model.submission import Submission


@dataclass(frozen=True, kw_only=True)
class PageSection:
    """A section of the page: its anchor, heading, template, and content for the template.

    A plugin's template is called `PACKAGE:FILE`, for a file in the package's `templates` folder. A `private` section is
    only for the instructor and is not printed.
    """

    id: str
    title: str
    template: str
    content: Any = None
    private: bool = False


@dataclass(frozen=True)
class LineMark:
    """A mark next to a line number: the CSS class of the line, a short sign, and its meaning."""

    kind: str
    sign: str
    meaning: str


@dataclass(frozen=True)
class LineRemark:
    """A remark below a line; `kind` is a CSS class, and `link` leads to the source of the remark.

    A `private` remark is only for the instructor and is not printed.
    """

    kind: str
    words: str
    link: str
    private: bool = False


LineRemarks: TypeAlias = Mapping[CodeLine, Sequence[LineRemark]]
"""The remarks below the lines of a student's files."""


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """A finding on the student's page: an optional section, and marks and remarks on lines of the files."""

    section: PageSection | None = None
    marks: Mapping[CodeLine, LineMark] = field(default_factory=dict)
    remarks: LineRemarks = field(default_factory=dict)


class Finding(ABC):
    """A finding about a submission. It must be a value that can be pickled, because cluster workers send it."""

    def results(self) -> Mapping[str, Any]:
        """Return the fields to add to the submission in results.json."""
        return {}

    @abstractmethod
    def view(self, submission: Submission) -> FindingView:
        """Return the finding as it appears on the student's page."""

    def mistakes(self) -> Sequence[str]:
        """Return the mistakes that it names, in the same words for all students who made them."""
        return ()

    def note(self) -> str:
        """Return what the instructor should know about the whole class, the same for all students, if anything."""
        return ""

    def for_student(self) -> "Finding | None":
        """Return the part of the finding that the student may see; None if it is only for the instructor."""
        return None
