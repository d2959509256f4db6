"""The origin of marks: the tests and the grader."""

from contextlib import suppress
from dataclasses import dataclass

from grader.files.digest import UntraceableError, digest, file_digest, folder_digest
from grader.installation import DISTRIBUTION
from grader.model.assignment import Assignment
from grader.model.test import judging_files
from grader.store.provenance import grader_source

_DIGITS = 12


@dataclass(frozen=True)
class Provenance:
    """The origin of marks: the digest of the tests (None if unknown) and the version of the grader."""

    spec: str | None
    harness: str


def origin_of(assignment: Assignment) -> Provenance:
    """Return the origin of marks that this grader calculates now."""
    return Provenance(spec_digest(assignment), harness_version())


def harness_version() -> str:
    """Return the version of this package with the beginning of its source's digest, such as `0.1.0+3f2a9c01d2b4`."""
    # Importing it takes a while, and only reports show the version.
    from importlib.metadata import PackageNotFoundError, version

    number = "unknown"
    with suppress(PackageNotFoundError):
        number = version(DISTRIBUTION)
    try:
        return f"{number}+{grader_source()[:_DIGITS]}"
    except UntraceableError:
        return number


def spec_digest(assignment: Assignment) -> str | None:
    """Return the digest of the assignment's folder, its provided modules, and the folders of files used by its tests.

    Return None if the folder contains links, whose targets cannot be traced.
    """
    sources = {module.source for module in assignment.provided}
    folders = {assignment.folder, *(file.parent for test in assignment.tests for file in judging_files(test))}
    try:
        modules = sorted((file.name, file_digest(file)) for file in sources)
        return digest([sorted(folder_digest(folder) for folder in folders), modules])
    except (UntraceableError, OSError):
        return None
