"""`grader grade` on downloads: one command for every shape."""

import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

NO_SANDBOX = ("--sandbox", "none", "--jobs", "2")
IN_TIME = 1761526000


def results(course: SmallCourse) -> dict[str, dict[str, Any]]:
    content = json.loads((course.reports / "results.json").read_text())
    return {entry["student"]: entry for entry in content["submissions"]}


def write(file: Path, content: str | bytes, time: int = IN_TIME) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    os.utime(file, (time, time))


def grade_in(grader: Grader, *arguments: str | Path) -> str:
    run = grader("grade", *arguments, *NO_SANDBOX)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture
def short(small_course: SmallCourse) -> SmallCourse:
    """A course with one test, so that grading takes no time."""
    specs = small_course.folder / "test_specs" / "doubles"
    for name in ("double", "triple"):
        (specs / "tests" / f"{name}.yaml").unlink()
    (specs / "tests" / "double.yaml").write_text(
        "format: 1\nprogram: double.py\npart: doubles\ntests:\n  - {id: small, points: 10, input: [4]}\n"
    )
    text = (specs / "assignment.yaml").read_text()
    text = text.replace("  - {file: triple.py}\n", "").replace("  - {id: triples, title: Tripling, marks: 2}\n", "")
    (specs / "assignment.yaml").write_text(text)
    return small_course


@pytest.mark.slow
def test_an_archive_with_a_roster_beside_it_and_what_changes_is_seen(grader: Grader, short: SmallCourse) -> None:
    downloads = short.folder / "downloads"
    downloads.mkdir()
    (downloads / "roster.csv").write_text("id,name,moodle\nz1,Ada,11\nz2,Bob,12\n")
    with zipfile.ZipFile(downloads / "class.zip", "w") as archive:
        entry = zipfile.ZipInfo("Ada_11_assignsubmission_file_/double.py", (2025, 10, 27, 11, 0, 0))
        archive.writestr(entry, RIGHT)
    printed = grade_in(grader, "downloads/class.zip")
    assert "Taken for a Moodle download: 1 of 1 entries are named so" in printed
    assert "1 of 2 in roster.csv handed in nothing: z2" in printed
    graded = results(short)
    assert {name: entry["mark"]["adjusted"] for name, entry in graded.items()} == {"z1": "10", "z2": "0"}
    assert graded["z2"]["tests"][0]["verdict"] == "missing-file"
    assert graded["z1"]["submitted"] == "2025-10-27T11:00:00+11:00"
    unknown = {"email": None, "login": None, "canvas": None}
    assert graded["z1"]["identity"] == {"name": "Ada", "id": "z1", "moodle": "11", **unknown}
    assert graded["z2"]["identity"] == {"name": "Bob", "id": "z2", "moodle": "12", **unknown}
    came = [(graded[one]["source"], graded[one]["shape"], graded[one]["attempt"]) for one in ("z1", "z2")]
    assert came == [("Ada_11_assignsubmission_file_", "moodle", 1), (None, None, None)]
    assert grade_in(grader, "downloads/class.zip") == printed
    (downloads / "roster.csv").write_text("id,name,moodle\nz1,Ada,11\nz3,Carl,13\n")
    grade_in(grader, "downloads/class.zip")
    assert set(results(short)) == {"z1", "z3"}
    with zipfile.ZipFile(downloads / "class.zip", "w") as archive:
        archive.writestr(entry, RIGHT.replace("2 *", "3 *"))
    grade_in(grader, "downloads/class.zip")
    assert results(short)["z1"]["mark"]["adjusted"] == "0"


def test_a_named_roster_is_part_of_what_a_run_depends_on(grader: Grader, short: SmallCourse) -> None:
    write(short.students / "z1" / "double.py", RIGHT)
    for text, expected in (("id\nz1\n", {"z1"}), ("id\nz1\nz2\n", {"z1", "z2"})):
        (short.folder / "list.csv").write_text(text)
        grade_in(grader, "submissions", "--roster", "list.csv")
        assert set(results(short)) == expected


def test_the_kind_may_be_said(grader: Grader, short: SmallCourse) -> None:
    write(short.students / "ada_1_2_double.py", RIGHT)
    assert "Taken for a Canvas download" in grade_in(grader, "submissions")
    assert set(results(short)) == {"ada"}
    assert "Taken for" not in grade_in(grader, "submissions", "--download-format", "plain")
    assert set(results(short)) == {"ada_1_2"}


def test_the_best_attempt_counts_if_the_assignment_says_so(grader: Grader, short: SmallCourse) -> None:
    with (short.folder / "test_specs" / "doubles" / "assignment.yaml").open("a") as file:
        file.write("submissions: {attempts: best}\n")
    write(short.students / "ada" / "attempt-1" / "double.py", RIGHT)
    write(short.students / "ada" / "attempt-2" / "double.py", "print()\n")
    printed = grade_in(grader, "submissions")
    assert "ada: of 2 attempts, ada/attempt-1 counts as the best" in printed
    assert results(short)["ada"]["mark"]["adjusted"] == "10"


