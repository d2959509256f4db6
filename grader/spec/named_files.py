"""The files that tests name in other folders.

test_specs/ID/inputs/*           files that are fed to programs as their standard input
test_specs/ID/own_tests/*        programs on which students' own tests are tried
checkers/NAME.py                 the checkers of the course
interactors/NAME.py              its interactors
"""

from collections.abc import Mapping
from pathlib import Path

from grader.checkers.ask import checker_file, checker_names
from grader.errors import nearest, quoted
from grader.files.digest import UntraceableError, content_digest, folder_digest
from grader.interactors.process import interactor_file, interactor_names
from grader.model.interaction import InteractorSettings, StdinRun, TrialProgram
from grader.model.test import CheckerSettings, Visibility
from grader.spec.start import NotBesideError, read_beside
from grader.text.syntax import parse


def read_stdin(tests_file: Path, name: str) -> StdinRun:
    """Return the input file `name` for the tests in `tests_file`. Raises NotBesideError."""
    return StdinRun(name, read_beside(tests_file, "inputs", name, "input file").decode("utf-8", "surrogateescape"))


def read_trial_program(tests_file: Path, name: str) -> TrialProgram:
    """Return the program `name` on which tests are tried, for the tests in `tests_file`. Raises NotBesideError."""
    file = tests_file.parent.parent / "own_tests" / name
    content = read_beside(tests_file, "own_tests", name, "program")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        parse(text, name)
    except ValueError as error:
        raise NotBesideError(f"the program {file} is not in UTF-8 ({error})") from None
    except SyntaxError as error:
        raise NotBesideError(f"Python cannot read the program {file}, line {error.lineno}: {error.msg}") from None
    return TrialProgram(name, text)


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
