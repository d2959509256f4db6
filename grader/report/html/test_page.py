"""What the page of a test shows."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.insight.items import Item
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult
from grader.report.graded_class import GradedClass
from grader.report.html.charts import Share, verdict_shares
from grader.report.html.text import shown
from grader.report.test_text import how_to_repeat
from grader.spec.assignment import Test

_MOST_EXPECTED = 20_000
_MOST_TEXTS = 6


@dataclass(frozen=True)
class Said:
    """A verdict and diagnosis, and the students (name, page) who got just that one."""

    verdict: Verdict
    sentence: str
    students: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ExpectedText:
    """An expected transcript and how many students were judged against it."""

    text: Markup
    students: int
    more: int


@dataclass(frozen=True)
class TestPage:
    """The whole page; `item` is None when nobody handed in anything that was judged."""

    __test__ = False

    test: Test
    how_to_repeat: str
    passed: Sequence[tuple[str, str]]
    item: Item | None
    shares: Sequence[Share]
    failures: Sequence[Said]
    expected: Sequence[ExpectedText]


def test_pages(graded: GradedClass, items: Mapping[str, Item], student_pages: Mapping[str, str]) -> Iterator[TestPage]:
    """A page for each test of the assignment; its statistics are known by its id."""
    results: dict[str, list[tuple[str, TestResult]]] = defaultdict(list)
    for row in graded.rows:
        for result in row.graded.results:
            results[result.test.id].append((row.student, result))
    for test in graded.assignment.tests:
        yield _page(test, items.get(test.id), results[test.id], student_pages)


def _page(
    test: Test, item: Item | None, results: Sequence[tuple[str, TestResult]], pages: Mapping[str, str]
) -> TestPage:
    return TestPage(
        test=test,
        how_to_repeat=how_to_repeat(test),
        passed=[(student, pages[student]) for student, result in results if result.verdict is Verdict.PASSED],
        item=item,
        shares=verdict_shares(result.verdict for _, result in results),
        failures=_failures(results, pages),
        expected=_expected(result for _, result in results),
    )


def _failures(results: Sequence[tuple[str, TestResult]], pages: Mapping[str, str]) -> list[Said]:
    """Equal diagnoses together, the most frequent first."""
    groups: dict[tuple[Verdict, str], list[tuple[str, str]]] = defaultdict(list)
    for student, result in results:
        if result.verdict is not Verdict.PASSED:
            diagnosis = result.judgement.diagnosis
            groups[result.verdict, diagnosis.sentence if diagnosis else ""].append((student, pages[student]))
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return [Said(verdict, sentence, students) for (verdict, sentence), students in ordered]


def _expected(results: Iterator[TestResult]) -> list[ExpectedText]:
    counts = Counter(result.expected for result in results)
    return [
        ExpectedText(shown(text[:_MOST_EXPECTED]), students, max(len(text) - _MOST_EXPECTED, 0))
        for text, students in counts.most_common(_MOST_TEXTS)
    ]
