"""Teams from the folder to marks, exports, comparisons and oblivion."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import RIGHT, WRONG, Grader, SmallCourse

ROSTER = """\
id,name,email,team
z1234567,"Lovelace, Ada",ada@school.example,team-a
z2222222,Bob Bo,bob@school.example,team-a
z3333333,Cy Cox,cy@school.example,
"""
LATE = "2025-10-28 10:00"
OF_ADA = (b"z1234567", b"Lovelace", b"ada@school")


@pytest.fixture
def course(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """A class of a team and a student, graded in the folder of the course."""
    small_course.hand_in("team-a", RIGHT, LATE)
    small_course.hand_in("z3333333", WRONG)
    (small_course.students / "roster.csv").write_text(ROSTER)
    monkeypatch.chdir(small_course.folder)
    return small_course


def rows(grader: Grader, *options: str) -> dict[str, dict[str, object]]:
    """Return what results.json says, by student."""
    done = grader("grade", "submissions/doubles", "--sandbox", "none", "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    return {row["student"]: row for row in json.loads(done.stdout)["submissions"]}


def mark(row: dict[str, object]) -> object:
    found = row["mark"]
    return found["adjusted"] if isinstance(found, dict) else found


def test_each_member_has_the_mark_of_one_run(course: SmallCourse, grader: Grader) -> None:
    found = rows(grader)
    assert mark(found["z1234567"]) == mark(found["z2222222"]) is not None
    assert found["z1234567"]["roster"] == {"team": "team-a"}
    table = list(csv.DictReader(io.StringIO((course.reports / "results.csv").read_text())))
    assert [(row["student"], row["roster_team"], row["source"]) for row in table] == [
        ("z1234567", "team-a", "team-a"),
        ("z2222222", "team-a", "team-a"),
        ("z3333333", "", "z3333333"),
    ]
    assert all("z1234567, z2222222" in row["notes"] for row in table[:2])


@pytest.mark.slow
def test_the_latest_due_date_of_the_team_is_each_members(course: SmallCourse, grader: Grader) -> None:
    late = mark(rows(grader)["z2222222"])
    granted = "student,due,late_days,reason\nz1234567,2025-10-29 11:59,,illness\nz2222222,,1,\n"
    (course.students / "extensions.csv").write_text(granted)
    found = rows(grader)
    assert late != mark(found["z1234567"]) == mark(found["z2222222"])
    content = (course.reports / "results.json").read_text()
    assert content.count("the latest due date of the team") == 1


def test_exports_have_a_row_for_each_member(course: SmallCourse, grader: Grader) -> None:
    done = grader("export", "brightspace", "submissions/doubles", "--sandbox", "none")
    assert done.returncode == 0, done.stderr
    exported = (course.folder / "exports" / "doubles" / "brightspace.csv").read_text()
    assert all(student in exported for student in ("z1234567", "z2222222", "z3333333"))


@pytest.mark.slow
def test_members_are_not_compared_with_each_other(course: SmallCourse, grader: Grader) -> None:
    (course.students / "z3333333" / "double.py").write_text(RIGHT * 30)
    (course.students / "team-a" / "double.py").write_text(RIGHT * 30)
    course.hand_in("z2222222", RIGHT * 30, "2025-10-27 10:00")
    done = grader("similar", "submissions/doubles", "--json")
    pairs = [{pair["first"]["student"], pair["second"]["student"]} for pair in json.loads(done.stdout)["pairs"]]
    assert pairs == [{"z1234567, z2222222", "z3333333"}]
    reported = grader("report", "submissions/doubles", "--sandbox", "none", "--similar")
    assert reported.returncode == 0, reported.stderr
    pages = course.folder / "reports" / "html" / "doubles"
    for student in ("z1234567", "z2222222"):
        page = next(pages.rglob(f"{student}*.html")).read_text()
        assert "of z3333333" in page
        assert "like line 1 of double.py of z2222222" not in page
    assert "z1234567, z2222222" in next(pages.rglob("z3333333*.html")).read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        (
            "teams.yaml",
            "format: 1\nteams:\n  # Ours.\n  - {team: team-a, students: [z1234567, z2222222]}\n",
            "format: 1\nteams:\n  # Ours.\n  - {team: team-a, students: [z2222222]}\n",
        ),
        (
            "teams.yaml",
            "format: 1\nteams:\n  - team: team-a\n    students:\n      - z2222222\n      - Z1234567\n",
            "format: 1\nteams:\n  - team: team-a\n    students:\n      - z2222222\n",
        ),
        ("teams.csv", "team,student\nteam-a,z1234567\nteam-a,z2222222\n", "team,student\nteam-a,z2222222\n"),
    ],
)
def test_a_member_is_forgotten(name: str, text: str, after: str, course: SmallCourse, grader: Grader) -> None:
    (course.students / "roster.csv").write_text(ROSTER.replace(",team-a", ","))
    (course.students / name).write_text(text)
    (course.students / "times.csv").write_text(
        "student,time\nz1234567,2025-10-27 11:00\nteam-a,2025-10-27 11:00\nz3333333,2025-10-27 11:00\n"
    )
    rows(grader)
    done = grader("forget", "z1234567", "--submissions", "--delete")
    assert f"{course.students}/team-a stays, because others handed it in too" in done.stdout
    assert (course.students / name).read_text() == after
    for file in (*course.reports.rglob("*"), *course.students.glob("*.*")):
        content = file.read_bytes() if file.is_file() else b""
        assert not any(secret.lower() in content.lower() for secret in OF_ADA), file
    table = list(csv.DictReader(io.StringIO((course.reports / "results.csv").read_text())))
    assert [row["student"] for row in table] == ["z2222222", "z3333333"]


def test_names_of_all_members_leave_an_anonymous_copy(course: SmallCourse, grader: Grader) -> None:
    program = "# Ada Lovelace (z1234567) and Bob Bo, z2222222\n" + RIGHT
    (course.students / "team-a" / "double.py").write_text(program)
    assert grader("anonymise", "submissions/doubles", "copy").returncode in (0, 1)
    text = "".join(file.read_text() for file in Path("copy").rglob("*.py"))
    assert not any(word in text for word in ("Ada", "Lovelace", "z1234567", "Bob", "z2222222"))
    assert len(list(Path("copy").iterdir())) == 3


@pytest.mark.slow
def test_a_class_in_an_archive_is_read_again_when_its_teams_change(course: SmallCourse, grader: Grader) -> None:
    (course.students / "roster.csv").unlink()
    shutil.make_archive("submissions/doubles", "zip", "submissions/doubles")
    shutil.rmtree(course.students)
    grade = ("grade", "submissions/doubles.zip", "--sandbox", "none", "--format", "json", "--assignment", "doubles")

    def students() -> list[str]:
        return [row["student"] for row in json.loads(grader(*grade).stdout)["submissions"]]

    assert students() == ["team-a", "z3333333"]
    (course.folder / "submissions" / "teams.csv").write_text("team,student\nteam-a,z1\nteam-a,z2\n")
    assert students() == ["z1", "z2", "z3333333"]
