"""Matters in a class that need a person's attention: missing, undecided or odd things, with the students or tests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.analysis.item_statistics import TestStatistics
from grader.model.judgement import Verdict
from grader.model.regrade import RequestState
from grader.model.results import StudentResult, TestResult
from grader.plugins.web.pages.class_pages import StudentLink

_FALLS = frozenset({Verdict.CRASH, Verdict.RUNTIME_ERROR, Verdict.BUILD_ERROR})
_REASONS = {
    "missing": "A file is missing",
    "falls": "The whole program crashes or cannot start",
    "review": "A person must decide a test",
    "rerun": "A test or rule must be run again",
    "confirm": "A broken rule is to confirm or waive",
    "marking": "Something is still to mark by hand",
    "requests": "A regrade request is open",
    "unfit": "A decision concerns another submission",
    "open": "No mark yet for another reason",
}
"""The headings, in the order of the page."""


@dataclass(frozen=True)
class WaitingMatter:
    """A matter that waits for a person, and the students or the tests concerned."""

    id: str
    heading: str
    students: Sequence[StudentLink] = ()
    tests: Sequence[tuple[str, str]] = ()

    @property
    def count(self) -> int:
        """The number of students or tests."""
        return len(self.students) or len(self.tests)


@dataclass(frozen=True)
class WaitingStudents:
    """The students who wait for a person, by reason."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, row: StudentResult, results: Sequence[TestResult]) -> None:
        """Add a student with the results of all tests."""
        for reason in _reasons(row, results):
            self.names.setdefault(reason, []).append(row.student)


def waiting_matters(
    waiting: WaitingStudents,
    items: Mapping[str, TestStatistics],
    links: Mapping[str, StudentLink],
    test_pages: Mapping[str, str],
) -> list[WaitingMatter]:
    """Return the matters that wait for a person; statistics and test pages are by test id, student links by name."""
    matters = [
        WaitingMatter(reason, heading, [links[name] for name in waiting.names[reason]])
        for reason, heading in _REASONS.items()
        if reason in waiting.names
    ]
    unpassed = [(test, test_pages[test]) for test, item in items.items() if not item.passed]
    return [*matters, WaitingMatter("unpassed", "No student passes the test", tests=unpassed)] if unpassed else matters


def _reasons(row: StudentResult, results: Sequence[TestResult]) -> Iterator[str]:
    verdicts = {result.verdict for result in results}
    if Verdict.MISSING_FILE in verdicts:
        yield "missing"
    if verdicts & _FALLS and verdicts <= _FALLS | {Verdict.MISSING_FILE}:
        yield "falls"
    review = any(result.judgement.needs_review for result in results)
    if review:
        yield "review"
    rerun = any(_must_be_rerun(result) for result in results) or any(
        rule.rule.points for rule in row.graded.undecided_rules
    )
    if rerun:
        yield "rerun"
    if row.to_confirm:
        yield "confirm"
    if row.not_yet_marked:
        yield "marking"
    if any(request.state is RequestState.OPEN for request in row.requests):
        yield "requests"
    if row.unfit:
        yield "unfit"
    if row.mark_is_lost and not review and not rerun:
        yield "open"


def _must_be_rerun(result: TestResult) -> bool:
    judgement = result.judgement
    return result.verdict is Verdict.INTERNAL_ERROR and not judgement.needs_review and not judgement.waits_for_another
