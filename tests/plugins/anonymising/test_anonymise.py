"""`grader anonymise`: a class that can be handed on."""

import csv
import re
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

ROSTER = """\
id,name,email,login
z1234567,"Lovelace, Ada",ada@school.example,ada
z7654321,李 雷,li@school.example,li
z9999999,King Mark,king@school.example,king
"""

ADAS = f'''\
# Written by Ada Lovelace (Z1234567), with the help of Mark and 李雷
# ada@school.example, friend@elsewhere.example
"""By ADA. A king beats a queen."""
king = "King"  # king
z1234567_total = "z1234567 Mark"
{RIGHT}'''


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    """A class with names in programs."""
    small_course.hand_in("z1234567", ADAS, submitted="2025-10-28 13:00")
    small_course.hand_in("z7654321", RIGHT)
    small_course.hand_in("z9999999", RIGHT)
    (small_course.students / "roster.csv").write_text(ROSTER)
    return small_course


def copied(course: SmallCourse, key: Path) -> dict[str, Path]:
    """The folder of each student in the copy, by the key."""
    with key.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["student"]: course.folder / "copy" / row["number"] for row in rows}


@pytest.mark.slow
def test_students_have_numbers_and_programs_no_names(grader: Grader, course: SmallCourse) -> None:
    key = course.folder / "key.csv"
    run = grader("anonymise", "submissions/doubles", "copy", "--key", key)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "written: 3 students to copy; 11 words replaced\n"
    assert key.stat().st_mode & 0o777 == 0o600
    folders = copied(course, key)
    assert sorted(folder.name for folder in folders.values()) == ["student_1", "student_2", "student_3"]
    everything = "".join(file.read_text() for file in (course.folder / "copy").rglob("*") if file.is_file())
    for secret in ("Lovelace", "1234567", "school.example", "elsewhere.example", "李", "ADA"):
        assert secret not in everything
    program = (folders["z1234567"] / "double.py").read_text()
    own = folders["z1234567"].name
    assert f'king = "King"  # {folders["z9999999"].name}\n' in program
    assert f'{own}_total = "{own} Mark"\n' in program
    assert re.search(r"with the help of student_\d and student_\d\n", program)


def test_lines_that_may_still_tell_are_listed(grader: Grader, course: SmallCourse) -> None:
    (course.students / "z7654321" / "double.py").write_text(f"# Author: someone's brother\n{RIGHT}")
    run = grader("anonymise", "submissions/doubles", "copy")
    assert run.returncode == 1
    assert "look at them before you hand the copy on:\n" in run.stdout
    assert re.search(r"  copy/student_\d/double\.py:1: # Author: someone's brother\n", run.stdout)


@pytest.mark.parametrize(
    ("line", "is_listed"),
    [
        ('x = "alovelace"', True),
        ('x = "By ALOVELACE"', True),
        ("alovelace_total = 1", True),
        ('x = "Lovelace"', True),
        ('x = "z512"', True),
        ("# alovelace, Lovelace", False),
        ("lovelaces = 1", False),
        ('x = "Other"', False),
    ],
)
def test_words_of_the_author_that_stay_are_listed(
    line: str, is_listed: bool, grader: Grader, small_course: SmallCourse
) -> None:
    roster = 'id,name,login\nalovelace,"Lovelace, Ada",z512\nother,"Other, Ben",ben\n'
    small_course.hand_in("alovelace", f"{line}\n{RIGHT}")
    small_course.hand_in("other", RIGHT)
    (small_course.students / "roster.csv").write_text(roster)
    run = grader("anonymise", "submissions/doubles", "copy")
    assert run.returncode == is_listed
    assert (f"double.py:1: {line}\n" in run.stdout) is is_listed


@pytest.mark.slow
def test_the_copy_gets_the_same_marks(grader: Grader, course: SmallCourse) -> None:
    key = course.folder / "key.csv"
    assert grader("anonymise", "submissions/doubles", "copy", "--key", key).returncode == 0
    for folder, reports in (("submissions/doubles", "first"), ("copy", "second")):
        options = ("--reports", reports, "--assignment", "doubles")
        assert grader("grade", folder, *options).returncode == 0
    marks = {}
    for reports in ("first", "second"):
        with (course.folder / reports / "doubles" / "results.csv").open(newline="") as file:
            marks[reports] = {row["student"]: (row["mark"], row["submitted"]) for row in csv.DictReader(file)}
    numbers = {student: folder.name for student, folder in copied(course, key).items()}
    assert {numbers[student]: mark for student, mark in marks["first"].items()} == marks["second"]


