"""Packages are installed once, as a whole or not at all."""

import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.errors import SourceLocation
from grader.model.python_request import PythonRequest
from grader.run.environment import open_environment
from grader.run.find_python import StudentPython
from grader.run.packages import PackagesError, install_packages, installed_packages
from grader.run.student_python import PythonMissingError, student_python
from tests.python.wheels import NAME, wheel


def cached(tmp_path: Path) -> list[str]:
    """What is in the cache but for locks."""
    folder = tmp_path / "cache" / "grader" / "packages"
    return sorted(entry.name for entry in folder.iterdir() if entry.suffix != ".lock") if folder.is_dir() else []


@pytest.mark.slow
def test_they_are_installed_once(wheels: Path, tmp_path: Path) -> None:
    assert installed_packages(StudentPython(), [NAME]) is None
    first = install_packages(StudentPython(), [NAME])
    assert first.versions == (f"{NAME}==1.0",)
    assert (first.folder / NAME / "__init__.py").is_file()
    wheel(wheels, "2.0", "two")
    assert install_packages(StudentPython(), [NAME]) == first == installed_packages(StudentPython(), [NAME])
    other = install_packages(StudentPython(), [f"{NAME}==2.0"])
    assert other.versions == (f"{NAME}==2.0",)
    assert len(cached(tmp_path)) == 2


@pytest.mark.slow
def test_another_python_gets_its_own(wheels: Path, tmp_path: Path, other_python: StudentPython) -> None:
    assert wheels.is_dir()
    own, other = install_packages(StudentPython(), [NAME]), install_packages(other_python, [NAME])
    assert own.folder != other.folder
    assert own.versions == other.versions
    assert len(cached(tmp_path)) == 2


@pytest.mark.slow
def test_what_cannot_be_installed_leaves_nothing_and_is_named(wheels: Path, tmp_path: Path) -> None:
    assert wheels.is_dir()
    place = SourceLocation(Path("assignment.yaml"), 9, 1)
    request = PythonRequest(packages=("no-such-words==9.9",), packages_location=place)
    with pytest.raises(PythonMissingError) as raised:
        student_python(request)
    said = str(raised.value)
    assert said.startswith("assignment.yaml:9:1: no-such-words==9.9 cannot be installed for Python ")
    assert "No matching distribution found for no-such-words==9.9" in said
    assert "no fault of a submission" in said
    assert cached(tmp_path) == []


def test_without_a_home_there_is_a_word_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(PackagesError, match="XDG_CACHE_HOME"):
        installed_packages(StudentPython(), [NAME])


INSTALL = (
    "import sys; from grader.run.find_python import StudentPython; from grader.run.packages import install_packages;"
    "print(install_packages(StudentPython(), sys.argv[1:]).folder)"
)


@pytest.mark.slow
def test_graders_that_install_the_same_at_once_agree(wheels: Path, tmp_path: Path) -> None:
    assert wheels.is_dir()

    def install(_number: int) -> str:
        run = subprocess.run([sys.executable, "-c", INSTALL, NAME], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    with ThreadPoolExecutor(3) as pool:
        folders = set(pool.map(install, range(3)))
    assert len(folders) == len(cached(tmp_path)) == 1
    assert json.loads(Path(folders.pop(), "..", "packages.json").read_text()) == [f"{NAME}==1.0"]


@pytest.mark.slow
def test_a_killed_installation_leaves_nothing_that_counts(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, monkeypatch.context() as patch:
        # An index that takes the question and never answers.
        patch.delenv("PIP_NO_INDEX")
        patch.setenv("PIP_FIND_LINKS", "")
        patch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        command = [sys.executable, "-c", INSTALL, NAME]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
            silent.accept()[0].close()
            os.killpg(process.pid, signal.SIGKILL)
    (left,) = cached(tmp_path)
    assert ".new-" in left
    assert installed_packages(StudentPython(), [NAME]) is None
    assert wheels.is_dir()
    assert install_packages(StudentPython(), [NAME]).versions == (f"{NAME}==1.0",)
    assert all(".new-" not in name for name in cached(tmp_path))


@pytest.mark.slow
def test_programs_find_them_in_place_of_the_own_folder(wheels: Path, tmp_path: Path) -> None:
    assert wheels.is_dir()
    python = student_python(PythonRequest(packages=(NAME,)))
    program = tmp_path / "program.py"
    program.write_text(
        f"import {NAME}, site\nprint({NAME}.WORD, {NAME}.__file__.startswith(site.getsitepackages()[0]))\n"
    )
    with open_environment(python) as environment:
        launch = environment.interpreter.program("program.py", tmp_path)
        run = subprocess.run(
            launch.argv, cwd=tmp_path, env=launch.environment, capture_output=True, text=True, check=True
        )
    assert run.stdout == "one True\n"
