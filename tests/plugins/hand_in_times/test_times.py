"""Times of handing in from a file of the class: they count before all others, and none is guessed."""

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.errors import SpecError
from grader.intake.match_files import SubmissionRequirements
from grader.model.assignment import AttemptPolicy, SubmissionPolicy
from grader.model.submission import Submission
from tests.archives import zip_archive
from tests.intake.taking import take_in

SYDNEY = ZoneInfo("Australia/Sydney")
WANTED = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=SYDNEY)
FILE_TIME = 1_761_500_000
ROSTER = "id,name,login\nz1,Ada Byron,ada\nz2,Bob Bo,bob\nz3,Cy Cox,cy\n"


def hand_in(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "game.py").write_text(f"print('{name}')\n")
        os.utime(folder / name / "game.py", (FILE_TIME, FILE_TIME))


def taken(
    folder: Path, wanted: SubmissionRequirements = WANTED, roster: str | None = None
) -> tuple[dict[str, Submission], tuple[str, ...]]:
    """Return the submissions of the class in a folder by student, and its notes."""
    if roster is not None:
        (folder / "roster.csv").write_text(roster)
    found = take_in(folder, wanted, folder.parent, roster=folder / "roster.csv" if roster is not None else None)
    return {one.student: one for one in found.submissions}, found.notes


MOMENT = datetime(2025, 10, 27, 9, 30, tzinfo=SYDNEY)
TIMES = {
    "without seconds": ("2025-10-27 09:30", MOMENT),
    "with seconds": ("2025-10-27 09:30:05", MOMENT.replace(second=5)),
    "as in ISO 8601": ("2025-10-27T09:30:05", MOMENT.replace(second=5)),
    "a fraction of a second": ("2025-10-27T09:30:05.999", MOMENT.replace(second=5)),
    "UTC": ("2025-10-26T22:30:00Z", MOMENT),
    "an offset": ("2025-10-27T00:30:00+02:00", MOMENT),
    "the first pass of an hour that clocks repeat": (
        "2025-04-06 02:30",
        datetime(2025, 4, 6, 2, 30, tzinfo=SYDNEY, fold=0),
    ),
}


@pytest.mark.parametrize(("text", "moment"), TIMES.values(), ids=TIMES)
def test_times_as_people_and_systems_write_them(text: str, moment: datetime, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "times.csv").write_text(f"student,time\nz1,{text}\n")
    found, notes = taken(tmp_path)
    assert found["z1"].submitted is not None
    assert found["z1"].submitted.timestamp() == moment.timestamp()
    assert found["z1"].submitted.tzinfo == SYDNEY
    assert (found["z1"].time_source, found["z1"].notes, notes) == ("times.csv", (), ())


FORMS = {
    "BOM, semicolons, CRLF": ("times.csv", b"\xef\xbb\xbftime;student\r\n2025-10-27 09:30;Z1 \r\n\r\n"),
    "tabs, columns in any order": ("times.csv", b"attempt\ttime\tstudent\n\t2025-10-27 09:30\tz1\n"),
    "yaml": ("times.yaml", b"format: 1\ntimes:\n  - {student: z1, time: 2025-10-27 09:30}\n"),
}


@pytest.mark.parametrize(("name", "content"), FORMS.values(), ids=FORMS)
def test_forms_of_the_file(name: str, content: bytes, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / name).write_bytes(content)
    found, _ = taken(tmp_path)
    assert (found["z1"].submitted, found["z1"].time_source) == (MOMENT, name)


@pytest.mark.parametrize("called", ["z1", "ada", "ADA", "Ada Byron"])
def test_students_of_the_roster_are_recognised(called: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "ada")
    (tmp_path / "times.csv").write_text(f"student,time\n{called},2025-10-27 09:30\n")
    found, _ = taken(tmp_path, roster=ROSTER)
    assert found["z1"].submitted == MOMENT
    assert found["z2"].notes[0] == "nothing was handed in"


