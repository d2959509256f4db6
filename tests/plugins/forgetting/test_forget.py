"""`grader forget`: nothing about the student stays, and everything about the others does."""

import json
import re
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.plugins.forgetting.api import ForgetRequest, student_data
from grader.plugins.forgetting.person import Trace, person_in
from grader.reports.decision_log import LoggedDecision, record_decision
from grader.reports.probing import ProbedSubmissions, probing_file, read_probing, write_probing
from tests.audit_entries import read_entries
from tests.conftest import RIGHT, WRONG, Grader, SmallCourse, write_small_course
from tests.prepared_grader import PreparedGrader

ADAS = 'print("zebra " * 300)\n' + WRONG
SECRETS = (b"z1234567", b"Lovelace", b"ada@school", b"zebra")
ROSTER = """\
id,name,email,login,moodle
z1234567,"Lovelace, Ada",ada@school.example,team,1001
z2222222,"Lei,
 Li",li@school.example,team,1002
z3333333,Bob Bo,bob@school.example,bob,1003
"""
MARKS = """\
format: 1
# Marked on paper.
marks:
  - {student: z1234567, points: {}}

  # Late, but excused.
  - student:   z3333333   # in person
    points: {}
"""
OVERRIDES = """\
format: 1
overrides:
  - {student: z3333333, mark: 3, reason: an appeal, by: the lecturer}
  - {student: z1234567, mark: 4, reason: an appeal, by: the lecturer}
"""
COMMENTS = """\
format: 1
comments:
  - {group: d63dc4ca, comment: Read the handout.}
  - student: z1234567
    file: double.py
    line: 1
    comment: Ada, a clear name.
    by: the lecturer
  - {student: z3333333, comment: Well done.}
"""
DECISION = LoggedDecision(
    assignment="doubles",
    students=(),
    what="comment",
    key="group",
    before=None,
    after="Read the handout.",
    by="the lecturer",
    at="2025-11-01T10:00:00+00:00",
    file="comments.yaml",
)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory, prepared: PreparedGrader) -> SmallCourse:
    """A class that was graded, reported, compared and exported, with all that people wrote about it."""
    course = write_small_course(tmp_path_factory.mktemp("marked"))
    for student, program in (("z1234567", ADAS), ("z2222222", RIGHT), ("z3333333", WRONG)):
        course.hand_in(student, program)
    granted = "format: 1\nextensions:\n  - {student: z1234567, late_days: 2}\n"
    files = {"roster.csv": ROSTER, "marks.yaml": MARKS, "overrides.yaml": OVERRIDES, "extensions.yaml": granted}
    files["comments.yaml"] = COMMENTS
    for name, content in files.items():
        (course.students / name).write_text(content)
    exports = [["export", name] for name in ("gradescope", "csv", "junit", "feedback", "pages", "brightspace")]
    for command in (["grade"], ["report", "--similar"], *exports):
        done = prepared.run(*command, "submissions/doubles", "--sandbox", "none", folder=course.folder)
        assert done.returncode == 0, done.stderr
    prepared.run("similar", "submissions/doubles", "--html", "reports/similar", folder=course.folder)
    for students in (("z1234567",), ("z1234567", "z3333333"), ("z3333333",)):
        record_decision(course.folder / "reports" / "audit.jsonl", replace(DECISION, students=students))
    return course


