"""Messages between the coordinator and the workers: values and file contents, never paths that must exist.

Each side also describes its installation, so that all machines of a cluster can be compared.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.checkers.ask import files_beside
from grader.expected.transcripts import ExpectedTranscripts
from grader.files.digest import content_digest, read_regular_file
from grader.grading.shards import Shard
from grader.model.assignment import Assignment
from grader.model.submission import Submission
from grader.model.test import Test, judging_files, with_judging_files
from grader.store.outcome_key import FileContent
from grader.store.stored_rows import StoredRow

_PROVIDED = Path("provided")
_FILES = Path("files")


@dataclass(frozen=True)
class ClassPayload:
    """The data shared by the submissions of a class, which is sent to each worker once.

    The provided modules, files, checkers and interactors of `assignment` have paths relative to the folder where
    `files` are unpacked.
    """

    assignment: Assignment
    transcripts: ExpectedTranscripts
    files: Mapping[Path, bytes]

    @property
    def provided(self) -> list[FileContent]:
        """The provided modules as programs see them."""
        modules = self.assignment.provided
        return [FileContent(module.file, content_digest(self.files[module.source])) for module in modules]

    def unpack(self, folder: Path) -> Assignment:
        """Write the files to `folder`, and return the assignment that uses them there."""
        for path, content in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        return _relocated(self.assignment, lambda path: folder / path, lambda path: folder / path)


def class_payload(assignment: Assignment, transcripts: ExpectedTranscripts) -> ClassPayload:
    """Collect a worker's data: the assignment, the expected transcripts and the course's files. Raises OSError."""
    places = {module.source: _PROVIDED / module.file for module in assignment.provided}
    places |= {file.source: _FILES / file.digest for test in assignment.tests for file in test.start.files}
    files = {place: source.read_bytes() for source, place in places.items()}
    for file in {file for test in assignment.tests for file in judging_files(test)}:
        folder = Path(file.parent.name)
        files.update((folder / name, path.read_bytes()) for name, path in files_beside(file).items())
    packed = _relocated(assignment, places.__getitem__, lambda path: Path(path.parent.name, path.name))
    return ClassPayload(packed, transcripts, files)


def _relocated(
    assignment: Assignment, source: Callable[[Path], Path], place_of_judge: Callable[[Path], Path]
) -> Assignment:
    def moved(test: Test) -> Test:
        return with_judging_files(
            replace(test, start=test.start.moved(lambda file: source(file.source))), place_of_judge
        )

    provided = tuple(replace(module, source=source(module.source)) for module in assignment.provided)
    return replace(assignment, provided=provided, tests=tuple(moved(test) for test in assignment.tests))


@dataclass(frozen=True)
class ShippedFile:
    """A submitted file without its content, which is sent separately under its digest."""

    name: str
    digest: str
    executable: bool


@dataclass(frozen=True)
class GradingJob:
    """A submission to grade: the names of its files, the readable files, and the reasons why others were refused.

    `found` holds the outcomes already in the store, by key, in their stored form.
    """

    names: tuple[str, ...]
    files: tuple[ShippedFile, ...]
    refused: Mapping[str, str]
    found: Mapping[str, bytes]


@dataclass(frozen=True)
class JobResult:
    """A graded submission, and its rows for the store: outcomes, and the questions that checkers were asked.

    `damaged` holds the keys of outcomes that were sent with the job but cannot be read.
    """

    shard: Shard
    rows: tuple[StoredRow, ...]
    damaged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class JobBatch:
    """The results of submissions that were sent together, in order, and how many seconds they took."""

    done: tuple[JobResult, ...]
    seconds: float


def read_submission(submission: Submission) -> Iterator[tuple[ShippedFile, bytes]]:
    """Yield the readable files of a submission. Raises OSError if a file turns out to be unreadable."""
    for file in submission.files:
        if os.access(file.path, os.R_OK):
            content = read_regular_file(file.path)
            yield ShippedFile(file.name, content_digest(content), os.access(file.path, os.X_OK)), content