def test_the_file_counts_before_submission_yaml_and_the_times_of_files(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "z1" / "submission.yaml").write_text("submitted: 2025-10-01 00:00\n")
    (tmp_path / "z2.zip").write_bytes(zip_archive({"game.py": b"print(2)\n"}))
    (tmp_path / "z3_game.py").write_text("print(3)\n")
    (tmp_path / "times.csv").write_text("student,time\n" + "".join(f"z{n},2025-10-27 09:30\n" for n in (1, 2, 3)))
    found, _ = taken(tmp_path)
    assert {one.submitted for one in found.values()} == {MOMENT}


@pytest.mark.parametrize("late_matters", [True, False])
def test_without_a_row_the_time_is_unknown_where_it_matters(late_matters: bool, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1", "z2")
    (tmp_path / "times.csv").write_text("student,time\nz1,2025-10-27 09:30\n")
    found, _ = taken(tmp_path, replace(WANTED, late_matters=late_matters))
    unknown = "times.csv has no row for this: the time of handing in is unknown"
    assert found["z2"].notes == ((unknown,) if late_matters else ())
    assert (found["z2"].submitted is None) == late_matters
    assert found["z2"].readable


def test_students_without_a_submission_are_noted(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    rows = "z1,2025-10-27 09:30\nz2,2025-10-27 09:30\nz11,2025-10-27 09:30\n"
    (tmp_path / "times.csv").write_text(f"student,time\n{rows}")
    found, notes = taken(tmp_path, roster=ROSTER)
    assert found["z2"].submitted is None
    assert notes[1:] == (
        f"{tmp_path}/times.csv:3:1: `z2` has a time, but nothing was handed in",
        f"{tmp_path}/times.csv:4:1: no submission of `z11`; did you mean `z1`?",
    )


def attempts(folder: Path) -> None:
    hand_in(folder, "z1/attempt-1", "z1/attempt-2")


@pytest.mark.parametrize(
    ("policy", "rows", "source", "moment"),
    [
        (AttemptPolicy.LAST, "z1,2,2025-10-27 12:30\nz1,1,2025-10-27 09:30\n", "z1/attempt-2", "12:30"),
        (AttemptPolicy.LAST_ON_TIME, "z1,2,2025-10-27 12:30\nz1,1,2025-10-27 09:30\n", "z1/attempt-1", "09:30"),
        (AttemptPolicy.LAST, "z1,1,2025-10-27 12:30\nz1,2,2025-10-27 09:30\n", "z1/attempt-1", "12:30"),
        (AttemptPolicy.LAST, "z1,,2025-10-27 09:30\n", "z1/attempt-2", "09:30"),
    ],
)
def test_rows_of_attempts(policy: AttemptPolicy, rows: str, source: str, moment: str, tmp_path: Path) -> None:
    attempts(tmp_path)
    (tmp_path / "times.csv").write_text(f"student,attempt,time\n{rows}")
    found, notes = taken(tmp_path, replace(WANTED, policy=SubmissionPolicy(attempts=policy)))
    submitted = found["z1"].submitted
    assert submitted is not None
    assert (found["z1"].source, f"{submitted:%H:%M}") == (source, moment)
    is_vague = ",," in rows
    assert notes == is_vague * (
        f"{tmp_path}/times.csv:2:1: `z1` has several attempts; this is taken for the time of the last one (write "
        "`attempt`)",
    )


def test_an_attempt_that_is_not_there_is_noted(tmp_path: Path) -> None:
    attempts(tmp_path)
    (tmp_path / "times.csv").write_text("student,attempt,time\nz1,3,2025-10-27 09:30\n")
    found, notes = taken(tmp_path)
    assert found["z1"].submitted is None
    assert notes == (f"{tmp_path}/times.csv:2:1: no attempt 3 of `z1`",)


def test_a_row_of_a_team_is_about_all_of_it(tmp_path: Path) -> None:
    hand_in(tmp_path, "team-a", "z4", "z5")
    (tmp_path / "teams.csv").write_text("team,student\nteam-a,z1\nteam-a,z2\nb,z4\nb,z5\n")
    rows = "team-a,2025-10-27 09:30\nz4,2025-10-27 08:00\nz5,2025-10-27 07:00\n"
    (tmp_path / "times.csv").write_text(f"student,time\n{rows}")
    found, _ = taken(tmp_path)
    assert (found["z1"].submitted, found["z2"].submitted) == (MOMENT, MOMENT)
    assert {name: (found[name].source, f"{found[name].submitted:%H:%M}") for name in ("z4", "z5")} == {
        "z4": ("z4", "08:00"),
        "z5": ("z4", "08:00"),
    }


def test_attempts_of_a_member_are_numbered_as_in_the_folder(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1", "z2/attempt-1", "z2/attempt-2")
    (tmp_path / "teams.csv").write_text("team,student\nb,z1\nb,z2\n")
    rows = "z2,2025-10-27 09:30,1\nz2,2025-10-27 11:30,2\nz1,2025-10-27 10:30,\n"
    (tmp_path / "times.csv").write_text(f"student,time,attempt\n{rows}")
    found, notes = taken(tmp_path, replace(WANTED, policy=SubmissionPolicy(attempts=AttemptPolicy.LAST)))
    assert {(found[name].source, f"{found[name].submitted:%H:%M}") for name in ("z1", "z2")} == {
        ("z2/attempt-2", "11:30")
    }
    assert not [note for note in notes if "no attempt" in note]


def test_attempts_in_two_folders_of_a_student_are_numbered_as_in_each(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1/attempt-1", "z1/attempt-2", "ada/attempt-1", "ada/attempt-2")
    rows = "z1,2025-10-27 07:30,1\nz1,2025-10-27 08:30,2\nada,2025-10-27 09:30,1\nADA,2025-10-27 08:00,2\n"
    (tmp_path / "times.csv").write_text(f"student,time,attempt\n{rows}")
    policy = SubmissionPolicy(attempts=AttemptPolicy.LAST)
    found, notes = taken(tmp_path, replace(WANTED, policy=policy), roster=ROSTER)
    assert (found["z1"].source, found["z1"].submitted) == ("ada/attempt-1", MOMENT)
    assert not [note for note in notes if "no attempt" in note]


@pytest.mark.parametrize(
    "rows", ["z1,2025-10-27 09:30\n", "z2,2025-10-27 09:30\nz1,2025-10-27 09:30\nb,2025-10-27 09:30\n"]
)
def test_a_row_of_a_member_is_about_what_the_team_handed_in(rows: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1-z2")
    (tmp_path / "teams.csv").write_text("team,student\nb,z1\nb,z2\n")
    (tmp_path / "times.csv").write_text(f"student,time\n{rows}")
    found, notes = taken(tmp_path)
    assert (found["z1"].submitted, found["z2"].submitted, notes) == (MOMENT, MOMENT, ())


def test_two_times_of_one_submission_are_refused(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1-z2")
    (tmp_path / "teams.csv").write_text("team,student\nb,z1\nb,z2\n")
    (tmp_path / "times.csv").write_text("student,time\nz1,2025-10-27 09:30\nz2,2025-10-27 09:31\n")
    with pytest.raises(SpecError, match=r"times\.csv:3:1: `z2` has another time than an earlier row gives"):
        taken(tmp_path)


FAULTS = {
    "a day": ("z1,2025-10-27\n", "2:2: found `2025-10-27`; expected a date and time such as "),
    "a spreadsheet's form": (
        "z1,27/10/2025 09:30\n",
        "2:2: found `27/10/2025 09:30`; expected a date and time such as ",
    ),
    "a year that cannot be": ("z1,0025-10-27 09:30\n", "2:2: found `0025-10-27 09:30`; expected"),
    "no time": ("z1,\n", "2:1: "),
    "no student": ("z1,2025-10-27 09:30\n,2025-10-27 09:30\n", "3:1: "),
    "a row twice": ("z1,2025-10-27 09:30\nZ1 ,2025-10-27 09:30\n", "3:1: `Z1` is given twice"),
    "no rows": ("", "1:1: "),
}


@pytest.mark.parametrize(("rows", "problem"), FAULTS.values(), ids=FAULTS)
def test_faults_have_a_line(rows: str, problem: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "times.csv").write_text(f"student,time\n{rows}")
    with pytest.raises(SpecError) as caught:
        taken(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/times.csv:{problem}")


def test_an_attempt_given_twice_is_refused(tmp_path: Path) -> None:
    attempts(tmp_path)
    rows = "z1,1,2025-10-27 09:30\nz1,2,2025-10-27 09:30\nz1,1,2025-10-27 09:31\n"
    (tmp_path / "times.csv").write_text(f"student,attempt,time\n{rows}")
    with pytest.raises(SpecError, match=r"times\.csv:4:1: attempt 1 of `z1` is given twice"):
        taken(tmp_path)


def test_a_table_in_utf_16_is_refused(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "times.csv").write_bytes("student,time\nz1,2025-10-27 09:30\n".encode("utf-16"))
    with pytest.raises(SpecError, match=r"expected UTF-8 text \(save the file as UTF-8\)"):
        taken(tmp_path)


LATE_MATTERS = replace(WANTED, late_matters=True)


def hand_in_on_moodle(folder: Path, *accounts: str) -> None:
    hand_in(folder, *(f"{account}_assignsubmission_file_" for account in accounts))


@pytest.mark.parametrize("rows", ["z1,2025-10-27 09:30\n", "z1,2025-10-27 09:30\nz3,2025-10-28 09:30\n"])
@pytest.mark.parametrize("name", ["z1", "Z1", "u1"])
def test_a_display_name_that_is_the_id_of_another_student_gets_no_time(rows: str, name: str, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada_701", f"{name}_703")
    (tmp_path / "times.csv").write_text(f"student,time\n{rows.replace('z1', name.lower())}")
    found, notes = taken(tmp_path, LATE_MATTERS, "id,login,moodle\nz1,u1,701\nz2,u2,702\nz3,u3,703\n")
    assert found["z1"].submitted == MOMENT
    assert found["z3"].submitted == (MOMENT.replace(day=28) if "z3" in rows else None)
    assert not any("times.csv" in note for note in notes)


@pytest.mark.parametrize("other", ["Ada", "ADA"])
def test_a_row_that_fits_several_students_is_nobodys(other: str, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada_701", f"{other}_703", "Bob_702")
    (tmp_path / "times.csv").write_text("student,time\nAda,2025-10-27 09:30\nBob,2025-10-27 09:30\n")
    found, notes = taken(tmp_path, LATE_MATTERS)
    bob = found.pop("Bob")
    names = ", ".join(sorted(found))
    doubt = f"`Ada` fits several students, so a person must decide: {names}"
    assert bob.submitted == MOMENT
    assert [(student.submitted, student.notes[0]) for student in found.values()] == [(None, f"times.csv: {doubt}")] * 2
    assert f"{tmp_path}/times.csv:2:1: {doubt}" in notes


def test_a_student_with_a_row_does_not_make_a_name_doubtful(tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada_701", "Ada_703")
    (tmp_path / "times.csv").write_text("student,time\nAda,2025-10-27 09:30\nz3,2025-10-28 09:30\n")
    found, _ = taken(tmp_path, LATE_MATTERS, "id,moodle\nz1,701\nz3,703\n")
    assert (found["z1"].submitted, found["z3"].submitted) == (MOMENT, MOMENT.replace(day=28))
