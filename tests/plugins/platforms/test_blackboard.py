"""Blackboard's gradebook for work offline, and its download of an assignment."""

import codecs
import csv
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest

from grader.model.submission import StudentIdentity
from grader.platforms.platform import ExportError
from grader.plugins.platforms.blackboard.gradebook import blackboard_gradebook
from grader.plugins.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from tests.grading.hidden_example import CLASS, EXCUSED, LATE, OPEN, RIGHT, WRONG
from tests.intake.taking import take_in
from tests.plugins.platforms.test_downloads import WANTED, class_of, names, rows

ITEM = 'Doubling, "twice" [Total Pts: 4 Score] |12345'
HEADER = ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Quiz [Total Pts: 9 Score] |12344", ITEM]
FEEDBACK = ["Grading Notes", "Notes Format", "Feedback to Learner", "Feedback Format"]
STUDENTS = [
    ['O\'Brien, "Zo"', "Zoë", "zo", "1", "2025-10-01 10:11:12", "7", "", "", "", "", ""],
    ["小龍", "李", "李小龍", "2", "", "8", "Needs Grading", "", "", "Well done", "SMART_TEXT"],
    ["Link", "Hyper", "=HYPERLINK(1)", "3", "", "", "1.00", "", "", "Mark: 1 of 4. Points: 1 of 4.", "HTML"],
    ["Other", "An", "other", "4", "", "", "", "", "", "", ""],
    ["Dvořák", "Łucja", "lu", "z7", "", "", "2.00", "", "", "", ""],
]


def written(separator: str, *, feedback: bool = True) -> bytes:
    """The file as Blackboard writes it: every cell quoted; with tabs it is UTF-16."""
    text = StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL)
    table = [[*HEADER, *FEEDBACK], *STUDENTS]
    writer.writerows(line if feedback else line[: len(HEADER)] for line in table)
    if separator == "\t":
        return codecs.BOM_UTF16_LE + text.getvalue().encode("utf-16-le")
    return text.getvalue().encode("utf-8-sig")


def downloaded(separator: str = "\t", *, feedback: bool = True) -> GradebookFile:
    return read_gradebook_file(written(separator, feedback=feedback), "gradebook.xls")


def uploaded(content: bytes, separator: str) -> dict[str, str]:
    """The scores of the item by username, as Blackboard's help on working offline says how a file is read."""
    text = content.decode("utf-16" if separator == "\t" else "utf-8-sig")
    header, *lines = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    quoted = StringIO(newline="")
    csv.writer(quoted, delimiter=separator, quoting=csv.QUOTE_ALL).writerows([header, *lines])
    assert text == quoted.getvalue(), "every cell is quoted"
    (item,) = (place for place, name in enumerate(header) if name.endswith("|12345"))
    users = [line[header.index("Username")] for line in lines]
    assert len({*users}) == len(users)
    return dict(zip(users, (line[item] for line in lines), strict=True))


@pytest.mark.parametrize(("separator", "name"), [("\t", "blackboard.xls"), (",", "blackboard.csv")])
def test_the_gradebook_is_filled_in_and_nothing_else_changes(separator: str, name: str) -> None:
    exported = blackboard_gradebook(CLASS, downloaded(separator), None)
    content = exported.files[name]
    old, new = written(separator), content
    encoding = "utf-16" if separator == "\t" else "utf-8-sig"
    before, after = (
        list(csv.reader(StringIO(one.decode(encoding), newline=""), delimiter=separator)) for one in (old, new)
    )
    changed = {
        (line, place): now
        for line, (was_line, now_line) in enumerate(zip(before, after, strict=True))
        for place, (was, now) in enumerate(zip(was_line, now_line, strict=True))
        if was != now
    }
    assert changed == {
        (1, 6): "4",
        (1, 9): "Mark: 4 of 4. Points: 4 of 4. Tests passed: 2 of 2.",
        (2, 6): "3.6",
        (3, 6): "0",
        (3, 9): "Mark: 0 of 4. Points: 0 of 4. Tests passed: 0 of 2.",
    }
    assert content[:3] == old[:3]
    scores = {"zo": "4", "李小龍": "3.6", "=HYPERLINK(1)": "0", "other": "", "lu": "2.00"}
    assert uploaded(content, separator) == scores
    assert blackboard_gradebook(CLASS, read_gradebook_file(content, name), None).files[name] == content
    assert exported.students == {RIGHT.student, LATE.student, WRONG.student}
    assert exported.left_out == (
        "z1234567: is not in the sheet; add an id, email address or name from there to roster.csv",
        f"{OPEN.student}: is not in the sheet; add an id, email address or name from there to roster.csv",
        f"{EXCUSED.student}: excused",
    )
    assert exported.notes == ("no submission of these here, rows left as they were: other",)


def test_without_feedback_there_is_none() -> None:
    exported = blackboard_gradebook(CLASS, downloaded(feedback=False), None)
    assert "Mark:" not in exported.files["blackboard.xls"].decode("utf-16")


