"""Groups a submission's failed tests by cause, so that each cause is explained once, with the tests it affects.

All reports for people use these groups: the self-check, the student's text and page, and the job summary.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.grading.student_view import NOT_SHOWN
from grader.judge.calls import call_judge
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import FunctionCall
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.test import Hints, Visibility
from grader.reports.shown_output import crash_report
from grader.text.difference import FirstDifference, differing_spans
from grader.text.sentence import Sentence, say_plural

MAX_IN_DETAIL = 3
"""The maximum number of causes to show with the program's output."""


@dataclass(frozen=True)
class Failure:
    """A failed test that is described, and the later tests that fail in the same way for the same reason."""

    result: TestResult
    alike: tuple[TestResult, ...] = ()

    @property
    def words(self) -> Sentence:
        """Return a sentence about the other tests with the same failure."""
        return say_plural(
            len(self.alike),
            "The same in {count} more test: {tests}",
            "The same in {count} more tests: {tests}",
            tests=names_of_tests(self.alike),
        )


@dataclass(frozen=True)
class Failures:
    """The failures to describe, with public tests first, and the hidden tests to combine in one list.

    A hidden test is combined if a public test of the program fails too, because the public test explains more.
    """

    described: tuple[Failure, ...]
    folded: tuple[TestResult, ...]

    @property
    def words(self) -> Sentence:
        """Return a sentence about the combined hidden tests."""
        return say_plural(
            len(self.folded),
            "Also fails {count} hidden test: {tests}",
            "Also fails {count} hidden tests: {tests}",
            tests=names_of_tests(self.folded),
        )

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints of the combined tests, without duplicates."""
        return tuple(dict.fromkeys(hint for result in self.folded for hint in result.hints if result.verdict.has_run))

    def hints_besides(self, shown: Iterable[Failure]) -> tuple[str, ...]:
        """Return the hints of the described tests without duplicates, except for `shown` failures."""
        shown_hints = {hint for failure in shown for hint in failure.result.hints}
        described = (result for failure in self.described for result in (failure.result, *failure.alike))
        return tuple(dict.fromkeys(hint for result in described for hint in result.hints if hint not in shown_hints))


def failures(graded: GradedSubmission) -> Failures:
    """Return the failed tests of a submission."""
    failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
    failed.sort(key=_is_hidden)
    in_public = {
        result.test.program
        for result in failed
        if result.test.visibility is Visibility.PUBLIC and result.verdict is not Verdict.INTERNAL_ERROR
    }
    folded = [result for result in failed if result.test.program in in_public and _tells_nothing(result)]
    described = in_order(graded, [result for result in failed if result not in folded])
    return Failures(same_failures(sorted(described, key=_is_hidden)), tuple(folded))


def _is_hidden(result: TestResult) -> bool:
    return result.test.visibility is Visibility.HIDDEN


def in_order(graded: GradedSubmission, failed: Sequence[TestResult]) -> Sequence[TestResult]:
    """Return failed tests with those of a function before those of the functions that call it."""
    if not any(isinstance(result.test.interaction, FunctionCall) for result in failed):
        return failed
    return call_judge().in_order(failed, graded.submission)


def same_failures(failed: Sequence[TestResult]) -> tuple[Failure, ...]:
    """Return the failed tests, grouped with similar failures, in the order of each group's first test."""
    groups: list[tuple[_FailureSign, list[TestResult]]] = []
    for result in failed:
        sign = _sign(result)
        group = next((results for first, results in groups if first.is_alike(sign)), None)
        if group is None:
            groups.append((sign, [result]))
        else:
            group.append(result)
    alike = (_with_common_hints(results) for _, results in groups)
    return tuple(Failure(results[0], tuple(results[1:])) for results in alike)


def _with_common_hints(results: list[TestResult]) -> list[TestResult]:
    """Keep the hints that all these tests have, because a hint of some cannot be about the cause that they share."""
    common = [hint for hint in results[0].hints if all(hint in result.hints for result in results)]
    hints = Hints(always="".join(common))
    return [
        result if list(result.hints) == common else replace(result, test=replace(result.test, hints=hints))
        for result in results
    ]


def in_detail(described: Sequence[Failure], most: int) -> list[Failure]:
    """Return the failures to show with their output: the first for each cause in a program, up to the maximum."""
    kinds: dict[tuple[str, Cause | None], Failure] = {}
    for failure in described:
        diagnosis = failure.result.judgement.diagnosis
        kinds.setdefault((failure.result.test.program, diagnosis.cause if diagnosis else None), failure)
    return list(kinds.values())[:most]


def names_of_tests(results: Iterable[TestResult]) -> str:
    """Return the names of tests, combining consecutive numbers as in `hidden test 3–5`."""
    runs: list[tuple[str, int, int]] = []
    for result in results:
        name, _, number = result.test.id.rpartition(" ")
        count = int(number) if name and number.isdecimal() else 0
        name = name if count else result.test.id
        if count and runs and (runs[-1][0], runs[-1][2]) == (name, count - 1):
            runs[-1] = (name, runs[-1][1], count)
        else:
            runs.append((name, count, count))
    return ", ".join(
        name if not last else f"{name} {last}" if first == last else f"{name} {first}–{last}"
        for name, first, last in runs
    )


def _tells_nothing(result: TestResult) -> bool:
    """Return whether a hidden test only shows its hints. A person's decision on it is shown separately."""
    diagnosis = result.judgement.diagnosis
    is_judged = result.verdict is not Verdict.INTERNAL_ERROR
    return is_judged and diagnosis is not None and diagnosis.sentence == NOT_SHOWN


@dataclass(frozen=True, kw_only=True)
class _FailureSign:
    """How a test fails: the properties that tests with one fault always share, and the ones that prove it."""

    frame: tuple[object, ...]
    sentence: str
    is_of_limit: bool
    crash: tuple[object, ...] | None
    difference: tuple[str, str] | None

    def is_alike(self, other: "_FailureSign") -> bool:
        """Return whether two tests fail with the same message, error in the same line, or first difference."""
        if self.frame != other.frame:
            return False
        if self.sentence == other.sentence or self.is_of_limit:
            return True
        if self.crash or other.crash:
            return self.crash == other.crash
        return self.difference is not None and self.difference == other.difference


def _sign(result: TestResult) -> _FailureSign:
    diagnosis, judgement = result.judgement.diagnosis, result.judgement
    cause = diagnosis.cause if diagnosis else None
    report = crash_report(result)
    # For a hidden test, only the hints are shown; elsewhere the message is more informative.
    hints = result.hints if _tells_nothing(result) else ()
    return _FailureSign(
        frame=(result.test.program, result.verdict, cause, hints),
        sentence=diagnosis.sentence if diagnosis else "",
        is_of_limit=cause is not None and cause.about is CauseSubject.LIMIT,
        crash=report.where if report else None,
        difference=None if judgement.differences else _difference(judgement.telling),
    )


def _difference(telling: FirstDifference | None) -> tuple[str, str] | None:
    """Return only the words that differ, because a line may also show typed text."""
    if telling is None or telling.expected is None or telling.actual is None:
        return None
    start, end, actual_end = differing_spans(telling.expected, telling.actual)
    return _words(telling.expected, start, end), _words(telling.actual, start, actual_end)


def _words(line: str, start: int, end: int) -> str:
    """Return the whole words that overlap a part of a line."""
    start = line.rfind(" ", 0, start) + 1
    after = line.find(" ", end)
    return line[start:] if after < 0 else line[start:after]
