"""Teams: one submission, the mark for each member, and nobody dropped in silence."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.errors import SpecError
from grader.intake.choose_attempt import ClassSubmissions
from grader.intake.match_files import SubmissionRequirements
from tests.archives import zip_archive
from tests.intake.taking import take_in

WANTED = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=ZoneInfo("UTC"))
ROSTER = "id,name,login\nz1,Ada Byron,ada\nz2,Bob Bo,bob\nz3,Cy Cox,cy\n"
TEAM = "format: 1\nteams:\n  - {team: team-a, students: [z1, z2]}\n"


def hand_in(folder: Path, name: str, submitted: str = "2025-10-27 10:00", program: str = "print(1)\n") -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "game.py").write_text(program)
    (folder / name / "submission.yaml").write_text(f"submitted: {submitted}\n")


def taken(folder: Path, roster: str | None = None, unpacked: Path | None = None) -> ClassSubmissions:
    """Return the submissions of the class in a folder."""
    if roster is not None:
        (folder / "roster.csv").write_text(roster)
    return take_in(folder, WANTED, unpacked or folder, roster=folder / "roster.csv" if roster is not None else None)


def sources(found: ClassSubmissions) -> dict[str, str]:
    return {one.student: one.source for one in found.submissions}


@pytest.mark.parametrize(
    "name", ["team-a", "TEAM-A", "z1", "Z2", "ada", "z1-z2", "z2_z1", "ada bob", "z1, z2", "Bob+Ada"]
)
def test_what_a_team_hands_in_is_each_members(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, name)
    hand_in(tmp_path, "z3")
    (tmp_path / "teams.yaml").write_text(TEAM)
    found = taken(tmp_path, ROSTER)
    assert sources(found) == {"z1": name, "z2": name, "z3": "z3"}
    first, second, third = found.submissions
    assert first.files == second.files
    assert first.notes == second.notes == ("the submission of team-a, a team: z1, z2",)
    assert (first.roster, second.roster, third.roster) == ({"team": "team-a"}, {"team": "team-a"}, {})
    assert (first.identity.name, second.identity.name) == ("Ada Byron", "Bob Bo")
    assert third.notes == found.notes == ()


@pytest.mark.parametrize("name", ["z1-z3", "z1-z2-z3", "z1z2", "z11-z2", "team-ab", "a"])
def test_other_names_are_not_the_teams(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, name)
    (tmp_path / "teams.yaml").write_text(TEAM)
    found = taken(tmp_path, ROSTER)
    assert sources(found) == {name: name, "z1": "", "z2": "", "z3": ""}
    assert any("no submission of the team team-a (z1, z2)" in note for note in found.notes)
    assert any(note.startswith(f"{name} is not in roster.csv") for note in found.notes)


FORMS = {
    "a table": ("teams.csv", b"team,student\nteam-a,z1\nteam-a,z2\n"),
    "BOM, semicolons, CRLF, case": (
        "teams.csv",
        b"\xef\xbb\xbfstudent;team\r\n Z1 ;team-a\r\n\r\nz2;Team-A \r\n",
    ),
    "tabs and logins": ("teams.csv", b"team\tstudent\nteam-a\tada\nteam-a\tBob Bo\n"),
    "without a name": ("teams.yaml", b"format: 1\nteams:\n  - students: [ada, z2]\n"),
    "a list": ("teams.yaml", b"format: 1\nteams:\n  - team: team-a\n    students:\n      - z1\n      - z2\n"),
}


@pytest.mark.parametrize(("name", "content"), FORMS.values(), ids=FORMS)
def test_forms_of_the_file(name: str, content: bytes, tmp_path: Path) -> None:
    hand_in(tmp_path, "z2")
    (tmp_path / name).write_bytes(content)
    assert sources(taken(tmp_path, ROSTER)) == {"z1": "z2", "z2": "z2", "z3": ""}


@pytest.mark.parametrize("heading", ["team", "Team", "TEAM"])
def test_the_roster_may_say_it(heading: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "team-a")
    found = taken(tmp_path, f"id,{heading}\nz1,team-a\nz2,Team-A\nz3,\n")
    assert sources(found) == {"z1": "team-a", "z2": "team-a", "z3": ""}
    assert found.submissions[0].roster == {heading: "team-a"}
    assert found.notes[0] == "1 of 3 in roster.csv handed in nothing: z3"


def test_the_column_and_the_file_add_up(tmp_path: Path) -> None:
    hand_in(tmp_path, "team-a")
    (tmp_path / "teams.csv").write_text("team,student\nteam-a,z3\nteam-a,z1\n")
    found = taken(tmp_path, "id,team\nz1,team-a\nz2,team-a\nz3,\n")
    assert sources(found) == {"z1": "team-a", "z2": "team-a", "z3": "team-a"}


def test_without_a_roster_members_are_called_as_their_folders(tmp_path: Path) -> None:
    hand_in(tmp_path, "Z1")
    hand_in(tmp_path, "z4-z5")
    hand_in(tmp_path, "z6")
    (tmp_path / "teams.csv").write_text("team,student\na,z1\na,z2\nb,z4\nb,z5\nc,z7\nc,z8\n")
    found = taken(tmp_path)
    assert sources(found) == {"Z1": "Z1", "z2": "Z1", "z4": "z4-z5", "z5": "z4-z5", "z6": "z6"}
    assert found.notes == (f"{tmp_path}/teams.csv:6:2: no submission of the team c (z7, z8)",)


def test_of_what_members_handed_in_alone_the_latest_counts_for_each(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1", "2025-10-27 11:00", "print(1)\n")
    hand_in(tmp_path, "z2", "2025-10-27 10:00", "print(2)\n")
    (tmp_path / "teams.yaml").write_text(TEAM)
    found = taken(tmp_path, ROSTER)
    assert sources(found) == {"z1": "z1", "z2": "z1", "z3": ""}
    assert found.notes[0] == "z1 and z2 are all of the team team-a: they are taken for attempts of each member"
    assert found.submissions[1].notes[0] == "of 2 attempts, z1 counts"


def test_an_archive_of_a_team_is_unpacked_once(tmp_path: Path) -> None:
    class_folder, unpacked = tmp_path / "class", tmp_path / "unpacked"
    class_folder.mkdir()
    unpacked.mkdir()
    (class_folder / "team-a.zip").write_bytes(zip_archive({"game.py": b"print(1)\n"}))
    (class_folder / "teams.yaml").write_text(TEAM)
    found = taken(class_folder, ROSTER, unpacked)
    first, second, _ = found.submissions
    assert first.files == second.files != ()
    assert len(list(unpacked.iterdir())) == 1


def test_members_whom_the_roster_does_not_know_are_graded_and_named(tmp_path: Path) -> None:
    hand_in(tmp_path, "team-a")
    (tmp_path / "teams.csv").write_text("team,student\nteam-a,z1\nteam-a,z9\n")
    found = taken(tmp_path, ROSTER)
    assert sources(found) == {"z1": "team-a", "z2": "", "z3": "", "z9": "team-a"}
    assert f"{tmp_path}/teams.csv:3:2: z9 of team-a is not in roster.csv; expected one of: z1, z2, z3" in found.notes


FAULTS = [
    ("team,student\na,z1\nb,Z1 \n", "teams.csv:3:2: `Z1` is in the team `a` too"),
    ("team,student\na,z1\na,ada\n", "teams.csv:3:2: `ada` is given twice"),
    ("team,student\na,z1\n,z2\n", "teams.csv:3:1: "),
    ("team,student\na,z1\na,\n", "teams.csv:3:1: "),
    ("team,student\nz3,z1\nz3,z2\n", "teams.csv:2:2: the team `z3` is called like a student who is not in it"),
    ("team,student\nbob,z1\nb,z2\n", "teams.csv:2:2: the team `bob` is called like a student who is not in it"),
    ("team,student\n", "teams.csv:1:1: "),
]


@pytest.mark.parametrize(("text", "problem"), FAULTS)
def test_faulty_tables(text: str, problem: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "teams.csv").write_text(text)
    with pytest.raises(SpecError) as caught:
        taken(tmp_path, ROSTER)
    assert str(caught.value).startswith(f"{tmp_path}/{problem}")


FAULTY_FILES = [
    ("  - {team: '', students: [z1]}\n", "teams.yaml:3:12: "),
    ("  - {team: a, students: []}\n", "teams.yaml:3:25: "),
    ("  - {team: a, students: [z1, Z1]}\n", "teams.yaml:3:30: `Z1` is given twice"),
    ("  - {team: a, students: [z1]}\n  - {team: A, students: [z2]}\n", "teams.yaml:4:12: the team `A` is given twice"),
    ("  - {team: a, students: [z1, z2]}\n  - {students: [ada, z3]}\n", "teams.yaml:4:17: `ada` is in the team `a` too"),
]


@pytest.mark.parametrize(("entries", "problem"), FAULTY_FILES)
def test_faulty_files(entries: str, problem: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "teams.yaml").write_text(f"format: 1\nteams:\n{entries}")
    with pytest.raises(SpecError) as caught:
        taken(tmp_path, ROSTER)
    assert str(caught.value).startswith(f"{tmp_path}/{problem}")


@pytest.mark.parametrize("name", ["teams.yml", "Teams.csv", "team.csv", "teams (1).csv"])
def test_similar_names_are_refused(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / name).write_text("team,student\na,z1\n")
    with pytest.raises(SpecError, match=r"a file of this name is not read; expected teams\.yaml or teams\.csv"):
        taken(tmp_path)


def test_a_table_in_utf_16_is_refused(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1")
    (tmp_path / "teams.csv").write_bytes("team,student\na,z1\n".encode("utf-16"))
    with pytest.raises(SpecError, match=r"expected UTF-8 text \(save the file as UTF-8\)"):
        taken(tmp_path)


def test_the_time_is_that_of_the_submission(tmp_path: Path) -> None:
    hand_in(tmp_path, "z1-z2", "2025-10-27 10:30")
    (tmp_path / "teams.yaml").write_text(TEAM)
    times = {one.student: one.submitted for one in taken(tmp_path).submissions}
    assert times == dict.fromkeys(("z1", "z2"), datetime(2025, 10, 27, 10, 30, tzinfo=ZoneInfo("UTC")))


NUMBERS = "id,name,moodle,team\nz1,Ada Byron,701,Red Team\nz2,Bob Bo,702,Red Team\nz3,Cy Cox,703,\n"
NAMES = "id,name,team\nz1,Ada Byron,Red Team\nz2,Bob Bo,Red Team\nz3,Cy Cox,\n"
UNDECIDED = "names that students choose do not say whose this is, so a person must decide"


def hand_in_on_moodle(folder: Path, *accounts: str) -> None:
    for account in accounts:
        hand_in(folder, f"{account}_assignsubmission_file_", program=f"print({account!r})\n")


def accounts_of(found: ClassSubmissions) -> dict[str, str | None]:
    """Map each student to the number of the account whose work counts, or None if a person must decide."""
    return {
        row.student: row.source.removesuffix("_assignsubmission_file_") if row.readable else None
        for row in found.submissions
    }


@pytest.mark.parametrize("name", ["Red Team", "red team", "Ada Byron-Bob Bo", "Bob Bo"])
def test_a_student_who_takes_the_name_of_a_team_does_not_hand_in_for_it(name: str, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada Byron_701", f"{name}_703")
    assert accounts_of(taken(tmp_path, NUMBERS)) == dict.fromkeys(("z1", "z2"), "Ada Byron_701") | {"z3": f"{name}_703"}


@pytest.mark.parametrize("name", ["Red Team", "z1-z2", "Bob Bo"])
def test_an_account_that_is_not_in_the_roster_does_not_replace_a_members(name: str, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada Byron_701", f"{name}_709")
    found = taken(tmp_path, NUMBERS)
    accounts = accounts_of(found)
    assert (accounts["z1"], accounts["z2"]) == ("Ada Byron_701", "Ada Byron_701")
    assert f"{name}_709" in accounts.values()
    assert any("is not taken for the team Red Team, whose members' accounts" in note for note in found.notes)


@pytest.mark.parametrize("roster", [NAMES, None])
def test_names_alone_do_not_say_which_account_is_the_teams(roster: str | None, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada Byron_701", "Red Team_709")
    students = ("z1", "z2") if roster else ("Ada Byron", "Bob Bo")
    (tmp_path / "teams.csv").write_text("team,student\n" + "".join(f"Red Team,{name}\n" for name in students))
    found = taken(tmp_path, roster)
    accounts = accounts_of(found)
    assert [accounts[student] for student in students] == [None, None]
    assert {"Ada Byron_701", "Red Team_709"} <= set(accounts.values())
    assert any(note.endswith(f"is not taken for the team Red Team: {UNDECIDED}") for note in found.notes)


@pytest.mark.parametrize("roster", [NAMES, None])
def test_accounts_with_the_names_of_different_members_are_the_teams(roster: str | None, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Ada Byron_701", "Bob Bo_702")
    (tmp_path / "teams.csv").write_text("team,student\nRed Team,Ada Byron\nRed Team,Bob Bo\n")
    assert None not in accounts_of(taken(tmp_path, roster)).values()


@pytest.mark.parametrize("roster", [NAMES, NUMBERS])
def test_the_only_account_with_the_name_of_a_team_is_the_teams(roster: str, tmp_path: Path) -> None:
    hand_in_on_moodle(tmp_path, "Red Team_709")
    assert sources(taken(tmp_path, roster))["z2"] == "Red Team_709_assignsubmission_file_"
