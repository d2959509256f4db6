"""`grader grade` a second time: what is known is not run again, and what was lost is."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

WRONG = RIGHT.replace("2 *", "3 *")
TESTS = 4

# The command line; a dot on standard error for every test that is done.
DOTS = """
import os
import grader.grading.backend as stage

grade_batch = stage.grade_batch

def with_dots(assignment, transcripts, submissions, tick, **options):
    def both():
        os.write(2, b".")
        tick()
    return grade_batch(assignment, transcripts, submissions, both, **options)

stage.grade_batch = with_dots

from grader.cli.main import main
main()
"""


def runs(course: SmallCourse) -> int:
    """How many sessions were ever held and kept, those of the references included."""
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM outcomes").fetchone()
        return int(count)


def past_runs(course: SmallCourse) -> int:
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])


def reports(course: SmallCourse) -> dict[str, bytes]:
    return {str(file.relative_to(course.reports)): file.read_bytes() for file in files_in(course.reports)}


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def timeless(content: dict[str, bytes]) -> dict[str, bytes]:
    return {name: re.sub(rb'(_seconds": )[\d.e-]+', rb"\1", data) for name, data in content.items()}


@pytest.fixture(autouse=True)
def _one_run_a_test(small_course: SmallCourse) -> None:
    """Tests that fail are not run a second time in another way."""
    with (small_course.folder / "test_specs" / "doubles" / "assignment.yaml").open("a") as file:
        file.write("isolation: fresh-process\n")


@pytest.fixture
def graded(grader: Grader, small_course: SmallCourse) -> SmallCourse:
    """A course with two students that has been graded."""
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    assert grader("grade", "submissions").returncode == 0
    assert runs(small_course) == 3 * TESTS
    return small_course


@pytest.mark.slow
def test_nothing_has_changed(grader: Grader, graded: SmallCourse) -> None:
    first = grader("grade", "submissions")
    written = {file: file.stat().st_mtime_ns for file in files_in(graded.reports)}
    again = grader("grade", "submissions")
    assert (again.stdout, again.returncode) == (first.stdout, 0)
    assert "wrong" in again.stdout
    assert {file: file.stat().st_mtime_ns for file in files_in(graded.reports)} == written
    assert runs(graded) == 3 * TESTS


@pytest.mark.parametrize("spoil", [shutil.rmtree, lambda folder: (folder / "results.csv").write_text("")])
@pytest.mark.slow
def test_reports_that_are_gone_are_written_again_byte_for_byte(
    grader: Grader, graded: SmallCourse, spoil: Callable[[Path], object]
) -> None:
    before = reports(graded)
    spoil(graded.reports)
    assert grader("grade", "submissions").returncode == 0
    assert reports(graded) == before
    assert runs(graded) == 3 * TESTS


@pytest.mark.slow
def test_links_are_no_obstacle(grader: Grader, graded: SmallCourse) -> None:
    (graded.students / "linked").symlink_to("right")
    (graded.reports / "link").symlink_to(graded.students)
    for _ in range(2):
        assert grader("grade", "submissions").returncode == 0
    assert b"linked" in reports(graded)["results.csv"]
    assert (runs(graded), past_runs(graded)) == (3 * TESTS, 1)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["reference/cards.py", pytest.param("checkers/own.py", marks=pytest.mark.slow)])
def test_what_the_course_provides_is_part_of_a_run(file: str, grader: Grader, graded: SmallCourse) -> None:
    before = past_runs(graded)
    (graded.folder / file).parent.mkdir(exist_ok=True)
    (graded.folder / file).write_text("changed = True\n")
    assert grader("grade", "submissions").returncode == 0
    assert (runs(graded), past_runs(graded)) == (3 * TESTS, before + 1)


@pytest.mark.slow
def test_marks_by_hand_are_read_again_when_they_change(grader: Grader, graded: SmallCourse) -> None:
    marks = graded.folder / "by-hand.yaml"
    marks.write_text("format: 1\nmarks: [{student: right}]\n")
    assert grader("grade", "submissions", "--marks", marks).returncode == 0
    marks.write_text("format: 1\nmarks: [{student: right, points: {nothing: 1}}]\n")
    assert grader("grade", "submissions", "--marks", marks).returncode == 2


@pytest.mark.slow
def test_a_narrow_terminal(prepared: PreparedGrader, graded: SmallCourse) -> None:
    for columns in (30, 140, 30):
        environment = {**os.environ, "COLUMNS": str(columns), "FORCE_COLOR": "1"}
        run = prepared.run("grade", "submissions", folder=graded.folder, environment=environment)
        assert run.returncode == 0
        assert "\x1b[1m" in run.stdout
        assert ("no room for" in run.stdout) is (columns < 100)


@pytest.mark.slow
def test_one_test_changed(grader: Grader, graded: SmallCourse) -> None:
    spec = graded.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    spec.write_text(spec.read_text().replace("input: [4]", "input: [5]"))
    grader("grade", "submissions")
    assert runs(graded) == 3 * TESTS + 3
    assert b"Number: 5\nDouble: 15\n" in reports(graded)["transcripts/wrong/small.txt"]


@pytest.mark.slow
def test_one_submission_changed_and_one_more(grader: Grader, graded: SmallCourse) -> None:
    (graded.students / "wrong" / "double.py").write_text(RIGHT)
    graded.hand_in("same-as-right", RIGHT)
    grader("grade", "submissions")
    assert runs(graded) == 3 * TESTS
    (graded.students / "wrong" / "double.py").write_text(f"{RIGHT}\n")
    grader("grade", "submissions")
    assert runs(graded) == 4 * TESTS


@pytest.mark.slow
def test_a_change_for_the_judge_or_the_marks_runs_nothing(grader: Grader, graded: SmallCourse) -> None:
    (graded.expected / "small.canonical.txt").write_text("Number: 4\nDouble: 12\n")
    (graded.students / "extensions.yaml").write_text(
        "format: 1\nextensions:\n  - {student: right, due: 2025-10-29 13:00, reason: illness}\n"
    )
    grader("grade", "submissions")
    assert runs(graded) == 3 * TESTS
    assert b"2025-10-29" in reports(graded)["students/right.txt"]
    assert b"passed         small" in reports(graded)["students/wrong.txt"]


@pytest.mark.slow
def test_a_new_time_of_handing_in_counts(grader: Grader, graded: SmallCourse) -> None:
    (graded.students / "right" / "submission.yaml").write_text("submitted: 2025-10-28 13:00\n")
    grader("grade", "submissions")
    assert b"1 d 1 h 1 min late" in reports(graded)["students/right.txt"]
    (graded.students / "right" / "submission.yaml").unlink()
    os.utime(graded.students / "right" / "double.py", (1761530400, 1761530400))
    os.utime(graded.students / "right" / "triple.py", (1761523200, 1761523200))
    grader("grade", "submissions")
    assert b"1 h 1 min late" in reports(graded)["students/right.txt"]
    os.utime(graded.students / "right" / "double.py", (1761523200, 1761523200))
    grader("grade", "submissions")
    assert b"on time" in reports(graded)["students/right.txt"]
    assert runs(graded) == 3 * TESTS


@pytest.mark.slow
def test_fresh_runs_everything_again_and_counts_from_then_on(grader: Grader, graded: SmallCourse) -> None:
    assert grader("grade", "submissions", "--no-cache").returncode == 0
    assert runs(graded) == 6 * TESTS
    fresh = reports(graded)
    shutil.rmtree(graded.reports)
    grader("grade", "submissions")
    assert reports(graded) == fresh
    assert runs(graded) == 6 * TESTS


@pytest.mark.slow
def test_a_store_elsewhere(grader: Grader, graded: SmallCourse) -> None:
    before = reports(graded)
    store = graded.folder / "elsewhere" / "store"
    (graded.folder / ".grader" / "store.sqlite3").rename(graded.folder / "moved")
    store.parent.mkdir()
    (graded.folder / "moved").rename(store)
    assert grader("grade", "submissions", "--store", store).returncode == 0
    assert reports(graded) == before
    assert not (graded.folder / ".grader" / "store.sqlite3").exists()


def test_a_store_that_cannot_be_used(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    run = grader("grade", "submissions", "--store", small_course.folder)
    assert run.returncode == 2
    assert run.stderr.startswith(f"The store {small_course.folder} cannot be used")


@pytest.mark.slow
def test_an_open_mark_is_open_again(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("undated", RIGHT, submitted="yesterday")
    first, again = grader("grade", "submissions"), grader("grade", "submissions")
    assert (first.returncode, first.stdout) == (again.returncode, again.stdout)
    assert again.returncode == 1


@pytest.mark.slow
def test_what_was_cancelled_is_not_kept(small_course: SmallCourse) -> None:
    started = small_course.folder / "started"
    os.mkfifo(started)
    small_course.hand_in("loops", f"open({str(started)!r}, 'w').close()\nwhile True: pass\n")
    command = [sys.executable, "-m", "grader", "grade", "submissions", "--jobs", "1", "--sandbox", "none"]
    with subprocess.Popen(command, cwd=small_course.folder, stdout=subprocess.DEVNULL) as process:
        started.read_text()
        process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    assert (runs(small_course), past_runs(small_course)) == (0, 0)


@pytest.mark.slow
def test_two_graders_at_once(small_course: SmallCourse) -> None:
    for number in range(4):
        small_course.hand_in(f"student-{number}", WRONG)
    command = [sys.executable, "-m", "grader", "grade", "submissions", "--jobs", "2"]
    graders = [subprocess.Popen(command, cwd=small_course.folder, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [one.wait() for one in graders] == [0, 0]
    subprocess.run(command, cwd=small_course.folder, stdout=subprocess.DEVNULL, check=True)
    first = reports(small_course)
    shutil.rmtree(small_course.reports)
    subprocess.run(command, cwd=small_course.folder, stdout=subprocess.DEVNULL, check=True)
    assert timeless(reports(small_course)) == timeless(first)


@pytest.mark.slow
def test_killed_at_any_moment(small_course: SmallCourse, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    for number in range(3):
        # All different: equal submissions share their outcomes.
        small_course.hand_in(f"right-{number}", f"{RIGHT}# {number}\n")
        small_course.hand_in(f"wrong-{number}", f"{WRONG}# {number}\n")
    command = [sys.executable, "-c", DOTS, "grade", "submissions"]

    def start() -> subprocess.Popen[bytes]:
        environment = {**os.environ, "TMPDIR": str(tmp_path / "scratch")}
        return subprocess.Popen(
            command, cwd=small_course.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def finish() -> dict[str, bytes]:
        with start() as process:
            process.communicate()
        assert process.returncode == 0
        return reports(small_course)

    began = time.monotonic()
    undisturbed = timeless(finish())
    whole = time.monotonic() - began
    chance = random.Random(8)
    for _ in range(3):
        shutil.rmtree(small_course.folder / ".grader")
        shutil.rmtree(small_course.reports)
        with start() as process:
            time.sleep(chance.uniform(0.2, 1) * whole)
            process.kill()
            _, said = process.communicate()
        store = small_course.folder / ".grader" / "store.sqlite3"
        kept = runs(small_course) if store.exists() else 0
        assert kept >= said.count(b".")
        resumed = finish()
        assert runs(small_course) == 7 * TESTS
        assert timeless(resumed) == undisturbed
        shutil.rmtree(small_course.reports)
        assert finish() == resumed
        assert runs(small_course) == 7 * TESTS


def change_store(course: SmallCourse, statement: str) -> None:
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection, connection:
        connection.execute(statement)


@pytest.mark.slow
def test_damaged_rows_are_made_anew(grader: Grader, graded: SmallCourse) -> None:
    before = reports(graded)
    note = f"the store is damaged: {3 * TESTS // 2 + 1} rows could not be read; what they held was made anew"
    change_store(graded, "UPDATE outcomes SET value = x'00' WHERE id % 2")
    change_store(graded, "UPDATE runs SET value = '{}'")
    run = grader("grade", "submissions")
    assert run.returncode == 0, run.stdout + run.stderr
    assert note in run.stdout
    after = reports(graded)
    after["results.json"] = after["results.json"].replace(f'[\n  "{note}"\n ]'.encode(), b"[]")
    assert timeless(after) == timeless(before)
    assert runs(graded) == 3 * TESTS + 3 * TESTS // 2


@pytest.mark.slow
def test_a_store_that_breaks_leaves_the_reports_as_they_were(grader: Grader, graded: SmallCourse) -> None:
    before = reports(graded)
    (graded.students / "wrong" / "double.py").write_text(RIGHT)
    change_store(graded, "DROP TABLE outcomes")
    run = grader("grade", "submissions")
    assert run.returncode == 2
    assert "no such table" in run.stderr
    assert reports(graded) == before


def test_reports_on_another_folder_are_not_replaced_without_a_word(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    assert "replaces" not in grader("grade", "submissions").stderr
    other = small_course.folder / "second try"
    shutil.copytree(small_course.students, other)
    said = f"note: doubles: this replaces the reports on {small_course.students}; to keep both, name another folder"
    assert said not in grader("grade", other, "--reports", small_course.folder / "elsewhere").stderr
    assert said in grader("grade", other).stderr
    assert "replaces" not in grader("grade", other).stderr
    assert f"replaces the reports on {other};" in grader("grade", "submissions/doubles").stderr
    assert "replaces" not in grader("grade", "submissions").stderr
