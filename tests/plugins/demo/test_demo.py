"""`grader demo` grades the sample class in a new folder, and says clearly what keeps it from that."""

import re
import shutil
from pathlib import Path

import pytest

from grader.plugins.demo.command import run_commands
from grader.plugins.demo.sample_course import ASSIGNMENT, STUDENTS, lay_out
from tests import ROOT
from tests.prepared_grader import PreparedGrader

MAX_BYTES = 2_000_000


def test_the_course_is_laid_out_whole_and_small(tmp_path: Path) -> None:
    lay_out(tmp_path / "a b's ü")
    files = [file for file in (tmp_path / "a b's ü").rglob("*") if file.is_file()]
    names = {file.relative_to(tmp_path / "a b's ü").as_posix() for file in files}
    assert {f"reference/solitaire_{number}.py" for number in (1, 2)} <= names
    samples = (ROOT / "test_specs" / ASSIGNMENT).rglob("*")
    assert {file.relative_to(ROOT).as_posix() for file in samples if file.is_file()} <= names
    assert {folder.name for folder in (tmp_path / "a b's ü" / "submissions" / ASSIGNMENT).iterdir()} == {*STUDENTS}
    assert sum(file.stat().st_size for file in files) <= MAX_BYTES


def test_a_folder_with_files_is_left_alone(prepared: PreparedGrader, tmp_path: Path) -> None:
    (tmp_path / "grader-demo").mkdir()
    (tmp_path / "grader-demo" / "notes.txt").write_text("mine\n")
    run = prepared.run("demo", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "grader-demo is not empty. Name a new folder: grader demo FOLDER\n"
    assert [file.name for file in (tmp_path / "grader-demo").iterdir()] == ["notes.txt"]


def test_a_file_in_place_of_the_folder_is_an_error(prepared: PreparedGrader, tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")
    run = prepared.run("demo", "demo", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "The sample course cannot be copied to demo: Not a directory\n"


@pytest.mark.slow
def test_a_class_is_graded_without_a_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two students are enough for that. In a sandbox tests/docs/test_first_minute.py grades the whole class."""
    students = {"only-first-game", "prompt-and-capital-letter"}
    lay_out(tmp_path)
    for student in {*STUDENTS} - students:
        shutil.rmtree(tmp_path / "submissions" / ASSIGNMENT / student)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run_commands(tmp_path) == 0
    printed = capfd.readouterr().out
    assert re.findall(r"^│ (\S+) ", printed, re.M) == sorted(students)
    assert "This machine has no sandbox" in printed
    pages = re.search(r"^Web pages: (.*)$", printed, re.M)
    assert pages
    assert Path(pages[1]).is_relative_to(tmp_path)
    assert Path(pages[1]).exists()
    assert re.search(r"^s1-lost: .*\[wrong-output\]$", printed, re.M)
