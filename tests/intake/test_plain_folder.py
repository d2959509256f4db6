"""Finding submissions: no student who handed something in may vanish, in any folder."""

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest

from grader.intake.attempt import FolderContents, UnpackSettings
from grader.intake.choose_attempt import ClassSubmissions
from grader.intake.class_folder import IntakeError
from grader.intake.download_format import DownloadFormat
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.intake.read_class import PLAIN
from grader.model.assignment import AttemptPolicy, SubmissionPolicy
from grader.model.submission import StudentIdentity, Submission, TimeSource
from tests.archives import zip_archive
from tests.intake.taking import submission_in, take_in

SYDNEY = ZoneInfo("Australia/Sydney")
PROGRAMS = {"solitaire_1.py": ("solitaire_1.py",), "solitaire_2.py": ("solitaire_2.py",)}
EITHER = {"game.py": ("game.py", "game.cpp", "Game.java")}
ONE_MISSING = "solitaire_1.py is missing"
TWO_MISSING = "solitaire_2.py is missing"
MOVE = "move the files about the class to"


def hand_in(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n")


def found(folder: Path) -> ClassSubmissions:
    return take_in(folder, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY))


def files_of(submission: Submission) -> dict[str, str]:
    """The files by what the assignment calls them, with their names on disk."""
    return {file.name: file.path.name for file in submission.files}


def by_student(intake: ClassSubmissions) -> dict[str, Submission]:
    assert len({submission.student for submission in intake.submissions}) == len(intake.submissions)
    return {submission.student: submission for submission in intake.submissions}


def test_a_folder_per_student(tmp_path: Path) -> None:
    hand_in(tmp_path, "b/solitaire_1.py", "b/notes.txt", "a/solitaire_1.py", "a/solitaire_2.py")
    (tmp_path / "a" / "submission.yaml").write_text("submitted: 2025-10-27 11:30\n")
    os.utime(tmp_path / "b" / "solitaire_1.py", (0, 1761526740))
    intake = found(tmp_path)
    first, second = intake.submissions
    assert (first.student, second.student, intake.notes) == ("a", "b", ())
    assert files_of(first) == {name: name for name in PROGRAMS}
    assert files_of(second) == {"solitaire_1.py": "solitaire_1.py"}
    unused = "notes.txt is not used: it is not one of the files to hand in"
    assert (first.notes, second.notes) == ((), (TWO_MISSING, unused))
    assert (first.time_source, second.time_source) == (TimeSource.SUBMISSION_FILE, TimeSource.FILE_TIME)
    assert first.submitted == datetime(2025, 10, 27, 11, 30, tzinfo=SYDNEY)
    assert second.submitted == datetime(2025, 10, 27, 0, 59, tzinfo=UTC)


@pytest.mark.parametrize(("others", "is_asked"), [(1, False), (2, True)])
def test_a_time_that_few_folders_tell_is_pointed_out(others: int, is_asked: bool, tmp_path: Path) -> None:
    hand_in(tmp_path / "own", "solitaire_1.py")
    (tmp_path / "own" / "submission.yaml").write_text("submitted: 2025-10-01 10:00\n")
    for number in range(others):
        hand_in(tmp_path / f"other-{number}", "solitaire_1.py")
    submissions = by_student(found(tmp_path))
    assert any("submission.yaml" in note for note in submissions["own"].notes) == is_asked
    assert submissions["own"].submitted is not None
    assert submissions["other-0"].notes == (TWO_MISSING,)


@pytest.mark.parametrize("separator", ["_", "-", ".", " ", " - ", "__"])
def test_a_file_per_student(separator: str, tmp_path: Path) -> None:
    hand_in(tmp_path, f"z1{separator}solitaire_1.py", f"z2{separator}solitaire_1.py", f"z1{separator}solitaire_2.py")
    students = by_student(found(tmp_path))
    assert {name: files_of(submission) for name, submission in students.items()} == {
        "z1": {name: f"z1{separator}{name}" for name in PROGRAMS},
        "z2": {"solitaire_1.py": f"z2{separator}solitaire_1.py"},
    }
    assert students["z1"].time_source is TimeSource.FILE_TIME


def test_folders_and_files_may_be_mixed(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "b_solitaire_1.py", "extensions.yaml")
    intake = found(tmp_path)
    assert (list(by_student(intake)), intake.notes) == (["a", "b"], ())


def test_a_student_with_a_folder_and_files_is_one_submission(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "a_solitaire_1.py", "a_solitaire_2.py")
    intake = found(tmp_path)
    assert files_of(by_student(intake)["a"]) == {"solitaire_1.py": "solitaire_1.py"}
    assert intake.notes == ("a_solitaire_1.py, a_solitaire_2.py: passed over, a has a folder too",)


