"""The comments for single students, which markers write, reuse and reword."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.class_files.comments import Comments
from grader.model.results import StudentComment
from grader.plugins.web.pages.code_view import CodeView
from grader.plugins.web.serve.editing.decisions import CommentSubject, SayToStudent, subject_of, token_of
from grader.plugins.web.serve.student_names import StudentNames

_MAX_USED = 30


@dataclass(frozen=True, kw_only=True)
class RemarkView:
    """A comment with its token, the anchor of its line (empty: not shown), and how many others have the same one."""

    comment: StudentComment
    seen: str
    anchor: str
    others: int


@dataclass(frozen=True, kw_only=True)
class RemarksView:
    """The comments for a student by subject, and earlier comments: the marker's own, and everybody's on each item."""

    on_code: Sequence[RemarkView]
    about: Mapping[str | None, RemarkView]
    used: Sequence[str]
    used_on: Mapping[str, Sequence[tuple[str, int]]]


def remarks_view(comments: Comments, student: str, by: str, code: CodeView, names: StudentNames) -> RemarksView:
    """Return the comments for a student as a marker sees them."""
    every = [comment for remarks in comments.of.values() for comment in remarks]
    shared = Counter((comment.about, comment.text) for comment in every if comment.file is None)
    files = [file.name for file in code.files]
    views = [
        RemarkView(
            comment=replace(comment, file=file),
            seen=token_of(comment),
            anchor=code.anchor(file, comment.line) if file is not None else "",
            others=shared[comment.about, comment.text] - 1 if file is None else 0,
        )
        for comment in comments.of.get(student, ())
        for file in [comment.file and names.file_among(files, comment.file)]
    ]
    used = Counter(comment.text for comment in every if comment.by == by)
    used_on: dict[str, list[tuple[str, int]]] = {}
    for (about, text), count in shared.most_common():
        if about is not None:
            used_on.setdefault(about, []).append((text, count))
    return RemarksView(
        on_code=[view for view in views if view.comment.file is not None],
        about={view.comment.about: view for view in views if view.comment.file is None},
        used=[text for text, _ in used.most_common(_MAX_USED)],
        used_on=used_on,
    )


def reworded(decision: SayToStudent, comments: Comments) -> Iterator[tuple[SayToStudent, str]]:
    """Yield the same change for all others with the same comment on the same subject, with the value seen."""
    before = _comment_on(decision.subject, comments.of.get(decision.student, ()))
    if before is None or decision.subject.file is not None:
        return
    for student, remarks in comments.of.items():
        other_comment = _comment_on(decision.subject, remarks)
        if other_comment is not None and other_comment.text == before.text and student != decision.student:
            yield replace(decision, student=student), token_of(other_comment)


def _comment_on(subject: CommentSubject, remarks: Sequence[StudentComment]) -> StudentComment | None:
    return next((comment for comment in remarks if subject_of(comment) == subject), None)
