"""A course whose reference imports a package, and another Python than the one that runs the suite."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from grader.run.find_python import PythonSearch, StudentPython
from grader.run.packages import install_packages
from tests.prepared_grader import PreparedGrader
from tests.python.wheels import NAME, use_wheels, wheel

OTHER_VERSIONS = [version for version in ("3.14", "3.13", "3.12", "3.11") if not sys.version.startswith(version)]


@cache
def _other_python() -> StudentPython | None:
    found = (PythonSearch(version).find() for version in OTHER_VERSIONS)
    return next((one for one in found if one), None)


@pytest.fixture(scope="session")
def other_python() -> StudentPython:
    """An installed Python of another version."""
    found = _other_python()
    if found is None:
        pytest.skip(f"needs another Python: {', '.join(OTHER_VERSIONS)}")
    return found


@pytest.fixture(scope="session")
def newer_python() -> StudentPython:
    """An installed Python that reads more than the one that runs the suite, and at least what 3.12 reads."""
    found = (PythonSearch(version).find() for version in ("3.14", "3.13", "3.12"))
    newer = (one for one in found if one and int(one.version.split(".")[1]) > sys.version_info[1])
    python = next(newer, None)
    if python is None:
        pytest.skip("needs a newer Python than the one that runs the tests")
    return python


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a wheel of version 1.0, the only one that pip finds."""
    folder = tmp_path / "wheels"
    wheel(folder, "1.0", "one")
    use_wheels(monkeypatch, folder, tmp_path / "cache")
    return folder


ASSIGNMENT = """\
format: 1
id: words
title: Words
programs: [{file: words.py}]
parts: [{id: words, title: Words, marks: 4}]
due: 2027-01-01 12:00
time_zone: UTC
"""

TESTS = """\
format: 1
program: words.py
part: words
tests:
  - {id: said, visibility: public, points: 2, input: [Ann]}
  - {id: called, visibility: public, points: 2, call: word()}
"""

PROGRAM = f"""\
import sys

import {NAME}


def word():
    return {NAME}.WORD


if __name__ == "__main__":
    name = input()
    print(word(), name, *sys.version_info[:2])
"""


class WordsCourse:
    """A course folder; what its assignment asks for is added to assignment.yaml."""

    def __init__(self, folder: Path, prepared: PreparedGrader) -> None:
        self.folder = folder
        self.prepared = prepared
        self.assignment = folder / "test_specs" / "words" / "assignment.yaml"
        self.write("reference/words.py", PROGRAM)
        self.write("test_specs/words/tests/words.yaml", TESTS)
        self.ask("")

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def ask(self, keys: str) -> None:
        self.write("test_specs/words/assignment.yaml", ASSIGNMENT + keys)

    def hand_in(self, student: str, program: str = PROGRAM) -> Path:
        return self.write(f"submissions/{student}/words.py", program)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run the command line, with the variables that the test has set."""
        return self.prepared.run(*arguments, folder=self.folder)

    def done(self, *arguments: str | Path) -> str:
        """What a command prints that must succeed."""
        run = self.run(*arguments)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the running Python has the package."""
    folder = tmp_path_factory.mktemp("installed")
    wheel(folder / "wheels", "1.0", "one")
    with pytest.MonkeyPatch.context() as patch:
        use_wheels(patch, folder / "wheels", folder / "cache")
        install_packages(StudentPython(), [NAME])
    return folder / "cache"


@pytest.fixture
def words(tmp_path: Path, wheels: Path, installed: Path, prepared: PreparedGrader) -> WordsCourse:
    """The course, the wheels that its package comes from, and the package installed."""
    assert wheels.is_dir()
    shutil.copytree(installed, tmp_path / "cache", symlinks=True)
    return WordsCourse(tmp_path / "course", prepared)


@pytest.fixture
def asking(words: WordsCourse) -> Callable[..., WordsCourse]:
    """The course, with its expected files, when it asks for this version, by default the running one, and package."""

    def ask(version: str | None = None, package: str = NAME) -> WordsCourse:
        asked = version or StudentPython().version.rpartition(".")[0]
        words.ask(f'python: "{asked}"\npackages: [{package}]\n')
        words.done("generate")
        return words

    return ask
