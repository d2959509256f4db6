"""The roster: read from what schools have, and matched with what came in."""

import csv
import os
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.class_files.roster import Roster, compared_id, read_roster
from grader.errors import SpecError
from grader.intake.attempt import Attempt, FileContents, ReceivedClass
from grader.intake.enrolment import with_roster
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.text.csv_cells import safe_cell
from tests.intake.taking import take_in

WANTED = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=ZoneInfo("UTC"))
ADA = StudentIdentity(name="Ada Lovelace", id="z1", email="ada@school.example", login="ada")


def roster(folder: Path, text: str, name: str = "roster.csv") -> Roster:
    (folder / name).write_bytes(text.encode())
    return read_roster(folder / name)


LISTS = {
    "our own": ("id,name,email,login\nz1,Ada Lovelace,ada@school.example,ada\n", "z1", ADA),
    "byte order mark, CRLF, case": (
        "\ufeffEmail,Student ID,Name,Login,Notes\r\nada@school.example, z1 ,Ada Lovelace,ada,x\r\n\r\n",
        "z1",
        ADA,
    ),
    "Moodle": (
        "Identifier,Full name,ID number,Email address,Status,Grade\n"
        "Participant 11,Ada Lovelace,z1,ada@school.example,,\n",
        "z1",
        StudentIdentity(name="Ada Lovelace", id="z1", email="ada@school.example", moodle="11"),
    ),
    "Moodle without numbers": (
        "Identifier,Full name,Email address\nParticipant 11,Ada Lovelace,ada@school.example\n",
        "ada@school.example",
        StudentIdentity(name="Ada Lovelace", email="ada@school.example", moodle="11"),
    ),
    "Canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,A1 (7)\n    Points Possible,,,,,10\n"
        '"Lovelace, Ada",31,z1,ada,S1,\n"Student, Test",,,x,S1,\n',
        "z1",
        StudentIdentity(name="Lovelace, Ada", id="z1", login="ada", canvas="31"),
    ),
    "Gradescope": (
        "First Name,Last Name,SID,Email,Role\nAda,Lovelace,z1,ada@school.example,Student\n",
        "z1",
        StudentIdentity(name="Ada Lovelace", id="z1", email="ada@school.example"),
    ),
    "GitHub Classroom": (
        '"identifier","github_username","github_id","name"\n"z1","ada","5","Ada Lovelace"\n',
        "z1",
        StudentIdentity(name="Ada Lovelace", id="z1", login="ada"),
    ),
    "Brightspace": (
        "OrgDefinedId,Username,Last Name,First Name,Email,Lab Points Grade <Numeric>,End-of-Line Indicator\n"
        "#z1,#ada,Lovelace,Ada,ada@school.example,7,#\n",
        "z1",
        ADA,
    ),
    "Classroom 50": (
        "username,first_name,last_name,email,section,github_id\nada,Ada,Lovelace,ada@school.example,A,5\n",
        "ada",
        StudentIdentity(name="Ada Lovelace", email="ada@school.example", login="ada"),
    ),
    "semicolons, byte order mark, CRLF": (
        "\ufeffid;name;email\r\nz1;Ada Lovelace;ada@school.example\r\n",
        "z1",
        StudentIdentity(name="Ada Lovelace", id="z1", email="ada@school.example"),
    ),
    "tabs": ("name\tid\nLovelace, Ada\tz1\n", "z1", StudentIdentity(name="Lovelace, Ada", id="z1")),
    "made safe for spreadsheets": ("id,name\nz1,'=1+1\n", "z1", StudentIdentity(name="=1+1", id="z1")),
    "name only": ('name\n"=1+1, ""x"""\n', '=1+1, "x"', StudentIdentity(name='=1+1, "x"')),
}


@pytest.mark.parametrize(("text", "student", "identity"), LISTS.values(), ids=LISTS)
def test_lists_as_systems_give_them(text: str, student: str, identity: StudentIdentity, tmp_path: Path) -> None:
    assert dict(roster(tmp_path, text).students) == {student: identity}


def test_yaml(tmp_path: Path) -> None:
    text = "format: 1\nstudents:\n  - {id: 007, name: Bond}\n  - {login: ada}\n"
    assert dict(roster(tmp_path, text, "roster.yaml").students) == {
        "007": StudentIdentity(name="Bond", id="007"),
        "ada": StudentIdentity(login="ada"),
    }


