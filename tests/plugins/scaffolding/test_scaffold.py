"""`grader init` and `grader new assignment`: what they make works at once."""

import shutil
import subprocess
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.config.scalars import NAME
from grader.plugins.scaffolding.scaffold import ScaffoldError, make_assignment, make_course
from grader.spec.course import Course
from tests.prepared_grader import PreparedGrader

DUE = date(2026, 3, 20)


@pytest.mark.slow
def test_an_empty_folder_becomes_a_course_with_an_assignment_that_is_fresh(
    prepared: PreparedGrader, tmp_path: Path
) -> None:
    made = prepared.run("init", "my course [1]", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    course = tmp_path / "my course [1]"
    assert f"made: {Path('my course [1]') / 'reference'}\n" in made.stdout
    assert sorted(path.name for path in course.iterdir()) == [".gitignore", "reference", "submissions", "test_specs"]
    grader = partial(prepared.run, folder=course)
    new = grader("new", "assignment", "a1-nim")
    assert new.returncode == 0, new.stdout + new.stderr
    assert "grader generate a1-nim" in new.stdout
    checked = grader("generate", "--check")
    assert checked.stdout == "a1-nim: all 5 expected files are fresh.\n"
    assert grader("check", "reference/a1_nim.py").returncode == 0


@pytest.mark.slow
def test_an_assignment_of_several_programs_works_at_once(prepared: PreparedGrader, tmp_path: Path) -> None:
    list(make_course(tmp_path))
    new = prepared.run("new", "assignment", "a2", "--program", "add.py", "--program", "sum.py", folder=tmp_path)
    assert new.returncode == 0, new.stdout + new.stderr
    assert "your own solution into add.py and your tests into add.yaml (and so on); then\n" in new.stdout
    assert prepared.run("generate", "--check", folder=tmp_path).stdout == "a2: all 10 expected files are fresh.\n"
    assignment = Course(tmp_path).assignment("a2")
    assert [program.file for program in assignment.programs] == ["add.py", "sum.py"]
    assert assignment.marks == 20
    (tmp_path / "ada").mkdir()
    for name in ("add.py", "sum.py"):
        shutil.copy(tmp_path / "reference" / name, tmp_path / "ada")
    checked = prepared.run("check", "ada", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("program", "tool"), [("lab.c", "gcc"), ("lab.cpp", "g++"), ("Main.java", "javac")])
def test_a_program_in_another_language_works_at_once(
    program: str, tool: str, prepared: PreparedGrader, tmp_path: Path
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    list(make_course(tmp_path))
    new = prepared.run("new", "assignment", "a1", "--program", program, folder=tmp_path)
    assert new.returncode == 0, new.stdout + new.stderr
    two = (tmp_path / "test_specs" / "a1" / "expected" / "two.canonical.txt").read_text()
    assert two.splitlines()[-1] == "The sum is 7."
    checked = prepared.run("check", f"reference/{program}", folder=tmp_path)
    assert "Python" not in checked.stdout
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_is_about_students_stays_out_of_git(tmp_path: Path) -> None:
    list(make_course(tmp_path))
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    private = ["exports/lab/moodle.csv", "reports/audit.jsonl", "reports/html/lab/index.html", ".grader/store.sqlite3"]
    asked = [*private, "test_specs/lab/assignment.yaml", "reference/lab.py"]
    found = subprocess.run([*git, "check-ignore", *asked], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == private


def test_a_second_init_leaves_everything_as_it_is(tmp_path: Path) -> None:
    list(make_course(tmp_path))
    (tmp_path / ".gitignore").write_text("mine\n")
    assert list(make_course(tmp_path)) == []
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    list(make_course(tmp_path))
    make_assignment(tmp_path, "nim", (), DUE)
    own = tmp_path / "reference" / "other.py"
    own.write_text("mine\n")
    for assignment, program in (("nim", ("new.py",)), ("other", ())):
        with pytest.raises(ScaffoldError, match="nothing was changed"):
            make_assignment(tmp_path, assignment, program, DUE)
    assert own.read_text() == "mine\n"
    assert not (tmp_path / "test_specs" / "other").exists()
    assert not (tmp_path / "reference" / "new.py").exists()


@pytest.mark.parametrize(
    ("assignment", "programs"),
    [
        ("../x", ()),
        ("", ()),
        ("nim", ("../nim.py",)),
        ("nim", ("a b.py",)),
        ("nim", ("game.hs",)),
        ("nim", ("a.c", "a.py")),
    ],
)
def test_names_that_cannot_be(assignment: str, programs: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ScaffoldError, match=r"cannot (be|have)"):
        make_assignment(tmp_path, assignment, programs, DUE)
    assert list(tmp_path.iterdir()) == []


def test_new_alone_helps(prepared: PreparedGrader, tmp_path: Path) -> None:
    assert prepared.run("new", folder=tmp_path).returncode == 2


def test_a_folder_that_cannot_be_made(prepared: PreparedGrader, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    made = prepared.run("init", "file", folder=tmp_path)
    assert made.returncode == 2
    assert made.stderr.startswith("The course cannot be made in file: ")


@settings(max_examples=30)
@given(st.from_regex(NAME, fullmatch=True))
def test_every_id_makes_an_assignment_that_loads(tmp_path_factory: pytest.TempPathFactory, assignment: str) -> None:
    folder = tmp_path_factory.mktemp("course")
    make_assignment(folder, assignment, (), DUE)
    assert Course(folder).assignment(assignment).due.date() == DUE
