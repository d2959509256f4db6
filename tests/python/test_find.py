"""Which Python is taken, and what is said when there is none."""

import os
import sys
from pathlib import Path

import pytest

from grader.errors import SourceLocation
from grader.model.python_request import PythonRequest, minor_version
from grader.run.environment import open_environment
from grader.run.find_python import PythonSearch, StudentPython
from grader.run.interpreter import student_environment
from grader.run.student_python import PythonMissingError, asked_python

OWN_VERSION = minor_version(StudentPython().version)


def script(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_the_own_one_is_taken_without_a_look_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    search = PythonSearch(OWN_VERSION)
    assert search.find() == StudentPython()
    assert len(search.looked_at) == 1
    assert asked_python(PythonRequest()) == StudentPython()


def test_one_on_path_is_taken_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "bin", "python3.98", """echo '["/opt/new/bin/python3.98", "3.98.4", "/opt/new"]'""")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = asked_python(PythonRequest(version="3.98"))
    assert (found.executable, found.version) == (Path("/opt/new/bin/python3.98"), "3.98.4")
    assert found.installation == Path("/opt/new")


@pytest.mark.parametrize("text", ["exit 127", "echo hello", """echo '["/x", "3.97.1", "/x"]'"""])
def test_a_script_that_stands_for_no_such_python_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    script(tmp_path / "bin", "python3.98", text)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert PythonSearch("3.98").find() is None


def test_of_those_that_a_version_manager_has_the_newest_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for version in ("3.98.2", "3.98.10", "3.97.11"):
        folder = tmp_path / "versions" / version / "bin"
        folder.mkdir(parents=True)
        script(folder, f"python{minor_version(version)}", f"""echo '["/x/{version}", "{version}", "/x"]'""")
    assert asked_python(PythonRequest(version="3.98")).version == "3.98.10"


def test_one_that_is_missing_is_told_with_the_place_and_the_command() -> None:
    place = SourceLocation(Path("test_specs/a1/assignment.yaml"), 7, 9)
    with pytest.raises(PythonMissingError) as raised:
        asked_python(PythonRequest(version="3.98", version_location=place))
    said = str(raised.value)
    assert said.startswith("test_specs/a1/assignment.yaml:7:9: Python 3.98 is not installed here, so no test was run.")
    assert f"the Python that runs the grader ({sys.version.split()[0]}), python3.98 on PATH" in said
    assert "uv python install 3.98" in said


def test_another_one_makes_an_environment(other_python: StudentPython, tmp_path: Path) -> None:
    made = student_environment(tmp_path, other_python)
    assert made.version == other_python.version != StudentPython().version
    assert made.packages.is_dir()
    with open_environment(other_python) as environment:
        assert environment.python.in_use.version == other_python.version


def test_outcomes_of_another_one_are_other_outcomes(other_python: StudentPython) -> None:
    assert StudentPython().identity() == ()
    assert str(other_python.executable.resolve()) in other_python.identity()