def test_further_columns_are_kept_and_named(tmp_path: Path) -> None:
    text = "Section,id,name,Tutor,\n S1 ,z1,Ada,Eve,x\n,z2,Bob,,\n"
    found = roster(tmp_path, text)
    assert found.further == {"z1": {"section": "S1", "Tutor": "Eve"}, "z2": {}}
    assert found.unknown_columns == ("Tutor",)
    received = with_roster(ReceivedClass((arrival("z1", StudentIdentity(id="z1")),)), found)
    assert [one.roster for one in received.arrivals] == [{"section": "S1", "Tutor": "Eve"}, {}]
    assert received.notes[-1] == "further columns of roster.csv, kept for filters and exports: Tutor"


def test_further_columns_in_yaml(tmp_path: Path) -> None:
    text = "format: 1\nstudents:\n  - {id: z1, section: S1, columns: {tutor: Eve}}\n  - {id: z2}\n"
    found = roster(tmp_path, text, "roster.yaml")
    assert found.further == {"z1": {"section": "S1", "tutor": "Eve"}, "z2": {}}


FAULTS = [
    ("roster.csv", "", "1:1: found no known column; expected some of `id`, `name`, `email`, `login`"),
    ("roster.csv", "id\n", "1:1: found no student; expected a row for each"),
    ("roster.csv", "id\nz1\nz1\n", "3:1: `z1` is given twice"),
    ("roster.csv", "id,section\n,3\n", "2:1: found a row without a student"),
    ("roster.csv", "id\n\xff\n", None),
    ("roster.csv", f'"{"x" * 200_000}', "1:1: this is no CSV: field larger than field limit (131072)"),
    ("roster.csv", f'id\n"{"x" * 200_000}', "2:1: this is no CSV: field larger than field limit (131072)"),
    (
        "roster.yaml",
        "format: 1\nstudents:\n  - {moodle: 5}\n",
        "3:5: found no student; expected at least one of `id`, `login`, `email` and `name`",
    ),
]


