"""The example courses of docs/examples are complete."""

from pathlib import Path

import pytest

from tests import ROOT

EXAMPLES = ROOT / "docs" / "examples"
COURSES = sorted(folder for folder in EXAMPLES.iterdir() if folder.is_dir())


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.name)
def test_a_course_has_samples_of_its_assignments_alone(course: Path) -> None:
    assignments = {folder.name for folder in (course / "test_specs").iterdir()}
    assert {folder.name for folder in (course / "submissions").iterdir()} == assignments


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.name)
def test_every_course_is_listed_and_says_shortly_what_it_shows(course: Path) -> None:
    assert f"`docs/examples/{course.name}`" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert 3 <= len((course / "README.md").read_text(encoding="utf-8").splitlines()) <= 25
