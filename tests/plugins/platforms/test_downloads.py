"""What is special in the downloads of each platform, and how they are told apart."""

import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.intake.choose_attempt import ClassSubmissions
from grader.intake.class_folder import IntakeError
from grader.intake.match_files import SubmissionRequirements
from grader.intake.read_class import PLAIN
from grader.model.assignment import FileNamePolicy, SubmissionPolicy
from grader.model.submission import StudentIdentity, Submission, TimeSource
from tests.intake.taking import DUE, take_in

WANTED = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=ZoneInfo("Australia/Sydney"))


def class_of(folder: Path, *names: str, time: datetime = DUE - timedelta(hours=1)) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n")
        os.utime(folder / name, (0, int(time.timestamp())))
    return folder


def rows(intake: ClassSubmissions) -> dict[str, Submission]:
    return {one.student: one for one in intake.submissions}


def names(submission: Submission) -> list[str]:
    return [file.path.name for file in submission.files]


def test_the_last_number_in_the_name_of_a_folder_counts(tmp_path: Path) -> None:
    folders = ("Ada_302_assignsubmission_file_x Bob_301_assignsubmission_file", "Ada_302_assignsubmission_file")
    class_of(tmp_path, *(f"{folder}/game.py" for folder in folders))
    found = rows(take_in(tmp_path, WANTED))
    assert {submission.identity.moodle: len(submission.files) for submission in found.values()} == {"301": 1, "302": 1}


def test_moodle_in_folders_flat_and_with_text_typed_online(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        "Ada Lovelace_11_assignsubmission_file_/game.py",
        "Bob_12_assignsubmission_file/work/game.py",
        "Carl_B_13_assignsubmission_file_game.py",
        "Dora_14_assignsubmission_onlinetext_onlinetext.html",
        "Ada Lovelace_15_assignsubmission_file_/game.py",
        "Ada Lovelace_11_assignsubmission_onlinetext_/onlinetext.html",
        "readme.txt",
    )
    intake = take_in(tmp_path, WANTED)
    found = rows(intake)
    assert {name: len(one.files) for name, one in found.items()} == {
        "Ada Lovelace (11)": 1,
        "Ada Lovelace (15)": 1,
        "Bob": 1,
        "Carl_B": 1,
        "Dora": 0,
    }
    assert found["Carl_B"].identity == StudentIdentity(name="Carl_B", moodle="13")
    skipped = "is passed over: it is no file that was handed in"
    assert found["Dora"].notes == (
        f"Dora_14_assignsubmission_onlinetext_onlinetext.html {skipped}",
        "game.py is missing",
    )
    assert found["Ada Lovelace (11)"].notes == (f"Ada Lovelace_11_assignsubmission_onlinetext_ {skipped}",)
    assert intake.notes == (
        "Taken for a Moodle download: 6 of 7 entries are named so",
        "readme.txt: passed over, it is not named as Moodle does",
    )


def test_a_submission_yaml_of_the_students_own_says_nothing(tmp_path: Path) -> None:
    class_of(tmp_path, "Ada_11_assignsubmission_file_/game.py", "Bob_12_assignsubmission_file_/game.py")
    (tmp_path / "Ada_11_assignsubmission_file_" / "submission.yaml").write_text("submitted: 2001-01-01 00:00\n")
    assert rows(take_in(tmp_path, WANTED))["Ada"].submitted == DUE - timedelta(hours=1)


def test_canvas_maps_new_uploads_back_and_believes_what_canvas_says_of_lateness(tmp_path: Path) -> None:
    downloaded = DUE + timedelta(days=3)
    class_of(
        tmp_path,
        "lovelaceada_31_900_game.py",
        "bob_LATE_32_901_game-1.py",
        "carl_33_902_game.py",
        "carl_33_905_game-2.py",
        "carl_33_904_game-1.py",
        "dora_34_text.html",
        time=downloaded,
    )
    intake = take_in(tmp_path, WANTED)
    found = rows(intake)
    assert {name: names(one) for name, one in found.items()} == {
        "bob": ["bob_LATE_32_901_game-1.py"],
        "carl": ["carl_33_905_game-2.py"],
        "dora": [],
        "lovelaceada": ["lovelaceada_31_900_game.py"],
    }
    assert (found["lovelaceada"].submitted, found["lovelaceada"].time_source) == (DUE, "Canvas")
    assert (found["bob"].submitted, found["bob"].time_source) == (downloaded, TimeSource.FILE_TIME)
    assert found["bob"].notes == (
        "Canvas says LATE and not how much: the file time counts, which may be that of the download",
    )
    assert found["bob"].identity == StudentIdentity(name="bob", canvas="32")
    assert found["carl"].notes == (
        "carl_33_902_game.py is passed over: carl_33_904_game-1.py is newer",
        "carl_33_904_game-1.py is passed over: carl_33_905_game-2.py is newer",
    )
    assert intake.notes == ("Taken for a Canvas download: 6 of 6 entries are named so",)


