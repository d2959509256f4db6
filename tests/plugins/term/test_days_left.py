"""When a later assignment is graded, students have the late days that earlier ones have left."""

import json
from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.mark import ClassExtensions, StudentExtension
from grader.plugins.term.days_left import with_days_left
from grader.spec.course import Course
from tests.conftest import RIGHT, Grader, SmallCourse
from tests.plugins.term.term_course import TERM, WORKS, Work, write_assignment, write_course, write_reports

IN_ORDER = TERM.replace("hand_out: best", "hand_out: in-order")
STUDENTS = ("new", "z1", "z2")
NOTHING = ClassExtensions({})


def left(folder: Path, assignment: str, granted: ClassExtensions = NOTHING) -> dict[str, int | None]:
    completed = with_days_left(granted, Course(folder).assignment(assignment), STUDENTS)
    return {student: extension.late_days for student, extension in completed.of.items()}


def test_each_assignment_has_what_is_left(tmp_path: Path) -> None:
    write_course(tmp_path, IN_ORDER)
    assert left(tmp_path, "a1") == {"new": 3, "z1": 3, "z2": 4}
    assert left(tmp_path, "lab1") == {"new": 3, "z1": 1, "z2": 1}
    assert left(tmp_path, "a2") == {"new": 3, "z1": 1, "z2": 0}


def test_days_that_help_most_are_given_at_the_end(tmp_path: Path) -> None:
    write_course(tmp_path)
    assert left(tmp_path, "a2") == dict.fromkeys(STUDENTS, 0)


def test_the_extensions_of_an_assignment_count_first(tmp_path: Path) -> None:
    write_course(tmp_path, IN_ORDER)
    granted = {
        "z1": StudentExtension(late_days=9),
        "z2": StudentExtension(extra_late_days=1),
        "other": StudentExtension(),
    }
    days = left(tmp_path, "a2", ClassExtensions(granted))
    assert days == {"z1": 9, "z2": 0, "new": 3, "other": None}


def test_without_late_days_of_the_term_nothing_changes(tmp_path: Path) -> None:
    write_course(tmp_path, IN_ORDER.replace("{id: a2, ", "{id: a3, "))
    assert left(tmp_path, "a2") == {}
    (tmp_path / "term.yaml").write_text(TERM.partition("late_days:")[0])
    assert left(tmp_path, "a2") == {}
    (tmp_path / "term.yaml").unlink()
    assert left(tmp_path, "a2") == {}


def test_what_cannot_be_known_yet_is_told(tmp_path: Path) -> None:
    write_course(tmp_path, IN_ORDER)
    write_reports(tmp_path, "lab1", {**WORKS["lab1"], "z1": Work(None)})
    (tmp_path / "reports" / "lab2" / "results.json").unlink()
    completed = with_days_left(ClassExtensions({}, ("before",)), Course(tmp_path).assignment("a2"), STUDENTS)
    assert completed.notes == (
        "before",
        "term.yaml: lab2 has no reports yet; late days that it takes are not counted",
        "term.yaml: z1 has an open mark, of lab1: not yet marked: work; late days that it takes are not counted",
    )


def test_two_students_of_one_name_keep_what_the_extensions_say(tmp_path: Path) -> None:
    write_course(tmp_path, IN_ORDER)
    write_reports(tmp_path, "a1", {"z1": Work("9", school_id="n1")})
    write_reports(tmp_path, "lab1", {"z1": Work("5", school_id="n2")})
    completed = with_days_left(ClassExtensions({}), Course(tmp_path).assignment("a2"), STUDENTS)
    assert "z1" not in {student for student, each in completed.of.items() if each.late_days is not None}
    assert [note for note in completed.notes if "z1 is the name of several students" in note]


def test_a_faulty_file_stops_grading(tmp_path: Path) -> None:
    write_course(tmp_path, "format: 1\n")
    with pytest.raises(SpecError, match="the key `title` is missing here"):
        left(tmp_path, "a2")


TERM_OF_DOUBLES = """\
format: 1
title: A term
missing: zero
assignments:
  - {id: a1, weight: 1}
  - {id: doubles, weight: 1}
late_days: {total: 2}
"""


@pytest.mark.slow
def test_grading_takes_the_days_that_are_left(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.folder
    write_assignment(folder, "a1")
    write_reports(folder, "a1", {"late": Work("18", 1)})
    (folder / "term.yaml").write_text(TERM_OF_DOUBLES)
    small_course.hand_in("late", RIGHT, submitted="2025-10-29 11:00")

    def graded() -> tuple[int, int, str]:
        assert grader("grade", "submissions/doubles").returncode == 0
        (submission,) = json.loads((small_course.reports / "results.json").read_text())["submissions"]
        mark = submission["mark"]
        return mark["bank_used"], mark["bank_left"], mark["adjusted"]

    assert graded() == (1, 0, "10.8")
    table = grader("term")
    assert table.returncode == 0, table.stderr
    assert "late: 2 late days of 2 used: a1 1, doubles 1\n" in table.stdout
    write_reports(folder, "a1", {"late": Work("18")})
    assert graded() == (2, 0, "12")
