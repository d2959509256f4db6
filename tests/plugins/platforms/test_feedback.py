"""Feedback goes back to Moodle in folders with the participant's number."""

import re
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from grader.model.results import ClassResult
from grader.model.submission import Submission
from grader.platforms.platform import ExportedFiles
from grader.plugins.platforms.moodle import exports
from grader.plugins.platforms.moodle.exports import moodle_feedback
from grader.plugins.platforms.shared.gradebook_file import read_gradebook_file
from tests.grading.hidden_example import CLASS, LATE, SECRET_INPUT
from tests.plugins.platforms.test_moodle import HEADER, ROWS, sheet_of


def unzipped(exported: ExportedFiles) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(exported.files["feedback.zip"])) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def participant_in(path: str) -> str:
    """The number that Moodle reads in a path: its importer splits each piece at the first four `_`."""
    info = path.split("/")[0].split("_", 4)
    assert info[2:4] == ["assignsubmission", "file"]
    return info[1]


def test_a_file_for_each_student() -> None:
    exported = moodle_feedback(CLASS, sheet_of(HEADER, *ROWS))
    files = unzipped(exported)
    assert sorted(map(participant_in, files)) == sorted(["17", "18", "19", "21", "22"] * 2)
    assert "李小龍_18_assignsubmission_file_/feedback.txt" in files
    assert "The smaller of 3.6 and 4 is 3.6." in files["李小龍_18_assignsubmission_file_/feedback.txt"]
    assert all(SECRET_INPUT not in text for text in files.values())
    assert exported.left_out == (
        "z1234567: is not in the sheet; add an id, email address or name from there to roster.csv",
    )


def test_without_a_plugin_for_pages_the_text_is_written_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "student_exports", dict)
    exported = moodle_feedback(CLASS, sheet_of(HEADER, *ROWS))
    assert {Path(name).name for name in unzipped(exported)} == {"feedback.txt"}
    assert exported.notes == ("no feedback.html is written, because no plugin makes the pages of students",)


def test_a_name_that_would_mislead_moodle_or_leave_the_folder() -> None:
    row = replace(CLASS.rows[0], graded=replace(CLASS.rows[0].graded, submission=named("30")))
    sheet = read_gradebook_file(b"Identifier,Full name,Grade,ID number\nParticipant 30,../A_7_assign/..,,\n", "x")
    assert list(
        unzipped(moodle_feedback(ClassResult(assignment=CLASS.assignment, rows=(row,), not_graded=(), notes=()), sheet))
    ) == [f"-A-7-assign-_30_assignsubmission_file_/feedback.{kind}" for kind in ("html", "txt")]


def test_without_a_sheet_folders_of_moodle_are_told() -> None:
    students = ("Zoë B_5_assignsubmission_file_", "Sam Lee_6_assignsubmission_file", "z123")
    rows = tuple(replace(LATE, graded=replace(LATE.graded, submission=named(student))) for student in students)
    exported = moodle_feedback(ClassResult(assignment=CLASS.assignment, rows=rows, not_graded=(), notes=()), None)
    assert {name.partition("/")[0] for name in unzipped(exported)} == {
        "Sam Lee_6_assignsubmission_file_",
        "Zoë B_5_assignsubmission_file_",
    }
    assert exported.left_out == ("z123: no number of Moodle's is known; give the worksheet",)


def test_several_pages() -> None:
    files = unzipped(moodle_feedback(CLASS, sheet_of(HEADER, ROWS[1])))
    assert {re.sub(".*/", "", name) for name in files} == {"feedback.txt", "feedback.html"}


def test_the_archive_is_a_function_of_the_class() -> None:
    sheet = sheet_of(HEADER, *ROWS)
    assert moodle_feedback(CLASS, sheet).files == moodle_feedback(CLASS, sheet).files


def named(student: str) -> Submission:
    return replace(LATE.graded.submission, student=student)