def test_canvas_numbers_modules_headers_and_data_that_are_handed_in_again(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        "ada_31_900_game-1.py",
        "ada_31_901_helper-1.py",
        "bob_32_902_game.py",
        "bob_32_903_helper-2.py",
        "bob_32_904_helper.py",
        "bob_32_905_twice-1.h",
        "carl_33_906_game.py",
        "carl_33_907_words-2.txt",
        "dora_34_908_game.py",
        "dora_34_909_words-1.txt",
        "dora_34_910_words-2.txt",
        "eve_35_911_game.py",
        "eve_35_912_words-1.txt",
        "eve_35_913_words.txt",
        "fay_36_914_game.py",
        "fay_36_915_notes-1.md",
    )
    found = rows(take_in(tmp_path, replace(WANTED, further=("*.py", "*.txt", "twice.h"))))
    assert {name: sorted(file.name for file in one.files) for name, one in found.items()} == {
        "ada": ["game.py", "helper.py"],
        "bob": ["game.py", "helper.py", "twice.h"],
        "carl": ["game.py", "words-2.txt", "words.txt"],
        "dora": ["game.py", "words-1.txt", "words-2.txt"],
        "eve": ["game.py", "words-1.txt", "words.txt"],
        "fay": ["game.py"],
    }
    assert found["bob"].notes == ("bob_32_904_helper.py is passed over: bob_32_903_helper-2.py is newer",)
    assert found["carl"].notes == (
        "carl_33_907_words-2.txt is there as words-2.txt and as words.txt: Canvas adds such numbers",
    )
    assert found["fay"].unused == ("notes-1.md",)


def test_canvas_numbers_programs_in_another_case_too(tmp_path: Path) -> None:
    class_of(tmp_path, "ada_31_900_Game-1.py", "bob_32_901_Game-1.py")
    policy = SubmissionPolicy(names=FileNamePolicy.IGNORE_CASE)
    found = rows(take_in(tmp_path, replace(WANTED, policy=policy)))
    assert [names(one) for one in found.values()] == [["ada_31_900_Game-1.py"], ["bob_32_901_Game-1.py"]]


def test_a_late_mark_against_the_file_time_is_noted(tmp_path: Path) -> None:
    class_of(tmp_path, "ada_LATE_31_900_game.py")
    assert rows(take_in(tmp_path, WANTED))["ada"].notes == (
        "Canvas says LATE, but the file time is before the due date",
    )


def test_when_two_kinds_fit_it_is_said_and_can_be_decided(tmp_path: Path) -> None:
    class_of(tmp_path, "ada_31_900_game.py", "bob_32_901_game.py")
    taken_for = "Taken for a Canvas download: 2 of 2 entries are named so"
    intake = take_in(tmp_path, WANTED)
    assert (list(rows(intake)), intake.notes) == (
        ["ada", "bob"],
        (f"{taken_for}; plain would fit too (--download-format says which)",),
    )
    plain = take_in(tmp_path, WANTED, chosen=PLAIN)
    assert (list(rows(plain)), plain.notes) == (["ada_31_900", "bob_32_901"], ())


METADATA = """\
---
submission_1: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
  :submitters:
  - :name: "Ada /Lovelace"
    :sid: '0042'
    :email: ada@school.example
  - :name: Bob
    :sid:
    :email: bob@school.example
  :created_at: 2025-10-27 00:58:59.987654321 Z
  :score: 3.0
submission_2:
  :submitters:
  - :name: Carl
    :email: carl@school.example
  :created_at: 2025-10-27T11:58:00+11:00
"""


