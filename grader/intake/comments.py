"""comments.yaml: what the instructor says to all students who made the same mistake."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from grader.spec.document import read_document
from grader.spec.problem import Place
from grader.spec.scalars import FormatOne
from grader.spec.validate import AT_LEAST_ONE, SpecModel, validate

FILE_NAME = "comments.yaml"


class _Comment(SpecModel):
    group: str
    comment: str


class CommentsFile(SpecModel):
    """comments.yaml"""

    format: FormatOne
    comments: Annotated[tuple[_Comment, ...], AT_LEAST_ONE]


@dataclass(frozen=True)
class Comment:
    """A comment on the group of that name, as `grader insight` gives it, and where it stands."""

    group: str
    text: str
    place: Place


def read_comments(file: Path) -> tuple[Comment, ...]:
    """The comments in `file`. Raises SpecError when it is faulty."""
    document = read_document(file)
    content = validate(document, CommentsFile)
    return tuple(
        Comment(one.group, one.comment.strip(), document.place(("comments", index, "group")))
        for index, one in enumerate(content.comments)
    )
