"""The action of this repository: it is one, and its steps check and grade as they stand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader import __version__
from grader.installation import DISTRIBUTION
from tests import ROOT
from tests.conftest import RIGHT, WRONG, SmallCourse
from tests.sandbox import needs_sandbox
from tools.document_steps import BLOCK

FILE = ROOT / "action.yml"
ACTION = yaml.safe_load(FILE.read_text(encoding="utf-8"))
DOCUMENT = (ROOT / "docs" / "guides" / "ci.md").read_text(encoding="utf-8")
INSTALL, SANDBOX, GRADE = ACTION["runs"]["steps"]


def check_schema(schema: str, file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_it_is_an_action() -> None:
    check_schema("vendor.github-actions", FILE)


@pytest.mark.slow
def test_the_examples_are_workflows_that_give_it_inputs_which_it_has(tmp_path: Path) -> None:
    blocks = [block["body"] for block in BLOCK.finditer(DOCUMENT) if "file=.github/workflows/" in block["info"]]
    assert len(blocks) == 2
    for block in blocks:
        file = tmp_path / "workflow.yml"
        file.write_text(block)
        check_schema("vendor.github-workflows", file)
        check_schema("custom.github-workflows-require-timeout", file)
        (job,) = yaml.safe_load(block)["jobs"].values()
        assert set(job["steps"][1]["with"]) <= set(ACTION["inputs"])


def test_every_input_is_documented_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (?:`(.*)` )?\|$", DOCUMENT, re.M)
    assert dict(rows) == {name: entry["default"] for name, entry in ACTION["inputs"].items()}


def test_inputs_reach_the_shell_as_variables_alone() -> None:
    assert not any("${{" in step["run"] for step in ACTION["runs"]["steps"])


def run_step(step: dict[str, Any], folder: Path, runner: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: with the inputs where they are named, in the checkout."""
    values = {name: inputs.get(name, entry["default"]) for name, entry in ACTION["inputs"].items()}
    variables = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], value)
        for name, value in step["env"].items()
    }
    places = {
        "GITHUB_ACTION_PATH": str(runner / "action"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "GITHUB_WORKSPACE": str(folder),
        "RUNNER_TEMP": str(runner),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    environment = {**os.environ, **variables, **places}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """The folder of a runner in which the grader is installed already."""
    programs = tmp_path / "runner" / "grader" / "bin"
    programs.mkdir(parents=True)
    (programs / "grader").symlink_to(Path(sys.executable).with_name("grader"))
    return tmp_path / "runner"


@pytest.mark.slow
def test_a_submission_is_checked(small_course: SmallCourse, runner: Path) -> None:
    small_course.hand_in("the wrong one", WRONG)
    done = run_step(GRADE, small_course.folder, runner, path="submissions/doubles/the wrong one")
    assert done.returncode == 1, done.stderr
    assert "::error file=submissions/doubles/the wrong one/double.py" in done.stdout
    assert "1 of 2 tests passed" in (runner / "summary.md").read_text().replace("\\", "")


@pytest.mark.slow
def test_a_right_submission_passes(small_course: SmallCourse, runner: Path) -> None:
    small_course.hand_in("right", RIGHT)
    done = run_step(GRADE, small_course.folder, runner, path="submissions/doubles/right", assignment="doubles")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@needs_sandbox
def test_a_class_is_graded(small_course: SmallCourse, runner: Path, tmp_path: Path) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    elsewhere = tmp_path / "checkout"
    elsewhere.mkdir()
    done = run_step(
        GRADE, elsewhere, runner, command="grade", path=str(small_course.students), course=str(small_course.folder)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^\| (right|wrong) \|", (runner / "summary.md").read_text(), re.M)
    assert rows == ["right", "wrong"]
    assert SANDBOX["if"] == "inputs.command == 'grade'"


def test_no_other_command_is_run(small_course: SmallCourse, runner: Path) -> None:
    done = run_step(GRADE, small_course.folder, runner, command="--help; true")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("::error::command is '--help; true'")


@pytest.mark.slow
def test_it_is_installed_from_the_checkout_of_the_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # To compile all that is installed takes long; pip's manual says that a false value enables this option.
    monkeypatch.setenv("PIP_NO_COMPILE", "no")
    # What it depends on is installed with the same constraints by `make demo` and in the image.
    monkeypatch.setenv("PIP_NO_DEPS", "yes")
    action, folder = tmp_path / "action", tmp_path / "student"
    shutil.copytree(ROOT / "grader", action / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", action / "docs")
    for name in ("LICENSE", "README.md", "constraints.txt", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, action)
    folder.mkdir()
    for name in ("pip.py", "venv.py"):
        (folder / name).write_text("raise SystemExit('hijacked')\n")
    done = run_step(INSTALL, folder, tmp_path, python=sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    programs = tmp_path / "grader" / "bin"
    code = f"from importlib.metadata import version; print(version({DISTRIBUTION!r}))"
    version = subprocess.run([programs / "python", "-c", code], capture_output=True, text=True, check=True)
    assert version.stdout == f"{__version__}\n"
    assert (programs / "grader").exists()
