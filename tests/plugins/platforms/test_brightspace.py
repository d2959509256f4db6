"""The grades that Brightspace imports, and its download of an assignment."""

import csv
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest

from grader.model.results import ClassResult
from grader.model.submission import StudentIdentity, TimeSource
from grader.platforms.platform import ExportedFiles, ExportError
from grader.plugins.platforms.brightspace.grades import brightspace_grades, new_brightspace_grades
from grader.plugins.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from tests.archives import zip_archive
from tests.grading.hidden_example import CLASS, EXCUSED, LATE, OPEN, RIGHT
from tests.intake.taking import DUE, take_in
from tests.plugins.platforms.test_downloads import WANTED, class_of, names, rows

KIND = "<Numeric MaxPoints:4 Weight:10 Category:Labs CategoryWeight:20>"
ITEM = f'"Doubling, ""twice"" Points Grade {KIND}"'
END = "End-of-Line Indicator"
LINES = [
    f"OrgDefinedId,Username,Last Name,First Name,Email,Quiz Points Grade <Numeric MaxPoints:9>,{ITEM},{END}",
    '#1,#zoe,"O\'Brien, ""Zo""",Zoë,zoe@example.org,7,,#',
    "#2,#lee,小龍,李,lee@example.org,8,1,#",
    "#3,#z1234567,Known,Un,no@example.org,,3.5,#",
    "#4,#z7,Student,Test,test@example.org,,,#",
]


def exported_grades(*lines: str) -> GradebookFile:
    return read_gradebook_file("\r\n".join([*lines, ""]).encode("utf-8-sig"), "grades.csv")


def imported(exported: ExportedFiles) -> tuple[str, dict[str, Decimal]]:
    """The grade item, and the points by id, as D2L's "Importing grades" says how a file is read."""
    header, *lines = csv.reader(StringIO(exported.files["brightspace.csv"].decode(), newline=""), strict=True)
    (item,) = (name.partition(" Points Grade")[0] for name in header if " Points Grade" in name)
    assert {"OrgDefinedId", "Username"} & {*header}
    assert header[-1] == END
    found: dict[str, Decimal] = {}
    for line in lines:
        *keys, points, end = line
        key = next(key for key in keys if key).removeprefix("#")
        assert (len(line), end, key in found) == (len(header), "#", False)
        found[key] = Decimal(points)
    return item, found


def test_the_marks_of_those_in_the_exported_grades_and_nothing_else() -> None:
    exported = brightspace_grades(CLASS, exported_grades(*LINES), None)
    assert exported.files["brightspace.csv"].decode().splitlines() == [
        f"OrgDefinedId,Username,{ITEM},{END}",
        "#1,#zoe,4,#",
        "#3,#z1234567,0,#",
    ]
    assert imported(exported) == ('Doubling, "twice"', {"1": Decimal(4), "3": Decimal(0)})
    assert exported.students == {RIGHT.student, "z1234567"}
    assert (
        exported.left_out[0]
        == f"{LATE.student}: is not in the sheet; add an id, email address or name from there to roster.csv"
    )
    assert exported.left_out[-1] == f"{EXCUSED.student}: excused"
    assert exported.notes == ("no submission of these here, rows left as they were: 2",)


def identified(identity: StudentIdentity, row: int) -> ClassResult:
    """The class with what is known of one student."""
    rows = list(CLASS.rows)
    submission = replace(rows[row].graded.submission, identity=identity)
    rows[row] = replace(rows[row], graded=replace(rows[row].graded, submission=submission))
    return replace(CLASS, rows=tuple(rows))


def test_a_new_file_has_ids_and_usernames() -> None:
    exported = new_brightspace_grades(identified(StudentIdentity(id="=42", login="zoe"), 0), "Lab 1")
    assert imported(exported) == (
        "Lab 1",
        {"=42": 4, LATE.student: Decimal("3.6"), "'=HYPERLINK(1)": 0, "z1234567": 0},
    )
    assert exported.left_out == (
        f"{OPEN.student}: a test has to be run again (internal error)",
        f"{EXCUSED.student}: excused",
    )
    filled = brightspace_grades(CLASS, read_gradebook_file(exported.files["brightspace.csv"], "x"), "Lab 1")
    assert imported(filled) == ("Lab 1", {LATE.student: Decimal("3.6"), "z1234567": 0})


def test_a_student_without_id_and_username_is_listed() -> None:
    exported = new_brightspace_grades(identified(StudentIdentity(name="Zoë", email="zoe@example.org"), 0), None)
    assert exported.left_out[0] == (f"{RIGHT.student}: no OrgDefinedId or Username is known; use a roster or --sheet")
    assert RIGHT.student not in exported.students