DECIDED = {
    "roster.csv": "id\nann\nbob\ncy\ndee\neve\nfay\ngil\nhal\n",
    "times.csv": "student,time,attempt\n"
    + "".join(f"{name},2025-10-27 11:00,\n" for name in ("bob", "cy", "hal"))
    + "ann,2025-10-28 10:00,\ngil,2025-10-29 10:00,\ndee,2025-10-27 10:00,1\ndee,2025-10-29 10:00,2\n",
    "extensions.yaml": "format: 1\nextensions:\n  - {student: ann, due: 2025-10-28 11:59, reason: ill}\n"
    "  - {student: gil, waive: true}\n  - {student: hal, excused: true, reason: ill}\n"
    "  - {student: bob, late_days: 2, extra_late_days: 1}\n",
    "overrides.csv": "student,mark,test,verdict,score,reason,by\nbob,7.5,,,,agreed with bob,Dr No\n"
    "cy,,small,wrong-output,0.5,agreed with cy,Dr No\n",
    "marks.csv": "student,style\nann,1.5\ncy,2\nfay,1\ndee,0\n",
    "comments.yaml": "format: 1\ncomments:\n  - {student: ann, comment: Well done.}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("attempts", ["best", "last-on-time"])
def test_the_copy_gets_the_same_marks_with_all_that_is_decided(
    attempts: str, grader: Grader, small_course: SmallCourse
) -> None:
    assignment = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    text = assignment.read_text().replace("marks: 10}", "marks: 12, manual: [{id: style, title: S, marks: 2}]}")
    assignment.write_text(f"{text}submissions: {{attempts: {attempts}}}\n")
    for name in ("ann", "bob", "cy", "dee/attempt-1", "eve", "gil", "hal"):
        small_course.hand_in(name, RIGHT)
    small_course.hand_in("dee/attempt-2", "print(1)\n")
    for name, content in DECIDED.items():
        (small_course.students / name).write_text(content)
    key = small_course.folder / "key.csv"
    run = grader("anonymise", "submissions/doubles", "copy", "--key", key)
    assert run.returncode == 0, run.stderr
    assert "without reasons: extensions.yaml, marks.yaml, overrides.yaml, roster.csv\n" in run.stdout
    assert "\nnot in the copy: comments.yaml\n" in run.stdout
    marks = {}
    for folder, reports in (("submissions/doubles", "first"), ("copy", "second")):
        assert grader("grade", folder, "--reports", reports, "--assignment", "doubles").returncode == 0
        with (small_course.folder / reports / "doubles" / "results.csv").open(newline="") as file:
            marks[reports] = {
                row["student"]: [row[name] for name in ("points", "mark", "submitted", "due")]
                for row in csv.DictReader(file)
            }
    numbers = {student: folder.name for student, folder in copied(small_course, key).items()}
    assert {numbers[student]: mark for student, mark in marks["first"].items()} == marks["second"]
    assert marks["first"]["eve"][1:3] == ["", ""]
    files = [file for file in (small_course.folder / "copy").rglob("*") if file.is_file()]
    everything = "".join(f"{file.name} {file.read_text()}" for file in files)
    for secret in ("ann", "bob", "dee", "Dr No", "agreed", "ill"):
        assert secret not in everything


def test_numbers_of_teams_and_short_logins_stay_in_programs(grader: Grader, small_course: SmallCourse) -> None:
    for name in ("1", "2", "x1", "2024"):
        small_course.hand_in(name, f"# for team {name}\nx1 = 2\n{RIGHT}")
    assert grader("anonymise", "submissions/doubles", "copy").returncode == 0
    programs = {file.read_text() for file in (small_course.folder / "copy").rglob("double.py")}
    assert all(program.endswith(f"\nx1 = 2\n{RIGHT}") for program in programs)


def test_what_is_no_text_is_left_out_and_told(grader: Grader, course: SmallCourse) -> None:
    (course.students / "z9999999" / "double.py").write_bytes(b"\x00\x01")
    run = grader("anonymise", "submissions/doubles", "copy")
    assert run.returncode == 1
    assert re.search(r"left out, because it is no text: student_\d/double.py", run.stdout)


def test_nothing_is_overwritten(grader: Grader, course: SmallCourse) -> None:
    (course.folder / "copy").mkdir()
    run = grader("anonymise", "submissions/doubles", "copy")
    assert run.returncode == 2
    assert "copy is there already; name a folder that is not." in run.stderr
    (course.folder / "key.csv").write_text("mine")
    run = grader("anonymise", "submissions/doubles", "copy-2", "--key", "key.csv")
    assert run.returncode == 2
    assert "The key key.csv cannot be written: File exists" in run.stderr
    assert (course.folder / "key.csv").read_text() == "mine"