@pytest.mark.parametrize(("name", "text", "problem"), FAULTS)
def test_faulty_rosters(name: str, text: str, problem: str | None, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(SpecError) as caught:
        read_roster(tmp_path / name)
    place = f"{tmp_path / name}:"
    assert str(caught.value) == place + (problem or "1:1: expected UTF-8 text (save the file as UTF-8)")


ADVICE = "give each the number of the platform, or write an id before the name of the folder"


def arrival(student: str, identity: StudentIdentity) -> Attempt:
    return Attempt(student=student, contents=FileContents(), source=student, identity=identity)


@pytest.mark.parametrize(
    "identity",
    [
        StudentIdentity(login="z1"),
        StudentIdentity(login="Z1"),
        StudentIdentity(login="ada"),
        StudentIdentity(login="ada@school.example"),
        StudentIdentity(login="Lovelace, Ada"),
        StudentIdentity(id="z1"),
        StudentIdentity(name="Ada  lovelace"),
        StudentIdentity(name="lovelaceada", canvas="99"),
        StudentIdentity(name="x", moodle="11"),
    ],
)
def test_a_student_is_recognised(identity: StudentIdentity) -> None:
    known = Roster(
        Path("roster.csv"), {"z1": ADA.filled(StudentIdentity(moodle="11")), "z2": StudentIdentity(id="z2", name="Bob")}
    )
    found = with_roster(ReceivedClass((arrival("someone", identity),)), known)
    assert found.students == ("z1", "z2")
    assert found.arrivals[0].identity.email == "ada@school.example"
    assert found.notes == ("1 of 2 in roster.csv handed in nothing: z2",)


def test_a_name_that_two_have_points_to_nobody() -> None:
    known = Roster(Path("roster.csv"), {name: StudentIdentity(id=name, name="Bob") for name in ("z1", "z2")})
    found = with_roster(ReceivedClass((arrival("Bob", StudentIdentity(name="Bob", moodle="4")),)), known)
    assert found.students == ("Bob", "z1", "z2")
    assert found.notes[0] == f"Bob could be more than one student in roster.csv: z1, z2; a person must decide: {ADVICE}"


def test_a_stranger_whose_name_is_the_id_of_a_student_is_not_that_student() -> None:
    known = Roster(Path("roster.csv"), {"z1": ADA})
    came = (arrival("Ada Lovelace", ADA), arrival("z1", StudentIdentity(name="z1", id="z999", email="other@x")))
    found = with_roster(ReceivedClass(came), known)
    assert found.students == ("z1", "z1 (z999)")
    assert [student.source for student in found.arrivals if student.student == "z1"] == ["Ada Lovelace"]
    assert found.notes[0].startswith("z1 (z999) is not in roster.csv")


@pytest.mark.parametrize("folder", ["team-a", "TEAM-A "])
def test_what_a_team_hands_in_is_each_members(folder: str) -> None:
    students = {name: StudentIdentity(id=name, login="team-a") for name in ("z1", "z2")}
    known = Roster(Path("roster.csv"), {**students, "z3": StudentIdentity(id="z3")})
    found = with_roster(ReceivedClass((arrival(folder, StudentIdentity(login=folder)),)), known)
    assert [(one.student, one.source) for one in found.arrivals] == [("z1", folder), ("z2", folder), ("z3", "")]
    assert found.notes == (
        f"{folder} is a team of roster.csv: z1, z2",
        "1 of 3 in roster.csv handed in nothing: z3",
    )


def test_what_a_member_hands_in_alone_is_a_further_attempt() -> None:
    students = {name: StudentIdentity(id=name, login="team-a") for name in ("z1", "z2")}
    came = tuple(arrival(name, StudentIdentity(login=name)) for name in ("team-a", "z2"))
    found = with_roster(ReceivedClass(came), Roster(Path("roster.csv"), students))
    assert [(one.student, one.attempt) for one in found.arrivals] == [("z1", 1), ("z2", 1), ("z2", 2)]


def test_addresses_that_begin_alike_make_no_team() -> None:
    students = {name: StudentIdentity(id=name, email=f"bob@{name}.example") for name in ("z1", "z2")}
    found = with_roster(
        ReceivedClass((arrival("bob", StudentIdentity(login="bob")),)), Roster(Path("roster.csv"), students)
    )
    assert found.students == ("bob", "z1", "z2")
    assert found.notes[0] == f"bob could be more than one student in roster.csv: z1, z2; a person must decide: {ADVICE}"


@pytest.mark.parametrize(
    ("rows", "identity", "note"),
    [
        ("max,,m@a\nz2,,max@b", StudentIdentity(login="max"), "`max` is the start of the email of z2"),
        ("max,s7,\nz2,max,", StudentIdentity(login="MAX "), "`max` is the login of z2"),
        ("max,s7,\nz2,max,\nz3,max,", StudentIdentity(login="max"), "`max` is the login of z2, z3"),
        ("max@b,s7,\nz2,,max@b", StudentIdentity(login="max@b"), "`max@b` is the email of z2"),
        ("z1,s7,max@b\nz2,max@b,", StudentIdentity(login="max@b"), "`max@b` is the login of z2"),
        ("z1,max,m@a\nz2,,max@b", StudentIdentity(login="max"), "`max` is the start of the email of z2"),
        ("z1,max,m@a\nmax,,", StudentIdentity(login="max", name="Max"), "`max` is the id of max"),
        ("z1,,max@a\nz2,max,", StudentIdentity(email="max@a"), "`max` is the login of z2"),
    ],
)
def test_the_surest_clue_says_whose_a_submission_is(
    rows: str, identity: StudentIdentity, note: str, tmp_path: Path
) -> None:
    listed = roster(tmp_path, f"id,login,email\n{rows}\n")
    received = with_roster(ReceivedClass((arrival("x", identity),)), listed)
    owner = rows.partition(",")[0]
    assert [one.student for one in received.arrivals if one.source] == [owner]
    assert received.notes[0] == f"x is taken for {owner} of roster.csv, though {note}"


def test_of_several_attempts_there_is_one_note(tmp_path: Path) -> None:
    listed = roster(tmp_path, "id,login\nmax,s7\nz2,max\n")
    came = arrival("max", StudentIdentity(login="max"))
    received = with_roster(ReceivedClass((came, replace(came, attempt=2))), listed)
    assert [(one.student, one.attempt) for one in received.arrivals] == [("max", 1), ("max", 2), ("z2", 1)]
    assert received.notes == (
        "max is taken for max of roster.csv, though `max` is the login of z2",
        "1 of 2 in roster.csv handed in nothing: z2",
    )


def test_names_that_the_owner_has_too_contradict_nothing(tmp_path: Path) -> None:
    listed = roster(tmp_path, "id,name,email\nz1,Max Muster,max@a\nz2,Max Muster,max@b\n")
    handed_in = arrival("x", StudentIdentity(id="z1", name="Max Muster", email="max@a"))
    assert with_roster(ReceivedClass((handed_in,)), listed).notes == ("1 of 2 in roster.csv handed in nothing: z2",)


def test_unknown_and_missing_students_are_rows_and_are_listed(tmp_path: Path) -> None:
    for name in ("z1", "zz9"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "game.py").write_text("print()\n")
    roster(tmp_path, "id,name\nz1,Ada\nz2,Bob\nz9,Carl\n")
    intake = take_in(tmp_path / "class", WANTED, roster=tmp_path / "roster.csv")
    assert [(one.student, len(one.files), one.readable) for one in intake.submissions] == [
        *(("z1", 1, True), ("z2", 0, True), ("z9", 0, True), ("zz9", 1, True))
    ]
    assert intake.notes == (
        "zz9 is not in roster.csv; did you mean `z9`?",
        "2 of 3 in roster.csv handed in nothing: z2, z9",
    )
    assert intake.submissions[1].notes == ("nothing was handed in", "game.py is missing")
    assert intake.submissions[1].identity == StudentIdentity(name="Bob", id="z2")


def test_two_submissions_of_one_student_are_attempts(tmp_path: Path) -> None:
    for name, time in (("ada", 1_700_002_000), ("z1", 1_700_001_000)):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "game.py").write_text("print()\n")
        os.utime(tmp_path / "class" / name / "game.py", (0, time))
    roster(tmp_path, "id,login\nz1,ada\n")
    (submission,) = take_in(tmp_path / "class", WANTED, roster=tmp_path / "roster.csv").submissions
    assert (submission.source, submission.notes[0]) == ("ada", "of 2 attempts, ada counts")


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).map(str.strip).filter(bool)


