"""Which assignment is meant, and what is said when none is."""

from pathlib import Path
from zipfile import ZipFile

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
    found = places(small_course, "doubles/cy/double.py", "roster.csv", "README.md", "notes.txt", "old/ann/other.py")
    note = "notes.txt, old in COURSE/handed-in: not graded, because doubles beside it is the folder of a class"
    assert found == [("doubles", "doubles", (note,))]


@pytest.mark.parametrize("inside", ["src/double.py", "attempt-1/double.py", "cy/double.py", "notes.txt"])
@pytest.mark.parametrize("students", ["ann/double.py", "ann/src/double.py", "ann_double.py"])
def test_no_class_is_lost_beside_a_folder_called_like_the_assignment(
    students: str, inside: str, small_course: SmallCourse
) -> None:
    with pytest.raises(CourseError) as caught:
        places(small_course, students, "README.md", f"doubles/{inside}")
    assert str(caught.value).replace(str(small_course.folder), "COURSE") == (
        f"COURSE/handed-in holds programs in {students.partition('/')[0]} beside doubles, which is called like an "
        "assignment: expected either the folders of classes alone or the submissions of one class. Grade one class "
        "with its folder, such as COURSE/handed-in/doubles; or, if all this is one class, say of which assignment "
        "with --assignment."
    )


def test_no_archive_is_lost_beside_a_folder_called_like_the_assignment(small_course: SmallCourse) -> None:
    folder = small_course.folder / "handed-in"
    folder.mkdir()
    with ZipFile(folder / "ann.zip", "w") as archive:
        archive.writestr("double.py", "print()")
    with pytest.raises(CourseError, match=r"holds programs in ann\.zip beside doubles"):
        places(small_course, "doubles/notes.txt")


@pytest.mark.parametrize("name", ["double.py", "class.rar", "class.7z", "doubles"])
@pytest.mark.parametrize("assignment", [None, "doubles"])
def test_a_file_is_no_class(assignment: str | None, name: str, small_course: SmallCourse) -> None:
    (file := small_course.folder / name).write_text("print()\n")
    with pytest.raises(CourseError) as caught:
        list(classes_in(Course(small_course.folder), assignment, file))
    assert str(caught.value) == (
        f"{file} is one file: expected a folder, or a zip or tar archive, with the submissions of a class. To grade "
        "one submission alone, use `grader check`."
    )


def test_the_folder_of_a_class_may_be_a_student_s_where_the_assignment_is_named(small_course: SmallCourse) -> None:
    (small_course.students / "cy").mkdir(parents=True)
    [place] = classes_in(Course(small_course.folder), "doubles", small_course.students.parent)
    assert (place.folder.name, place.notes, place.doubtful) == ("submissions", (), ("doubles",))


@pytest.mark.parametrize("link", ["handed-in/link", "handed-in/ann/link"])
def test_a_link_to_itself_hides_no_class(link: str, small_course: SmallCourse) -> None:
    places(small_course, "ann/double.py")
    (small_course.folder / link).symlink_to("link")
    assert places(small_course) == [("doubles", "handed-in", ())]