def test_gradescope(tmp_path: Path) -> None:
    export = class_of(tmp_path / "assignment_1_export", "submission_1/game.py", "submission_3/game.py")
    (export / "submission_metadata.yml").write_text(METADATA)
    found = rows(take_in(tmp_path, WANTED))
    assert list(found) == ["Ada _Lovelace", "Bob", "Carl", "submission_3"]
    ada = found["Ada _Lovelace"]
    assert ada.identity == StudentIdentity(name="Ada /Lovelace", id="0042", email="ada@school.example")
    assert (ada.submitted, ada.time_source) == (DUE - timedelta(seconds=1), "Gradescope")
    assert ada.files == found["Bob"].files
    assert ada.notes == ("handed in together with Bob",)
    assert found["Carl"].submitted == DUE - timedelta(minutes=1)
    assert found["Carl"].notes == ("there is no folder submission_2", "game.py is missing")
    assert found["submission_3"].notes == ("submission_metadata.yml says nothing of submission_3",)


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)])
def test_a_name_with_the_mark_of_another_student_is_a_row_of_its_own(tmp_path: Path, order: tuple[int, ...]) -> None:
    export = class_of(tmp_path / "export", *(f"submission_{number}/game.py" for number in order))
    who = {1: ("Ada", 12), 2: ("Ada", 13), 3: ("Ada (12)", 14)}
    (export / "submission_metadata.yml").write_text(
        "".join(
            f"submission_{number}:\n  :submitters:\n  - :name: {who[number][0]}\n    :sid: '{who[number][1]}'\n"
            f"  :created_at: 2025-10-2{number} 00:00:00 Z\n"
            for number in order
        )
    )
    found = take_in(tmp_path, WANTED).submissions
    assert {row.identity.id: row.source for row in found} == {
        "12": "submission_1",
        "13": "submission_2",
        "14": "submission_3",
    }


@pytest.mark.parametrize("content", ["a: [", "\x00", "!!python/object/apply:os.system ['true']"])
def test_faulty_metadata_are_an_error_for_people_or_nothing(content: str, tmp_path: Path) -> None:
    export = class_of(tmp_path, "submission_1/game.py", "submission_2/game.py")
    (export / "submission_metadata.yml").write_text(content)
    try:
        intake = take_in(tmp_path, WANTED)
    except IntakeError as error:
        assert "submission_metadata.yml cannot be read" in str(error)  # noqa: PT017
    else:
        assert list(rows(intake)) == ["submission_1", "submission_2"]


def test_attempts_of_a_student(tmp_path: Path) -> None:
    class_of(tmp_path, "ada/attempt-1/game.py", "ada/attempt-2/game.py", "ada/attempt_10/game.py", "bob/game.py")
    found = rows(take_in(tmp_path, WANTED))
    assert (found["ada"].attempt, found["ada"].source) == (10, "ada/attempt_10")
    assert found["ada"].notes == ("of 3 attempts, ada/attempt_10 counts",)


def test_an_archive_and_a_folder_of_one_student_are_not_both_taken(tmp_path: Path) -> None:
    class_of(tmp_path, "ada/game.py", "ada.zip")
    intake = take_in(tmp_path, WANTED)
    assert (list(rows(intake)), intake.notes) == (["ada"], ("ada.zip: passed over, ada has a folder too",))


OF_ANN_LIKE_BOBS = {
    "Moodle": ("Bob Ray_102_assignsubmission_file_game.py", "Ann Lee_101_assignsubmission_file_", "101", "102"),
    "Canvas": ("raybob_102_901_game.py", "leeann_101_900_", "101", "102"),
    "Blackboard": ("Lab_bob_attempt_2025-10-27-09-26-00_game.py", "Lab_ann_attempt_2025-10-27-09-26-00_", "ann", "bob"),
    "Brightspace": (
        "102-2 - Bob Ray - Oct 27, 2025 926 AM - game.py",
        "101-2 - Ann - Oct 27, 2025 926 AM - ",
        "101",
        "102",
    ),
}


@pytest.mark.parametrize("platform", OF_ANN_LIKE_BOBS)
@pytest.mark.parametrize("ending", ["game.py", "x.txt"])
def test_a_file_named_like_that_of_another_student_stays_its_students(
    ending: str, platform: str, tmp_path: Path
) -> None:
    bobs, prefix, ann, bob = OF_ANN_LIKE_BOBS[platform]
    decoy = prefix + bobs.removesuffix("game.py") + ending
    class_of(tmp_path, bobs, prefix + "game.py", decoy)
    intake = take_in(tmp_path, WANTED)
    assert [names(one) for one in sorted(intake.submissions, key=lambda one: one.student)] == [
        [prefix + "game.py"],
        [bobs],
    ]
    assert intake.notes[-1] == f"{decoy} is taken for {ann}'s: its student called it like a file of {bob}"


def test_a_name_with_the_words_of_moodle_gives_no_file_to_another_student(tmp_path: Path) -> None:
    moodle = "assignsubmission_file"
    ada, bob = f"Ada_301_{moodle}_game.py", f"Bob_303_{moodle}_game.py"
    eve = f"Eve_301_{moodle}_302_{moodle}_game.py"
    class_of(tmp_path, ada, bob, eve)
    intake = take_in(tmp_path, WANTED)
    assert {names(one)[0]: one.identity.moodle for one in rows(intake).values()} == {ada: "301", bob: "303", eve: "302"}


