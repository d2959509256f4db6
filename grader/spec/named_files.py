"""The files in other folders that tests refer to.

test_specs/ID/inputs/*           files passed to programs as their standard input
checkers/NAME.py                 the course's checkers
"""

from collections.abc import Mapping
from pathlib import Path

from grader.checkers.ask import checker_file, checker_names
from grader.errors import nearest, quoted
from grader.model.interaction import StdinRun
from grader.model.test import CheckerSettings
from grader.spec.beside import NotBesideError, read_beside


def read_stdin(tests_file: Path, name: str) -> StdinRun:
    """Return the input file `name` for the tests in `tests_file`. Raises NotBesideError."""
    return StdinRun(name, read_beside(tests_file, "inputs", name, "input file").decode("utf-8", "surrogateescape"))


def find_checker(tests_file: Path, name: str, options: Mapping[str, str]) -> CheckerSettings:
    """Return the checker `name` for the tests in `tests_file`. Raises NotBesideError."""
    # Keep the path as given, because the file may be a link to another course's file.
    course_folder = tests_file.absolute().parents[3]
    names = checker_names(course_folder)
    if name not in names:
        raise NotBesideError(f"there is no checker {quoted(name)}{nearest(name, names)}")
    return CheckerSettings(name, checker_file(course_folder, name), tuple(options.items()))
