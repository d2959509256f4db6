"""Compares a program's results with the results of its last run."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from grader.files.digest import content_digest
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.text.sentence import Sentence

PASSED = ""
_SIGN_LENGTH = 16
_RANDOM = re.compile(rb"^[ \t]*(?:import[ \t][^\n]*?|from[ \t]+)\b(?:random|secrets|numpy)\b", re.M)


@dataclass(frozen=True)
class ResultChanges:
    """The newer results of tests whose results changed.

    Tests in `otherwise` failed before and still fail, but for a different reason: another verdict, message or
    difference in values.
    """

    newly_passing: tuple[TestResult, ...]
    newly_failing: tuple[TestResult, ...]
    otherwise: tuple[TestResult, ...]

    def __bool__(self) -> bool:
        return bool(self.newly_passing or self.newly_failing or self.otherwise)


def is_unseeded(submission: Submission) -> bool:
    """Return whether a Python program uses random numbers without a seed, so that each run differs by chance."""
    with suppress(OSError):
        sources = [file.path.read_bytes() for file in submission.files if file.name.endswith(".py")]
        return any(map(_RANDOM.search, sources)) and not any(b"seed(" in source for source in sources)
    return False


def changes(before: Mapping[str, str], after: Sequence[TestResult], *, by_chance: bool = False) -> ResultChanges:
    """Return the changes of the tests whose earlier signs are in `before`, by id; see `failure_sign`.

    If runs differ `by_chance`, other reasons for a failure are no change.
    """
    different = [result for result in after if before.get(result.test.id, failure_sign(result)) != failure_sign(result)]
    failing = [result for result in different if result.verdict is not Verdict.PASSED]
    return ResultChanges(
        newly_passing=tuple(result for result in different if result.verdict is Verdict.PASSED),
        newly_failing=tuple(result for result in failing if before[result.test.id] == PASSED),
        otherwise=tuple(result for result in failing if before[result.test.id] != PASSED and not by_chance),
    )


def failure_sign(result: TestResult) -> str:
    """Return a digest of the reason why a test failed, or PASSED; ignored differences are not reasons."""
    if result.verdict is Verdict.PASSED:
        return PASSED
    diagnosis = result.judgement.diagnosis
    cause = diagnosis and (diagnosis.cause.id, _without_line(diagnosis.sentence))
    reason = result.verdict, cause, result.judgement.differences
    return content_digest(repr(reason).encode())[:_SIGN_LENGTH]


def _without_line(sentence: str) -> str:
    """Return the sentence without the number of the program's line, which changes when lines above are edited."""
    where = sentence.value("where") if isinstance(sentence, Sentence) else None
    if not isinstance(where, Sentence):
        return str(sentence)
    return sentence.replace(where, Sentence(where.forms, {**where.values, "line": ""}))
