"""The findings of plugins about graded submissions, and their appearance on the page of a student."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.model.outcome import CodeLine
from grader.model.submission import Submission


@dataclass(frozen=True, kw_only=True)
class PageSection:
    """A section of the page: its anchor and heading, its template, and the content for the template.

    The template of a plugin has the name `PACKAGE:FILE`, where the folder `templates` of the package has the file. A
    `private` section is for the instructor alone, and not printed.
    """

    id: str
    title: str
    template: str
    content: Any = None
    private: bool = False


@dataclass(frozen=True)
class LineMark:
    """A mark before the number of a line: the class that gives the line its style, a short sign, and its meaning."""

    kind: str
    sign: str
    meaning: str


@dataclass(frozen=True)
class LineRemark:
    """A remark below a line: `kind` is a class of the style, `link` leads to the source of the remark.

    A `private` remark is for the instructor alone, and not printed.
    """

    kind: str
    words: str
    link: str
    private: bool = False


LineRemarks: TypeAlias = Mapping[CodeLine, Sequence[LineRemark]]
"""Remarks below the lines of one student's files."""


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """A finding on the page of its student: a section of its own, and marks and remarks at lines of the files."""

    section: PageSection | None = None
    marks: Mapping[CodeLine, LineMark] = field(default_factory=dict)
    remarks: LineRemarks = field(default_factory=dict)


class Finding(ABC):
    """A finding about one submission. It is a value that can be pickled, because workers of a cluster send it."""

    def results(self) -> Mapping[str, Any]:
        """Return the fields to add to the submission in results.json."""
        return {}

    @abstractmethod
    def view(self, submission: Submission) -> FindingView:
        """Return the finding's view on the page of the student."""

    def for_student(self) -> "Finding | None":
        """Return the part of the finding that the student may see; None if it is for the instructor alone."""
        return None