def test_two_files_for_the_same_program_are_not_both_taken(tmp_path: Path) -> None:
    hand_in(tmp_path, "a-solitaire_1.py", "a_solitaire_1.py", "a_solitaire_2.py")
    submission = by_student(found(tmp_path))["a"]
    assert files_of(submission) == {"solitaire_1.py": "a-solitaire_1.py", "solitaire_2.py": "a_solitaire_2.py"}
    assert submission.notes == ("a_solitaire_1.py: passed over, a-solitaire_1.py is solitaire_1.py too",)


@pytest.mark.parametrize(
    ("names", "counts", "passed_over"),
    [
        (["game.py"], "game.py", []),
        (["Game.java"], "Game.java", []),
        (["Game.java", "game.cpp"], "game.cpp", ["Game.java"]),
        (["Game.java", "game.cpp", "game.py"], "game.py", ["game.cpp", "Game.java"]),
    ],
)
@pytest.mark.parametrize("prefix", ["a/", "a_"])
def test_the_first_name_that_is_there_counts(
    prefix: str, names: list[str], counts: str, passed_over: list[str], tmp_path: Path
) -> None:
    hand_in(tmp_path, *(prefix + name for name in names))
    (submission,) = take_in(tmp_path, SubmissionRequirements(programs=EITHER, zone=SYDNEY)).submissions
    said = prefix.strip("a/")
    assert files_of(submission) == {counts: f"a{said}{counts}" if said else counts}
    notes = [f"{prefix}{name} is passed over: {prefix}{counts} is there".replace("a/", "") for name in passed_over]
    assert submission.notes == tuple(notes)


