"""Reads comments.yaml: comments for all students who made the same mistake, and for one student."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from grader.class_files.requests import subjects_of
from grader.class_files.student_entries import by_student, notes_on_unknown
from grader.config.scalars import FormatOne, Name, Sentence, StudentName
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SourceLocation, SpecError, nearest, quoted
from grader.model.assignment import Assignment
from grader.model.results import GroupComment, StudentComment

COMMENTS_FILE = "comments.yaml"


class _Comment(SpecModel):
    """A comment for a group of students or for one student."""

    group: str | None = None
    """The name of the group in `grader insight`. An entry has either this key or `student`."""
    student: StudentName | None = None
    """The student who receives the comment."""
    file: Sentence | None = None
    """The submitted file that contains the line."""
    line: Annotated[int, Field(ge=1)] | None = None
    """The line number, counted from 1."""
    about: Name | None = None
    """The id of a test, item or rule, for a comment that is not about a line. Without `file` and `about`, the
    comment applies to the whole submission. Each student can have one comment on each.
    """
    comment: str
    """The text of the comment, which can have several lines."""
    by: Sentence | None = None
    """The author. Students do not see this name."""

    @model_validator(mode="after")
    def _is_for_somebody(self) -> "_Comment":
        if (self.group is None) == (self.student is None):
            raise ValueError("expected either `group` or `student`")
        if (self.file is None) != (self.line is None):
            raise ValueError("expected `file` and `line` together")
        if len(self.model_fields_set & {"group", "file", "about"}) > 1:
            raise ValueError("expected at most one of `group`, `file` with `line`, and `about`")
        return self


class CommentsFile(SpecModel):
    """Comments for groups of students with the same mistake, and for individual students."""

    format: FormatOne
    """Version of this format: `1`."""
    comments: tuple[_Comment, ...]
    """The comments. The list can be empty."""


@dataclass(frozen=True, kw_only=True)
class Comments:
    """The comments on groups, those of each student, and notes on students who are not in the class."""

    groups: tuple[GroupComment, ...] = ()
    of: Mapping[str, tuple[StudentComment, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_comments(file: Path, assignment: Assignment, students: Iterable[str]) -> Comments:
    """Return the comments in `file`.

    Raises SpecError if the file is faulty, mentions an unknown test or item, or comments on something twice.
    """
    return comments_in(read_document(file), assignment, students)


def comments_in(document: YamlDocument, assignment: Assignment, students: Iterable[str]) -> Comments:
    """Return the comments in a document. Raises SpecError as `read_comments` does."""
    content = validate(document, CommentsFile).content
    if problems := list(_problems(document, content, assignment)):
        raise SpecError(problems)
    groups: list[GroupComment] = []
    entries: list[tuple[SourceLocation, str, StudentComment]] = []
    for index, entry in enumerate(content.comments):
        text, by = entry.comment.strip(), entry.by or ""
        if entry.group is not None:
            groups.append(GroupComment(entry.group, text, document.place(("comments", index, "group"))))
        elif entry.student is not None:
            comment = StudentComment(text=text, file=entry.file, line=entry.line, about=entry.about, by=by)
            entries.append((document.place(("comments", index, "student")), entry.student, comment))
    return Comments(groups=tuple(groups), of=by_student(entries), notes=notes_on_unknown(entries, students))


def _problems(document: YamlDocument, content: CommentsFile, assignment: Assignment) -> Iterator[Problem]:
    subjects = subjects_of(assignment)
    seen: set[tuple[object, ...]] = set()
    for index, entry in enumerate(content.comments):
        subject = entry.student, entry.file, entry.line, entry.about
        if entry.about is not None and entry.about not in subjects:
            message = f"there is no test, item or rule {quoted(entry.about)}{nearest(entry.about, subjects)}"
            yield Problem(document.place(("comments", index, "about")), message)
        if entry.student is not None and subject in seen:
            yield Problem(document.place(("comments", index, "student")), "this is commented on twice")
        seen.add(subject)
