"""The workflow for hosted continuous integration runs what the Makefile has, with every Python of the classifiers."""

import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml

from tests import ROOT
from tools.release_check import supported_series

FILE = ROOT / ".github" / "workflows" / "test.yml"


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["jobs"]
    return found


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_it_is_a_workflow(schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(FILE)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_its_commands_are_targets_of_the_makefile(jobs: dict[str, Any]) -> None:
    matrix = jobs["run"]["strategy"]["matrix"]
    commands = [*matrix["command"], *(one["command"] for one in matrix["include"])]
    assert jobs["run"]["steps"][-1]["run"] == "${{ matrix.command }}"
    commands.append(jobs["release"]["steps"][-1]["run"])
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert commands == ["make test", "make slow", "make docs", "make release-check"]
    assert {command.removeprefix("make ") for command in commands} <= targets


def test_it_tries_the_pythons_of_the_classifiers(jobs: dict[str, Any]) -> None:
    series = supported_series()
    assert jobs["run"]["strategy"]["matrix"]["python"] == series
    assert jobs["release"]["steps"][1]["with"]["python-version"].split() == series
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={series[0]}"