def test_all_names_are_told_when_none_is_there(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/gane.py")
    (submission,) = take_in(tmp_path, SubmissionRequirements(programs=EITHER, zone=SYDNEY)).submissions
    assert submission.notes == ("game.py or game.cpp or Game.java is missing; there is `gane.py`",)


def test_the_longest_program_name_that_fits_is_meant(tmp_path: Path) -> None:
    hand_in(tmp_path, "a_my_game.py", "a_game.py")
    for programs in (("game.py", "my_game.py"), ("my_game.py", "game.py")):
        (submission,) = take_in(
            tmp_path, SubmissionRequirements(programs={name: (name,) for name in programs}, zone=SYDNEY)
        ).submissions
        assert submission.student == "a"
        assert files_of(submission) == {"game.py": "a_game.py", "my_game.py": "a_my_game.py"}


def test_a_program_name_is_no_pattern(tmp_path: Path) -> None:
    hand_in(tmp_path, "a_solitaire_1xpy", "b/solitaire_1.py")
    assert list(by_student(found(tmp_path))) == ["b"]


def test_other_files_are_passed_over_with_a_note(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "marks.xlsx", "solitaire_1.py")
    either = "STUDENT_solitaire_1.py, STUDENT_solitaire_2.py"
    passed = "passed over, its name does not end in the name of a program"
    assert found(tmp_path).notes == (
        f"marks.xlsx: {passed}; expected one of: {either}",
        f"solitaire_1.py: {passed}; did you mean `STUDENT_solitaire_1.py`?",
    )


def test_a_hidden_entry_with_a_program_is_told(tmp_path: Path) -> None:
    hand_in(
        tmp_path, "a/solitaire_1.py", ".hidden/solitaire_1.py", ".../solitaire_2.py", ".b_solitaire_1.py", "__c/x.py"
    )
    intake = found(tmp_path)
    assert list(by_student(intake)) == ["a"]
    what = "passed over, since it is hidden; if it is a student's, rename it"
    assert sorted(intake.notes) == [f"...: {what}", f".b_solitaire_1.py: {what}", f".hidden: {what}"]


def test_hidden_entries_are_no_submissions(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", ".git/config", "__MACOSX/a/solitaire_1.py", ".DS_Store", "__pycache__/x.pyc")
    hand_in(tmp_path, "._a_solitaire_1.py")
    intake = found(tmp_path)
    assert (list(by_student(intake)), intake.notes) == (["a"], ())


ODD_NAMES = [
    "two words",
    "comma, name",
    "=1+1",
    "-rf",
    "a_b.c-d",
    "ünï",
    "tab\there",
    "line\nend",
    "'quote\"",
    "100%",
    "$HOME",
    "\\",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_kept_as_they_are(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, f"{name}/solitaire_1.py")
    hand_in(tmp_path, f"x{name}_solitaire_1.py")
    intake = found(tmp_path)
    assert set(by_student(intake)) == {name, f"x{name}"}
    assert intake.notes == ()


def test_file_names_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    try:
        os.mkdir(folder + b"/caf\xe9")
    except OSError:
        pytest.skip("the file system allows only UTF-8 names")
    for name in (b"/caf\xe9/solitaire_1.py", b"/\xff_solitaire_1.py", b"/other\xfe"):
        with open(folder + name, "wb"):
            pass
    intake = found(tmp_path)
    students = by_student(intake)
    assert {os.fsencode(student) for student in students} == {b"caf\xe9", b"\xff"}
    assert all(len(submission.files) == 1 for submission in students.values())
    assert len(intake.notes) == 1


def test_a_student_who_handed_in_nothing_is_still_there(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py")
    (tmp_path / "empty").mkdir()
    empty = by_student(found(tmp_path))["empty"]
    notes = (ONE_MISSING, TWO_MISSING)
    who = StudentIdentity(login="empty")
    assert empty == Submission(
        student="empty",
        files=(),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=notes,
        identity=who,
        source="empty",
        shape="plain",
    )


def test_a_misnamed_file_is_pointed_out(tmp_path: Path) -> None:
    hand_in(tmp_path, "Solitaire_1.py", "solitaire-2.py", "solitaire_1.txt", "readme.md")
    submission = submission_in(tmp_path, PROGRAMS, SYDNEY)
    assert submission.notes == (
        "solitaire_1.py is missing; there is `Solitaire_1.py`",
        "solitaire_2.py is missing; there is `solitaire-2.py`",
        "solitaire_1.txt is not used: it is not one of the files to hand in",
    )


def test_a_faulty_submission_yaml_loses_nothing_but_the_time(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "a/solitaire_2.py")
    (tmp_path / "a" / "submission.yaml").write_text("submitted: 2025-13-01\n")
    submission = by_student(found(tmp_path))["a"]
    assert (len(submission.files), submission.submitted, submission.readable) == (2, None, True)
    assert submission.notes == (
        "submission.yaml:1:12: found `2025-13-01`; expected a date and time such as 2025-10-27 11:59",
    )


@pytest.mark.parametrize("loose", [True, False], ids=["files", "folders"])
@pytest.mark.parametrize("kind", ["pipe", "link", "link to nowhere", "link to itself"])
def test_what_is_no_regular_file_is_not_taken_but_noted(kind: str, loose: bool, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("not for students")
    (tmp_path / "class" / "a").mkdir(parents=True)
    folder = tmp_path / "class" if loose else tmp_path / "class" / "a"
    if loose:
        folder.joinpath("a").rmdir()
    prefix = "a_" if loose else ""
    hand_in(folder, f"{prefix}solitaire_2.py")
    file = folder / f"{prefix}solitaire_1.py"
    if kind == "pipe":
        os.mkfifo(file)
    else:
        targets = {"link": f"{tmp_path}/secret.txt", "link to nowhere": "none", "link to itself": file.name}
        file.symlink_to(targets[kind])
    submission = by_student(found(tmp_path / "class"))["a"]
    assert files_of(submission) == {"solitaire_2.py": f"{prefix}solitaire_2.py"}
    assert submission.readable
    assert len(submission.notes) == 1
    assert submission.notes[0].startswith(f"{file.name} is a ")
    assert submission.notes[0].endswith("not a regular file")


def test_names_of_students_that_look_the_same_are_noted(tmp_path: Path) -> None:
    hand_in(tmp_path, "Jos\u00e9/solitaire_1.py", "Jose\u0301/solitaire_1.py")
    hand_in(tmp_path, "anna/solitaire_1.py", "ANNA_solitaire_1.py", "Bob/solitaire_1.py")
    intake = found(tmp_path)
    assert sorted(by_student(intake)) == ["ANNA", "Bob", "Jos\u00e9", "anna"]
    alike, different = intake.notes
    assert alike == (
        "Jos\u00e9 is there 2 times, in names whose accents are encoded differently: they are taken for attempts of "
        "one student"
    )
    assert different == "anna and ANNA differ in case alone, and are taken for different students"


@pytest.mark.parametrize(("folder", "file"), [("Jos\u00e9", "Jose\u0301"), ("Jose\u0301", "Jos\u00e9")])
@pytest.mark.parametrize("end", ["_solitaire_1.py", ".zip", ".rar"])
def test_a_file_beside_the_folder_of_a_student_is_noted_however_accents_are_encoded(
    folder: str, file: str, end: str, tmp_path: Path
) -> None:
    hand_in(tmp_path, f"{folder}/solitaire_1.py", f"{file}{end}")
    intake = found(tmp_path)
    assert list(by_student(intake)) == ["Jos\u00e9"]
    assert [unicodedata.normalize("NFC", note).startswith(f"Jos\u00e9{end}: passed over") for note in intake.notes] == [
        True
    ]


def test_a_folder_with_the_name_of_a_program_is_no_program(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py/inside.py", "a/solitaire_2.py")
    submission = by_student(found(tmp_path))["a"]
    assert list(files_of(submission)) == ["solitaire_2.py"]
    assert submission.notes == (
        "solitaire_1.py is a folder, a link or something else that is not a regular file",
        "solitaire_1.py/inside.py is not used: it is not one of the files to hand in",
    )


def test_a_link_to_a_folder_is_a_students_folder(tmp_path: Path) -> None:
    hand_in(tmp_path, "elsewhere/solitaire_1.py", "class/b/solitaire_1.py")
    (tmp_path / "class" / "a").symlink_to(tmp_path / "elsewhere")
    students = by_student(found(tmp_path / "class"))
    assert list(students) == ["a", "b"]
    assert files_of(students["a"]) == {"solitaire_1.py": "solitaire_1.py"}


@pytest.mark.parametrize(
    ("target", "reason"), [("a", "Too many levels of symbolic links"), ("none", "No such file or directory")]
)
def test_a_folder_that_cannot_be_read_is_a_submission_that_cannot_be_read(
    target: str, reason: str, tmp_path: Path
) -> None:
    hand_in(tmp_path, "b/solitaire_1.py")
    (tmp_path / "a").symlink_to(target)
    unread = by_student(found(tmp_path))["a"]
    notes = (f"the folder cannot be read: {reason}",)
    who = StudentIdentity(login="a")
    assert unread == Submission(
        student="a",
        files=(),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=notes,
        readable=False,
        identity=who,
        source="a",
        shape="plain",
    )


def test_a_link_to_some_file_is_no_student(tmp_path: Path) -> None:
    hand_in(tmp_path, "b/solitaire_1.py", "notes.txt")
    (tmp_path / "README").symlink_to("notes.txt")
    intake = found(tmp_path)
    assert list(by_student(intake)) == ["b"]
    assert [note.split(":")[0] for note in intake.notes] == ["README", "notes.txt"]


LOOK = """
import json, sys
from pathlib import Path
from zoneinfo import ZoneInfo
from grader.intake.class_folder import IntakeError
from grader.intake.match_files import FoundFile, SubmissionRequirements
from tests.intake.taking import take_in

for folder in sys.argv[1:]:
    try:
        wanted = SubmissionRequirements(programs={"solitaire_1.py": ("solitaire_1.py",)}, zone=ZoneInfo("UTC"))
        intake = take_in(Path(folder), wanted)
        print(json.dumps([[one.student, len(one.files), one.readable, one.notes] for one in intake.submissions]))
    except IntakeError as error:
        print(json.dumps(str(error)))
"""


def look_without_privilege(*folders: Path) -> list[object]:
    """What intake finds for someone to whom permissions apply, also when the tests run as root."""
    command = [sys.executable, "-c", LOOK, *map(str, folders)]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("permissions do not apply to root, and there is no setpriv to give that up")
        powers = "-dac_override,-dac_read_search"
        command = ["setpriv", f"--bounding-set={powers}", f"--inh-caps={powers}", *command]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_permissions(tmp_path: Path) -> None:
    closed, listed, shut = tmp_path / "closed", tmp_path / "listed", tmp_path / "shut"
    for folder in (closed, listed, shut):
        hand_in(folder, "a/solitaire_1.py", "b/solitaire_1.py", "c_solitaire_1.py")
    (closed / "a").chmod(0o000)
    (closed / "b").chmod(0o444)
    (closed / "c_solitaire_1.py").chmod(0o000)
    listed.chmod(0o444)
    shut.chmod(0o000)
    try:
        in_closed, in_listed, in_shut = look_without_privilege(closed, listed, shut)
    finally:
        for folder in (closed / "a", closed / "b", listed, shut):
            folder.chmod(0o755)
    unread = "the folder cannot be read: Permission denied"
    assert in_closed == [["a", 0, False, [unread]], ["b", 0, False, [unread]], ["c", 1, True, []]]
    unread_file = "the files cannot be read: Permission denied"
    assert in_listed == [["a", 0, False, [unread]], ["b", 0, False, [unread]], ["c", 0, False, [unread_file]]]
    assert in_shut == f"{shut} cannot be read: Permission denied"


@pytest.mark.parametrize("names", [(), ("solitaire_1.py",), (".hidden/solitaire_1.py",)])
def test_a_folder_without_submissions_says_what_was_expected(names: tuple[str, ...], tmp_path: Path) -> None:
    hand_in(tmp_path, *names)
    with pytest.raises(IntakeError) as caught:
        found(tmp_path)
    assert str(caught.value) == (
        f"No submission in {tmp_path}: expected a folder per student, or files such as STUDENT_solitaire_1.py. "
        "For one submission alone, use `grader check`; more: `grader docs platforms`."
    )


def test_an_archive_of_one_submission_is_named(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.writestr("solitaire_1.py", "print()")
    (unpacked := tmp_path / "unpacked").mkdir()
    with pytest.raises(IntakeError, match=rf"^No submission in {tmp_path}/one\.zip: expected a folder per student"):
        take_in(tmp_path / "one.zip", SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), unpacked)


@pytest.mark.parametrize("names", [(), ("overrides.csv", ".DS_Store", "README.md")])
def test_everyone_in_the_roster_has_a_row_though_nobody_handed_in_anything(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    hand_in(tmp_path, *names)
    (roster := tmp_path / "roster.csv").write_text("id,name\nz1,Ann\nz2,Bob\n")
    taken = take_in(tmp_path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), roster=roster)
    assert [(one.student, one.files, one.notes[0]) for one in taken.submissions] == [
        ("z1", (), "nothing was handed in"),
        ("z2", (), "nothing was handed in"),
    ]
    assert taken.notes[-1] == "2 of 2 in roster.csv handed in nothing: z1, z2"


@pytest.mark.parametrize("name", ["solitaire_1.py", "solitaire.ipynb", "notes.txt"])
def test_no_class_gets_nothing_because_of_a_folder_that_is_not_understood(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, name)
    (roster := tmp_path / "roster.csv").write_text("id,name\nz1,Ann\nz2,Bob\n")
    with pytest.raises(IntakeError, match=f"^No submission in {tmp_path}: "):
        take_in(tmp_path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), roster=roster)


def test_a_class_folder_that_is_none(tmp_path: Path) -> None:
    hand_in(tmp_path, "file")
    for name, reason in (("none", "No such file or directory"), ("file", "Not a directory")):
        with pytest.raises(IntakeError) as caught:
            found(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name} cannot be read: {reason}"


def test_the_folder_one_is_in_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tmp_path, "amber/solitaire_1.py")
    monkeypatch.chdir(tmp_path / "amber")
    submission = submission_in(Path(), PROGRAMS, SYDNEY)
    assert (submission.student, list(files_of(submission))) == ("amber", ["solitaire_1.py"])


@pytest.mark.parametrize("length", [256, 900, 5_000])
def test_a_name_that_no_file_can_have_is_refused_for_its_student_alone(length: int, tmp_path: Path) -> None:
    long = "ü" * (length // 2)
    archive = tmp_path / "class.zip"
    names = ["a/solitaire_1.py", f"{long}/solitaire_1.py", f"{long}_solitaire_2.py", f"c/{long}", "c/solitaire_1.py"]
    archive.write_bytes(zip_archive(dict.fromkeys(names, b"pass\n")))
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    students = by_student(take_in(archive, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), unpacked))
    assert files_of(students.pop("a")) == {"solitaire_1.py": "solitaire_1.py"}
    assert len(students) == 3
    assert all(one.files == () and student[:40] in ("c", long[:40]) for student, one in students.items())
    assert all("has a name that is too long" in " ".join(one.notes) for one in students.values())


def test_what_lies_beside_attempts_is_noted_and_no_attempt_vanishes(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/attempt-1/solitaire_1.py", "a/attempt-01/solitaire_2.py", "a/attempt-2/solitaire_1.py")
    hand_in(tmp_path, "a/notes.txt", "a/attempt-final/solitaire_1.py", "a/.DS_Store")
    intake = found(tmp_path)
    assert intake.submissions[0].notes[0].startswith("of 3 attempts, a/attempt-")
    assert intake.notes == ("a/attempt-final, a/notes.txt: passed over, a has attempts too",)


@pytest.mark.parametrize("folder", ["attempt1", "Attempt 2", "attempt-1", "attempt_03"])
@pytest.mark.parametrize("old", ["solitaire_1.py", "notes.txt"])
def test_a_program_counts_and_not_what_is_in_a_folder_called_like_an_attempt(
    folder: str, old: str, tmp_path: Path
) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "a/solitaire_2.py", f"a/{folder}/{old}", "b/solitaire_1.py")
    intake = found(tmp_path)
    submission = by_student(intake)["a"]
    assert submission.source == "a"
    assert [file.path.parent.name for file in submission.files] == ["a", "a"]
    assert intake.notes == (f"a: {folder} counts as a folder of the student's own, since a program lies beside it",)


@pytest.mark.parametrize("name", ["a.rar", "a.7z", "a.py.gz", "a.py", "a_solitare_1.py"])
def test_what_cannot_be_graded_is_a_row_for_a_person(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "b/solitaire_1.py", name)
    submissions = by_student(found(tmp_path))
    student = name.rpartition(".")[0]
    assert list(submissions) == [student, "b"]
    assert (submissions[student].readable, submissions[student].files) == (False, ())
    expected = "expected a folder, a zip or tar archive, or STUDENT_solitaire_1.py"
    assert submissions[student].notes == (f"{name} cannot be graded: {expected}",)


def test_an_archive_that_cannot_be_opened_is_named_beside_other_files_of_the_student(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/solitaire_1.py", "a.rar", "b_solitaire_1.py", "b.7z")
    intake = found(tmp_path)
    assert list(by_student(intake)) == ["a", "b"]
    assert intake.notes == ("a.rar: passed over, a has other files too", "b.7z: passed over, b has other files too")


def test_a_folder_with_nothing_but_a_closed_archive_has_no_mark(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/work.rar", "b/solitaire_1.py")
    submissions = by_student(found(tmp_path))
    assert (submissions["a"].readable, submissions["b"].readable) == (False, True)
    assert "work.rar cannot be opened: expected a zip or tar archive" in submissions["a"].notes


IN_ZIP = zip_archive({"solitaire_1.py": b""})
NESTED = "is not opened: it is an archive in an archive"


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("a/x.zip", {"in.zip": IN_ZIP}, f"x.zip/in.zip {NESTED}"),
        ("a/x.zip", {"src/in.tar.gz": b""}, f"x.zip/src/in.tar.gz {NESTED}"),
        ("a/x.zip", {"in.rar": b""}, "x.zip/in.rar cannot be opened: expected a zip or tar archive"),
        ("a.zip", {"x.zip": zip_archive({"in.zip": IN_ZIP})}, f"x.zip/in.zip {NESTED}"),
    ],
)
def test_an_archive_in_an_archive_leaves_no_mark(
    name: str, content: dict[str, bytes], note: str, tmp_path: Path
) -> None:
    hand_in(tmp_path, "class/b/solitaire_1.py")
    (tmp_path / "class" / name).parent.mkdir(exist_ok=True)
    (tmp_path / "class" / name).write_bytes(zip_archive(content))
    wanted = SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY)
    submission = by_student(take_in(tmp_path / "class", wanted, tmp_path))["a"]
    assert not submission.readable
    assert note in submission.notes
    assert not [other for other in submission.notes if "not used" in other and "in." in other]


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("x.zip", zip_archive({"in.zip": IN_ZIP}), f"x.zip/in.zip {NESTED}"),
        ("x.rar", b"", "x.rar cannot be opened: expected a zip or tar archive"),
    ],
)
def test_a_second_program_that_may_be_in_a_closed_archive_is_noted(
    name: str, content: bytes, note: str, tmp_path: Path
) -> None:
    hand_in(tmp_path, "class/a/solitaire_1.py", "class/b/solitaire_1.py", "class/b/solitaire_2.py")
    for student in "ab":
        (tmp_path / "class" / student / name).write_bytes(content)
    wanted = SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY)
    students = by_student(take_in(tmp_path / "class", wanted, tmp_path))
    assert [student.readable for student in students.values()] == [True, True]
    assert students["a"].notes == (TWO_MISSING, note)
    assert students["b"].notes == (f"{name} is not used: it is not one of the files to hand in",)