def test_a_file_named_like_that_of_nobody_is_worth_no_note(tmp_path: Path) -> None:
    class_of(tmp_path, "leeann_101_900_lab_1_2_game.py", "leeann_101_901_game.py", "raybob_102_901_game.py")
    assert not any("called it like" in note for note in take_in(tmp_path, WANTED).notes)


def test_blackboard_usernames_with_underscores_are_not_taken_for_shorter_ones(tmp_path: Path) -> None:
    moment = "attempt_2025-10-27-09-26-00"
    class_of(tmp_path, *(f"Lab_1_{login}_{moment}_game.py" for login in ("ann", "mary_ann", "bob")))
    intake = take_in(tmp_path, WANTED)
    assert {name: names(one) for name, one in rows(intake).items()} == {
        login: [f"Lab_1_{login}_{moment}_game.py"] for login in ("ann", "bob", "mary_ann")
    }
    assert intake.notes[1:] == (
        "usernames ann, bob, mary_ann: read off the names of files, in which they cannot be told from the item "
        "for sure",
    )


@pytest.mark.parametrize(
    ("folder", "loose"),
    [
        ("Ada Love_11_assignsubmission_file", "Ada Love_11_assignsubmission_file_notes.txt"),
    ],
)
def test_a_folder_beside_loose_files_of_one_student_is_taken(folder: str, loose: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "game.py").write_text("print()\n")
    (tmp_path / loose).write_text("notes\n")
    taken = [file.name for submission in take_in(tmp_path, WANTED).submissions for file in submission.files]
    assert taken == ["game.py"]


SAME_NAME = {
    "Moodle": ("Ann Lee_301_assignsubmission_file_/game.py", "Ann Lee_999_assignsubmission_file_/game.py"),
    "Canvas": ("leeann_11_901_game.py", "leeann_12_902_game.py"),
    "Brightspace": (
        "1-5 - Ann Lee - Mar 19, 2026 1200 PM/game.py",
        "2-5 - Ann Lee - Mar 19, 2026 1201 PM/game.py",
    ),
    "Brightspace with the id of another student": (
        "1-5 - Ann Lee - Mar 19, 2026 1200 PM/game.py",
        "2-5 - 101 Bob Ray - Mar 19, 2026 1201 PM/game.py",
    ),
}


@pytest.mark.parametrize("files", SAME_NAME.values(), ids=SAME_NAME)
def test_accounts_that_fit_a_student_by_name_alone_are_kept_apart(files: tuple[str, str], tmp_path: Path) -> None:
    folder = class_of(tmp_path / "class", *files)
    (tmp_path / "roster.csv").write_text("id,name,email\n101,Ann Lee,ann@x.org\n102,Bob Ray,bob@x.org\n")
    intake = take_in(folder, WANTED, roster=tmp_path / "roster.csv")
    found = rows(intake)
    ann, bob, *both = found["101"], found["102"], *(one for name, one in found.items() if name not in ("101", "102"))
    said = "names that students choose do not say whose this is, so a person must decide"
    assert (ann.readable, ann.notes, bob.notes[0]) == (False, (said,), "nothing was handed in")
    assert [(one.attempt, len(one.files), one.identity.id) for one in both] == [(1, 1, None)] * 2
    assert {f"{one.student} is not taken for 101: {said}" for one in both} <= {*intake.notes}


def test_the_account_in_the_roster_is_the_student_and_another_of_the_same_name_is_not(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "class", *SAME_NAME["Moodle"])
    (tmp_path / "roster.csv").write_text("id,name,moodle\n101,Ann Lee,301\n")
    intake = take_in(folder, WANTED, roster=tmp_path / "roster.csv")
    assert {name: one.identity.moodle for name, one in rows(intake).items()} == {"101": "301", "Ann Lee (999)": "999"}
    assert "Ann Lee (999) is not taken for 101, whose account is in roster.csv" in intake.notes


def test_attempts_of_one_account_under_two_names_are_one_students(tmp_path: Path) -> None:
    class_of(
        tmp_path / "class",
        "1-5 - Ann Lee - Oct 26, 2025 1200 PM/game.py",
        "1-5 - Lee Ann - Oct 27, 2025 1200 PM/game.py",
    )
    (tmp_path / "roster.csv").write_text("id,name\n101,Ann Lee\n")
    (ann,) = rows(take_in(tmp_path / "class", WANTED, roster=tmp_path / "roster.csv")).values()
    assert (ann.student, ann.attempt, ann.readable) == ("101", 2, True)


