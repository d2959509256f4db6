"""Runs are compared, and the log tells the story."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")


@pytest.mark.slow
def test_runs_are_compared_and_the_log_keeps_every_mark(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("late", RIGHT, submitted="2025-10-28 13:00")
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    assert grader("grade", "submissions").returncode == 0
    small_course.reports.rename(small_course.folder / "before")
    log = small_course.folder / "reports" / "audit.jsonl"
    first = log.read_text()
    assert len(first.splitlines()) == 3
    assert grader("grade", "submissions").returncode == 0
    assert log.read_text() == first
    same = grader("compare", "before", "reports/doubles")
    assert (same.returncode, same.stdout) == (0, "doubles: 0 of 3 students differ; marks: 0 higher, 0 lower.\n")

    (small_course.students / "wrong" / "double.py").write_text(RIGHT)
    (small_course.students / "extensions.yaml").write_text(
        "format: 1\nextensions:\n  - {student: late, due: 2025-10-28 13:00}\n"
    )
    assert grader("grade", "submissions").returncode == 0
    text = grader("compare", "before/results.json", "reports/doubles")
    assert text.returncode == 1
    assert "late: 9.6 → 12 (+2.4)\n  lateness, due: 2025-10-27T11:59:00+11:00 → 2025-10-28T13:00" in text.stdout
    assert "  test, small: wrong-output → passed (+4)\n" in text.stdout
    content = json.loads(grader("compare", "before", "reports/doubles", "--format", "json").stdout)
    assert [change["change"] for change in content["changes"]] == ["2.4", "10"]
    nothing = grader("compare", "before", "reports")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert "Name one of the folders in it: doubles" in nothing.stderr

    assert log.read_text().startswith(first)
    shown = grader("history", "wrong")
    assert shown.returncode == 0
    assert [line.split("  ")[1].split(";")[0] for line in shown.stdout.splitlines()] == [
        "doubles: mark 2 (2 points)",
        "doubles: mark 12 (12 points)",
    ]
    at = datetime.fromisoformat(json.loads(first.splitlines()[-1])["at"])
    in_sydney = f"{at.astimezone(ZoneInfo('Australia/Sydney')):%Y-%m-%d %H:%M:%S %Z}"
    assert shown.stdout.startswith(f"{in_sydney}  doubles: mark 2 ")
    spec = small_course.folder / "test_specs" / "doubles"
    spec.rename(small_course.folder / "elsewhere")
    assert grader("history", "wrong").stdout.startswith(f"{at.astimezone():%Y-%m-%d %H:%M:%S %Z}  doubles: mark 2 ")
    (small_course.folder / "elsewhere").rename(spec)
    unknown = grader("history", "wrogn")
    assert unknown.returncode == 1
    assert "did you mean `wrong`?" in unknown.stdout


def test_a_name_that_looks_like_an_option(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("-x", RIGHT)
    assert grader("grade", "submissions").returncode == 0
    assert grader("history", "--", "-x").returncode == 0
