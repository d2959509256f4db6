"""Follows a recipe of CONTRIBUTING.md to the letter, in a copy of the package.

A recipe is a section. `New file PATH:` stands before a block with the whole file, `In PATH:` before a block of `diff`
whose lines are taken out, put in, or stay.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grader
from grader.installation import METADATA_NAME

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"
_STEP = re.compile(r"^(New file|In) `([^`]+)`.*?:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(root: Path, *titles: str) -> list[str]:
    """Copy the package to `root`, follow the recipes under these titles there, and return the files that they name."""
    shutil.copytree(Path(grader.__file__).parent, root / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(GUIDE.with_name("pyproject.toml"), root)
    shutil.copytree(GUIDE.with_name("docs"), root / "grader" / "docs", ignore=shutil.ignore_patterns("images"))
    steps = [step for title in titles for step in _steps(title)]
    for kind, path, text in steps:
        if kind == "New file":
            assert not (root / path).exists()
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        else:
            _apply(root / path, text)
    _register_plugins(root)
    return [path for _, path, _ in steps]


def _register_plugins(root: Path) -> None:
    """Write the entry points of pyproject.toml where pip would."""
    groups = tomllib.loads((root / "pyproject.toml").read_text())["project"]["entry-points"]
    metadata = root / f"{METADATA_NAME}-{grader.__version__}.dist-info"
    metadata.mkdir()
    with (metadata / "entry_points.txt").open("w") as file:
        for group, points in groups.items():
            file.write("\n".join([f"[{group}]", *(f"{name} = {place}" for name, place in points.items()), "\n"]))


def run_copy(root: Path, *arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the grader of the copy in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def _steps(title: str) -> Iterator[tuple[str, str, str]]:
    section = GUIDE.read_text(encoding="utf-8").partition(f"### {title}\n")[2]
    section = re.split(r"^##", section, maxsplit=1, flags=re.MULTILINE)[0]
    for kind, path, _, text in _STEP.findall(section):
        yield kind, path, text


def _apply(file: Path, diff: str) -> None:
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    text = file.read_text()
    assert text.count(before) == 1, (file, before)
    file.write_text(text.replace(before, after))