def test_the_archives_beyond_the_most_leave_no_mark_if_no_program_is_in_the_others(tmp_path: Path) -> None:
    for number in range(6):
        hand_in(tmp_path, f"class/a/{number}.zip", f"class/b/{number}.zip")
        (tmp_path / "class" / "a" / f"{number}.zip").write_bytes(zip_archive({"n.txt": b""}))
        name = "solitaire_1.py" if number == 0 else "n.txt"
        (tmp_path / "class" / "b" / f"{number}.zip").write_bytes(zip_archive({name: b""}))
    wanted = SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY)
    students = by_student(take_in(tmp_path / "class", wanted, tmp_path))
    assert [student.readable for student in students.values()] == [False, True]
    assert "5.zip is not opened: expected at most 5 archives" in students["a"].notes


@pytest.mark.parametrize(
    "name", ["solitaire_1.py.txt", "solitaire_1.pyw", "Solitaire_1.PY", "solitaire_1 (1).py", "solitaire_1.py "]
)
def test_a_loose_file_of_a_similar_name_is_its_students(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, f"a_{name}", "b/solitaire_1.py")
    submission = by_student(found(tmp_path))["a"]
    assert submission.notes[0] == f"solitaire_1.py is missing; there is `{name}`"


def test_a_second_archive_of_a_student_is_noted(tmp_path: Path) -> None:
    for name in ("a.zip", "a.ZIP"):
        (tmp_path / name).write_bytes(zip_archive({"solitaire_1.py": b"1"}))
    intake = found(tmp_path)
    assert len(intake.submissions) == 1
    assert intake.notes in (
        ("a.zip: passed over, a has a.ZIP too",),
        ("a.ZIP: passed over, a has a.zip too",),
    )


