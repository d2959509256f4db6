"""A small assignment folder, and the problems that are found in it."""

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.assignment import Assignment
from grader.spec.load import load_assignment

ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs:
  - file: game.py
parts:
  - {id: play, title: Playing, marks: 1}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
"""

TESTS = """\
format: 1
program: game.py
part: play
points: 1
tests:
  - {id: one, input: [1]}
"""


def write_assignment(parent: Path, assignment: str | bytes = ASSIGNMENT, **tests: str | bytes) -> Path:
    """Write the folder `demo`; `tests` are the files in tests/ by name, by default one."""
    folder = parent / "demo"
    (folder / "tests").mkdir(parents=True)
    _write(folder / "assignment.yaml", assignment)
    for name, content in (tests or {"play": TESTS}).items():
        _write(folder / "tests" / f"{name}.yaml", content)
    return folder


def load(folder: Path) -> Assignment:
    return load_assignment(folder, folder.parent / "reference")


def problems_of(folder: Path) -> str:
    """What loading says, a line per problem, file names relative to the folder."""
    with pytest.raises(SpecError) as caught:
        load(folder)
    return str(caught.value).replace(f"{folder}/", "")


def _write(file: Path, content: str | bytes) -> None:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
