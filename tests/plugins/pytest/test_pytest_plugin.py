"""The tests of an assignment as pytest items, in real runs of pytest."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.plugins.pytest import options
from tests import ROOT
from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = 'print("Double: ", 2 * int(input("Number: ")))\n'

Pytest = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(small_course: SmallCourse) -> Pytest:
    """Runs pytest in the course folder."""

    def pytest_there(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "grader.plugins.pytest.options", "-p", "no:cacheprovider"]
        return subprocess.run(
            [*command, *map(str, arguments)], cwd=small_course.folder, capture_output=True, text=True, check=False
        )

    return pytest_there


@pytest.mark.slow
def test_a_right_program_passes(run: Pytest, small_course: SmallCourse) -> None:
    done = run("--submission", small_course.hand_in("right", RIGHT), "-v", "-W", "error")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.findall(r"^(\S+) PASSED", done.stdout, re.M)
    assert sorted(passed) == [
        "test_specs/doubles/tests/double.yaml::small",
        "test_specs/doubles/tests/triple.yaml::at-the-prompt",
    ]


@pytest.mark.slow
def test_a_failure_shows_what_the_self_check_shows(run: Pytest, grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wrong", WRONG)
    checked = grader("check", folder, "--assignment", "doubles").stdout
    detail = checked[checked.index("small: a small number  [wrong-output]") :].partition("\n\n")[0]
    # What explains causes is a command.
    detail = re.sub(r"^  more: .*\n", "", detail, flags=re.M)
    done = run("--submission", folder, "--assignment", "doubles", "--junitxml", "junit.xml")
    assert done.returncode == 1
    assert detail in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    cases = ElementTree.parse(small_course.folder / "junit.xml").getroot().iter("testcase")
    assert {case.get("name"): case.find("failure") is None for case in cases} == {"small": False, "at-the-prompt": True}


@pytest.mark.slow
def test_an_ide_finds_the_line_in_the_file(run: Pytest, small_course: SmallCourse) -> None:
    (small_course.folder / "conftest.py").write_text(
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n"
        '        print("at", item.nodeid, item.path.name, item.location)\n'
    )
    folder = small_course.hand_in("right", RIGHT)
    done = run("--submission", folder, "--hidden", "--collect-only", "-q", "-s")
    where = "test_specs/doubles/tests/double.yaml"
    lines = (small_course.folder / where).read_text().splitlines()
    assert f"at {where}::small double.yaml ('{where}', {lines.index(line_of(lines, 'small'))}, 'small')" in done.stdout
    loop = lines.index(line_of(lines, "hidden-$n"))
    for test in ("hidden-11", "hidden-12"):
        assert f"at {where}::{test} double.yaml ('{where}', {loop}, '{test}')" in done.stdout
    assert "4 tests collected" in done.stdout


def line_of(lines: list[str], test: str) -> str:
    return next(line for line in lines if f"id: {test}" in line)


@pytest.mark.slow
def test_one_item_by_its_node_id(run: Pytest, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    node = "test_specs/doubles/tests/double.yaml::hidden-12"
    assert "1 passed" in run("--submission", folder, "--hidden", node).stdout


@pytest.mark.slow
def test_a_program_is_read_as_one_variant_on_several_processes(run: Pytest, small_course: SmallCourse) -> None:
    mixed = 'number = int(input("Number: "))\nprint("Twice:" if number == 12 else "Double:", 2 * number)\n'
    small_course.hand_in("mixed", mixed)
    done = run("--submission", "submissions/doubles/mixed", "--hidden", "-n", "2")
    assert "1 failed, 3 passed" in done.stdout
    assert "double.yaml::hidden-12" in done.stdout
    assert "+     2 │ Twice: 24" in done.stdout


@pytest.mark.slow
def test_one_file_has_only_its_own_tests_and_keywords_choose(run: Pytest, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    assert "2 passed, 1 deselected" in run("--submission", folder / "double.py", "--hidden", "-k", "hidden").stdout


@pytest.mark.slow
def test_nothing_to_test(run: Pytest) -> None:
    done = run("--submission", ".", "--assignment", "double")
    assert done.returncode == 4
    assert "did you mean `doubles`?" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_other_runs_are_left_alone(run: Pytest, small_course: SmallCourse) -> None:
    (small_course.folder / "test_own.py").write_text(
        "import sys\n\ndef test_own():\n"
        '    assert not {"pydantic", "rich", "yaml", "grader.plugins.pytest.items"} & set(sys.modules)\n'
    )
    done = run()
    assert "1 passed" in done.stdout, done.stdout


def test_the_plugin_is_known_to_pytest_by_its_module() -> None:
    """Under another name, `-p` with the module would add a second plugin, and pytest would refuse to start."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {options.__name__: options.__name__}
