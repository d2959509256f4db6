"""The hook for courses, the settings for editors and the container for developers do what their document says.

Neither pre-commit nor the specification of development containers publishes a schema that check-jsonschema carries, so
the rules that matter are written down here.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchmarks.first_minute import fresh_copy, lend_libraries, run_make
from grader.plugins.pytest import options
from tests import ROOT
from tests.conftest import SmallCourse
from tests.docs.running import run_document
from tools.document_steps import BLOCK

DOCUMENT = ROOT / "docs" / "guides" / "ci.md"
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))


def blocks(file: str) -> list[str]:
    """The blocks of the document that are this file."""
    return [block["body"] for block in BLOCK.finditer(DOCUMENT.read_text()) if block["info"].endswith(f"file={file}")]


def run_hook(folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = shlex.split(HOOK["entry"])
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def test_the_hook_has_what_pre_commit_asks_of_one() -> None:
    assert {"id", "name", "entry", "language"} <= set(HOOK)
    assert HOOK["language"] == "python"
    assert set(HOOK) <= {
        *("id", "name", "description", "entry", "language", "files", "pass_filenames", "require_serial")
    }
    (configuration,) = blocks(".pre-commit-config.yaml")
    (repository,) = yaml.safe_load(configuration)["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [HOOK["id"]]


@pytest.mark.parametrize(
    ("file", "concerns"),
    [
        ("test_specs/doubles/tests/double.yaml", True),
        ("course/reference/double.py", True),
        ("checkers/own.py", True),
        ("submissions/doubles/anna/double.py", False),
        ("my_reference/notes.md", False),
    ],
)
def test_the_hook_runs_for_what_expected_transcripts_come_from(file: str, *, concerns: bool) -> None:
    assert bool(re.search(HOOK["files"], file)) is concerns


@pytest.mark.slow
def test_the_hook_refuses_what_is_not_fresh(small_course: SmallCourse) -> None:
    assert run_hook(small_course.folder).returncode == 0
    reference = small_course.folder / "reference" / "double.py"
    reference.write_text(reference.read_text().replace("Number: ", "A number: "))
    refused = run_hook(small_course.folder)
    assert refused.returncode == 1
    assert "double" in refused.stdout + refused.stderr


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    assert len(run_document(DOCUMENT, tmp_path)) == 4


@pytest.mark.slow
def test_the_test_explorer_lists_the_tests(small_course: SmallCourse) -> None:
    """VS Code asks pytest in the same way, and adds a plugin that sends the answer to it."""
    (text,) = blocks(".vscode/settings.json")
    settings = json.loads(text)
    assert settings["python.testing.pytestEnabled"] is True
    assert settings["python.testing.pytestArgs"] == ["--submission", "submissions/sums/anna", "--hidden"]
    arguments = ["reference" if "/" in word else word for word in settings["python.testing.pytestArgs"]]
    command = [sys.executable, "-m", "pytest", "-p", options.__name__, f"--rootdir={small_course.folder}"]
    run = subprocess.run(
        [*command, "--collect-only", "-q", *arguments],
        cwd=small_course.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    listed = re.findall(r"^test_specs/doubles/tests/double\.yaml::(\S+)$", run.stdout, re.M)
    assert listed == ["small", "hidden-11", "hidden-12"]


def test_the_container_is_the_image_with_the_options_of_its_sandbox() -> None:
    build = CONTAINER["build"]
    folder = ROOT / ".devcontainer"
    assert (folder / build["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert (folder / build["context"]).resolve() == ROOT
    containerfile = (ROOT / "Containerfile").read_text()
    assert f" AS {build['target']}\n" in containerfile
    assert f" {CONTAINER['remoteUser']} " in containerfile
    script = (ROOT / "tools" / "grader-in-container").read_text()
    wanted = set(re.findall(r"--security-opt=\w+=\w+", script))
    assert set(CONTAINER["runArgs"]) == wanted
    assert len(wanted) == 4


@pytest.mark.slow
def test_the_container_is_prepared_as_for_make_test(tmp_path: Path) -> None:
    project = fresh_copy(tmp_path)
    lend_libraries(project)
    (project / ".venv" / "ready").unlink()
    make, target = shlex.split(CONTAINER["postCreateCommand"])
    assert make == "make"
    planned = run_make(project, "--dry-run", target)
    assert planned.exit_status == 0
    assert "--editable '.[test]'" in planned.output
    interpreter = CONTAINER["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    assert (project / interpreter).exists()
