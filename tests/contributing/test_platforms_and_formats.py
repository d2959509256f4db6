"""The recipes for a learning platform and an output format, followed to the letter."""

import json
from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.contributing.recipes import follow, run_copy

WRONG = RIGHT.replace("2 *", "3 *")
OPTIONS = ("--assignment", "doubles", "--sandbox", "none", "--jobs", "2")


@pytest.mark.slow
def test_a_learning_platform(small_course: SmallCourse, tmp_path: Path) -> None:
    named = follow("To add a learning platform", tmp_path)
    assert {Path(name).name for name in named} == {"download.py", "__init__.py"}
    class_folder = small_course.folder / "download"
    class_folder.mkdir()
    for login, time, text in (
        ("ada", "2025-10-20-12-30-45", WRONG),
        ("ada", "2025-10-21-12-30-45", RIGHT),
        ("grace", "2025-10-28-12-00-00", RIGHT),
    ):
        (class_folder / f"{login}_{time}_double.py").write_text(text)
    run = run_copy(tmp_path, "grade", "download", *OPTIONS, "--format", "json", folder=small_course.folder)
    assert run.returncode == 0, run.stderr
    students = {one["student"]: one for one in json.loads(run.stdout)["submissions"]}
    assert {name: (one["shape"], one["time_source"], one["attempt"]) for name, one in students.items()} == {
        "ada": ("handin", "hand-in server", 2),
        "grace": ("handin", "hand-in server", 1),
    }
    assert students["ada"]["submitted"] == "2025-10-21T12:30:45+11:00"
    assert float(students["ada"]["mark"]["adjusted"]) > float(students["grace"]["mark"]["adjusted"])
    refused = run_copy(tmp_path, "grade", "download", *OPTIONS, "--download-format", "zip", folder=small_course.folder)
    assert "canvas, handin, git" in refused.stderr


@pytest.mark.slow
def test_an_output_format(small_course: SmallCourse, tmp_path: Path) -> None:
    named = follow("To add an output format", tmp_path)
    assert len(set(named)) == 2
    small_course.hand_in("first", WRONG)
    run = run_copy(tmp_path, "grade", "submissions/doubles", *OPTIONS, "--format", "sarif", folder=small_course.folder)
    assert run.returncode == 0, run.stderr
    (sarif,) = json.loads(run.stdout)["runs"]
    assert "first, small: " in sarif["results"][0]["message"]["text"]
    program = small_course.folder / "submissions" / "doubles" / "first" / "double.py"
    check = run_copy(tmp_path, "check", program, "--format", "sarif", folder=small_course.folder)
    assert check.returncode == 1, check.stderr
    assert json.loads(check.stdout)["version"] == "2.1.0"
