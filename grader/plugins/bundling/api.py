"""Makes bundles of assignments by their ids."""

from pathlib import Path

from grader.api.course import load
from grader.api.request import FilePath
from grader.model.assignment import Assignment
from grader.plugins.bundling.bundle import BundleFile, make_file, make_folder


def bundle_file(
    assignment_id: str,
    file: FilePath,
    *,
    course: FilePath | None = None,
    checkers: bool = False,
    interactors: bool = False,
) -> tuple[Assignment, BundleFile]:
    """Make a self-check as a single file to hand out, with or without the checkers and interactors of public tests."""
    assignment = load(assignment_id, course)
    return assignment, make_file(assignment, Path(file), checkers=checkers, interactors=interactors)


def bundle_folder(
    assignment_id: str,
    folder: FilePath,
    *,
    course: FilePath | None = None,
    checkers: bool = False,
    interactors: bool = False,
) -> tuple[Assignment, BundleFile]:
    """Make a self-check as a folder to hand out, which pip can install; see `bundle_file`."""
    assignment = load(assignment_id, course)
    return assignment, make_folder(assignment, Path(folder), checkers=checkers, interactors=interactors)