def gradescope_export(folder: Path, *people: tuple[str, str]) -> Path:
    """Return an export in which each of these people, with name and address, states the id 1."""
    export = class_of(folder / "export", *(f"submission_{number}/game.py" for number, _ in enumerate(people, 1)))
    (export / "submission_metadata.yml").write_text(
        "".join(
            f"submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: '1'\n    :email: {address}\n"
            f"  :created_at: 2025-10-2{number} 00:00:00 Z\n"
            for number, (name, address) in enumerate(people, 1)
        )
    )
    return export


def test_two_addresses_with_one_id_are_two_students(tmp_path: Path) -> None:
    export = gradescope_export(tmp_path, ("Ada L", "ada@x.example"), ("Ada L", "eve@x.example"))
    found = rows(take_in(export, WANTED))
    assert {name: row.source for name, row in found.items()} == {
        "Ada L (1) (ada@x.example)": "submission_1",
        "Ada L (1) (eve@x.example)": "submission_2",
    }


@pytest.mark.parametrize("name", ["Eve E", "Ada L"])
def test_an_address_in_the_roster_counts_before_an_id_that_students_write(name: str, tmp_path: Path) -> None:
    export = gradescope_export(tmp_path, ("Ada L", "ada@x.example"), (name, "eve@x.example"))
    (tmp_path / "roster.csv").write_text("id,name,email\n1,Ada L,ada@x.example\n2,Eve E,eve@x.example\n")
    intake = take_in(export, WANTED, roster=tmp_path / "roster.csv")
    assert {student: row.source for student, row in rows(intake).items()} == {"1": "submission_1", "2": "submission_2"}
    assert any(note.endswith("is taken for 2 of roster.csv, though `1` is the id of 1") for note in intake.notes)


def test_an_address_that_is_not_in_the_roster_replaces_no_submission(tmp_path: Path) -> None:
    export = gradescope_export(tmp_path, ("Ada L", "ada@x.example"), ("Eve E", "eve@y.example"))
    (tmp_path / "roster.csv").write_text("id,name,email\n1,Ada L,ada@x.example\n")
    intake = take_in(export, WANTED, roster=tmp_path / "roster.csv")
    found = rows(intake)
    assert {name: (row.source, row.identity.id) for name, row in found.items()} == {
        "1": ("submission_1", "1"),
        "Eve E": ("submission_2", None),
    }
    assert "Eve E is not taken for 1, whose account is in roster.csv" in intake.notes


def test_two_addresses_that_are_not_in_the_roster_are_for_a_person_to_decide(tmp_path: Path) -> None:
    export = gradescope_export(tmp_path, ("Ada L", "ada@y.example"), ("Eve E", "eve@y.example"))
    (tmp_path / "roster.csv").write_text("id,name\n1,Ada L\n")
    found = rows(take_in(export, WANTED, roster=tmp_path / "roster.csv"))
    assert (found["1"].readable, len(found)) == (False, 3)


def test_a_student_whose_name_another_has_too_is_not_said_to_have_handed_in_nothing(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "class", "5013-255 - Anna Schmidt - Mar 19, 2026 1200 PM/game.py")
    (tmp_path / "roster.csv").write_text("id,name\n013,Anna Schmidt\n014,Anna Schmidt\n015,Ben Huber\n")
    intake = take_in(folder, WANTED, roster=tmp_path / "roster.csv")
    found = rows(intake)
    said = "names that students choose do not say whose this is, so a person must decide"
    assert [(found[name].readable, found[name].notes) for name in ("013", "014")] == [(False, (said,))] * 2
    assert found["015"].notes[0] == "nothing was handed in"


@pytest.mark.parametrize("names", [("Ann Lee", "Ann Lee"), ("Ann Lee", "Lee Ann")])
def test_blackboard_accounts_are_not_one_student_because_of_a_name(names: tuple[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for login, name in zip(("101", "999"), names, strict=True):
        stem = f"HW1_{login}_attempt_2025-10-2{login[0]}-10-00-00"
        (folder / f"{stem}.txt").write_text(f"Name: {name} ({login})\nAssignment: HW1\n")
        (folder / f"{stem}_game.py").write_text("print(1)\n")
    (tmp_path / "roster.csv").write_text("id,name\n101,Ann Lee\n")
    intake = take_in(folder, WANTED, roster=tmp_path / "roster.csv")
    found = rows(intake)
    assert (found["101"].identity.login, found["101"].attempt, len(found)) == ("101", 1, 2)
