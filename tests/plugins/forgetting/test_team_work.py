"""`grader forget` for a member of a team: what the team handed in keeps its time and due date, for the others."""

import csv
import io
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

LATE = "2025-10-28 10:00"
TIMES_CSV = f"student,time\nz1,{LATE}\nz3,{LATE}\n"
TIMES_YAML = f"format: 1\ntimes:\n  # Ours.\n  - student: z1\n    time: {LATE}\n\n  - {{student: z3, time: {LATE}}}\n"
DUE_CSV = "student;due;waive;reason\r\nz1;2025-11-03 10:00;;ill\r\n"
DUE_YAML = (
    "format: 1\nextensions:\n  - {student: z1, due: 2025-11-03 10:00, reason: ill}\n  - {student: z3, waive: true}\n"
)
SHORTER = "student,due,reason\nz2,2025-10-27 18:00,a fair\nz1,2025-11-03 10:00,ill\n"


@pytest.fixture
def course(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """A class with the team of z1 and z2, and z3."""
    small_course.hand_in("z3", RIGHT)
    (small_course.students / "teams.csv").write_text("team,student\nduo,z1\nduo,z2\n")
    monkeypatch.chdir(small_course.folder)
    return small_course


def marks(grader: Grader, course: SmallCourse) -> dict[str, tuple[str, str, str]]:
    """Return the mark, the time and the due date of each student."""
    done = grader("grade", "submissions/doubles", "--sandbox", "none")
    assert done.returncode == 0, done.stderr
    table = csv.DictReader(io.StringIO((course.reports / "results.csv").read_text()))
    return {row["student"]: (row["mark"], row["submitted"], row["due"]) for row in table}


@pytest.mark.slow
@pytest.mark.parametrize("submissions", [("--submissions",), ()], ids=["with submissions", "without"])
@pytest.mark.parametrize(
    ("source", "files", "becomes"),
    [
        ("z1-z2", {"times.csv": TIMES_CSV, "extensions.csv": DUE_CSV}, "z2"),
        ("z1-z2", {"times.csv": TIMES_CSV.replace("z1", "z1-z2"), "extensions.yaml": DUE_YAML}, "z2"),
        ("z1", {"times.yaml": TIMES_YAML, "extensions.csv": SHORTER}, "z2"),
        ("duo", {"times.yaml": TIMES_YAML, "extensions.yaml": DUE_YAML}, "duo"),
        ("duo", {"times.csv": f"{TIMES_CSV}z2,{LATE}\n", "extensions.csv": DUE_CSV}, "duo"),
    ],
)
def test_the_others_keep_the_work_with_its_time_and_due_date(
    source: str,
    files: dict[str, str],
    becomes: str,
    submissions: tuple[str, ...],
    course: SmallCourse,
    grader: Grader,
) -> None:
    course.hand_in(source, RIGHT)
    for name, content in files.items():
        (course.students / name).write_bytes(content.encode())
    before = marks(grader, course)
    assert before["z2"][2].startswith("2025-11-03")
    done = grader("forget", "z1", *submissions, "--delete")
    assert "now of others of the team (z2)" in done.stdout
    assert (f"{course.students}/{source}: the name; it stays as z2, for z2\n" in done.stdout) == (becomes == "z2")
    assert sorted(path.name for path in course.students.iterdir() if path.is_dir()) == sorted({becomes, "z3"})
    del before["z1"]
    assert marks(grader, course) == before
    written = "".join((course.students / name).read_text() for name in files)
    assert "z1" not in written
    assert "ill" not in written


@pytest.mark.slow
def test_attempts_of_two_members_keep_their_times(course: SmallCourse, grader: Grader) -> None:
    course.hand_in("z1", RIGHT)
    course.hand_in("z2", f"{RIGHT}# again\n")
    (course.students / "times.csv").write_text(f"student,time\nz1,{LATE}\nz2,2025-10-20 10:00\nz3,{LATE}\n")
    before = marks(grader, course)
    assert grader("forget", "z1", "--submissions", "--delete").returncode == 1
    assert (course.students / "duo" / "double.py").read_text() == RIGHT
    del before["z1"]
    assert marks(grader, course) == before


def test_a_file_with_the_name_is_left_to_a_person(course: SmallCourse, grader: Grader) -> None:
    Path(course.students, "z1_double.py").write_text(RIGHT)
    marks(grader, course)
    done = grader("forget", "z1", "--submissions", "--delete")
    assert done.returncode == 1
    assert f"stays: {course.students}/z1_double.py stays, because others handed it in too" in done.stdout