@pytest.fixture
def course(marked: SmallCourse, small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """A copy of it, where commands are run."""
    shutil.rmtree(small_course.folder)
    shutil.copytree(marked.folder, small_course.folder)
    monkeypatch.chdir(small_course.folder)
    return small_course


def contents(course: SmallCourse) -> Iterator[tuple[Path, bytes]]:
    """Yield all bytes of the course but for what was handed in, and what is compressed in the store."""
    handed_in = [folder for folder in course.students.iterdir() if folder.is_dir()]
    for file in course.folder.rglob("*"):
        if file.is_file() and not any(file.is_relative_to(folder) for folder in handed_in):
            yield file, file.name.encode() + file.read_bytes()
    store = course.folder / ".grader" / "store.sqlite3"
    with closing(sqlite3.connect(store)) as connection:
        for (value,) in connection.execute("SELECT value FROM outcomes"):
            yield store, zlib.decompress(value)
        for (value,) in connection.execute("SELECT value FROM runs UNION ALL SELECT value FROM answers"):
            yield store, value


def holders(course: SmallCourse) -> set[str]:
    """Return where any of the secrets stands."""
    return {file.name for file, content in contents(course) if any(secret in content for secret in SECRETS)}


@pytest.mark.slow
def test_nothing_of_the_student_stays_and_all_of_the_others_does(course: SmallCourse, grader: Grader) -> None:
    reports = course.reports
    with (course.folder / "reports" / "audit.jsonl").open("a") as log:
        log.write('{"format": "grader-audit/1", "student": "z1234567", "mar')
    assert {"store.sqlite3", "results.csv", "results.json", "audit.jsonl", "junit.xml"} <= holders(course)
    others = [file for file in reports.rglob("*.txt") if "z1234567" not in str(file)]
    before = {file: file.read_bytes() for file in others}
    entries = [
        entry for entry in read_entries(course.folder / "reports" / "audit.jsonl") if entry.student != "z1234567"
    ]
    rows = json.loads((reports / "results.json").read_text())["submissions"][1:]
    done = grader("forget", "z1234567", "--delete")
    assert (done.returncode, done.stderr) == (0, "")
    assert holders(course) == set()
    assert {file: file.read_bytes() for file in others} == before
    assert read_entries(course.folder / "reports" / "audit.jsonl") == entries
    assert json.loads((reports / "results.json").read_text())["submissions"] == rows
    assert (reports / "results.csv").read_text().splitlines()[1].startswith("z2222222,")
    assert sorted(folder.name for folder in course.students.iterdir() if folder.is_dir())[0] == "z1234567"
    assert (course.folder / "exports" / "doubles" / "gradescope" / "z2222222.json").exists()


def test_files_of_people_keep_every_other_byte(course: SmallCourse, grader: Grader) -> None:
    assert grader("forget", "z1234567", "--delete").returncode == 0
    files = course.students
    first, _, *rest = ROSTER.splitlines(keepends=True)
    assert (files / "roster.csv").read_text() == first + "".join(rest)
    assert (files / "marks.yaml").read_text() == MARKS.replace("  - {student: z1234567, points: {}}\n\n", "")
    assert (files / "overrides.yaml").read_text() == "".join(OVERRIDES.splitlines(keepends=True)[:-1])
    first, _, last = COMMENTS.partition("  - student: z1234567\n")
    assert (files / "comments.yaml").read_text() == first + last.splitlines(keepends=True)[-1]
    assert not (files / "extensions.yaml").exists()


def test_others_are_graded_from_the_store_and_the_student_anew(course: SmallCourse, grader: Grader) -> None:
    store = course.folder / ".grader" / "store.sqlite3"
    assert grader("forget", "z1234567", "--delete", "--submissions").returncode == 0
    assert not (course.students / "z1234567").exists()
    with closing(sqlite3.connect(store)) as connection:
        (kept,) = connection.execute("SELECT COUNT(*) FROM outcomes").fetchone()
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    with closing(sqlite3.connect(store)) as connection:
        (after,) = connection.execute("SELECT COUNT(*) FROM outcomes").fetchone()
    # Of the references, which belong to nobody, too.
    assert 0 < after - kept < kept
    assert holders(course) == set()


def test_without_delete_everything_is_listed_and_nothing_changes(course: SmallCourse, grader: Grader) -> None:
    before = dict(contents(course))
    log = (course.folder / "reports" / "audit.jsonl").read_text().splitlines()
    about = sum("z1234567" in line for line in log)
    listed = grader("forget", "z1234567")
    assert listed.returncode == 0
    assert dict(contents(course)) == before
    assert "nothing is deleted without --delete\n" in listed.stdout
    for line in (
        f"reports/audit.jsonl: {about} of {len(log)} lines",
        "submissions/doubles/overrides.yaml: 1 of 2 entries",
        "submissions/doubles/extensions.yaml: the file, which has no other entry",
        "reports/doubles/results.json: a submission of 3, and notes on it",
        "exports/doubles/feedback.zip: the file, which names the student",
    ):
        assert f"{course.folder}/{line}\n" in listed.stdout


@pytest.mark.slow
def test_a_run_that_was_killed_at_any_place_is_repeated(course: SmallCourse, tmp_path: Path) -> None:
    request = ForgetRequest(student="z1234567")
    saved = tmp_path / "saved"
    shutil.copytree(course.folder, saved, symlinks=True)
    for done in range(len(student_data(request).removals)):
        for removal in student_data(request).removals[:done]:
            removal.act()
        student_data(request).delete()
        assert holders(course) == set()
        for entry in course.folder.iterdir():
            shutil.rmtree(entry)
        shutil.copytree(saved, course.folder, dirs_exist_ok=True)


def test_a_name_that_is_nowhere(course: SmallCourse, grader: Grader) -> None:
    refused = grader("forget", "z1234576", "--delete")
    assert refused.returncode == 2
    assert refused.stderr == "There is nothing about `z1234576`; did you mean `z1234567`?\n"
    refused = grader("forget", "z1234567", "--assignment", "double", "--delete")
    assert (refused.returncode, "did you mean `doubles`?" in refused.stderr) == (2, True)
    assert "z1234567" in (course.students / "roster.csv").read_text()


def test_what_a_person_must_change_is_named(course: SmallCourse, grader: Grader) -> None:
    marks = course.students / "marks.yaml"
    marks.write_text(MARKS.replace("excused.", "excused, as Ada Lovelace says."))
    log = course.folder / "reports" / "audit.jsonl"
    record_decision(log, replace(DECISION, students=("z3333333",), after="As Lovelace, Ada did."))
    done = grader("forget", "z1234567", "--delete")
    assert done.returncode == 1
    assert f"stays: {marks}:4 still names z1234567; change it by hand\n" in done.stdout
    assert re.search(
        r"stays: .*audit\.jsonl:\d+ still names z1234567 in what was decided about another student\n", done.stdout
    )
    assert holders(course) == {"marks.yaml", "audit.jsonl"}


def test_the_name_within_the_name_of_another_student_stays(course: SmallCourse, grader: Grader) -> None:
    roster = course.students / "roster.csv"
    roster.write_text(roster.read_text() + "z1234567-b,Ada Lovelace-Byron,ada-b@school.example,,1004\n")
    course.hand_in("z1234567-b", RIGHT)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    log = course.folder / "reports" / "audit.jsonl"
    record_decision(log, replace(DECISION, students=("z3333333",), after="As Ada Lovelace-Byron did."))
    done = grader("forget", "z1234567", "--delete")
    assert (done.returncode, re.findall("^stays: .*$", done.stdout, re.M)) == (0, [])
    assert "z1234567-b,Ada Lovelace-Byron," in roster.read_text()


@pytest.mark.slow
def test_a_teams_program_stays_and_the_name_goes(small_course: SmallCourse, grader: Grader) -> None:
    small_course.hand_in("team", ADAS)
    (small_course.students / "roster.csv").write_text(ROSTER)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    done = grader("forget", "z1234567", "--submissions", "--delete")
    assert done.returncode == 1
    assert f"stays: {small_course.students}/team stays, because others handed it in too\n" in done.stdout
    assert (small_course.students / "team" / "double.py").read_text() == ADAS
    left = {secret for _, content in contents(small_course) for secret in SECRETS if secret in content}
    assert left == {b"zebra"}


def test_one_assignment_of_several(course: SmallCourse, grader: Grader) -> None:
    for folder in ("test_specs", "submissions"):
        shutil.copytree(course.folder / folder / "doubles", course.folder / folder / "again")
    spec = course.folder / "test_specs" / "again" / "assignment.yaml"
    spec.write_text(spec.read_text().replace("id: doubles", "id: again", 1))
    (course.students.parent / "again" / "z1234567" / "double.py").write_text(ADAS.replace("zebra", "giraffe"))
    grader("grade", "submissions/again", "--sandbox", "none")
    done = grader("forget", "z1234567", "--assignment", "doubles", "--delete")
    assert done.returncode == 0, done.stdout
    assert {entry.assignment for entry in read_entries(course.folder / "reports" / "audit.jsonl")} == {
        "doubles",
        "again",
    }
    assert (course.folder / "reports" / "again" / "students" / "z1234567.txt").exists()
    assert not (course.reports / "students" / "z1234567.txt").exists()
    assert any(b"giraffe" in content for _, content in contents(course))
    assert not any(b"zebra" in content for _, content in contents(course))
    assert "z1234567" in (course.students.parent / "again" / "marks.yaml").read_text()
    assert "z1234567" not in (course.students / "marks.yaml").read_text()


def test_outcomes_of_a_killed_run_go_too(course: SmallCourse, grader: Grader) -> None:
    (course.students / "z1234567" / "double.py").write_text(ADAS.replace("zebra", "giraffe"))
    shutil.copy(course.folder / "reports" / "audit.jsonl", course.folder / "log")
    shutil.copytree(course.reports, course.folder / "before")
    grader("grade", "submissions/doubles", "--sandbox", "none")
    shutil.rmtree(course.reports)
    (course.folder / "before").rename(course.reports)
    (course.folder / "log").replace(course.folder / "reports" / "audit.jsonl")
    assert any(b"giraffe" in content for _, content in contents(course))
    assert grader("forget", "z1234567", "--delete").returncode == 0
    assert not any(b"giraffe" in content for _, content in contents(course))


@pytest.mark.slow
def test_a_name_that_is_a_word_of_every_report(small_course: SmallCourse, grader: Grader) -> None:
    other = small_course.folder / "reports" / "again"
    small_course.hand_in("bob", RIGHT)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    shutil.copytree(small_course.reports, other)
    (small_course.students / "mark").mkdir()
    (small_course.students / "mark" / "double.py").write_text(ADAS)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    assert grader("forget", "mark", "--delete").returncode == 0
    assert (other / "results.csv").read_bytes() == (small_course.reports / "results.csv").read_bytes()
    assert not (small_course.reports / "students" / "mark.txt").exists()


def test_findings_of_random_sessions_go(course: SmallCourse, grader: Grader) -> None:
    digests = {entry.student: entry.submission for entry in read_entries(course.folder / "reports" / "audit.jsonl")}
    file = probing_file(course.folder / "reports", "doubles")
    write_probing(file, ProbedSubmissions(5, dict.fromkeys(digests.values(), True)))
    assert grader("forget", "z1234567", "--delete").returncode == 0
    del digests["z1234567"]
    assert read_probing(file) == ProbedSubmissions(5, dict.fromkeys(digests.values(), True))


def test_in_a_store_of_several_courses_only_what_is_the_students_goes() -> None:
    meant, other = Trace("ada", submissions=frozenset({"a" * 64})), Trace("bob", submissions=frozenset({"b" * 64}))
    person = person_in([meant, other], "ada", None)
    owners = [letter * 16 + "-key" for letter in "abc"] + ["c" * 64]
    assert [person.loses(key, alone=False) for key in owners] == [True, False, False, True]
    assert [person.loses(key, alone=True) for key in owners] == [True, False, True, True]
    same = person_in([meant, replace(other, submissions=meant.submissions)], "ada", None)
    assert not same.loses(owners[0], alone=True)


def test_a_report_that_cannot_be_read_is_named_and_nothing_is_deleted(course: SmallCourse, grader: Grader) -> None:
    (course.reports / "results.json").write_text("{")
    before = dict(contents(course))
    refused = grader("forget", "z1234567", "--delete")
    assert refused.returncode == 2
    assert f"{course.reports / 'results.json'} cannot be read" in refused.stderr
    assert dict(contents(course)) == before


def test_submissions_can_be_deleted_afterwards(course: SmallCourse, grader: Grader) -> None:
    assert grader("forget", "z1234567", "--delete").returncode == 0
    assert grader("forget", "z1234567", "--delete").returncode == 2
    assert (course.students / "z1234567").exists()
    assert grader("forget", "z1234567", "--submissions", "--delete").returncode == 0
    assert not (course.students / "z1234567").exists()


def test_other_files_of_a_download_that_name_the_student_are_listed(course: SmallCourse, grader: Grader) -> None:
    text = course.students / "Ada Lovelace_301_onlinetext" / "text.html"
    text.parent.mkdir()
    text.write_text("<p>I was in hospital.</p>")
    note = course.students / "note.txt"
    note.write_text("z3333333 asked for more time.")
    done = grader("forget", "z1234567", "--submissions", "--delete")
    assert done.returncode == 1
    assert f"stays: {text} names z1234567; look at it, and delete it by hand\n" in done.stdout
    assert str(note) not in done.stdout
