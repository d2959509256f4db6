"""The command that a newcomer types first: `make demo`, in a copy of the project at an awkward path."""

import re
from pathlib import Path

import pytest

from benchmarks.first_minute import fresh_copy, lend_libraries, run_make
from grader.plugins.demo.sample_course import STUDENTS
from tests import ROOT
from tests.docs.terminal_picture import PICTURE, picture
from tests.sandbox import is_missing

MAX_LINES = 60
# How many lines tell of the progress depends on the machine: a fast one has two.
PROGRESS = re.compile(
    r"(?:The reference of )?comp9021-25t3-a1: \d+ of \d+ verdicts, .*"
    r"|Writing the (?:reports|web pages) of comp9021-25t3-a1: \d+ s"
)
LINES_FOR_PROGRESS = 3
WORDS_OF_FAILURE = re.compile(r"\*\*\*|Error \d|ignored\)|Traceback|WARNING|E: ")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project that needs no installation."""
    copy = fresh_copy(tmp_path)
    lend_libraries(copy)
    return copy


def table_in_the_documents() -> list[str]:
    """The lines of the example of what `grader grade` prints."""
    _, _, section = (ROOT / "docs" / "reference" / "results.md").read_text().partition("## In the terminal\n")
    block = re.search(r"^```text\n(.*?)^```$", section, re.M | re.S)
    assert block
    return block[1].splitlines()


@pytest.mark.slow
def test_the_demo_is_short_and_shows_marks_a_failing_student_and_the_pages(project: Path) -> None:
    demo = run_make(project, "demo")
    assert demo.exit_status == 0, demo.output
    assert not WORDS_OF_FAILURE.search(demo.output), demo.output
    assert ("This machine has no sandbox" in demo.output) is is_missing
    printed = [line.rstrip() for line in demo.output.splitlines() if not PROGRESS.fullmatch(line)]
    assert len(printed) <= MAX_LINES - LINES_FOR_PROGRESS, demo.output
    rows = [line for line in printed if line.startswith("│")]
    assert [re.split(r"\s+", row)[1] for row in rows] == [*STUDENTS]
    pages = re.search(r"^Web pages: (.*)$", demo.output, re.M)
    assert pages
    assert Path(pages[1]).is_relative_to(project)
    for student in STUDENTS:
        assert (Path(pages[1]).parent / "students" / f"{student}.html").exists()
    cells = {tuple(row.split()) for row in rows}
    assert [row for row in table_in_the_documents() if row[0] == "│" and tuple(row.split()) not in cells] == []
    assert re.search(r"^s1-lost: .*\[wrong-output\]$", demo.output, re.M)


@pytest.mark.slow
def test_the_demo_installs_no_tools_for_tests(project: Path) -> None:
    (project / ".venv" / "grader").unlink()
    planned = run_make(project, "--dry-run", "demo").output
    assert "--editable ." in planned
    assert "[test]" not in planned
    for package in ("chromium", "g++", "valgrind"):
        assert package not in planned


@pytest.mark.slow
def test_what_the_demo_installed_is_not_installed_again_for_the_tests(project: Path) -> None:
    (project / ".venv" / "ready").unlink()
    planned = run_make(project, "--dry-run", "test").output
    assert "--editable '.[test]'" in planned
    assert "--clear" not in planned


@pytest.mark.slow
def test_after_the_tests_the_demo_installs_nothing(project: Path) -> None:
    assert "pip" not in run_make(project, "--dry-run", "demo").output


@pytest.mark.slow
def test_the_picture_in_the_readme_shows_what_the_command_prints() -> None:
    assert f"]({PICTURE.relative_to(ROOT)})" in (ROOT / "README.md").read_text()
    assert PICTURE.read_text(encoding="utf-8") == picture(), "python -m tests.docs.terminal_picture"


def test_the_readme_is_short() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 100
    first_screen = lines[:50]
    assert {"make demo", "make test"} <= set(first_screen)
    assert any(str(PICTURE.relative_to(ROOT)) in line for line in first_screen)
