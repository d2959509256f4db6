"""`grader export` and `grader autograde` as an instructor uses them."""

import errno
import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import grader as grader_package
from grader.cli.main import app
from grader.platforms.platform import ExportedFiles, ExportError
from grader.plugins.exporting import api as export
from grader.plugins.exporting.api import save_export
from grader.plugins.platforms.shared.gradebook_file import read_gradebook_file
from grader.spec.course import Course
from grader.store.origin import spec_digest
from tests.audit_entries import read_entries
from tests.conftest import RIGHT, Grader, SmallCourse
from tests.grading import hidden_example as example
from tests.plugins.platforms.canvas_server import TOKEN, StandInCanvas

ADVICE = "add an id, email address or name from there to roster.csv"
SHEET = """\
Identifier,Full name,Grade,Maximum Grade,Feedback comments\r
Participant 7,first,,12.00,\r
Participant 8,=last,,12.00,\r
"""


@pytest.fixture
def exports(small_course: SmallCourse) -> Path:
    """A class of three; the folder that its exports go to."""
    small_course.hand_in("first", RIGHT)
    small_course.hand_in("=last", RIGHT, submitted="2025-10-28 13:00")
    small_course.hand_in("else", None)
    return small_course.folder / "exports" / "doubles"


@pytest.mark.slow
def test_marks_go_back_into_the_sheet_of_moodle(grader: Grader, small_course: SmallCourse, exports: Path) -> None:
    sheet = small_course.folder / "sheet.csv"
    sheet.write_bytes(SHEET.encode("utf-8-sig"))
    run = grader("export", "moodle", "submissions/doubles", "--sheet", sheet, "--sandbox", "none")
    assert run.returncode == 1, run.stderr
    unlisted = f"else: is not in the sheet; {ADVICE}"
    assert run.stdout == f"written: {exports / 'moodle.csv'}\nNot in it:\n  {unlisted}\n"
    assert sheet.read_bytes() == SHEET.encode("utf-8-sig")
    filled = read_gradebook_file((exports / "moodle.csv").read_bytes(), "moodle.csv")
    assert [filled.cell(record, 2) for record in (1, 2)] == ["12", "9.6"]
    log = small_course.folder / "reports" / "audit.jsonl"
    left = {(entry.to, entry.student): entry for entry in read_entries(log)}
    assert {who: entry.mark for who, entry in left.items()} == {("moodle", "first"): "12", ("moodle", "=last"): "9.6"}
    assert left["moodle", "first"].spec == spec_digest(Course(small_course.folder).assignment("doubles"))
    told = grader("history", "=last").stdout
    assert (told.count("\n"), told.endswith(", to moodle\n")) == (1, True)
    options = ("--output", "here.zip", "--reports", "elsewhere", "--sandbox", "none")
    again = grader("export", "feedback", "submissions", "--sheet", sheet, *options)
    assert again.returncode == 1
    assert (small_course.folder / "here.zip").read_bytes().startswith(b"PK")
    assert [entry.to for entry in read_entries(small_course.folder / "elsewhere" / "audit.jsonl")] == ["feedback"] * 2
    assert len(read_entries(log)) == len(left)


@pytest.mark.slow
def test_a_file_per_student(grader: Grader, exports: Path) -> None:
    options = ("--sandbox", "none", "--hidden-tests", "hidden")
    run = grader("export", "gradescope", "submissions", *options)
    assert (run.returncode, run.stdout) == (0, f"written: 3 files to {exports / 'gradescope'}\n")
    content = json.loads((exports / "gradescope" / "=last.json").read_text())
    assert content["score"] == 9.6
    assert {test["visibility"] for test in content["tests"]} == {"visible", "hidden"}


def test_an_export_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = save_export(ExportedFiles({"marks.csv": b"before"}), tmp_path)
    write = Path.write_bytes

    def write_some(path: Path, content: bytes) -> int:
        write(path, content[:2])
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", write_some)
    with pytest.raises(ExportError, match="No space left on device"):
        save_export(ExportedFiles({"marks.csv": b"after"}), tmp_path)
    assert [*tmp_path.iterdir()] == [file]
    assert file.read_bytes() == b"before"