def test_an_unexpected_fault_in_one_submission_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("ada", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "game.py").write_text("")
    files = FolderContents.files

    def fault(contents: FolderContents, space: UnpackSettings) -> tuple[FoundFile, ...]:
        if contents.folder.name == "ada":
            raise LookupError("odd")
        return files(contents, space)

    monkeypatch.setattr(FolderContents, "files", fault)
    wanted = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=ZoneInfo("UTC"))
    ada, bob = take_in(tmp_path, wanted).submissions
    assert (ada.readable, bob.readable) == (False, True)
    assert ada.notes == ("the folder cannot be read, by a fault in grader: LookupError: odd",)


@pytest.mark.parametrize("chosen", [None, PLAIN])
def test_a_class_in_one_more_folder_is_that_class(chosen: DownloadFormat | None, tmp_path: Path) -> None:
    hand_in(tmp_path, "week3/ann/solitaire_1.py", "week3/bob/solitaire_1.py", "week3/cy/other.py", "roster.yaml")
    taken = take_in(tmp_path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), chosen=chosen)
    assert list(by_student(taken)) == ["ann", "bob", "cy"]
    assert taken.notes == (
        "week3 is taken for the class: it holds a folder per student, with solitaire_1.py or the like",
    )


@pytest.mark.parametrize(
    ("names", "inner"),
    [
        (["x/y/ann/solitaire_1.py", "x/y/bob/solitaire_1.py"], "x/y"),
        (["a/b/c/ann/solitaire_1.py", "a/b/c/bob/solitaire_1.py", "roster.csv"], "a/b/c"),
    ],
)
@pytest.mark.parametrize("archived", [False, True])
def test_a_class_in_several_folders_around_it_is_that_class(
    names: list[str], inner: str, archived: bool, tmp_path: Path
) -> None:
    path = tmp_path / "class"
    hand_in(path, *names)
    if archived:
        path = tmp_path / "class.zip"
        path.write_bytes(zip_archive(dict.fromkeys(names, b"")))
    wanted = SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY)
    taken = take_in(path, wanted, tmp_path)
    assert list(by_student(taken)) == ["ann", "bob"]
    assert archived or taken.notes[0].startswith(f"{inner} is taken for the class: ")


