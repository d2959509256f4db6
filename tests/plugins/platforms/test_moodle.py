"""The worksheet that goes back to Moodle differs in grades and comments alone."""

import codecs
from itertools import product

import pytest

from grader.platforms.platform import ExportError
from grader.plugins.platforms.moodle.exports import moodle_worksheet
from grader.plugins.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from tests.grading.hidden_example import CLASS, EXCUSED, LATE, OPEN, RIGHT, WRONG

HEADER = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"'
)
ROWS = [
    'Participant 17,"Zoë O\'Brien, ""Zo""",zoe@example.org,"Submitted for grading",,4.00,Yes,"Monday, 27 October",-,""',
    'Participant 18,李小龍,lee@example.org,Submitted,"1.00",4.00,Yes,,"Tuesday, 28 October","Well done, I say"',
    "Participant 19,=HYPERLINK(1),evil@example.org,Submitted,,4.00,Yes,,-,Mark: 1 of 4. Points: 1 of 4.",
    "Participant 20,A N Other,other@example.org,No submission,,4.00,Yes,,-,",
    "Participant 21,Again,again@example.org,Submitted,,4.00,Yes,,-,",
    "Participant 22,Excused,l@example.org,Submitted,2.00,4.00,Yes,,-,",
]
GRADE, COMMENT = 4, 9


def sheet_of(*lines: str, end: str = "\n", mark: bytes = b"") -> GradebookFile:
    return read_gradebook_file(mark + end.join([*lines, ""]).encode(), "sheet.csv")


def test_the_worksheet_is_filled_in() -> None:
    exported = moodle_worksheet(CLASS, sheet_of(HEADER, *ROWS))
    filled = read_gradebook_file(exported.files["moodle.csv"], "moodle.csv")
    assert [filled.cell(record, GRADE) for record in range(1, 7)] == ["4", "3.6", "0", "", "", ""]
    assert [filled.cell(record, COMMENT) for record in range(1, 7)] == [
        "Mark: 4 of 4. Points: 4 of 4. Tests passed: 2 of 2.",
        "Well done, I say",
        "Mark: 0 of 4. Points: 0 of 4. Tests passed: 0 of 2.",
        "",
        "",
        "Mark: excused, no mark counts. Points: 1.75 of 4. Tests passed: 1 of 2.",
    ]
    assert exported.left_out == (
        "z1234567: is not in the sheet; add an id, email address or name from there to roster.csv",
        f"{OPEN.student}: a test has to be run again (internal error)",
    )
    assert exported.notes == ("excused: z7", "no submission of these here, rows left as they were: A N Other")
    assert exported.students == {RIGHT.student, LATE.student, WRONG.student, EXCUSED.student}


@pytest.mark.parametrize(("end", "mark"), [*product(("\n", "\r\n"), (b"", codecs.BOM_UTF8))])
def test_every_other_byte_goes_back_as_it_came(end: str, mark: bytes) -> None:
    sheet = sheet_of(HEADER, *ROWS, end=end, mark=mark)
    content = moodle_worksheet(CLASS, sheet).files["moodle.csv"]
    assert content.startswith(mark + HEADER.encode() + end.encode())
    filled = read_gradebook_file(content, "moodle.csv")
    for old, new in zip(sheet.records, filled.records, strict=True):
        assert old.end == new.end
        changed = {place for place, (was, now) in enumerate(zip(old.raw, new.raw, strict=True)) if was != now}
        assert changed <= {GRADE, COMMENT}
    assert moodle_worksheet(CLASS, filled).files["moodle.csv"] == content


def test_columns_in_another_order_and_without_comments() -> None:
    sheet = sheet_of("Grade;Identifier;Maximum grade;Full name", ";Participant 9;4,00;李小龍")
    exported = moodle_worksheet(CLASS, sheet)
    assert exported.files["moodle.csv"].splitlines()[1].decode() == "3,6;Participant 9;4,00;李小龍"


@pytest.mark.parametrize("column", ["Full name", "Email address", "ID number"])
def test_matching_by_name_email_or_id(column: str) -> None:
    sheet = sheet_of(f"{column},Identifier,Grade", f"{LATE.student},Participant 5,")
    exported = moodle_worksheet(CLASS, sheet)
    assert exported.files["moodle.csv"].decode().endswith(f"{LATE.student},Participant 5,3.6\n")


def test_two_of_the_same_name_get_nothing() -> None:
    rows = (f"Participant {number},{LATE.student}," for number in (5, 6))
    sheet = sheet_of("Identifier,Full name,Grade", *rows)
    exported = moodle_worksheet(CLASS, sheet)
    assert exported.files["moodle.csv"] == sheet.to_bytes()
    assert f"{LATE.student}: 2 rows of the sheet fit" in exported.left_out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Student,Grade", "a,1"], "no columns `Identifier` and `Grade`; found: Student, Grade.*German"),
        (["Identifier,Note", "a,1"], "no columns `Identifier` and `Grade`; found: Identifier, Note"),
        (["Identifier,Grade,Maximum Grade", "Participant 1,,100.00"], "maximum grade in Moodle is 100.00, .* are 4"),
    ],
)
def test_another_sheet_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(ExportError, match=message):
        moodle_worksheet(CLASS, sheet_of(*lines))
