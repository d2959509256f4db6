"""The course folder and the assignments in it."""

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.spec.course import Course, CourseError, find_course_folder
from tests.spec.spec_folder import ASSIGNMENT, write_assignment


def course_with(folder: Path, *names: str) -> Course:
    for name in names:
        write_assignment(folder / "test_specs", assignment=ASSIGNMENT.replace("id: demo", f"id: {name}"))
        (folder / "test_specs" / "demo").rename(folder / "test_specs" / name)
    return Course(folder)


def test_the_course_is_the_nearest_folder_above_with_test_specs(tmp_path: Path) -> None:
    inner = tmp_path / "test_specs" / "inner"
    (inner / "test_specs").mkdir(parents=True)
    (inner / "work").mkdir()
    assert find_course_folder(inner / "work" / "not there") == inner
    assert find_course_folder(inner) == inner
    assert find_course_folder(tmp_path / "test_specs") == tmp_path


def test_a_file_leads_to_the_course_around_it(tmp_path: Path) -> None:
    (tmp_path / "test_specs").mkdir()
    (tmp_path / "game.py").write_text("")
    assert find_course_folder(tmp_path / "game.py") == tmp_path


def test_a_folder_is_named_through_a_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "course" / "test_specs").mkdir(parents=True)
    (tmp_path / "link").symlink_to("course")
    assert find_course_folder(tmp_path / "link") == tmp_path / "course"


def test_no_course_says_what_is_missing_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "test_specs").write_text("a file, not a folder")
    with pytest.raises(CourseError) as caught:
        find_course_folder(tmp_path)
    assert str(caught.value) == (
        f"No course folder at or above {tmp_path}: expected a folder with `test_specs/` in it. "
        "Go to the course folder, or name it with --course."
    )


def test_assignments_are_the_folders_with_an_assignment_file(tmp_path: Path) -> None:
    course = course_with(tmp_path, "second", "first")
    (course.specs / "notes").mkdir()
    (course.specs / "assignment.yaml").write_text("")
    assert course.assignment_ids() == ("first", "second")
    assert [assignment.id for assignment in course.assignments()] == ["first", "second"]
    assert course.assignment("first").programs[0].reference == tmp_path / "reference" / "game.py"


def test_an_unknown_assignment_suggests_one(tmp_path: Path) -> None:
    course = course_with(tmp_path, "solitaire", "spider")
    for name, hint in (("solitare", "did you mean `solitaire`?"), ("../x", "expected one of: solitaire, spider")):
        with pytest.raises(CourseError) as caught:
            course.assignment(name)
        assert str(caught.value) == f"There is no assignment `{name}` in {course.specs}; {hint}"


@pytest.mark.parametrize("made", [True, False])
def test_a_course_without_assignments(made: bool, tmp_path: Path) -> None:
    if made:
        (tmp_path / "test_specs").mkdir()
    with pytest.raises(CourseError) as caught:
        Course(tmp_path).assignments()
    assert str(caught.value) == f"There is no assignment in {tmp_path}/test_specs (looked for */assignment.yaml)"


def test_a_faulty_assignment_does_not_hinder_another(tmp_path: Path) -> None:
    course = course_with(tmp_path, "good", "bad")
    (course.specs / "bad" / "assignment.yaml").write_text("format: 1\n")
    assert course.assignment("good").id == "good"
    with pytest.raises(SpecError, match=r"bad/assignment\.yaml:1:1: the key `due` is missing here"):
        course.assignments()


def test_only_assignments_that_may_fit_are_loaded(tmp_path: Path) -> None:
    course = course_with(tmp_path, "first", "second")
    broken = course.specs / "second" / "assignment.yaml"
    broken.write_text(broken.read_text().replace("game.py", "other.py").replace("format: 1", "format: none"))
    assert [assignment.id for assignment in course.assignments_that_mention({"game.py", "notes.txt"})] == ["first"]
    assert course.assignments_that_mention({"another.py"}) == ()
    with pytest.raises(SpecError):
        course.assignments_that_mention({"other.py"})