@pytest.mark.parametrize("wrapper", ["", "week3/", "week3/class/"])
@pytest.mark.parametrize("archived", [False, True])
def test_files_about_a_class_among_the_submissions_are_named(wrapper: str, archived: bool, tmp_path: Path) -> None:
    path = tmp_path / "class"
    about = [f"{wrapper}{name}" for name in ("roster.csv", "extensions.csv", "overrides.yaml", "comments.yaml")]
    names = [f"{wrapper}ann/solitaire_1.py", f"{wrapper}bob/solitaire_1.py", *about]
    hand_in(path, *names)
    if archived:
        path = tmp_path / "class.zip"
        path.write_bytes(zip_archive(dict.fromkeys(names, b"")))
    taken = take_in(path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), tmp_path)
    listed = "comments.yaml, extensions.csv, overrides.yaml, roster.csv"
    note = f"{listed} among the submissions: not read, unless an option such as --roster names it; {MOVE} "
    assert list(by_student(taken)) == ["ann", "bob"]
    assert [one for one in taken.notes if "not read" in one] == (
        [f"{note}{tmp_path if archived else path}"] if archived or wrapper else []
    )


@pytest.mark.parametrize("archived", [False, True])
def test_files_about_a_class_outside_its_folder_are_named(archived: bool, tmp_path: Path) -> None:
    path = tmp_path / "submissions" / "class"
    hand_in(path.parent, "overrides.yaml", "roster.csv")
    hand_in(path, "ann/solitaire_1.py")
    if archived:
        hand_in(tmp_path, "marks.yaml")
        path = path.with_suffix(".zip")
        path.write_bytes(zip_archive({"ann/solitaire_1.py": b""}))
    taken = take_in(path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY), tmp_path)
    unused = tmp_path / "marks.yaml" if archived else path.parent / "overrides.yaml"
    right = path.parent if archived else path
    assert [note for note in taken.notes if "not read" in note] == [
        f"{unused} is not read: move it to {right} if it is about this class"
    ]


