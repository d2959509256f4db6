"""What graded: the version of the grader, and of the tests of an assignment."""

from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader.spec.assignment import Assignment
from grader.store.digest import UntraceableError, digest, file_digest, folder_digest

_DIGITS = 12


@dataclass(frozen=True)
class Origin:
    """What marks come from: the digest of the tests (None: unknown) and the version of the grader."""

    spec: str | None
    harness: str


def origin_of(assignment: Assignment) -> Origin:
    """What marks of `assignment` come from here and now."""
    return Origin(spec_digest(assignment), harness_version())


def harness_version() -> str:
    """The version of this package and the beginning of the digest of its source, such as `0.1.0+3f2a9c01d2b4`."""
    number = "unknown"
    with suppress(PackageNotFoundError):
        number = version("grader")
    try:
        return f"{number}+{folder_digest(Path(__file__).parents[1])[:_DIGITS]}"
    except UntraceableError:
        return number


def spec_digest(assignment: Assignment) -> str | None:
    """The digest of the assignment's folder, its provided modules and the course's checkers that it uses.

    None when the folder holds links, so that what it stands for cannot be told.
    """
    beside = {module.source for module in assignment.provided}
    beside |= {test.checker.file for test in assignment.tests if test.checker and test.checker.file}
    try:
        return digest([folder_digest(assignment.folder), sorted((file.name, file_digest(file)) for file in beside)])
    except (UntraceableError, OSError):
        return None
