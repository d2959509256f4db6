"""Imports messages from students into the requests.yaml of a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from grader.api.class_reading import handed_in
from grader.api.course import course_for, only_class
from grader.api.request import FilePath
from grader.class_files.requests import FILE_NAME, requests_in, subjects_of
from grader.config.yaml_reader import document_in, read_text
from grader.files.scratch import scratch_folder
from grader.grading.student_view import hidden_numbers
from grader.model.assignment import Assignment
from grader.model.submission import Submission
from grader.plugins.requests.matching import MatchedRequests, RequestMatcher
from grader.plugins.requests.messages import received_requests
from grader.plugins.requests.request_file import add_requests


@dataclass(frozen=True)
class ImportedRequests:
    """The file with the requests, and the results for the requests that were received."""

    file: Path
    matched: MatchedRequests


def import_requests(
    folder: FilePath, files: Sequence[FilePath], *, course: FilePath | None = None, assignment: str | None = None
) -> ImportedRequests:
    """Add the requests in `files` to requests.yaml beside the submissions in `folder`.

    Raises RequestFileError if a file cannot be read, RequestsNotAddedError if nothing can be added, or SpecError if
    requests.yaml is faulty.
    """
    received = list(chain.from_iterable(received_requests(Path(file)) for file in files))
    where = Path(folder)
    place = only_class(course_for(Path(course) if course is not None else None, where), assignment, where)
    submissions, files_folder = _submissions(place.assignment, place.folder)
    file = files_folder / FILE_NAME
    text = read_text(file) if file.exists() else ""
    document = document_in(file, text) if text.strip() else None
    existing = requests_in(document, place.assignment, ()).all if document else ()
    matcher = RequestMatcher(
        submissions=submissions,
        subjects=subjects_of(place.assignment),
        there=existing,
        hidden=hidden_numbers(place.assignment),
    )
    matched = matcher.matched(received)
    if matched.new:
        add_requests(file, document, text, matched.new)
    return ImportedRequests(file, matched)


def _submissions(assignment: Assignment, folder: Path) -> tuple[Sequence[Submission], Path]:
    """Return the submissions with data from the roster, and the folder of the instructor's files."""
    with scratch_folder("grader-intake-") as unpacked:
        read = handed_in(assignment, folder, Path(unpacked))
        return read.submissions().submissions, read.beside