@pytest.mark.parametrize(
    "names",
    [
        ["ann/solitaire_1.py"],
        ["ann/solitaire_1.py", "ann/old/solitaire_1.py", "ann/older/solitaire_1.py"],
        ["ann/src/solitaire_1.py", "ann/backup/solitaire_1.py"],
        ["ann/one/solitaire_1.py", "ann/two/solitaire_2.py"],
        ["ann/attempt-1/solitaire_1.py", "ann/attempt-2/solitaire_1.py"],
        ["ann/x/solitaire_1.py", "ann/y/notes.txt"],
        ["ann/x/solitaire_1.py"],
        ["ann/x/solitaire_1.py", "ann/y/solitaire_1.py", "bob/solitaire_1.py"],
    ],
)
def test_a_folder_of_one_student_is_no_class(names: list[str], tmp_path: Path) -> None:
    hand_in(tmp_path, *names)
    assert "ann" in by_student(found(tmp_path))


FEW = SubmissionPolicy(files=3)


def test_a_folder_with_too_many_files_is_refused_and_not_half_read(tmp_path: Path) -> None:
    hand_in(tmp_path, *(f"a/data/{number}.txt" for number in range(3)), "a/src/solitaire_1.py", "b/x/y/solitaire_1.py")
    students = by_student(take_in(tmp_path, SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY, policy=FEW)))
    assert not students["a"].readable
    advice = "`submissions.files` in assignment.yaml can allow more"
    assert students["a"].notes == (f"the folder is refused: it has more than 3 files; {advice}",)
    assert files_of(students["b"]) == {"solitaire_1.py": "solitaire_1.py"}


