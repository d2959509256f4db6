"""Releases are tried with the Pythons that are found."""

import subprocess
import sys
from pathlib import Path

import pytest

import grader
from tests import ROOT
from tools.pythons import find_pythons, identify
from tools.release_check import main, supported_series

SERIES = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.mark.slow
def test_the_running_python_is_found() -> None:
    found = find_pythons(supported_series())
    assert SERIES in {python.series for python in found}
    assert [python.series for python in found] == sorted(
        {python.series for python in found}, key=supported_series().index
    )
    assert all(identify(python.path) == python for python in found)


def test_only_wanted_pythons_are_found() -> None:
    assert find_pythons(["3.1"]) == []


def test_a_program_that_is_no_python(tmp_path: Path) -> None:
    program = tmp_path / "python3"
    for script in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\n", "no program"):
        program.write_text(script)
        program.chmod(0o755)
        assert identify(program) is None
    assert identify(tmp_path / "missing") is None


def test_without_a_python_nothing_is_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"No Python that can make environments was found\."):
        main(["--python", str(tmp_path / "missing")])
    assert capsys.readouterr().out == ""


@pytest.mark.slow
@pytest.mark.longest
def test_the_release_works_with_the_running_python(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    reached = subprocess.run([*pip, "--dest", str(tmp_path), "PyYAML"], capture_output=True, check=False)
    if reached.returncode:
        pytest.skip("No package registry can be reached")
    command = [sys.executable, "-m", "tools.release_check", "--python", sys.executable]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert [line.split()[2].rpartition("-")[2] for line in run.stdout.splitlines()[1:]] == [
        "any.whl",
        f"{grader.__version__}.tar.gz",
    ]
