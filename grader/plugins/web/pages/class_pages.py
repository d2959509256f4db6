"""The content of the pages about a test, and about mistakes that several students share."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from markupsafe import Markup

from grader.analysis.failure_groups import (
    FailureGroup,
    example_of,
    printed_the_same,
    shared_groups,
    students_by_mistake,
)
from grader.analysis.item_statistics import TestStatistics
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission, ShorterSession, TestResult
from grader.model.test import Test
from grader.plugins.web.pages.charts import ChartShare, verdict_shares
from grader.plugins.web.pages.result_view import DiffView, diff_view
from grader.reports.html.text import shown
from grader.reports.repetition import how_to_repeat

_MAX_EXPECTED = 20_000
_MAX_TEXTS = 6
_MAX_DIFFS = 100


@dataclass(frozen=True, slots=True)
class StudentLink:
    """A link to a student: the name as shown, the full name if known, and the page."""

    student: str
    full_name: str
    page: str


@dataclass(frozen=True)
class DiagnosisGroup:
    """A verdict and diagnosis, and the students who got exactly these."""

    verdict: Verdict
    sentence: str
    students: Sequence[StudentLink]


@dataclass(frozen=True)
class ExpectedText:
    """An expected transcript and how many students were judged against it."""

    text: Markup
    students: int
    more: int


@dataclass(frozen=True, kw_only=True)
class TestPage:
    """The page of a test; `item` is None if no submission could be judged."""

    __test__ = False

    test: Test
    how_to_repeat: str
    passed: Sequence[StudentLink]
    item: TestStatistics | None
    shares: Sequence[ChartShare]
    failures: Sequence[DiagnosisGroup]
    expected: Sequence[ExpectedText]


@dataclass(frozen=True)
class _TestResults:
    """The results of a test, gathered for its page."""

    __test__ = False

    passed: list[StudentLink] = field(default_factory=list)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    failures: dict[tuple[Verdict, str], list[StudentLink]] = field(default_factory=dict)
    expected: Counter[str] = field(default_factory=Counter)

    def add(self, result: TestResult, link: StudentLink) -> None:
        """Add a result, grouping equal diagnoses."""
        self.verdicts[result.verdict] += 1
        self.expected[result.expected] += 1
        if result.verdict is Verdict.PASSED:
            self.passed.append(link)
        else:
            diagnosis = result.judgement.diagnosis
            failure = result.verdict, diagnosis.sentence if diagnosis else ""
            self.failures.setdefault(failure, []).append(link)


def test_pages(
    graded: ClassResult, items: Mapping[str, TestStatistics], links: Mapping[str, StudentLink]
) -> Iterator[TestPage]:
    """Yield a page for each test of the assignment; statistics are by test id."""
    results: dict[str, _TestResults] = defaultdict(_TestResults)
    for row in graded.rows:
        for result in row.graded.results:
            results[result.test.id].add(result, links[row.student])
    for test in graded.assignment.tests:
        yield _page(test, items.get(test.id), results[test.id])


def test_page(
    graded: ClassResult, test: Test, item: TestStatistics | None, links: Mapping[str, StudentLink]
) -> TestPage:
    """Return the page of a single test, with its statistics."""
    results_of_test = _TestResults()
    for row in graded.rows:
        for result in row.graded.results:
            if result.test.id == test.id:
                results_of_test.add(result, links[row.student])
    return _page(test, item, results_of_test)


def _page(test: Test, item: TestStatistics | None, results_of_test: _TestResults) -> TestPage:
    # The most frequent failures come first.
    failures = sorted(results_of_test.failures.items(), key=lambda group: -len(group[1]))
    return TestPage(
        test=test,
        how_to_repeat=how_to_repeat(test),
        passed=results_of_test.passed,
        item=item,
        shares=verdict_shares(results_of_test.verdicts),
        failures=[DiagnosisGroup(verdict, sentence, students) for (verdict, sentence), students in failures],
        expected=_expected(results_of_test.expected),
    )


def _expected(counts: Counter[str]) -> list[ExpectedText]:
    return [
        ExpectedText(shown(text[:_MAX_EXPECTED]), students, max(len(text) - _MAX_EXPECTED, 0))
        for text, students in counts.most_common(_MAX_TEXTS)
    ]


@dataclass(frozen=True)
class NamedMistake:
    """A mistake that a finding names, such as its repair, and the students who made it."""

    words: str
    students: Sequence[StudentLink]

    def among(self, names: Collection[str]) -> "NamedMistake":
        """Return the mistake with only the students who have these names."""
        return replace(self, students=[link for link in self.students if link.student in names])


@dataclass(frozen=True, kw_only=True)
class GroupView:
    """A group, with one member's failure as its example.

    The `students` printed the same wrong output in `test`; the `further` ones only show other signs of the mistake.
    `tests` are ids with their pages. `shorter` is a session of fewer lines that shows it too, if one is known.
    `comments` holds the instructor's remarks to all members. `in_full` marks the first hundred groups. `mistakes` holds
    the students of the group by the mistake that a finding names.
    """

    id: str
    students: Sequence[StudentLink]
    further: Sequence[StudentLink]
    tests: Sequence[tuple[str, str]]
    test: Test
    example: StudentLink
    result: TestResult
    in_full: bool
    shorter: ShorterSession | None
    comments: Sequence[str]
    mistakes: "Sequence[NamedMistake]"

    @cached_property
    def diff(self) -> DiffView | None:
        """The first difference, computed on demand, or None if there is nothing to show."""
        return diff_view(self.result) if self.in_full else None

    @property
    def sentence(self) -> str:
        """The diagnosis in a sentence."""
        diagnosis = self.result.judgement.diagnosis
        return diagnosis.sentence if diagnosis else ""


@dataclass(frozen=True)
class GroupsPage:
    """The page of groups, beginning with the groups in which the most students printed the same output.

    `alone` holds the students who do not share a failure with others, and `mistakes` the mistakes with a name that
    several students made.
    """

    groups: Sequence[GroupView]
    alone: Sequence[StudentLink]
    mistakes: Sequence[NamedMistake]


def groups_page(
    graded: ClassResult,
    groups: Sequence[FailureGroup],
    links: Mapping[str, StudentLink],
    test_pages: Mapping[str, str],
    shorter: Mapping[str, ShorterSession],
) -> GroupsPage:
    """Return the page of the `groups` of a class.

    The pages of students and tests are given by name and id, `shorter` sessions by group id.
    """
    submissions = {row.student: row.graded for row in graded.rows}
    named = students_by_mistake(submissions.values())
    mistakes = [NamedMistake(words, [links[name] for name in names]) for words, names in named]
    views = [
        replace(
            _group_view(group, graded, submissions, (links, test_pages), shorter),
            mistakes=[part for mistake in mistakes if (part := mistake.among(group.students)).students],
        )
        for group in shared_groups(groups)
    ]
    together = [view for view in views if len(view.students) > 1 or view.comments]
    together.sort(key=lambda view: -len(view.students))
    # A student who only lacks a file did not make an individual mistake.
    listed = (view for view in views if view in together or view.result.verdict is Verdict.MISSING_FILE)
    in_groups = {link.student for view in listed for link in (*view.students, *view.further)}
    alone = {name for group in groups for name in group.students if links[name].student not in in_groups}
    return GroupsPage(
        groups=[replace(view, in_full=number < _MAX_DIFFS) for number, view in enumerate(together)],
        alone=[links[name] for name in sorted(alone)],
        mistakes=mistakes,
    )


def _group_view(
    group: FailureGroup,
    graded: ClassResult,
    submissions: Mapping[str, GradedSubmission],
    pages: tuple[Mapping[str, StudentLink], Mapping[str, str]],
    shorter: Mapping[str, ShorterSession],
) -> GroupView:
    """Gather a group; `pages` maps students' names and tests' ids to their pages."""
    links, test_pages = pages
    result = example_of(group, submissions)
    same = printed_the_same(group, result, submissions)
    return GroupView(
        id=group.id,
        students=[links[name] for name in same],
        further=[links[name] for name in group.students if name not in same],
        tests=[(test, test_pages[test]) for test in group.tests],
        test=result.test,
        example=links[group.showings[0].students[0]],
        result=result,
        in_full=False,
        shorter=shorter.get(group.id),
        comments=[comment.text for comment in graded.comments if group.has(comment.group)],
        mistakes=[],
    )
