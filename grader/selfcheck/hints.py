"""Finds the hints of a self-check that depend on the student's program, with plugins."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from grader.extensions import HINTS, extensions
from grader.grading.grade_submission import SubmissionGrading
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.run.interface import RunnerFactory


@dataclass(frozen=True, kw_only=True)
class HintFinder:
    """A search for hints on the student's machine; `find` returns a sentence for each test that it can help with."""

    find: Callable[[SubmissionGrading, GradedSubmission, RunnerFactory], Mapping[str, str]]


def with_found_hints(grading: SubmissionGrading, graded: GradedSubmission, runners: RunnerFactory) -> GradedSubmission:
    """Return the results with the hints that plugins find for failed tests."""
    hints: dict[str, str] = {}
    for name, item in extensions(HINTS).items():
        key, _, word = name.partition("-")
        failed = (result for result in graded.results if result.verdict is not Verdict.PASSED)
        wanting = {result.test.id for result in failed if result.test.hints.of(key) == word}
        if wanting:
            sentences = item.load(HintFinder).find(grading, graded, runners)
            hints |= {test: sentences[test] for test in wanting & sentences.keys()}
    return graded.with_results(
        lambda results: [_with_hint(result, hints.get(result.test.id, "")) for result in results]
    )


def _with_hint(result: TestResult, sentence: str) -> TestResult:
    return replace(result, test=replace(result.test, hints=replace(result.test.hints, found=sentence)))
