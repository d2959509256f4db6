"""Reads comments.yaml: what the instructor says to all students who made the same mistake."""

from pathlib import Path
from typing import Annotated

from grader.config.scalars import FormatOne
from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.model.student_result import GroupComment

FILE_NAME = "comments.yaml"


class _Comment(SpecModel):
    group: str
    comment: str


class CommentsFile(SpecModel):
    """comments.yaml"""

    format: FormatOne
    comments: Annotated[tuple[_Comment, ...], AT_LEAST_ONE]


def read_comments(file: Path) -> tuple[GroupComment, ...]:
    """The comments in `file`. Raises SpecError when it is faulty."""
    document = read_document(file)
    content = validate(document, CommentsFile).content
    return tuple(
        GroupComment(one.group, one.comment.strip(), document.place(("comments", index, "group")))
        for index, one in enumerate(content.comments)
    )