@pytest.mark.slow
@pytest.mark.usefixtures("exports")
def test_decisions_that_fit_no_student_are_told_before_marks_leave(grader: Grader, small_course: SmallCourse) -> None:
    files = {
        "extensions.csv": "student,waive\nFirst,true\n",
        "marks.csv": "student\nnobody\n",
        "overrides.csv": "student,mark,reason,by\nBob Lee,9.5,oral exam,me\nfirst,9.5,oral exam,me\n",
    }
    for file, content in files.items():
        (small_course.students / file).write_text(content)
    place = "warning: doubles: submissions/doubles"
    for options, name in product(((), ("-q",)), ("csv", "gradescope")):
        run = grader(*options, "export", name, "submissions", "--sandbox", "none")
        assert [line for line in run.stderr.splitlines() if line.startswith("warning: ")] == [
            f"{place}/extensions.csv:2:1: no submission of `First`; did you mean `first`?",
            f"{place}/marks.csv:2:1: no submission of `nobody`; expected one of: =last, else, first",
            f"{place}/overrides.csv:2:1: no submission of `Bob Lee`; expected one of: =last, else, first",
        ], (options, name)
        assert run.returncode == 1
        assert run.stdout.startswith("written: ")


@pytest.mark.slow
def test_what_is_passed_over_is_told_before_marks_leave(
    grader: Grader, small_course: SmallCourse, exports: Path
) -> None:
    (small_course.students / "readme.md").write_text("About the class.")
    run = grader("export", "csv", "submissions", "--sandbox", "none")
    note = "note: readme.md: passed over, its name does not end in the name of a program"
    assert [line.partition(";")[0] for line in run.stderr.splitlines() if line.startswith("note: ")] == [note]
    assert (run.returncode, run.stdout) == (0, f"written: {exports / 'results.csv'}\n")


