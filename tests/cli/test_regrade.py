"""Marks change with dates and decisions, without one session; names of every kind come through."""

import csv
import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from grader.text.csv_cells import plain_cell
from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")


def sessions(course: SmallCourse) -> int:
    """How many sessions were ever held and kept."""
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])


def entries(course: SmallCourse) -> dict[str, dict[str, Any]]:
    content = json.loads((course.reports / "results.json").read_text())
    return {entry["student"]: entry for entry in content["submissions"]}


def marks(course: SmallCourse) -> dict[str, str | None]:
    return {student: entry["mark"] and entry["mark"]["adjusted"] for student, entry in entries(course).items()}


def write(course: SmallCourse, name: str, content: str) -> None:
    (course.students / name).write_text(content)


@pytest.fixture
def graded(grader: Grader, small_course: SmallCourse) -> SmallCourse:
    """A course with three students that has been graded, with the reports kept in `before`."""
    small_course.hand_in("late", RIGHT, submitted="2025-10-28 13:00")
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    assert grader("grade", "submissions").returncode == 0
    assert marks(small_course) == {"late": "9.6", "right": "12", "wrong": "2"}
    small_course.reports.rename(small_course.folder / "before")
    return small_course


@pytest.mark.slow
def test_dates_and_consideration_change_marks_without_running_anything(grader: Grader, graded: SmallCourse) -> None:
    held = sessions(graded)
    assignment = graded.folder / "test_specs" / "doubles" / "assignment.yaml"
    text = assignment.read_text()
    for was, now, late in (
        ("due: 2025-10-27 11:59", "due: 2025-10-28 13:00", "12"),
        ("max_days_late: 3}", "max_days_late: 3, late_days: 1}", "10.8"),
        ("max_days_late: 3}", "max_days_late: 3, cut_off: 2025-10-28 12:00}\nrounding: {places: 0}", "0"),
    ):
        assert was in text
        assignment.write_text(text.replace(was, now))
        assert grader("grade", "submissions").returncode == 0
        assert marks(graded)["late"] == late
    assignment.write_text(text)
    for line, extended in (
        ("{student: late, due: 2025-10-28 12:00}", "10.8"),
        ("{student: late, excused: true}", None),
    ):
        write(graded, "extensions.yaml", f"format: 1\nextensions:\n  - {line}\n")
        assert grader("grade", "submissions").returncode == 0
        assert marks(graded)["late"] == extended
    assert sessions(graded) == held


@pytest.mark.slow
def test_a_decision_survives_regrading_and_is_shown_everywhere(grader: Grader, graded: SmallCourse) -> None:
    write(
        graded,
        "overrides.csv",
        "student,test,verdict,mark,by,reason\n"
        "wrong,small,passed,,the lecturer,a slip in the handout\n"
        "right,,,11.5,the lecturer,agreed\n",
    )
    for options in ([], ["--no-cache"]):
        run = grader("grade", "submissions", *options)
        assert run.returncode == 0, run.stdout + run.stderr
        assert marks(graded) == {"late": "9.6", "right": "11.5", "wrong": "6"}
        assert "wrong: override: test small: passed. Decided by the lecturer: a slip in the handout" in run.stdout
        assert "right: override: mark 11.5. Decided by the lecturer: agreed" in run.stdout
    feedback = (graded.reports / "students" / "wrong.txt").read_text()
    assert "Decided by the lecturer: a slip in the handout" in feedback
    assert entries(graded)["wrong"]["tests"][0]["verdict_before"] == "wrong-output"
    with (graded.reports / "results.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["right"]["overrides"] == "mark 11.5. Decided by the lecturer: agreed"


@pytest.mark.slow
def test_a_decision_about_an_earlier_submission_is_said_and_does_not_count(grader: Grader, graded: SmallCourse) -> None:
    before = json.loads((graded.folder / "before" / "results.json").read_text())
    digest = next(entry["digest"] for entry in before["submissions"] if entry["student"] == "wrong")
    line = f"{{student: wrong, mark: 7, reason: agreed, by: the lecturer, submission: {digest[:12]}}}"
    write(graded, "overrides.yaml", f"format: 1\noverrides:\n  - {line}\n")
    assert grader("grade", "submissions").returncode == 0
    assert marks(graded)["wrong"] == "7"
    (graded.students / "wrong" / "double.py").write_text(RIGHT)
    run = grader("grade", "submissions")
    assert marks(graded)["wrong"] == "12"
    assert "wrong: override not applied, because it is about other files than those handed in now" in run.stdout


@pytest.mark.slow
def test_a_person_settles_what_a_checker_left_open(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    small_course.judge_by("unknown('whether this is right.')")
    run = grader("grade", "submissions")
    assert (run.returncode, marks(small_course)) == (1, {"ann": None})
    assert "a person must decide these tests: small" in run.stdout
    line = "{student: ann, test: small, verdict: wrong-output, score: 0.5, reason: half right, by: a tutor}"
    write(small_course, "overrides.yaml", f"format: 1\noverrides:\n  - {line}\n")
    run = grader("grade", "submissions")
    assert (run.returncode, marks(small_course)) == (0, {"ann": "10"})
    assert "must decide" not in run.stdout


def test_names_of_every_kind_come_through(grader: Grader, small_course: SmallCourse) -> None:
    names = ["=1+1", "-x", "@home", "Dvořák, Łucja", '李 "小龍"', "a\nb", "+ 'q'"]
    for name in names:
        small_course.hand_in(name, RIGHT)
    assert grader("grade", "submissions").returncode == 0
    with (small_course.reports / "results.csv").open(newline="") as file:
        found = [row["student"] for row in csv.DictReader(file)]
    assert sorted(map(plain_cell, found)) == sorted(name.replace("\n", "<U+000A>") for name in names)
    assert not [cell for cell in found if cell[0] in "=-@+"]
