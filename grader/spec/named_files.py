"""The files that tests name in other folders.

test_specs/ID/inputs/*           files that are fed to programs as their standard input
checkers/NAME.py                 the checkers of the course
interactors/NAME.py              its interactors
"""

from collections.abc import Mapping
from pathlib import Path

from grader.checkers.ask import checker_file, checker_names
from grader.errors import nearest, quoted
from grader.files.digest import UntraceableError, content_digest, folder_digest
from grader.interactors.process import interactor_file, interactor_names
from grader.model.interaction import InteractorSettings, StdinRun
from grader.model.test import CheckerSettings, Visibility
from grader.spec.start import NotBesideError, read_beside


def read_stdin(tests_file: Path, name: str) -> StdinRun:
    """Return the input file `name` for the tests in `tests_file`. Raises NotBesideError."""
    return StdinRun(name, read_beside(tests_file, "inputs", name, "input file").decode("utf-8", "surrogateescape"))


def find_checker(tests_file: Path, name: str, options: Mapping[str, str]) -> CheckerSettings:
    """Return the checker `name` for the tests in `tests_file`. Raises NotBesideError."""
    # As it is named: the file may be a link to one of another course.
    course_folder = tests_file.absolute().parents[3]
    names = checker_names(course_folder)
    if name not in names:
        raise NotBesideError(f"there is no checker {quoted(name)}{nearest(name, names)}")
    return CheckerSettings(name, checker_file(course_folder, name), tuple(options.items()))


def find_interactor(
    tests_file: Path, name: str, options: Mapping[str, str], seed: str | None, visibility: Visibility
) -> InteractorSettings:
    """Return the interactor `name` for the tests in `tests_file`.

    Without a `seed`, a hidden test has one that all files of interactors are needed to tell. That of a public test,
    which students get, says nothing of other files than its own. Raises NotBesideError.
    """
    course_folder = tests_file.resolve().parents[3]
    names = interactor_names(course_folder)
    if name not in names:
        raise NotBesideError(f"there is no interactor {quoted(name)}{nearest(name, names)}")
    file = interactor_file(course_folder, name)
    try:
        content = folder_digest(file.parent)
    except UntraceableError as error:
        raise NotBesideError(f"found the link {error} beside the interactor {quoted(name)}; expected a file") from None
    if seed is None:
        seed = content_digest(file.read_bytes()) if visibility is Visibility.PUBLIC else content
    return InteractorSettings(name=name, file=file, content=content, options=tuple(options.items()), seed=seed)