@pytest.mark.slow
def test_marks_are_sent_to_canvas(
    grader: Grader, small_course: SmallCourse, exports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("CANVAS_TOKEN", TOKEN)
    users = [{"id": 1, "name": "Ada", "login_id": "first"}, {"id": 2, "name": "Bo", "sis_user_id": "=last"}]
    with StandInCanvas(users) as canvas:
        canvas.assignment["points_possible"] = 12
        where = ("--canvas-url", canvas.address, "--canvas-course", "5", "--canvas-assignment", "77")
        command = ("export", "canvas-api", "submissions/doubles", *where, "--sandbox", "none")
        extensions = small_course.students / "extensions.csv"
        extensions.write_text("student,waive\nFirst,true\n")
        assert "extensions.csv:2:1: no submission of `First`" in grader(*command).stderr
        extensions.unlink()
        shown = grader(*command)
        lines = (
            "=last (Bo, 2): no mark → 9.6, with a comment\nfirst (Ada, 1): no mark → 12, with a comment\n"
            f"Not in it:\n  else: is not in the list of students on Canvas; {ADVICE}\n"
        )
        asked = "2 students to tell of; nothing is sent without --send\n"
        assert (shown.returncode, shown.stdout) == (1, lines + asked), shown.stderr
        log = small_course.folder / "reports" / "audit.jsonl"
        assert (canvas.sent, log.exists()) == (0, False)
        canvas.refused = {2}
        sent = grader(*command, "--send")
        refused = "=last (Bo, 2): no mark → 9.6, with a comment: Canvas did not take it\n"
        assert (sent.returncode, sent.stdout) == (1, f"{lines}{refused}sent: 1 of 2\n"), sent.stderr
        assert {(one.to, one.student, one.mark) for one in read_entries(log)} == {
            ("canvas-api", "first", "12"),
            ("canvas-api", "=last", "9.6"),
        }
        assert canvas.submissions[1]["score"] == 12
        assert not exports.exists()
        again = grader(*command)
        assert "Canvas knows this already: first\n" in again.stdout
        assert TOKEN not in shown.stderr + sent.stdout + sent.stderr


@pytest.mark.slow
def test_an_autograder_is_made_of_an_assignment(grader: Grader, small_course: SmallCourse) -> None:
    run = grader("export", "gradescope-autograder", "doubles", "--output", "out")
    assert (run.returncode, run.stdout) == (0, "written: 1 files to out\n")
    assert (small_course.folder / "out" / "autograder.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("moodle",), "Name the grading worksheet"),
        (("moodle", "--sheet", "none.csv"), "none.csv cannot be read: No such file"),
        (
            ("junit", "--sheet", "none.csv"),
            "--sheet is for blackboard, brightspace, canvas, feedback, moodle, not for",
        ),
        (("csv", "--hidden-tests", "hidden"), "--hidden-tests is for gradescope, not for csv."),
        (("csv", "--send"), "--send is for exports that are sent to a platform, not for csv."),
        (("csv", "--canvas-course", "5"), "--canvas-course is for canvas-api, not for csv."),
        (("canvas-api", "--column", "x"), "--column is for"),
        (("canvas-api", "--canvas-course", "5"), "Say where to: --canvas-url, --canvas-course and"),
    ],
)
def test_misuse(arguments: tuple[str, ...], message: str, grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("first", RIGHT)
    run = grader("export", arguments[0], "submissions", *arguments[1:], "--sandbox", "none")
    assert run.returncode == 2
    assert message in run.stderr
    assert not (small_course.folder / "exports").exists()


def test_prairielearn_reads_the_results_of_one_submission(grader: Grader, small_course: SmallCourse) -> None:
    student = small_course.hand_in("first", RIGHT)
    options = ("--assignment", "doubles", "--course", ".", "--sandbox", "none", "--output", "results/results.json")
    run = grader("autograde", "prairielearn", student, *options)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    content = json.loads((small_course.folder / "results" / "results.json").read_text())
    assert (content["gradable"], content["score"]) == (True, 1.0)


def test_a_failure_of_the_grader_is_no_result(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # There is no way to make the grader fail on purpose.
    monkeypatch.setattr(export, "_graded", lambda *_: replace(example.OPEN))
    student = small_course.hand_in("first", RIGHT)
    course = ["--assignment", "doubles", "--course", str(small_course.folder), "--sandbox", "none"]
    with pytest.raises(SystemExit) as ended:
        app(["autograde", "autolab", str(student), *course])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (1, "")
    assert "This submission has no mark: a test has to be run again" in said.err


def users(*due: str) -> dict[str, object]:
    people = [{"name": f"user {number}", "assignment": {"due_date": one}} for number, one in enumerate(due)]
    return {"created_at": "2025-10-28T13:00:00+11:00", "assignment": {"due_date": DUE_THERE}, "users": people}


DUE_THERE = "2025-10-27T11:59:00+11:00"


SCORES = [
    ((DUE_THERE,), 9.6),
    (("2025-10-28T13:00:00+11:00",), 12),
    # Of a team, the latest due date holds.
    ((DUE_THERE, "2025-10-29T11:59:00+11:00"), 12),
    (("2025-10-26T11:59:00+11:00",), 9.6),
    (("soon",), 9.6),
    (("2025-10-29T11:59:00",), 9.6),
]


@pytest.mark.slow
def test_an_extension_that_gradescope_tells_of_holds(grader: Grader, small_course: SmallCourse, tmp_path: Path) -> None:
    folder = small_course.hand_in("first", RIGHT)
    told = tmp_path / "metadata.json"
    options = ("--assignment", "doubles", "--course", ".", "--metadata", told, "--sandbox", "none")
    for due, score in SCORES:
        told.write_text(json.dumps(users(*due)))
        run = grader("autograde", "gradescope", folder, *options)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["score"] == score, due


def test_a_graded_class_is_exported_from_python(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    small_course.hand_in("ann", RIGHT)
    monkeypatch.chdir(small_course.folder)
    options = grader_package.GradeOptions(sandbox=grader_package.SandboxKind.NONE)
    graded = grader_package.grade(small_course.students, options=options)
    (file,) = export.save_export(export.export(graded, "csv"), small_course.folder)
    assert "\nann,10,2,12,12," in file.read_text()
