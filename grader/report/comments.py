"""Brings comments on groups to the students in them."""

from collections.abc import Sequence
from dataclasses import replace

from grader.insight.groups import groups_of
from grader.intake.comments import Comment
from grader.report.graded_class import GradedClass


def with_comments(graded: GradedClass, comments: Sequence[Comment]) -> GradedClass:
    """The class with each comment at the students of its group; a comment on a group that is gone becomes a note.

    A group keeps its name as long as somebody shows the sign that it is named after.
    """
    if not comments:
        return graded
    groups = groups_of(row.graded for row in graded.rows)
    said: dict[str, list[str]] = {}
    notes: list[str] = []
    current: list[Comment] = []
    for comment in comments:
        named = [one for one in groups if one.has(comment.group)]
        group = min(named, key=lambda one: one.id != comment.group, default=None)
        if group is None:
            notes.append(f"{comment.place}: there is no group {comment.group} any more; `grader insight` lists them")
            continue
        current.append(comment)
        for student in group.students:
            said.setdefault(student, []).append(comment.text)
    rows = (replace(row, comments=tuple(said.get(row.student, ()))) for row in graded.rows)
    return replace(graded, rows=tuple(rows), notes=(*graded.notes, *notes), comments=tuple(current))
