"""Hints of a self-check: the place, the kind or the change, if it is proved with public tests."""

import os
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from grader.api.request import no_progress
from grader.errors import SpecError
from grader.expected.transcripts import load_transcripts
from grader.plugins.bundling.bundle import data_files, make_file, make_folder
from grader.plugins.bundling.public_content import public_content
from grader.reports.terminal.self_check import check_text
from grader.selfcheck.check import self_check
from grader.selfcheck.running import write_check
from grader.spec.course import Course
from tests.conftest import bare_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

REFERENCE = """\
def total(numbers):
    result = 0
    for n in numbers:
        if n >= 0:
            result += n
    return result


def main():
    numbers = []
    while line := input("Number: "):
        numbers.append(int(line))
    print("The sum is", total(numbers))
    print("The count is", len(numbers))


if __name__ == "__main__":
    main()
"""
ASSIGNMENT = """\
format: 1
id: sums
title: Sums
programs: [{file: sums.py}]
parts: [{id: program, title: the program, marks: 10}]
due: 2027-03-20 17:00
time_zone: Europe/Vienna
"""
TESTS = """\
format: 1
program: sums.py
part: program
points: 2
tests:
  - {id: none, visibility: public, input: [""]}
  - {id: two, visibility: public, input: [3, 4, ""]}
  - {id: many, visibility: public, input: [1, 2, 3, ""]}
  - {id: call, visibility: public, call: "total([1, 2, 3])"}
  - {id: below, input: [-1, 2, ""]}
"""
MINUS = REFERENCE.replace("result += n", "result -= n")
PLACE = "Line 5 is worth a look: a change there alone makes the tests two, many, call pass."

Checked = Callable[..., str]