@pytest.mark.parametrize(
    ("header", "column", "message"),
    [
        ("Student,Grade", None, "no column `Username`; found: Student, Grade"),
        ("Username,Quiz [Total Pts: 9 Score] |7", None, r"0 .*`Doubling.*\|NUMBER`.*: Quiz \[Total Pts: 9 Score\] \|7"),
        ("Username,Quiz [Total Pts: 9] |7", "Quiz", "points possible on Blackboard are 9, .* are 4"),
        ("Username,Quiz", "Quiz", "points possible on Blackboard are missing"),
    ],
)
def test_another_sheet_is_refused(header: str, column: str | None, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        blackboard_gradebook(CLASS, read_gradebook_file(f"{header}\n".encode(), "x.csv"), column)


RECEIPT = """\
Name: Ada (de) Lovelace ({username})\r
Assignment: Lab_1\r
Date Submitted: Monday, October 27, 2025 9:26:00 AM AEDT\r
Current Mark: Needs Marking\r
"""


def test_files_of_a_download(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        "Lab_1_ada_l_attempt_2025-10-27-09-26-00_game.py",
        "Lab_1_ada_l_attempt_2025-10-27-09-26-00_notes_attempt_2001-01-01-00-00-00.txt",
        "Lab_1_ada_l_attempt_2025-10-26-09-26-00_game.py",
        "Lab_1_bob_attempt_2025-10-27-12-00-00_game.py",
        "Lab_1_carl_attempt_2025-13-27-12-00-00_game.py",
        "read me.txt",
    )
    for name, username in (
        ("ada_l_attempt_2025-10-27-09-26-00", "ada_l"),
        ("bob_attempt_2025-10-27-12-00-00", "ada_l"),
    ):
        (tmp_path / f"Lab_1_{name}.txt").write_text(RECEIPT.format(username=username), newline="")
    (tmp_path / "Lab_1_ada_l_attempt_2025-10-26-09-26-00.txt").write_text(RECEIPT.format(username="ada_l"))
    (tmp_path / "Lab_1_dora_attempt_2025-10-27-09-26-00.txt").write_bytes(b"\xff")
    intake = take_in(tmp_path, WANTED)
    found = rows(intake)
    assert list(found) == ["ada_l", "bob", "carl", "dora"]
    ada = found["ada_l"]
    assert ada.identity == StudentIdentity(name="Ada (de) Lovelace", login="ada_l")
    assert (ada.submitted, ada.time_source) == (datetime(2025, 10, 27, 9, 26, tzinfo=WANTED.zone), "Blackboard")
    assert names(ada) == ["Lab_1_ada_l_attempt_2025-10-27-09-26-00_game.py"]
    assert ada.unused == ("notes_attempt_2001-01-01-00-00-00.txt",)
    assert ada.notes[0].startswith("of 2 attempts, ")
    assert found["bob"].identity == StudentIdentity(login="bob")
    assert found["carl"].time_source == "file time"
    assert found["dora"].notes == ("game.py is missing",)
    assert intake.notes == (
        "Taken for a Blackboard download: 9 of 10 entries are named so",
        "read me.txt: passed over, it is not named as Blackboard does",
    )


def test_usernames_are_what_the_names_do_not_have_in_common(tmp_path: Path) -> None:
    class_of(tmp_path, *(f"Lab 1_{name}_attempt_2025-10-27-09-26-00_game.py" for name in ("a_smith", "ada", "zed9")))
    intake = take_in(tmp_path, WANTED)
    assert list(rows(intake)) == ["a_smith", "ada", "zed9"]
    assert not any("usernames" in note for note in intake.notes)


def test_usernames_that_could_be_longer_are_noted(tmp_path: Path) -> None:
    class_of(tmp_path, *(f"Lab 1_s_{name}_attempt_2025-10-27-09-26-00_game.py" for name in ("ada", "bob")))
    notes = take_in(tmp_path, WANTED).notes
    assert any(note.startswith("usernames ada, bob: read off the names of files") for note in notes), notes


def test_a_receipt_tells_the_item(tmp_path: Path) -> None:
    class_of(tmp_path, *(f"Lab 1_s_{name}_attempt_2025-10-27-09-26-00_game.py" for name in ("ada", "bob")))
    (tmp_path / "Lab 1_s_ada_attempt_2025-10-27-09-26-00.txt").write_text(RECEIPT.format(username="s_ada"))
    intake = take_in(tmp_path, WANTED)
    assert list(rows(intake)) == ["s_ada", "s_bob"]
    assert not any("usernames" in note for note in intake.notes)


def test_an_attempt_without_files_is_called_by_its_number(tmp_path: Path) -> None:
    class_of(tmp_path, *(f"Lab_1_bob_attempt_2025-10-{day}-12-00-00_game.py" for day in (21, 22)))
    for day in (25, 26):
        (tmp_path / f"Lab_1_ada_attempt_2025-10-{day}-09-26-00.txt").write_text(RECEIPT.format(username="ada"))
    assert rows(take_in(tmp_path, WANTED))["ada"].notes[0] == "of 2 attempts, attempt 2 counts"
