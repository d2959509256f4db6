"""What the page of the mistakes that several students share shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.insight.groups import Group, example_of, shared_groups, students_alone
from grader.pipeline.results import TestResult
from grader.report.graded_class import GradedClass
from grader.report.html.result_view import DiffView, diff_view
from grader.spec.assignment import Test

_MOST_DIFFS = 100

Link = tuple[str, str]
"""A name and the page of whom or what it names."""


@dataclass(frozen=True)
class GroupView:
    """A group, with the failure of one member that stands for all.

    `test` is where that failure shows; `diff` is None where there is none, and from the hundredth group on. `comments`
    is what the instructor says to all members.
    """

    id: str
    students: Sequence[Link]
    tests: Sequence[Link]
    test: Test
    example: Link
    result: TestResult
    diff: DiffView | None
    comments: Sequence[str]

    @property
    def sentence(self) -> str:
        """What the failure comes down to."""
        diagnosis = self.result.judgement.diagnosis
        return diagnosis.sentence if diagnosis else ""


@dataclass(frozen=True)
class GroupsPage:
    """The whole page, the largest group first; `alone` are those who fail in a way of their own."""

    groups: Sequence[GroupView]
    alone: Sequence[Link]


def groups_page(
    graded: GradedClass, groups: Sequence[Group], student_pages: Mapping[str, str], test_pages: Mapping[str, str]
) -> GroupsPage:
    """The page of the `groups` of a class; the pages of students and tests are known by their names and ids."""
    submissions = {row.student: row.graded for row in graded.rows}

    def view(group: Group, *, in_full: bool) -> GroupView:
        result = example_of(group, submissions)
        student = group.showings[0].students[0]
        return GroupView(
            id=group.id,
            students=[(name, student_pages[name]) for name in group.students],
            tests=[(test, test_pages[test]) for test in group.tests],
            test=result.test,
            example=(student, student_pages[student]),
            result=result,
            diff=diff_view(result) if in_full else None,
            comments=[comment.text for comment in graded.comments if group.has(comment.group)],
        )

    return GroupsPage(
        groups=[view(group, in_full=number < _MOST_DIFFS) for number, group in enumerate(shared_groups(groups))],
        alone=[(name, student_pages[name]) for name in students_alone(groups)],
    )