def test_a_team_is_run_once_and_has_a_row_each(grader: Grader, short: SmallCourse) -> None:
    export = short.folder / "export"
    program = RIGHT
    write(export / "submission_1" / "double.py", program)
    people = "\n".join(f"  - :name: {name}\n    :email: {name}@school.example" for name in ("ada", "bob"))
    (export / "submission_metadata.yml").write_text(
        f"submission_1:\n  :submitters:\n{people}\n  :created_at: 2025-10-27 13:00:00 +11:00\n"
    )
    grade_in(grader, "export", "--assignment", "doubles")
    graded = results(short)
    assert {name: entry["mark"]["adjusted"] for name, entry in graded.items()} == {"ada": "9", "bob": "9"}
    assert graded["ada"]["tests"] == graded["bob"]["tests"]
    assert graded["ada"]["time_source"] == "Gradescope"


@pytest.mark.parametrize("isolation", ["fork", "fresh-process"])
def test_programs_with_a_byte_order_mark_and_windows_line_ends_run(
    isolation: str, grader: Grader, short: SmallCourse
) -> None:
    with (short.folder / "test_specs" / "doubles" / "assignment.yaml").open("a") as file:
        file.write(f"isolation: {isolation}\n")
    write(short.students / "windows" / "double.py", "\ufeff" + RIGHT.replace("\n", "\r\n"))
    printed = grade_in(grader, "submissions")
    assert "windows: double.py begins with a byte order mark and has the line ends of Windows" in printed
    assert results(short)["windows"]["mark"]["adjusted"] == "10"


def test_a_refused_archive_is_a_row_without_a_mark(grader: Grader, short: SmallCourse) -> None:
    write(short.students / "ada" / "double.py", RIGHT)
    (short.students / "bob").mkdir()
    with zipfile.ZipFile(short.students / "bob" / "work.zip", "w") as archive:
        archive.writestr("../double.py", RIGHT)
    run = grader("grade", "submissions", *NO_SANDBOX)
    assert run.returncode == 1
    assert "bob: work.zip is refused: `../double.py` in it leads out of the archive" in run.stdout
    graded = results(short)
    assert (graded["ada"]["mark"]["adjusted"], graded["bob"]["mark"]) == ("10", None)


def test_a_students_check_opens_archives_too(grader: Grader, short: SmallCourse) -> None:
    spec = short.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    spec.write_text(spec.read_text().replace("points: 10", "points: 10, visibility: public"))
    folder = short.folder / "mine"
    folder.mkdir()
    with zipfile.ZipFile(folder / "work.zip", "w") as archive:
        archive.writestr("double.py", RIGHT)
    run = grader("check", "mine", "--assignment", "doubles")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_a_class_that_is_nothing_but_archives_tells_its_assignment(short: SmallCourse, grader: Grader) -> None:
    inner = short.folder / "inner"
    for student in ("ann", "bob"):
        write(inner / student / "double.py", RIGHT)
        shutil.make_archive(str(inner / student), "zip", inner / student)
        shutil.rmtree(inner / student)
    shutil.make_archive(str(short.folder / "week3"), "zip", inner)
    for where in ("inner", "week3.zip"):
        run = grader("grade", where)
        assert run.returncode == 0, run.stdout + run.stderr
        marks = json.loads((short.reports / "results.json").read_text())["submissions"]
        assert [row["student"] for row in marks] == ["ann", "bob"]


def test_teams_of_a_file_are_those_of_gradescope(grader: Grader, short: SmallCourse) -> None:
    export = short.folder / "export"
    write(export / "submission_1" / "double.py", RIGHT)
    people = "\n".join(f"  - :name: {name}\n    :email: {name}@school.example" for name in ("ada", "bob"))
    (export / "submission_metadata.yml").write_text(
        f"submission_1:\n  :submitters:\n{people}\n  :created_at: 2025-10-27 13:00:00 +11:00\n"
    )
    (export / "teams.csv").write_text("team,student\nblue,ada\nblue,bob\n")
    (export / "times.csv").write_text("student,time\nBlue,2025-10-27 11:00\n")
    (export / "extensions.csv").write_text("student,due\nada,2025-10-29 12:00\n")
    grade_in(grader, "export", "--assignment", "doubles")
    graded = results(short)
    assert {name: entry["mark"]["adjusted"] for name, entry in graded.items()} == {"ada": "10", "bob": "10"}
    assert {(entry["attempt"], entry["time_source"]) for entry in graded.values()} == {(1, "times.csv")}
    assert graded["bob"]["due"] == graded["ada"]["due"] == "2025-10-29T12:00:00+11:00"