@given(names=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5, unique_by=lambda pair: compared_id(pair[0])))
@example(names=[("0", "'=")])
def test_what_spreadsheets_write_comes_back(
    names: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("roster") / "roster.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("id", "name"), *(map(safe_cell, cells) for cells in names)])
    found = read_roster(file).students
    assert {key: one.name for key, one in found.items()} == dict(names)


@pytest.mark.parametrize(
    ("listed", "folder"),
    [
        ("Zoë", "Zoe\u0308"),
        ("Zoe\u0308", "Zoë"),
        ("z1000003", "z1000003 "),
        ("z1000003 ", "Z1000003"),
        ("zoë", " ZOE\u0308"),
    ],
)
def test_what_the_eye_does_not_see_makes_no_other_student(listed: str, folder: str) -> None:
    known = Roster(Path("roster.csv"), {"s": StudentIdentity(id=listed)})
    for identity in (StudentIdentity(id=folder), StudentIdentity(login=folder)):
        found = with_roster(ReceivedClass((arrival(folder, identity),)), known)
        assert (found.students, found.notes) == (("s",), ())


@pytest.mark.parametrize("folder", ["Zoe", "ｚ1", "z 1", "z10"])
def test_ids_that_differ_to_the_eye_are_of_two_students(folder: str) -> None:
    known = Roster(Path("roster.csv"), {name: StudentIdentity(id=name) for name in ("Zoë", "z1")})
    found = with_roster(ReceivedClass((arrival(folder, StudentIdentity(id=folder)),)), known)
    assert found.notes[0].startswith(f"{folder} is not in roster.csv")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,name,login\nz1,Doe, Ann,ann\n", "2:4: this row has 4 cells, the header has 3; expected a cell for each"),
        ("id;name\nz1;Ann;x\n", "2:3: this row has 3 cells, the header has 2"),
        ("id,name\nz1;Ann\n", "2:1: this row is divided by `;`; expected `,`, as in the header"),
        ('id,name\nz1,"Ann\nz2,Bob\n', "3:1: this is no CSV: unexpected end of data"),
        ("id,login,id\nz1,ann,z2\n", "1:3: the column `id` is given twice; expected it once"),
        ("id\n2019/CS/01\n2019_CS_01\n", "3:1: `2019_CS_01` and `2019/CS/01` would be the same student"),
        ("id\nz1\nZ1\n", "3:1: `Z1` and `z1` would be the same student; expected ids that differ in more"),
        ("id\nZoë\nZoe\u0308\n", "3:1: "),
        ("id,name\nz1,Ann\nz1,Bob\n", "3:1: `z1` is given twice"),
    ],
)
def test_a_roster_that_would_put_students_into_wrong_places_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        roster(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path}/roster.csv:{problem}")


def test_cells_that_a_spreadsheet_left_out_are_empty(tmp_path: Path) -> None:
    students = roster(tmp_path, "\ufeffid;name;login;section\r\nz1;Ann;ann;\r\nz2;Bob\r\n").students
    assert students == {
        "z1": StudentIdentity(id="z1", name="Ann", login="ann"),
        "z2": StudentIdentity(id="z2", name="Bob"),
    }


def test_a_folder_called_as_its_student_is_in_reports_is_that_students(tmp_path: Path) -> None:
    (tmp_path / "class" / "2019_CS_01").mkdir(parents=True)
    (tmp_path / "class" / "2019_CS_01" / "game.py").write_text("print()\n")
    roster(tmp_path, "id,name\n2019/CS/01,Ann\n")
    (submission,) = take_in(tmp_path / "class", WANTED, roster=tmp_path / "roster.csv").submissions
    assert (submission.student, submission.identity.id, len(submission.files)) == ("2019_CS_01", "2019/CS/01", 1)
