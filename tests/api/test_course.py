"""Which assignment is meant, and what is said when none is."""

from pathlib import Path

import pytest

from grader.api.course import assignment_for_files, classes_in
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


def places(course: SmallCourse, *files: str, assignment: str | None = None) -> list[tuple[str, str, tuple[str, ...]]]:
    folder = course.folder / "handed-in"
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("print()\n")
    return [
        (
            place.assignment.id,
            place.folder.name,
            tuple(note.replace(str(course.folder), "COURSE") for note in place.notes),
        )
        for place in classes_in(Course(course.folder), assignment, folder)
    ]


def test_a_folder_called_like_the_assignment_with_a_program_is_a_students(small_course: SmallCourse) -> None:
    found = places(small_course, "ann/double.py", "bob/double.py", "doubles/double.py")
    assert found == [("doubles", "handed-in", ())]


def test_what_is_beside_the_folder_of_a_class_is_named(small_course: SmallCourse) -> None:
    found = places(small_course, "ann/double.py", "bob_double.py", "doubles/cy/double.py", "roster.csv", "README.md")
    note = (
        "ann, bob_double.py in COURSE/handed-in: not graded, because doubles beside it is the folder of a class; move "
        "what is a student's into the folder of its class, or name the assignment with --assignment"
    )
    assert found == [("doubles", "doubles", (note,))]


def test_the_folder_of_a_class_that_is_taken_for_a_student_is_named(small_course: SmallCourse) -> None:
    found = places(small_course, "ann/double.py", "doubles/cy/double.py", assignment="doubles")
    note = (
        "doubles is taken for a student, though an assignment is called so; to grade the class in it, name that folder"
    )
    assert found == [("doubles", "handed-in", (note,))]
    assert places(small_course, assignment=None)[0][1] == "doubles"
