"""What the tests of a course name and is kept beside them: input files and checkers.

test_specs/ID/tests/*.yaml       the tests
test_specs/ID/inputs/*           what is fed to programs as their standard input
checkers/NAME.py                 the course's own checkers
"""

from collections.abc import Mapping
from pathlib import Path

from grader.checkers.find import checker_file, checker_names
from grader.spec.assignment import Checker, Stdin
from grader.spec.problem import nearest, quoted


class NotBesideError(Exception):
    """What a test names is not there; the message says so."""


def read_stdin(tests_file: Path, name: str) -> Stdin:
    """The input file `name` for the tests in `tests_file`. Raises NotBesideError."""
    folder = tests_file.parent.parent / "inputs"
    try:
        return Stdin(name, (folder / name).read_bytes().decode("utf-8", "surrogateescape"))
    except OSError as error:
        known = (file.name for file in folder.glob("*"))
        said = f"the input file {folder / name} cannot be read ({error.strerror}){nearest(name, known)}"
        raise NotBesideError(said) from None


def find_checker(tests_file: Path, name: str, options: Mapping[str, str]) -> Checker:
    """The checker `name` for the tests in `tests_file`. Raises NotBesideError."""
    course_folder = tests_file.resolve().parents[3]
    known = checker_names(course_folder)
    if name not in known:
        raise NotBesideError(f"there is no checker {quoted(name)}{nearest(name, known)}")
    own = checker_file(course_folder, name)
    return Checker(name, own if own.is_file() else None, tuple(options.items()))
