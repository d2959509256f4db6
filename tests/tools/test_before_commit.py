"""What pre-commit runs is what `make test` runs, and is there."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import ROOT

HOOKS = [
    hook
    for repository in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repository["hooks"]
]


def test_nothing_is_downloaded() -> None:
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    assert {hook["language"] for hook in HOOKS} == {"system"}


def test_submissions_are_not_handed_to_the_hooks() -> None:
    """A file that is named is checked, also one that the settings leave out."""
    assert all(hook["pass_filenames"] is False for hook in HOOKS)


def test_the_hooks_are_the_first_steps_of_make_test() -> None:
    listed = subprocess.run(["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    steps = [line for line in listed.splitlines() if line.startswith(".venv/bin/") and "pytest" not in line]
    # The types are checked beside the tests.
    steps = [line.removesuffix(" & \\") for line in steps if " pip " not in line]
    assert [hook["entry"] for hook in HOOKS] == steps


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_can_be_run(hook: dict[str, Any]) -> None:
    program, *rest = shlex.split(hook["entry"])
    assert Path(program).parent == Path(".venv/bin")
    there = Path(sys.executable).with_name(Path(program).name)
    run = subprocess.run([there, *rest, "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "Usage:" in run.stdout or "usage:" in run.stdout
