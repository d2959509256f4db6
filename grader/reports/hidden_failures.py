"""Failed hidden tests on what students get: where a public test of the program fails too, its sentence tells more."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.grading.student_view import NOT_SHOWN
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.test import Visibility
from grader.text.sentence import Sentence, say_plural


@dataclass(frozen=True)
class Failures:
    """The failed tests to describe one by one, the public ones first, and the hidden ones to fold into one list."""

    described: tuple[TestResult, ...]
    folded: tuple[TestResult, ...]

    @property
    def words(self) -> Sentence:
        """Say how many hidden tests are folded, and which."""
        return say_plural(
            len(self.folded),
            "Also fails {count} hidden test: {tests}",
            "Also fails {count} hidden tests: {tests}",
            tests=", ".join(result.test.id for result in self.folded),
        )

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints of the folded tests, each once."""
        return tuple(dict.fromkeys(hint for result in self.folded for hint in result.hints))


def failures(results: Sequence[TestResult]) -> Failures:
    """Return the failed tests among `results`."""
    failed = [result for result in results if result.verdict is not Verdict.PASSED]
    failed.sort(key=lambda result: result.test.visibility is Visibility.HIDDEN)
    in_public = {
        result.test.program
        for result in failed
        if result.test.visibility is Visibility.PUBLIC and result.verdict.has_run
    }
    described: list[TestResult] = []
    folded: list[TestResult] = []
    for result in failed:
        is_folded = result.test.program in in_public and _tells_nothing(result)
        (folded if is_folded else described).append(result)
    return Failures(tuple(described), tuple(folded))


def _tells_nothing(result: TestResult) -> bool:
    """Return whether nothing is said of a hidden test but its hints: what a person decided is told where it stands."""
    diagnosis = result.judgement.diagnosis
    is_judged = result.verdict is not Verdict.INTERNAL_ERROR
    return is_judged and diagnosis is not None and diagnosis.sentence == NOT_SHOWN
