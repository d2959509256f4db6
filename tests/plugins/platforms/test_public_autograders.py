"""The autograders for repositories that students can read grade as they are unpacked, as the platform runs them."""

import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from grader.model.assignment import Assignment
from grader.platforms.platform import ExportedFiles, ExportError
from grader.plugins.platforms.ci.recipes import forgejo_autograder, gitlab_autograder
from grader.plugins.platforms.classroom50.autograder import classroom50_autograder
from tests.conftest import RIGHT, TRIPLE, SmallCourse
from tests.plugins.platforms.schemas import Classroom50Result
from tests.plugins.platforms.test_autograder import NO_PYTHONPATH, doubles, public, unzip

# What the runner of Classroom 50 sets.
RUNNER = {
    "CLASSROOM": "cs-principles",
    "ASSIGNMENT": "hello",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "USERNAME": "alice",
    "OWNER": "alice",
    "ASSIGNMENT_TYPE": "group",
    "COMMIT_URL": "https://github.example/c",
    "RELEASE_URL": "https://github.example/r",
    "REVIEW_URL": "",
}
Builder = Callable[[Assignment, Path, str], ExportedFiles]


@pytest.mark.parametrize("build", [classroom50_autograder, gitlab_autograder, forgejo_autograder])
def test_hidden_tests_are_handed_to_nobody(build: Builder, small_course: SmallCourse) -> None:
    with pytest.raises(ExportError, match=r"doubles has 2 hidden tests .* students can read all"):
        build(doubles(small_course), small_course.folder, "none")


def checkout(small_course: SmallCourse, build: Builder, folder: Path, unpacked: Path) -> Path:
    """A student's checkout, in which a program is wrong and lie modules that nothing must import."""
    (content,) = build(public(doubles(small_course)), small_course.folder, "none").files.values()
    unzip(content, unpacked)
    folder.mkdir(exist_ok=True)
    (folder / "double.py").write_text(RIGHT)
    (folder / "triple.py").write_text(TRIPLE.replace("3 *", "4 *"))
    for name in ("json.py", "grader.py", "pip.py"):
        (folder / name).write_text("raise SystemExit('hijacked')\n")
    return folder


def run_here(command: list[str], folder: Path, more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**NO_PYTHONPATH, **more}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_classroom50_takes_the_result(small_course: SmallCourse, tmp_path: Path) -> None:
    work = checkout(small_course, classroom50_autograder, tmp_path / "work", tmp_path / "autograders" / "hello")
    script = str(tmp_path / "autograders" / "hello" / "autograder.py")
    run = run_here([sys.executable, script], work, RUNNER)
    assert run.returncode == 0, run.stderr
    result = Classroom50Result.model_validate_json((work / "result.json").read_text())
    assert (result.score, result.max_score, result.owner, result.assignment_type) == (10, 12, "alice", "group")
    assert result.review == RUNNER["COMMIT_URL"]
    body = (work / "release-body.md").read_text()
    assert body.startswith("### 10 / 12\n\n- passed: 4 / 4\n\n        small: a small number\n\n- passed: 3 / 3\n")
    assert "\n- **failed**: 0 / 2\n\n        at-the-prompt\n" in body


@pytest.mark.slow
def test_a_fault_of_the_grader_is_no_result_of_classroom50(small_course: SmallCourse, tmp_path: Path) -> None:
    work = checkout(small_course, classroom50_autograder, tmp_path / "work", tmp_path / "hello")
    (tmp_path / "hello" / "lib" / "grader" / "plugins" / "exporting" / "api.py").write_text("raise SystemExit(3)\n")
    run = run_here([sys.executable, str(tmp_path / "hello" / "autograder.py")], work, RUNNER)
    assert run.returncode != 0
    assert not (work / "result.json").exists()


def recipe(small_course: SmallCourse, build: Builder, folder: Path, name: str) -> dict[str, Any]:
    """The recipe, which fits the published schema of its kind and is unpacked into a checkout."""
    work = checkout(small_course, build, folder, folder)
    schema = {".gitlab-ci.yml": "vendor.gitlab-ci"}.get(name, "vendor.github-workflows")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(work / name)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    content: dict[str, Any] = yaml.safe_load((work / name).read_text())
    return content


def graded(commands: list[str], python: str, folder: Path, variables: Mapping[str, str]) -> str:
    """What the commands print, with another Python in place of the one of the image; they end with 1."""
    here = f"{shlex.quote(sys.executable)} -P"
    for command in commands[:-1]:
        run = run_here(["bash", "-e", "-c", command.replace(f"{python} -P", here)], folder, variables)
        assert run.returncode == 0, run.stderr
    run = run_here(["bash", "-e", "-c", commands[-1].replace(f"{python} -P", here)], folder, variables)
    assert run.returncode == 1, run.stderr
    return run.stdout


def check_report(printed: str, report: Path) -> None:
    (suite,) = ElementTree.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    assert printed.startswith("at-the-prompt: ")
    assert printed.endswith("3 of 4 tests passed.\n")


@pytest.mark.slow
def test_gitlab_keeps_a_report(small_course: SmallCourse, tmp_path: Path) -> None:
    job = recipe(small_course, gitlab_autograder, tmp_path, ".gitlab-ci.yml")["grade"]
    assert job["artifacts"] == {
        "when": "always",
        "paths": ["grader-report.xml"],
        "reports": {"junit": "grader-report.xml"},
    }
    check_report(graded(job["script"], "python", tmp_path, job["variables"]), tmp_path / "grader-report.xml")


@pytest.mark.slow
def test_forgejo_keeps_a_report(small_course: SmallCourse, tmp_path: Path) -> None:
    workflow = recipe(small_course, forgejo_autograder, tmp_path, ".forgejo/workflows/grade.yml")
    _, _, grade, keep = workflow["jobs"]["grade"]["steps"]
    assert keep["with"]["path"] == "grader-report.xml"
    lines = grade["run"].splitlines()
    check_report(graded(lines, "/opt/grader/bin/python", tmp_path, grade["env"]), tmp_path / "grader-report.xml")
