"""docs/reference/platforms.md does what it says, with downloads of a class in the shapes that it names."""

import shutil
from pathlib import Path

import pytest

from benchmarks.course import make_course
from tests import ROOT
from tests.docs.running import copy_parts, csv_rows, run_document

SHAPES = {"moodle": "moodle-zip", "canvas": "canvas", "gradescope": "gradescope", "hw1": "git", "class": "folders-zip"}


@pytest.mark.slow
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", "test_specs", "submissions/cse231-lab10a")
    downloads = tmp_path / "downloads"
    for name, shape in SHAPES.items():
        made = make_course(2, seed=1).write(downloads / f"made-{name}", shape, "lab10a.py")
        ending = "-submissions" if name == "hw1" else made.suffix
        made.rename(downloads / f"{name}{ending}")
    shutil.make_archive(str(downloads / "gradescope"), "zip", downloads / "gradescope")
    commands = run_document(ROOT / "docs" / "reference" / "platforms.md", tmp_path)
    assert len([command for command in commands if " downloads/" in command]) == 6
    rows = csv_rows(tmp_path / "moodle-reports" / "cse231-lab10a" / "results.csv")
    assert [row["student"] for row in rows] == ["z5000000", "z5000001", "z9999999"]
