"""Makes a copy of a class that does not identify its students."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.api.course import SeveralClassesError, classes_in, course_for
from grader.api.request import FilePath, GradeOptions, Progress, no_progress
from grader.class_files.all_files import read_class_files, read_class_roster
from grader.errors import reported_as
from grader.files.scratch import scratch_folder
from grader.intake.attempt import UnpackSettings
from grader.intake.choose_attempt import choose_attempts
from grader.intake.class_folder import open_class
from grader.intake.match_files import submission_requirements
from grader.intake.read_class import read_class
from grader.platforms import download_format, recognised_formats
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
    """Copy the submissions that count in the class in `folder` to `copy`, with numbers in place of students.

    What the files of the class decide about marks comes along. Of `options`, `download_format` and `roster` are used.
    Raises AnonymiseError when `copy` is there already or cannot be written, SeveralClassesError when `folder` holds
    more than one class, another GraderError when it cannot be read.
    """
    where, target = Path(folder), Path(copy)
    if target.exists():
        raise AnonymiseError(f"{target} is there already; name a folder that is not.")
    places = list(classes_in(course_for(Path(course) if course is not None else None, where), assignment, where))
    if len(places) > 1:
        raise SeveralClassesError(f"{where} holds more than one class; name the folder of one.")
    [place] = places
    assignment_found, path = place.assignment, place.folder
    requirements = submission_requirements(assignment_found)
    chosen = download_format(options.download_format) if options.download_format else None
    with scratch_folder("grader-intake-") as unpacked, progress(f"Reading the submissions of {assignment_found.id}", 0):
        settings = UnpackSettings(Path(unpacked), requirements.limits, requirements.zone)
        opened = open_class(path, settings, requirements.names)
        roster = read_class_roster(options, opened.beside)
        received = read_class(opened, requirements, settings, recognised_formats(), chosen=chosen, roster=roster)
        files = read_class_files(options, opened.beside, assignment_found, received.students, received.teams)
        due = partial(files.due, assignment_found)
        submissions = choose_attempts(received, requirements, settings, due).submissions
        written = anonymous_class(submissions, files, target)
    return replace(written, left_behind=(*left_behind(opened.beside), *written.left_behind))


def save_key(numbers: Mapping[str, str], file: FilePath) -> None:
    """Write which number each student has to a new CSV file that only its owner can read. Raises AnonymiseError."""
    rows = [["student", "number"], *([safe_cell(student), number] for student, number in sorted(numbers.items()))]
    with reported_as(AnonymiseError, f"The key {file} cannot be written"):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as key:
            key.write(csv_text(rows).encode("utf-8", "backslashreplace"))
