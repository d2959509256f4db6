"""`grader grade` as an instructor uses it."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse
from tests.sandbox import needs_sandbox

WRONG = RIGHT.replace("2 *", "3 *")


def results(course: SmallCourse) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((course.reports / "results.json").read_text())
    return content


def by_student(course: SmallCourse) -> dict[str, dict[str, Any]]:
    return {entry["student"]: entry for entry in results(course)["submissions"]}


def verdicts(entry: dict[str, Any]) -> dict[str, str]:
    return {test["id"]: test["verdict"] for test in entry["tests"]}


@pytest.mark.slow
def test_points_lateness_and_marks(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("late", RIGHT, submitted="2025-10-28 13:00")
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    run = grader("grade", "submissions")
    assert run.returncode == 0, run.stdout + run.stderr
    graded = by_student(small_course)
    in_time = {"late_seconds": 0, "late_days": 0, "late_hours": 0, "late_deduction": "0"}
    assert graded["right"]["mark"].items() >= {**in_time, "cap": "12", "adjusted": "12"}.items()
    two_days = {"late_seconds": 90060, "late_days": 2, "late_hours": 26, "late_deduction": "0"}
    assert graded["late"]["mark"].items() >= {**two_days, "cap": "9.6", "adjusted": "9.6"}.items()
    assert graded["wrong"]["points"] == "2"
    assert "1 d 1 h 1 min late" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("beside", "note"),
    [
        ([], "doubles is taken for the class: it holds a folder per student, with double.py or the like"),
        (
            ["cy"],
            "doubles is taken for a student, though an assignment is called so; to grade the class in it, name that "
            "folder",
        ),
    ],
)
def test_one_note_tells_what_a_folder_called_like_the_assignment_is_taken_for(
    beside: list[str], note: str, grader: Grader, small_course: SmallCourse
) -> None:
    for student in ("ann", "bob"):
        small_course.hand_in(student, RIGHT)
    for student in beside:
        small_course.hand_in(f"../{student}", RIGHT)
    grader("grade", "submissions", "--assignment", "doubles")
    assert [line for line in results(small_course)["notes"] if "taken for" in line] == [note]


@pytest.mark.slow
def test_an_extension_moves_the_due_date_of_one_student(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ill", RIGHT, submitted="2025-10-28 13:00")
    small_course.hand_in("late", RIGHT, submitted="2025-10-28 13:00")
    extensions = small_course.students / "extensions.yaml"
    extensions.write_text("format: 1\nextensions:\n  - {student: ill, due: 2025-10-28 13:00, reason: illness}\n")
    assert grader("grade", "submissions").returncode == 0
    graded = by_student(small_course)
    assert graded["ill"]["mark"]["adjusted"] == "12"
    assert graded["ill"]["due"] == "2025-10-28T13:00:00+11:00"
    assert graded["late"]["mark"]["adjusted"] == "9.6"


@pytest.mark.slow
def test_broken_submissions_stop_nothing(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("binary", None).joinpath("double.py").write_bytes(bytes(range(256)) * 40)
    small_course.hand_in("missing", None)
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("syntax", "print('Double\n")
    (small_course.students / "unreadable").symlink_to("unreadable")
    run = grader("grade", "submissions")
    assert run.returncode == 1, run.stderr
    graded = by_student(small_course)
    assert list(graded) == ["binary", "missing", "right", "syntax", "unreadable"]
    assert graded["right"]["mark"]["adjusted"] == "12"
    assert verdicts(graded["missing"])["small"] == "missing-file"
    assert verdicts(graded["syntax"])["small"] == "crash"
    assert verdicts(graded["binary"])["small"] == "crash"
    assert graded["binary"]["points"] == "2"
    assert graded["unreadable"]["mark"] is None
    assert "unreadable: the folder cannot be read" in run.stdout


@pytest.mark.slow
def test_a_program_that_loops_costs_only_its_own_tests(grader: Grader, small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(spec.read_text().replace("wall_seconds: 20", "wall_seconds: 1"))
    loops = RIGHT.replace("print", "n = int(input('Number: '))\nwhile n == 11: pass\nprint").replace(
        'int(input("Number: "))', "n"
    )
    small_course.hand_in("loops", loops)
    small_course.hand_in("right", RIGHT)
    assert grader("grade", "submissions").returncode == 0
    assert verdicts(by_student(small_course)["loops"]) == {
        "small": "passed",
        "hidden-11": "timeout",
        "hidden-12": "passed",
        "at-the-prompt": "passed",
    }


@pytest.mark.slow
def test_files_per_student(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.folder / "downloads"
    folder.mkdir()
    (folder / "z1_double.py").write_text(RIGHT)
    (folder / "z2 - double.py").write_text(WRONG)
    (folder / "notes.txt").write_text("nothing")
    for file in folder.iterdir():
        os.utime(file, (1761523200, 1761523200))
    run = grader("grade", folder)
    graded = by_student(small_course)
    assert graded["z1"]["points"] == "10"
    assert graded["z2"]["points"] == "0"
    assert graded["z1"]["submitted"] == "2025-10-27T11:00:00+11:00"
    assert graded["z1"]["time_source"] == "file time"
    assert "notes.txt: passed over" in run.stdout


@pytest.mark.slow
def test_a_faulty_submission_time_leaves_the_mark_open(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("undated", RIGHT, submitted="yesterday")
    run = grader("grade", "submissions")
    assert run.returncode == 1
    assert by_student(small_course)["undated"]["points"] == "12"
    assert by_student(small_course)["undated"]["mark"] is None
    assert "undated: submission.yaml:1:12: found `yesterday`; expected a date and time" in run.stdout


@pytest.mark.slow
def test_feedback_and_transcripts(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("wrong", WRONG, submitted="2025-10-27 12:30")
    grader("grade", "submissions")
    feedback = (small_course.reports / "students" / "wrong.txt").read_text()
    assert "Mark             2\n" in feedback
    assert "1 started day late: the highest possible mark is 12 - 1 × 10 % of 12 = 10.8.\n" in feedback
    assert "-     2 │ Double: 8\n" in feedback
    assert "\x1b" not in feedback
    transcripts = small_course.reports / "transcripts" / "wrong"
    assert (transcripts / "small.txt").read_text() == "Number: 4\nDouble: 12\n"
    assert not (transcripts / "at-the-prompt.txt").exists()


@pytest.mark.slow
def test_csv(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("a, b", RIGHT)
    grader("grade", "submissions")
    with (small_course.reports / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {
            "student": "a, b",
            "doubles": "10",
            "triples": "2",
            "points": "12",
            "full": "12",
            "submitted": "2025-10-27T11:00:00+11:00",
            "due": "2025-10-27T11:59:00+11:00",
            "not_yet_marked": "",
            "to_confirm": "",
            "late_days": "0",
            "late_hours": "0",
            "cap": "12",
            "late_deduction": "0",
            "late_days_used": "0",
            "late_days_left": "0",
            "excused": "",
            "overrides": "",
            "mark": "12",
            "notes": "",
            "reason": "",
            "source": "a, b",
            "shape": "plain",
            "attempt": "1",
            "name": "",
            "id": "",
            "email": "",
            "login": "a, b",
            "moodle": "",
            "canvas": "",
        }
    ]


@pytest.mark.slow
def test_interrupting_leaves_earlier_reports_and_writes_partial_ones_beside_them(
    grader: Grader, small_course: SmallCourse
) -> None:
    started = small_course.folder / "started"
    os.mkfifo(started)
    small_course.hand_in("a-right", RIGHT)
    grader("grade", "submissions")
    complete = small_course.reports
    before = {file: file.read_bytes() for file in complete.rglob("*") if file.is_file()}
    small_course.hand_in("b-loops", f"open({str(started)!r}, 'w').close()\nwhile True: pass\n")
    small_course.hand_in("c-right", RIGHT)
    command = [sys.executable, "-m", "grader", "grade", "submissions", "--jobs", "1", "--sandbox", "none"]
    with subprocess.Popen(command, cwd=small_course.folder, stdout=subprocess.PIPE, text=True) as process:
        started.read_text()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert process.returncode == 130
    assert "Interrupted; 2 of 3 not graded: b-loops, c-right. The same command goes on from here" in output
    assert {file: file.read_bytes() for file in complete.rglob("*") if file.is_file()} == before
    partial = complete.with_name(f"{complete.name}.partial")
    assert str(partial.relative_to(small_course.folder)) in output
    written = json.loads((partial / "results.json").read_text())
    assert written["complete"] is False
    assert written["not_graded"] == ["b-loops", "c-right"]
    assert [(row["student"], row["mark"]["adjusted"]) for row in written["submissions"]] == [("a-right", "12")]
    (small_course.students / "b-loops" / "double.py").write_text(WRONG)
    grader("grade", "submissions")
    assert not partial.exists()
    assert set(by_student(small_course)) == {"a-right", "b-loops", "c-right"}


@pytest.mark.slow
def test_repeated_grading_gives_the_same_reports(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    grader("grade", "submissions")
    first = timeless(results(small_course))
    text = (small_course.reports / "students" / "wrong.txt").read_text()
    grader("grade", "submissions", "--jobs", "1")
    assert timeless(results(small_course)) == first
    assert (small_course.reports / "students" / "wrong.txt").read_text() == text


def timeless(content: dict[str, Any]) -> dict[str, Any]:
    for submission in content["submissions"]:
        for test in submission["tests"]:
            assert test.pop("wall_seconds") > 0
            assert test.pop("cpu_seconds") > 0
    return content


def test_an_empty_folder(grader: Grader, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run = grader("grade", empty, "--assignment", "doubles")
    assert run.returncode == 2
    assert run.stderr.startswith(f"No submission in {empty}")


@needs_sandbox
@pytest.mark.parametrize("isolation", ["fork", "fresh-process"])
@pytest.mark.slow
def test_signals_that_whoever_grades_ignores_reach_programs(small_course: SmallCourse, isolation: str) -> None:
    source = (
        "import signal\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL\n"
    )
    small_course.hand_in("ann", source + RIGHT)
    file = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    file.write_text(f"{file.read_text()}isolation: {isolation}\n")
    ignoring = ["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh"]
    command = [*ignoring, sys.executable, "-m", "grader", "grade", "submissions"]
    subprocess.run(command, cwd=small_course.folder, capture_output=True, check=True)
    assert verdicts(by_student(small_course)["ann"])["small"] == "passed"


@pytest.mark.slow
def test_each_of_those_without_a_program_is_told_why(grader: Grader, small_course: SmallCourse) -> None:
    for student in ("apart", "nothing"):
        (small_course.hand_in(student, None) / "triple.py").unlink()
    for folder in ("new", "old"):
        (small_course.students / "apart" / folder).mkdir()
        (small_course.students / "apart" / folder / "double.py").write_text(f"# {folder}\n{RIGHT}")
    assert grader("grade", "submissions").returncode == 0
    told = {
        student: (small_course.reports / "students" / f"{student}.txt").read_text() for student in ("apart", "nothing")
    }
    assert "double.py is in more than one folder, and none is taken: `new/double.py`, `old/double.py`." in told["apart"]
    assert told["nothing"].endswith("\n\nNothing was handed in.\n")


@pytest.mark.slow
def test_a_program_of_another_name_is_not_nothing(small_course: SmallCourse, grader: Grader) -> None:
    for name, file in (("ann", "Double.py"), ("bob", "notes.txt")):
        (small_course.students / name).mkdir(parents=True)
        (small_course.students / name / file).write_text("print(1)\n")
    small_course.hand_in("cem", RIGHT)
    (small_course.students / "dan").mkdir()
    submission = small_course.hand_in("eve", "print(1)\n") / "submission.yaml"
    submission.write_text("submitted: some time ago\n")
    (submission.parent / "triple.py").unlink()
    rows = grader("grade", "submissions/doubles", "--sandbox", "none").stdout.splitlines()
    said = {name: next(row for row in rows if f" {name} " in row) for name in ("ann", "bob", "dan", "eve")}
    assert "handed in" not in said["eve"]
    assert "?" in said["eve"]
    assert "no program handed in" in said["ann"]
    assert "no program handed in" in said["bob"]
    assert "nothing handed in" in said["dan"]


def test_an_entry_under_the_name_before_the_roster_names_the_student(small_course: SmallCourse, grader: Grader) -> None:
    small_course.hand_in("ann", RIGHT)
    (small_course.students / "roster.csv").write_text("id,login\ns6,ann\n")
    decision = "{student: ann, mark: 3, reason: agreed, by: Eve}"
    (small_course.students / "overrides.yaml").write_text(f"format: 1\noverrides:\n  - {decision}\n")
    run = grader("grade", "submissions/doubles")
    assert "With a roster, `ann` is `s6`; write `student: s6`" in run.stdout.replace("\n", " ")
