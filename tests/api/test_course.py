"""Which assignment is meant, and what is said when none is."""

from pathlib import Path

import pytest

from grader.api.course import assignment_for_files
from grader.spec.course import Course, CourseError
from tests.conftest import SmallCourse


def message(course: SmallCourse, names: list[str], where: Path) -> str:
    with pytest.raises(CourseError) as caught:
        assignment_for_files(Course(course.folder), None, names, where)
    return str(caught.value).replace(str(course.folder), "COURSE")


def test_the_file_tells(small_course: SmallCourse) -> None:
    assignment = assignment_for_files(Course(small_course.folder), None, ["notes.txt", "double.py"], Path())
    assert assignment.id == "doubles"


def test_a_folder_that_is_not_there(small_course: SmallCourse) -> None:
    assert message(small_course, [], small_course.folder / "none") == "There is no file or folder COURSE/none."


def test_a_folder_without_programs(small_course: SmallCourse) -> None:
    said = "COURSE holds no program of an assignment; expected one of: double.py, triple.py"
    assert message(small_course, ["x.txt"], small_course.folder) == said


def test_a_program_of_another_name_is_pointed_at(small_course: SmallCourse) -> None:
    said = message(small_course, ["x.txt", "Double.py"], small_course.folder)
    assert said.endswith("; expected one of: double.py, triple.py; there is `Double.py`")
