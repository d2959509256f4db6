"""A class in folders of sections is refused: each would be graded as one student, and its students as none."""

import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.intake.class_folder import IntakeError
from grader.intake.match_files import SubmissionRequirements
from grader.intake.read_class import PLAIN
from tests.archives import zip_archive
from tests.intake.taking import take_in

WANTED = SubmissionRequirements(programs={"p.py": ("p.py",), "q.py": ("q.py",)}, zone=ZoneInfo("UTC"))
ADVICE = "; `--download-format plain` takes each folder or archive for one student."


def as_archives(folder: Path, end: str) -> Path:
    """Put archives in the place of the folders in a class."""
    for section in [entry for entry in folder.iterdir() if entry.is_dir()]:
        shutil.make_archive(str(section), end, section)
        shutil.rmtree(section)
    return folder


def hand_in(folder: Path, names: list[str]) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(zip_archive({"p.py": b""}) if name.endswith(".zip") else b"")
    return folder


def roster(folder: Path, *students: str) -> Path:
    file = folder / "listed.csv"
    file.write_text("\n".join(["id", *students]))
    return file


@pytest.mark.parametrize(
    "names",
    [
        ["T01/anna/p.py", "T02/ben/p.py", "T02/cy/p.py"],
        ["T01/anna/p.py", "T01/dora/p.py", "T02/ben/p.py", "T02/cy/p.py"],
        ["T01/anna/p.py", "T01/dora/q.py", "T02/ben/p.py", "T02/cy/p.py", "T02/cy/q.py"],
        ["T01/anna.zip", "T01/dora.zip", "T02/ben.zip"],
        ["T01/anna_p.py", "T02/ben_p.py", "T02/cy_p.py"],
        ["T01/week1/anna/p.py", "T01/week1/dora/p.py", "T02/week1/ben/p.py"],
        ["roster.csv", "week1/T01/anna/p.py", "week1/T02/ben/p.py", "week1/T02/cy/p.py"],
    ],
)
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("end", ["", "zip", "gztar"])
def test_sections_are_refused(names: list[str], listed: bool, end: str, tmp_path: Path) -> None:
    path = hand_in(tmp_path / "class", names)
    if end:
        as_archives(path, end)
    file = roster(tmp_path, "anna", "ben", "cy", "dora", "eve") if listed else None
    with pytest.raises(IntakeError) as caught:
        take_in(path, WANTED, tmp_path, roster=file)
    assert str(caught.value).startswith("expected a folder per student, but found students inside ")
    assert "T0" in str(caught.value) or "week1" in str(caught.value)
    assert str(caught.value).endswith(ADVICE)


def test_the_folders_and_the_students_in_them_are_named(tmp_path: Path) -> None:
    path = hand_in(tmp_path / "class", [f"T{number}/{name}{number}/p.py" for number in range(6) for name in "ab"])
    with pytest.raises(IntakeError) as caught:
        take_in(path, WANTED)
    assert str(caught.value) == (
        "expected a folder per student, but found students inside T0, T1, T2, T3 and 2 more (T0: a0, b0). Put all "
        f"students into one folder, or grade one class at a time, as in `grader grade {path}/T0`{ADVICE}"
    )


def test_sections_in_archives_with_a_folder_around_them_are_refused(tmp_path: Path) -> None:
    names = ["T01/T01/anna/p.py", "T01/T01/dora/p.py", "T02/T02/ben/p.py", "T02/T02/cy/p.py"]
    with pytest.raises(IntakeError, match=r"T01.zip, T02.zip \(T01.zip: anna, dora\)"):
        take_in(as_archives(hand_in(tmp_path / "class", names), "zip"), WANTED)


def test_a_damaged_archive_is_a_students(tmp_path: Path) -> None:
    path = hand_in(tmp_path / "class", ["T01/anna/p.py", "T01/dora/p.py"])
    (path / "ben.zip").write_bytes(b"PK")
    assert [one.student for one in take_in(path, WANTED).submissions] == ["T01", "ben"]


@pytest.mark.parametrize("names", [["T01/anna/p.py", "T02/ben/p.py"], ["T01/anna/p.py", "T01/cy/p.py", "ben/p.py"]])
def test_a_roster_tells_sections_from_students(names: list[str], tmp_path: Path) -> None:
    path = hand_in(tmp_path / "class", names)
    assert "T01" in [one.student for one in take_in(path, WANTED).submissions]
    with pytest.raises(IntakeError, match="T01: anna"):
        take_in(path, WANTED, roster=roster(tmp_path, "anna", "ben", "cy"))


@pytest.mark.parametrize(
    "names",
    [
        ["anna/x/p.py", "anna/y/p.py", "ben/p.py"],
        ["anna/first/p.py", "anna/second/p.py", "ben/first/p.py", "ben/second/p.py"],
        ["anna/one/p.py", "anna/two/q.py", "ben/three/p.py", "ben/four/q.py"],
        ["anna/src/p.py", "anna/backup/p.py", "ben/final/p.py", "ben/version 2/p.py"],
        ["anna/attempt-1/p.py", "anna/attempt-2/p.py", "ben/attempt-1/p.py"],
        ["anna/lab/p.py", "ben/work/p.py"],
        ["anna/task1.zip", "anna/task2.zip", "ben/task1.zip", "ben/task2.zip"],
        ["anna/p.py", "anna/ben/p.py", "ben/p.py"],
    ],
)
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("end", ["", "zip", "gztar"])
def test_students_with_folders_of_their_own_are_no_sections(
    names: list[str], listed: bool, end: str, tmp_path: Path
) -> None:
    path = hand_in(tmp_path / "class", names)
    if end:
        as_archives(path, end)
    file = roster(tmp_path, "anna", "ben") if listed else None
    students = {one.student for one in take_in(path, WANTED, tmp_path, roster=file).submissions}
    assert students == {"anna", "ben"}


def test_sections_are_students_if_the_user_says_so(tmp_path: Path) -> None:
    path = hand_in(tmp_path / "class", ["T01/anna/p.py", "T01/dora/p.py", "T02/ben/p.py", "T02/cy/p.py"])
    assert [one.student for one in take_in(path, WANTED, chosen=PLAIN).submissions] == ["T01", "T02"]


def test_a_folder_that_only_holds_the_archive_of_a_class_names_the_command(tmp_path: Path) -> None:
    path = hand_in(tmp_path / "my downloads", ["T0/ann/p.py", "T0/ben/p.py"])
    as_archives(path, "zip")
    with pytest.raises(IntakeError) as caught:
        take_in(path, WANTED, tmp_path)
    assert str(caught.value) == (
        "expected a folder per student, but found students inside T0.zip (T0.zip: ann, ben). Put all students into one "
        f"folder, or grade one class at a time, as in `grader grade '{path}/T0.zip'`{ADVICE}"
    )
