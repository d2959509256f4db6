"""The core without half of the plugins or without all: folders, tests and lines of pyproject.toml go from a copy.

Of every two plugins, each is deleted once while the other stays, so one that needs another is found as if each were
deleted by itself.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path

import pytest

from grader import __version__
from grader.installation import DISTRIBUTION, METADATA_NAME
from tests import ROOT
from tests.conftest import RIGHT, SmallCourse

PLUGINS = sorted(file.parent.name for file in (ROOT / "grader" / "plugins").glob("*/__init__.py"))
HALVES = [
    [plugin for number, plugin in enumerate(PLUGINS) if (number >> bit) % 2 == value]
    for bit in range((len(PLUGINS) - 1).bit_length())
    for value in (0, 1)
]
CONTRACT = re.compile(r"^\[\[tool\.importlinter\.contracts\]\]\n(?:(?!\[).*\n?)*", re.M)
PYTHON = sys.executable, "-m"


def copy_without(plugins: Sequence[str], root: Path) -> None:
    """Copy the checkout, and delete plugins as their maintainer would."""
    for name in ("grader", "tests", "docs"):
        shutil.copytree(ROOT / name, root / name, copy_function=link_or_copy)
    for name, plugin in product(("grader", "tests"), plugins):
        shutil.rmtree(root / name / "plugins" / plugin, ignore_errors=True)
    lines = re.compile(rf"plugins[./]({'|'.join(plugins)})\b")
    (root / "pyproject.toml").write_text(without_lines((ROOT / "pyproject.toml").read_text(), lines))
    register(root)


def link_or_copy(file: str, copy: str) -> None:
    """Give a file that nobody writes to a second name, where that can be."""
    try:
        os.link(file, copy)
    except OSError:
        shutil.copy2(file, copy)


def without_lines(project: str, name: re.Pattern[str]) -> str:
    """Delete the lines that match, and the contracts about nothing else."""
    project = "".join(line for line in project.splitlines(keepends=True) if not name.search(line))
    return CONTRACT.sub(
        lambda contract: contract[0] if re.search(r"^(source_)?modules|^layers", contract[0], re.M) else "", project
    )


def register(root: Path) -> None:
    """Write the metadata that pip would write for the copy."""
    groups = tomllib.loads((root / "pyproject.toml").read_text())["project"]["entry-points"]
    metadata = root / f"{METADATA_NAME}-{__version__}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {__version__}\n")
    lines = (
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in items.items())
        for group, items in groups.items()
    )
    (metadata / "entry_points.txt").write_text("\n".join(lines))


def run(root: Path, *command: str | Path) -> str:
    """Run a command with the copy, and return its output."""
    # The metadata of the checkout, which has all plugins, stand beside those of the copy.
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_each_plugin_is_deleted_once_while_any_other_stays() -> None:
    pairs = permutations(PLUGINS, 2)
    assert all(any(deleted in half and kept not in half for half in HALVES) for deleted, kept in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("plugins", HALVES, ids=lambda half: f"{half[0]}-{half[1]}")
def test_the_core_and_other_plugins_need_none_of_them(
    plugins: list[str], tmp_path: Path, small_course: SmallCourse
) -> None:
    copy_without(plugins, tmp_path)
    run(tmp_path, Path(sys.executable).with_name("lint-imports"), "--no-cache")
    run(tmp_path, *PYTHON, "grader", "--help")
    if "schemas" not in plugins:
        run(tmp_path, *PYTHON, "grader", "schema")
    # Its policy is that of a plugin.
    assignment = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    assignment.write_text(re.sub(r"^late:.*\n", "", assignment.read_text(), flags=re.M))
    small_course.hand_in("ada", RIGHT)
    grade = (*PYTHON, "grader", "grade", small_course.students, "--course", small_course.folder, "--sandbox", "none")
    (row,) = json.loads(run(tmp_path, *grade, "--assignment", "doubles", "--format", "json"))["submissions"]
    assert {test["verdict"] for test in row["tests"]} == {"passed"}


@pytest.mark.slow
def test_tests_of_the_core_need_no_plugin(tmp_path: Path) -> None:
    copy_without(PLUGINS, tmp_path)
    run(tmp_path, Path(sys.executable).with_name("lint-imports"), "--no-cache")
    tests = ("tests/cli/test_messages.py", "-k", "help or version or loaded")
    run(tmp_path, *PYTHON, "pytest", "-q", "-p", "no:cacheprovider", *tests)
