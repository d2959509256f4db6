"""Bundles carry the tests of programs that draw, and the terminal emulator, so that students need only Python."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.plugins.bundling.bundle import make_file
from grader.spec.course import Course
from tests import ROOT

COURSE = ROOT / "docs" / "examples" / "screens"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bundle") / "grader.pyz"
    made = make_file(Course(COURSE).assignment("noughts"), file)
    assert (len(made.tests), made.left_out) == (12, 0)
    return file


def without_progress(report: str) -> str:
    return re.sub(r"^Checking: .*\n|^  more: .*\n", "", report, flags=re.M)


@pytest.mark.slow
@pytest.mark.parametrize(("student", "code"), [("right", 0), ("overwrites", 1)])
def test_it_gives_the_results_of_a_check(student: str, code: int, bundle: Path, tmp_path: Path) -> None:
    program = COURSE / "submissions" / "noughts" / student / "noughts.py"
    # Without the packages beside Python, the emulator is that of the bundle.
    commands = (
        [sys.executable, "-I", "-S", str(bundle)],
        [sys.executable, "-m", "grader", "check", "--course", str(COURSE)],
    )
    run = [
        subprocess.run([*command, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
        for command in commands
    ]
    assert [done.returncode for done in run] == [code, code], run[0].stderr
    assert without_progress(run[0].stdout) == without_progress(run[1].stdout)


def test_the_licences_of_the_emulator_are_in_it(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        names = " ".join(archive.namelist())
    for package in ("bittty", "wcwidth"):
        assert re.search(rf"lib/{package}-\S*LICENSE", names), package