@pytest.mark.parametrize(
    ("lines", "column", "message"),
    [
        (["Student,Grade"], None, "no column `OrgDefinedId` or `Username`; found: Student, Grade"),
        (["Username,Quiz Points Grade"], None, r"0 .* called `Doubling, \"twice\" Points Grade`.*: Quiz Points Grade"),
        (["Username,Lab Points Grade,Lab Points Grade"], "Lab", "2 columns of the gradebook are called `Lab`"),
        (
            ["Username,Lab Points Grade <Numeric MaxPoints:10>"],
            "Lab",
            "points possible on Brightspace are 10, .* are 4",
        ),
    ],
)
def test_another_sheet_is_refused(lines: list[str], column: str | None, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        brightspace_grades(CLASS, exported_grades(*lines), column)


def test_what_is_beyond_the_full_mark_is_said() -> None:
    lower = replace(CLASS.assignment, parts=CLASS.assignment.parts[:1])
    exported = new_brightspace_grades(replace(CLASS, assignment=lower), None)
    assert exported.notes[0].startswith("Brightspace takes more than 3.75 only where the item says Can Exceed: Zoë")


def test_folders_of_a_download(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        "397063-2557369 - Mary-Ann Smith - Oct 27, 2025 926 AM/game.py",
        "397063-2557369 - Mary-Ann Smith - Oct 26, 2025 1126 PM/game.py",
        "397064-2557369 - 23304308 Turing - 05 October 2025 612 PM/work/game.py",
        "397065-2557369 - J - D - Oct 27, 2025 1230 PM/game.py",
        "397066-2557369 - J - D - Oct 27, 2025 1230/game.py",
        "397067-2557369 - Élodie - 27 février 2025 14:30/game.py",
        "index.html",
        "notes.txt",
    )
    intake = take_in(tmp_path, WANTED)
    found = rows(intake)
    assert list(found) == ["23304308 Turing", "J - D (397065)", "J - D (397066)", "Mary-Ann Smith", "Élodie"]
    mary = found["Mary-Ann Smith"]
    assert (mary.submitted, mary.time_source) == (datetime(2025, 10, 27, 9, 26, tzinfo=WANTED.zone), "Brightspace")
    assert mary.notes == (f"of 2 attempts, {mary.source} counts",)
    assert mary.identity == StudentIdentity(name="Mary-Ann Smith")
    assert found["23304308 Turing"].identity == StudentIdentity(name="Turing", id="23304308")
    assert found["23304308 Turing"].submitted == datetime(2025, 10, 5, 18, 12, tzinfo=WANTED.zone)
    assert found["J - D (397065)"].submitted == found["J - D (397066)"].submitted
    elodie = found["Élodie"]
    assert (elodie.submitted, elodie.time_source) == (DUE - timedelta(hours=1), TimeSource.FILE_TIME)
    assert elodie.notes == ("`27 février 2025 14:30` is no time in English: the file times count",)
    assert intake.notes == (
        "Taken for a Brightspace download: 6 of 8 entries are named so",
        "notes.txt: passed over, it is not named as Brightspace does",
    )


def test_the_last_time_in_the_name_of_a_folder_counts(tmp_path: Path) -> None:
    class_of(tmp_path, "1-2 - Mary - Mar 1, 2026 0100 AM - x - Oct 27, 2025 926 AM/game.py")
    (mary,) = rows(take_in(tmp_path, WANTED)).values()
    assert mary.submitted == datetime(2025, 10, 27, 9, 26, tzinfo=WANTED.zone)
    assert mary.identity == StudentIdentity(name="Mary - Mar 1, 2026 0100 AM - x")


@pytest.mark.parametrize("first", ["Mar 1, 2025 0100 AM", "Oct 27, 2025 926 AM"])
def test_of_two_times_in_the_name_of_a_file_the_later_one_counts(first: str, tmp_path: Path) -> None:
    other = {"Mar 1, 2025 0100 AM": "Oct 27, 2025 926 AM", "Oct 27, 2025 926 AM": "Mar 1, 2025 0100 AM"}[first]
    (tmp_path / "class").mkdir()
    zip_file = tmp_path / "class" / f"1-2 - Mary - {first} - x - {other} - hand.zip"
    zip_file.write_bytes(zip_archive({"game.py": b"print()"}))
    (tmp_path / "unpacked").mkdir()
    (mary,) = rows(take_in(tmp_path / "class", WANTED, tmp_path / "unpacked")).values()
    assert mary.submitted == datetime(2025, 10, 27, 9, 26, tzinfo=WANTED.zone)
    assert mary.notes[0] == f"there are two times in the name of {zip_file.name}: the later one counts"
    assert len(mary.files) == 1


def test_a_flat_download(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        "1-2 - Ada Lovelace- Oct 27, 2025 926 AM - game.py",
        "1-2 - Ada Lovelace- Oct 27, 2025 926 AM - helper - old.py",
        "3-2 - Bob - Oct 27, 2025 926 AM - game.py",
    )
    found = rows(take_in(tmp_path, WANTED))
    assert {name: names(one) for name, one in found.items()} == {
        "Ada Lovelace": ["1-2 - Ada Lovelace- Oct 27, 2025 926 AM - game.py"],
        "Bob": ["3-2 - Bob - Oct 27, 2025 926 AM - game.py"],
    }
    assert found["Ada Lovelace"].unused == ("helper - old.py",)
