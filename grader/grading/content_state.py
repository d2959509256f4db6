"""Detects changes to a submission's files during grading, after which no digest identifies the content that ran."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.files.digest import digest, file_digest
from grader.model.general_causes import INTERNAL_ERROR
from grader.model.judgement import Judgement
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import SubmittedFile
from grader.text.sentence import say


def submission_digest(files: Iterable[SubmittedFile]) -> str:
    """Return the digest of the names and contents of `files`, including the fact that a file is unreadable."""
    return digest(sorted((file.name, _file_content(file)) for file in files))


def _file_content(file: SubmittedFile) -> str:
    try:
        return file_digest(file.path)
    except OSError:
        return "unreadable"


@dataclass(frozen=True)
class ContentState:
    """The digest of a submission's files, and file attributes that change when a file is written or replaced."""

    digest: str
    files: tuple[tuple[int, ...], ...]


def content_state(files: Sequence[SubmittedFile]) -> ContentState:
    """Return the current state of the files; it changes when a file is written, even with the same content."""
    return ContentState(submission_digest(files), tuple(_file_state(file.path) for file in files))


def _file_state(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def without_results(graded: GradedSubmission) -> GradedSubmission:
    """Return the submission without verdicts or a content digest, because it changed during grading."""
    sentence = say("A file of the submission was changed while it was graded; grade it again.")
    judgement = Judgement.without_verdict(INTERNAL_ERROR, sentence)
    tests = (result.test for result in graded.results)
    results = tuple(TestResult(test=test, judgement=judgement, outcome=None, expected="") for test in tests)
    names = sorted((file.name, "changed") for file in graded.submission.files)
    return replace(graded, results=results, rules=(), digest=digest(names))
