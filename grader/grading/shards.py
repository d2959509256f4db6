"""Encodes graded submissions compactly, for workers to send and for large classes to keep in a file.

Everything that the submissions of a class share is left out: the tests, the rules and the expected transcripts. The
format is pickle, compressed if long, and only data that this grader wrote during this run is ever read.
"""

import os
import pickle
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import finalize

from grader.errors import GraderError, plain_reason
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import as_handed_in
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission, LazyResults, TestResult
from grader.model.rule import RuleResult
from grader.model.submission import Submission

_FASTEST = 1
_MAX_UNCOMPRESSED = 4096
"""The maximum number of bytes to store uncompressed."""


_MAX_ALIKE = 1000
MAX_IN_MEMORY = 1000
"""The maximum number of submissions kept in memory, which take about 60 MB."""


class ShardError(GraderError):
    """The file for a class's results cannot be created or written."""


@dataclass(frozen=True)
class Shard:
    """A graded submission; `about` is everything except the results, and is similar for many submissions."""

    digest: str
    about: bytes
    results: bytes


class ShardEncoder:
    """An encoder for a class's graded submissions, before decisions and required tests are applied."""

    def __init__(self, transcripts: ExpectedTranscripts) -> None:
        self._number_of = {text: number for number, text in enumerate(_texts(transcripts))}

    def shard(self, graded: GradedSubmission) -> Shard:
        """Return the shard for a submission."""
        rules = [(result.rule.id, result.findings, result.judged, result.unread) for result in graded.rules]
        about = graded.variants, rules, graded.python, graded.findings
        results = [
            (result.judgement, result.outcome, self._number_of.get(result.expected, result.expected), result.because)
            for result in graded.results
        ]
        return Shard(graded.digest, pickle.dumps(about, pickle.HIGHEST_PROTOCOL), _packed(results))


class ShardFile:
    """The graded submissions of a class, with their results in a file that disappears when this process ends.

    Results are read on access, so that memory only holds one submission's results at a time. Creating the object can
    raise ShardError.
    """

    def __init__(self, assignment: Assignment, transcripts: ExpectedTranscripts) -> None:
        self._assignment = assignment
        self._rules = {rule.id: rule for rule in assignment.rules}
        self._texts = _texts(transcripts)
        self._alike: dict[bytes, Mapping[str, Any]] = {}
        self._descriptor = _nameless_file()
        finalize(self, os.close, self._descriptor)
        self._end = 0
        self._last: tuple[int, Sequence[TestResult]] = -1, ()

    def graded(self, shard: Shard, submission: Submission) -> GradedSubmission:
        """Return the graded submission of a shard, and write its results to the file. Raises ShardError."""
        place, size = self._end, len(shard.results)
        remaining = shard.results
        with _file_errors():
            while remaining:
                remaining = remaining[os.write(self._descriptor, remaining) :]
        self._end += size
        results = LazyResults(_Stored(self, place, size, submission))
        return GradedSubmission(submission=submission, results=results, digest=shard.digest, **self._about(shard.about))

    def _about(self, data: bytes) -> Mapping[str, Any]:
        if data in self._alike:
            return self._alike[data]
        variants, rules, python, findings = pickle.loads(data)
        values = {
            "variants": variants,
            "rules": tuple(RuleResult(self._rules[rule], *found) for rule, *found in rules),
            "python": python,
            "findings": findings,
        }
        if len(self._alike) < _MAX_ALIKE:
            self._alike[data] = values
        return values

    def read(self, place: int, size: int, submission: Submission) -> Sequence[TestResult]:
        """Read the results at a position in the file, and cache them, because they are often read again soon."""
        read, results = self._last
        if read != place:
            results = self._results(_unpacked(os.pread(self._descriptor, size, place)), submission)
            self._last = place, results
        return results

    def _results(self, packed: Sequence[Any], submission: Submission) -> Sequence[TestResult]:
        tests = as_handed_in(self._assignment, submission, self._assignment.tests)
        return tuple(
            TestResult(
                test=test,
                judgement=judgement,
                outcome=outcome,
                expected=self._texts[expected] if isinstance(expected, int) else expected,
                because=because,
            )
            for test, (judgement, outcome, expected, because) in zip(tests, packed, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Stored:
    """A sequence that reads the results of one submission on access."""

    file: ShardFile
    place: int
    size: int
    submission: Submission

    def __call__(self) -> Sequence[TestResult]:
        return self.file.read(self.place, self.size, self.submission)


class ResultSpool:
    """A buffer for the graded submissions of a class: the first ones in memory, the results of the rest in a file."""

    def __init__(self, assignment: Assignment, transcripts: ExpectedTranscripts) -> None:
        self._encoder = ShardEncoder(transcripts)
        self._file = ShardFile(assignment, transcripts)
        self._in_memory = 0

    def add(self, graded: GradedSubmission) -> GradedSubmission:
        """Store a submission and return its stored form. Raises ShardError."""
        if isinstance(graded.results, LazyResults):
            return graded
        if self._in_memory < MAX_IN_MEMORY:
            self._in_memory += 1
            return graded
        return self._file.graded(self._encoder.shard(graded), graded.submission)


def _packed(results: Sequence[Any]) -> bytes:
    data = pickle.dumps(results, pickle.HIGHEST_PROTOCOL)
    # For short data, setting up the compression takes longer than everything else.
    return data if len(data) < _MAX_UNCOMPRESSED else zlib.compress(data, _FASTEST)


def _unpacked(data: bytes) -> Sequence[Any]:
    # Compressed data never begins like a pickle.
    values: Sequence[Any] = pickle.loads(data if data.startswith(pickle.PROTO) else zlib.decompress(data))
    return values


def _nameless_file() -> int:
    """Create a file without a name. Raises ShardError."""
    with _file_errors():
        descriptor, name = tempfile.mkstemp(prefix="grader-results-")
        Path(name).unlink()
    return descriptor


@contextmanager
def _file_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ShardError(
            f"The results of a class cannot be kept in the folder for temporary files: {plain_reason(error)}. "
            "Make room there, or name another folder in TMPDIR; what is in the store is not run again."
        ) from None


def _texts(transcripts: ExpectedTranscripts) -> list[str]:
    """Return the expected texts in an order that is the same on every machine with these transcripts."""
    return list(dict.fromkeys(transcripts.texts.values()))
