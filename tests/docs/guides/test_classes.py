"""The guides on classes: what they show is what appears, and they fit a screen and a half."""

import re
import shutil
from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.guides import OPENINGS
from tests.docs.running import csv_rows, environment, in_pipes
from tests.docs.shown import check_shown, follow
from tests.sandbox import needs_sandbox

GUIDES = ROOT / "docs" / "guides"
NAMES = (
    "appeals",
    "ci",
    "department",
    "late-days",
    "marking",
    "move",
    "platforms",
    "privacy",
    "python",
    "self-check",
    "similarity",
    "teams",
    "term",
)
_MAX_WORDS, _MAX_LINES = 500, 100
_ROW = re.compile(r"^\| `(\{policy: .*\})` \| (?:gets at most|loses) ([\d.]+)(?: %| points) \|$", re.M)


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("name", NAMES)
def test_a_guide_shows_what_appears(name: str, tmp_path: Path) -> None:
    check_shown(GUIDES / f"{name}.md", tmp_path / "course")


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_is_short(name: str) -> None:
    text = (GUIDES / f"{name}.md").read_text(encoding="utf-8")
    assert len(text.split()) <= _MAX_WORDS
    assert len(text.splitlines()) <= _MAX_LINES


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_begins_with_what_it_shows(name: str) -> None:
    title, blank, first, *_ = (GUIDES / f"{name}.md").read_text(encoding="utf-8").splitlines()
    assert (title[:2], blank) == ("# ", "")
    assert first.startswith(OPENINGS)


@pytest.mark.slow
@needs_sandbox
def test_policies_cost_what_the_guide_says_of_25_hours(tmp_path: Path) -> None:
    guide, course = GUIDES / "late-days.md", tmp_path / "course"
    follow(guide, course)
    students = course / "submissions" / "sums"
    (students / "extensions.csv").unlink()
    (students / "times.csv").write_text("student,time\nada,2026-03-03 13:00\n")
    for name in ("ben", "cleo", "dora"):
        shutil.rmtree(students / name)
    assignment = course / "test_specs" / "sums" / "assignment.yaml"
    text = assignment.read_text()
    rows = _ROW.findall(guide.read_text())
    assert len(rows) == 4
    for policy, share in rows:
        assignment.write_text(re.sub(r"^late: .*$", f"late: {policy}", text, flags=re.M))
        code, printed = in_pipes("grader grade submissions/sums", course, environment(course))
        assert code == 0, printed
        [ada] = csv_rows(course / "reports" / "sums" / "results.csv")
        lost = {"8": ["80"], "7.5": ["25", "2.5"]}[ada["mark"]]
        assert share in lost, policy


@pytest.mark.slow
@needs_sandbox
def test_marks_are_those_that_the_guide_on_teams_shares(tmp_path: Path) -> None:
    follow(GUIDES / "teams.md", tmp_path / "course")
    rows = csv_rows(tmp_path / "course" / "reports" / "sums" / "results.csv")
    assert [(row["student"], row["roster_team"], row["mark"]) for row in rows] == [
        ("ada", "blue", "10"),
        ("ben", "blue", "10"),
        ("cleo", "red", "0"),
        ("dora", "red", "0"),
    ]
