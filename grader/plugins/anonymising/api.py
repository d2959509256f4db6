"""Makes a copy of a class that does not identify its students."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.api.class_reading import handed_in
from grader.api.course import SeveralClassesError, classes_in, course_for
from grader.api.request import FilePath, GradeOptions, Progress, no_progress
from grader.class_files.all_files import read_class_files
from grader.errors import reported_as
from grader.files.scratch import scratch_folder
from grader.plugins.anonymising.anonymous_class import AnonymiseError, AnonymousClass, anonymous_class
from grader.plugins.anonymising.class_files import left_behind
from grader.text.csv_cells import csv_text, safe_cell

_DEFAULT_OPTIONS = GradeOptions()


def anonymise(
    folder: FilePath,
    copy: FilePath,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    options: GradeOptions = _DEFAULT_OPTIONS,
    progress: Progress = no_progress,
) -> AnonymousClass:
    """Copy the submissions that count in the class in `folder` to `copy`, with numbers instead of names.

    Decisions about marks in the files of the class are copied too. Only `download_format` and `roster` of the `options`
    are used. Raises AnonymiseError if `copy` already exists or cannot be written, SeveralClassesError if `folder`
    contains more than one class, or another GraderError if it cannot be read.
    """
    where, target = Path(folder), Path(copy)
    if target.exists():
        raise AnonymiseError(f"{target} is there already; name a folder that is not.")
    places = list(classes_in(course_for(Path(course) if course is not None else None, where), assignment, where))
    if len(places) > 1:
        raise SeveralClassesError(f"{where} holds more than one class; name the folder of one.")
    [place] = places
    assignment_found, path = place.assignment, place.folder
    with scratch_folder("grader-intake-") as unpacked, progress(f"Reading the submissions of {assignment_found.id}", 0):
        received = handed_in(assignment_found, path, Path(unpacked), options)
        arrived = received.received
        files = read_class_files(options, received.beside, assignment_found, arrived.students, arrived.teams)
        submissions = received.submissions(partial(files.due, assignment_found)).submissions
        written = anonymous_class(submissions, files, target)
    return replace(written, left_behind=(*left_behind(received.beside), *written.left_behind))


def save_key(numbers: Mapping[str, str], file: FilePath) -> None:
    """Write the number of each student to a new CSV file that only its owner can read. Raises AnonymiseError."""
    rows = [["student", "number"], *([safe_cell(student), number] for student, number in sorted(numbers.items()))]
    with reported_as(AnonymiseError, f"The key {file} cannot be written"):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as key:
            key.write(csv_text(rows).encode("utf-8", "backslashreplace"))