def write_course(folder: Path, hints: str, tests: str = TESTS) -> Course:
    for name, text in {
        "reference/sums.py": REFERENCE,
        "test_specs/sums/assignment.yaml": f"{ASSIGNMENT}{hints}",
        "test_specs/sums/tests/sums.yaml": tests,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Course(folder)


def generate(folder: Path) -> None:
    command = [sys.executable, "-m", "grader", "generate", "sums"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The expected files, which are the same in all courses here."""
    folder = tmp_path_factory.mktemp("generated")
    write_course(folder, "")
    generate(folder)
    return {file.name: file.read_bytes() for file in (folder / "test_specs" / "sums" / "expected").iterdir()}


def checked_with(folder: Path, bundle: Path, home: Path) -> str:
    """Return the report of a bundle on the program of the folder."""
    command = [*bare_python(), str(bundle), "check", "sums.py"]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=False, env={"HOME": str(home)}
    )
    assert run.returncode == 1, run.stderr
    return run.stdout


@pytest.fixture
def checked(tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Return the report of a self-check on a program; the time for hints does not pass."""
    monkeypatch.setattr("grader.plugins.locating.repairing.hints.monotonic", lambda: 0.0)

    def check(program: str, hints: str = "hints: {repair: place}\n", tests: str = TESTS) -> str:
        course = write_course(tmp_path, hints, tests)
        fill_expected(tmp_path, expected)
        (tmp_path / "sums.py").write_text(program)
        assignment = course.assignment("sums")
        prepared = self_check(assignment, tmp_path / "sums.py", lambda tests: load_transcripts(assignment, tests))
        settings = prepared.settings(9)
        _, report = write_check(prepared, settings, check_text(settings), StringIO(), no_progress)
        return report.printed

    return check


def fill_expected(folder: Path, expected: dict[str, bytes]) -> None:
    (folder / "test_specs" / "sums" / "expected").mkdir(exist_ok=True)
    for name, content in expected.items():
        (folder / "test_specs" / "sums" / "expected" / name).write_bytes(content)


def hint_in(report: str) -> list[str]:
    lines = report.splitlines()
    return [line.strip() for line in lines if line.startswith("  Hint: ")]


@pytest.mark.slow
def test_the_place_is_named(checked: Checked) -> None:
    assert f"Hint: {PLACE}" in hint_in(checked(MINUS))
    assert "+= n" not in checked(MINUS)


@pytest.mark.slow
def test_the_kind_is_named(checked: Checked) -> None:
    assert f"Hint: {PLACE} It is about an operator." in hint_in(checked(MINUS, "hints: {repair: kind}\n"))


@pytest.mark.slow
def test_the_change_is_shown(checked: Checked) -> None:
    report = checked(MINUS, "hints: {repair: change}\n")
    shown = f"  Hint: {PLACE}\n    -            result -= n\n    +            result += n\n"
    assert shown in report


@pytest.mark.slow
def test_lines_are_counted_with_comments_and_blanks(checked: Checked) -> None:
    program = f"# Sums.\n\n\n# By ann.\n\n{MINUS}"
    assert f"Hint: {PLACE.replace('Line 5', 'Line 10')}" in hint_in(checked(program))


def test_nothing_is_said_without_the_key(checked: Checked) -> None:
    assert hint_in(checked(MINUS, "")) == []


@pytest.mark.slow
def test_a_test_can_ask_alone(checked: Checked) -> None:
    tests = TESTS.replace('input: [3, 4, ""]', 'input: [3, 4, ""], hints: {repair: place}')
    report = checked(MINUS, "", tests)
    assert hint_in(report) == [f"Hint: {PLACE}"]
    assert report.index("two  [") < report.index("Hint: ") < report.index("many  [")


def test_a_program_that_could_do_harm_is_not_tried(checked: Checked) -> None:
    assert hint_in(checked(f"import os\n{MINUS}")) == []


def test_a_program_that_is_wrong_throughout_has_no_hint(checked: Checked) -> None:
    assert hint_in(checked("while input():\n    print(12)\n")) == []


@pytest.mark.slow
def test_a_change_that_breaks_a_passing_test_is_not_named(checked: Checked) -> None:
    # Most small changes that make `many` pass make `two` fail.
    wrong = REFERENCE.replace("    return result\n", "    return result if len(numbers) < 3 else 7\n")
    report = checked(wrong)
    assert all(hint.startswith("Hint: Line 6 is worth a look") for hint in hint_in(report))


def test_there_is_no_hint_without_time(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, *[2.9] * 10_000])
    monkeypatch.setattr("grader.plugins.locating.repairing.hints.monotonic", lambda: next(times))
    assert hint_in(checked(MINUS)) == []


def test_an_unknown_word_is_an_error(tmp_path: Path) -> None:
    course = write_course(tmp_path, "hints: {repair: line}\n")
    with pytest.raises(SpecError, match=r"found `line`; expected one of: change, kind, place"):
        course.assignment("sums")


@pytest.mark.slow
def test_bundles_and_hints_do_not_depend_on_secrets(tmp_path: Path, checked: Checked) -> None:
    """The reference and hidden tests may hold anything: students get the same bytes, and read the same hints."""
    hints = "hints: {repair: change}\n"
    before = checked(MINUS, hints)
    assignment = Course(tmp_path).assignment("sums")
    data, first = data_files(assignment, public_content(assignment)), make_folder(assignment, tmp_path / "first").path
    secret = "def total(numbers):\n    return 'zq-secret'\n\n\nif __name__ == '__main__':\n    print('zq-secret')\n"
    (tmp_path / "reference" / "sums.py").write_text(secret)
    (tmp_path / "test_specs" / "sums" / "expected" / "zq-other.canonical.txt").write_text("zq-expected\n")
    hidden = TESTS.replace("{id: below, input: [-1, 2", "{id: zq-other, title: zq-title, input: [-7, 2")
    assert checked(MINUS, hints, hidden) == before
    changed = Course(tmp_path).assignment("sums")
    assert data_files(changed, public_content(changed)) == data
    second = make_folder(changed, tmp_path / "second").path
    for file in first.rglob("*"):
        other = second / file.relative_to(first)
        assert file.is_dir() or file.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_a_bundle_finds_hints_on_a_bare_python(tmp_path: Path, expected: dict[str, bytes]) -> None:
    course = write_course(tmp_path, "hints: {repair: change}\n")
    fill_expected(tmp_path, expected)
    bundle = make_file(course.assignment("sums"), tmp_path / "grader.pyz").path
    (tmp_path / "sums.py").write_text(MINUS)
    # On a busy machine, three seconds may not be enough.
    reports = (checked_with(tmp_path, bundle, tmp_path) for _ in range(10))
    report = next(report for report in reports if hint_in(report))
    assert f"  Hint: {PLACE}\n    -            result -= n\n    +            result += n\n" in report


@pytest.mark.slow
def test_a_bundle_carries_the_search_only_if_a_test_asks(tmp_path: Path, expected: dict[str, bytes]) -> None:
    names = []
    for hints in ("", "hints: {repair: kind}\n"):
        assignment = write_course(tmp_path, hints).assignment("sums")
        fill_expected(tmp_path, expected)
        folder = make_folder(assignment, tmp_path / "bundle").path
        names.append([file.name for file in folder.rglob("hint_search.py")])
    assert names == [[], ["hint_search.py"]]
