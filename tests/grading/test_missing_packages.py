"""A class whose programs import packages that are not there: the instructor reads of it, once for each package."""

import pytest

import grader as interface
from grader.grading.missing_packages import package_notes
from grader.spec.course import Course
from tests.conftest import RIGHT, Grader, SmallCourse
from tests.intake.taking import submission_in

OPTIONS = interface.GradeOptions(sandbox=interface.SandboxKind.NONE, jobs=2)


@pytest.fixture(autouse=True)
def in_the_course(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the course folder, as a notebook in it does."""
    monkeypatch.chdir(small_course.folder)


def notes(course: SmallCourse, **programs: str) -> tuple[str, ...]:
    """Return the notes on packages in a class whose students hand in these beginnings of programs."""
    for student, beginning in programs.items():
        course.hand_in(student, f"{beginning}\n{RIGHT}")
    graded = interface.grade(course.students, options=OPTIONS)
    return tuple(note for note in graded.notes if "import" in note)


def asks_for(course: SmallCourse, key: str) -> None:
    """Write a key into assignment.yaml."""
    file = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    file.write_text(file.read_text().replace("parts:", f"{key}\nparts:"))


@pytest.mark.slow
def test_each_package_has_one_note_with_the_number_of_students(small_course: SmallCourse) -> None:
    ann = "import nosuchpackage.linalg as la"
    ben = "from nosuchpackage import array"
    assert notes(small_course, ann=ann, ben=ben, cy=ben, dan="import unheardof", eve="") == (
        "3 students import nosuchpackage, which is not there; if programs may use it, write "
        "`packages: [nosuchpackage]` in assignment.yaml",
        "1 student imports unheardof, which is not there; if programs may use it, write "
        "`packages: [unheardof]` in assignment.yaml",
    )


@pytest.mark.parametrize(
    ("module", "package"),
    [("PIL", "pillow"), ("cv2", "opencv-python"), ("sklearn", "scikit-learn"), ("bs4", "beautifulsoup4")],
)
def test_the_package_of_a_module_has_the_name_that_pip_knows(
    small_course: SmallCourse, module: str, package: str
) -> None:
    (note,) = notes(small_course, ann=f"import {module}")
    assert note == (
        f"1 student imports {module}, which is not there; if programs may use it, write "
        f"`packages: [{package}]` in assignment.yaml"
    )


@pytest.mark.slow
@pytest.mark.parametrize("test", ["call: double(2)", "repl: [from double import double, double(2)]"])
def test_functions_and_sessions_at_the_prompt_are_read_too(
    small_course: SmallCourse, grader: Grader, test: str
) -> None:
    double = "def double(number):\n    return 2 * number\n"
    (small_course.folder / "reference" / "double.py").write_text(double)
    (small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml").write_text(
        f"format: 1\nprogram: double.py\npart: doubles\npoints: 10\ntests:\n  - {{id: two, {test}}}\n"
    )
    assert grader("generate", "doubles").returncode == 0
    small_course.hand_in("ann", f"import nosuchpackage\n{double}")
    small_course.hand_in("ben", double.replace("return", "import nosuchpackage; return"))
    small_course.hand_in("cy", double)
    (note,) = notes(small_course)
    assert note.startswith("2 students import nosuchpackage, which is not there")


@pytest.mark.parametrize(
    "beginning",
    [
        "try:\n    import nosuchpackage\nexcept ImportError:\n    raise ValueError",
        "import json.nosuchmodule",
        "import Queue",
        "raise ValueError(\"No module named 'nosuchpackage'\")",
        "import crads",
        "import double_helper",
    ],
)
def test_no_package_is_suggested_where_none_is_missing(small_course: SmallCourse, beginning: str) -> None:
    (small_course.folder / "reference" / "cards.py").write_text("")
    asks_for(small_course, "provided: [{file: cards.py}]")
    (small_course.folder / "reference" / "double_helper.py").write_text("")
    assert notes(small_course, ann=beginning) == ()


def test_a_package_that_is_asked_for_is_not_suggested_again(small_course: SmallCourse) -> None:
    asks_for(small_course, "packages: [Scikit_Learn==1.0]")
    assignment = Course(small_course.folder).assignment("doubles")
    submission = submission_in(small_course.hand_in("ann", RIGHT), assignment.file_names, assignment.zone)
    assert package_notes(assignment, [(submission, frozenset({"sklearn", "nosuchpackage"}))]) == (
        "1 student imports nosuchpackage, which is not there; if programs may use it, add `nosuchpackage` to "
        "`packages` in assignment.yaml",
    )


def test_a_file_that_was_handed_in_for_nothing_is_no_package(small_course: SmallCourse) -> None:
    (small_course.hand_in("ann", f"import helpers\n{RIGHT}") / "helpers.py").write_text("")
    assert notes(small_course) == ()
    (note,) = notes(small_course, ben="import helpers")
    assert note.startswith("1 student imports helpers")


@pytest.mark.parametrize(("name", "module"), [("game.py", "pygame"), ("nums.py", "numpy")])
def test_a_name_that_is_a_little_like_a_file_is_a_package(small_course: SmallCourse, name: str, module: str) -> None:
    (small_course.hand_in("ann", f"import {module}\n{RIGHT}") / name).write_text("")
    (note,) = notes(small_course)
    assert note.startswith(f"1 student imports {module}, ")


@pytest.mark.parametrize("file", ["pkg/__init__.py", "pkg/inner/tools.py", "src/pkg.py"])
def test_a_package_of_the_students_own_that_is_left_out_is_none_to_install(
    file: str, small_course: SmallCourse
) -> None:
    asks_for(small_course, "further_files: [extra.py]")
    path = small_course.hand_in("ann", f"import pkg\n{RIGHT}") / file
    path.parent.mkdir(parents=True)
    path.write_text("")
    assert notes(small_course) == ()
    assert notes(small_course, ben="import pkg")[0].startswith("1 student imports pkg")


def test_a_file_that_is_not_taken_for_its_size_is_no_package(small_course: SmallCourse) -> None:
    asks_for(small_course, "submissions: {total_bytes: 200}\nfurther_files: ['*.py']")
    (small_course.hand_in("ann", f"import helpers\n{RIGHT}") / "helpers.py").write_text("#" * 300)
    assert notes(small_course) == ()
