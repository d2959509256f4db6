"""Which files of a student a self-check takes, and what it says when there are too many."""

import unicodedata
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.model.assignment import Assignment, SubmissionPolicy
from grader.model.program import Limits, Program
from grader.selfcheck.check import CheckError, submission_at


def assignment(folder: Path) -> Assignment:
    return Assignment(
        id="demo",
        title="Demo",
        folder=folder,
        programs=(Program(file="game.py", reference=folder / "game.py", variants=("canonical",)),),
        parts=(),
        due=datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney")),
        late=None,
        limits=Limits(),
        tests=(),
        submission_policy=SubmissionPolicy(files=3),
        further_files=("*.py",),
    )


def lay_out(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("pass\n")


def test_a_folder_with_too_many_files_is_not_half_checked(tmp_path: Path) -> None:
    lay_out(tmp_path, *(f"data/{number}.txt" for number in range(3)), "game.py")
    with pytest.raises(CheckError) as caught:
        submission_at(assignment(tmp_path), tmp_path)
    fault = "it has more than 3 files. Put what is to be handed in into a new folder."
    assert str(caught.value) == f"{tmp_path} cannot be checked: {fault}"


def test_accents_in_the_name_of_a_program_may_be_taken_apart(tmp_path: Path) -> None:
    composed, apart = (unicodedata.normalize(form, "übung.py") for form in ("NFC", "NFD"))
    lay_out(tmp_path, apart)
    own = replace(assignment(tmp_path), programs=(Program(file=composed, reference=tmp_path, variants=("canonical",)),))
    for path in (tmp_path, tmp_path / apart):
        assert [file.name for file in submission_at(own, path).files] == [composed]


def test_further_files_are_not_looked_for_deeper_than_they_may_lie(tmp_path: Path) -> None:
    lay_out(tmp_path, *(f"data/{number}.txt" for number in range(5)), "game.py", "helper.py")
    files = submission_at(assignment(tmp_path), tmp_path / "game.py").files
    assert [file.name for file in files] == ["game.py", "helper.py"]