@pytest.mark.parametrize("installed", ["env/lib/python3.11/site-packages/", "node_modules/left-pad/"])
@pytest.mark.parametrize("zipped", [True, False])
def test_what_was_installed_is_not_a_part_of_the_submission(installed: str, zipped: bool, tmp_path: Path) -> None:
    names = [*(f"{installed}{number}.py" for number in range(5)), f"{installed}solitaire_2.py", "src/solitaire_1.py"]
    if zipped:
        (tmp_path / "a.zip").write_bytes(zip_archive(dict.fromkeys(names, b"pass\n")))
    else:
        hand_in(tmp_path, *(f"a/{name}" for name in names))
    wanted = SubmissionRequirements(programs=PROGRAMS, zone=SYDNEY, policy=FEW)
    student = by_student(take_in(tmp_path, wanted, tmp_path.parent))["a"]
    assert files_of(student) == {"solitaire_1.py": "solitaire_1.py"}
    assert student.notes == ("solitaire_1.py is taken from a folder: src/solitaire_1.py", TWO_MISSING)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_in_names_may_be_composed_or_not(form: Literal["NFC", "NFD"], tmp_path: Path) -> None:
    name = unicodedata.normalize(form, "übung.py")
    hand_in(tmp_path, f"a/{name}", f"b/work/{name}", f"c_{name}")
    composed = unicodedata.normalize("NFC", name)
    students = by_student(take_in(tmp_path, SubmissionRequirements(programs={composed: (composed,)}, zone=SYDNEY)))
    names = {student: files_of(one)[composed] for student, one in students.items()}
    assert names == {"a": name, "b": name, "c": f"c_{name}"}


def test_students_in_one_more_folder_are_told_by_names_however_accents_are_composed(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "übung.py")
    hand_in(tmp_path, f"class/a/{name}", f"class/b/{name}")
    composed = unicodedata.normalize("NFC", name)
    intake = take_in(tmp_path, SubmissionRequirements(programs={composed: (composed,)}, zone=SYDNEY))
    assert list(by_student(intake)) == ["a", "b"]


def test_many_attempts_with_a_time_of_ones_own_do_not_hide_that_others_have_none(tmp_path: Path) -> None:
    for student in "bcde":
        (tmp_path / student).mkdir()
        (tmp_path / student / "game.py").write_text("print()\n")
    for number in range(6):
        folder = tmp_path / "a" / f"attempt-{number + 1}"
        folder.mkdir(parents=True)
        (folder / "game.py").write_text("print()\n")
        (folder / "submission.yaml").write_text("submitted: 2025-10-01 12:00\n")
    best = SubmissionRequirements(
        programs={"game.py": ("game.py",)}, zone=ZoneInfo("UTC"), policy=SubmissionPolicy(attempts=AttemptPolicy.BEST)
    )
    rows = [row for row in take_in(tmp_path, best).submissions if row.student == "a"]
    assert len(rows) == 6
    assert all("it may be the student's own" in row.notes[-1] for row in rows)
