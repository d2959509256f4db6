"""The Canvas gradebook, filled in and new."""

import csv
from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest

from grader.platforms.platform import ExportedFiles, ExportError
from grader.plugins.platforms.canvas.gradebook import canvas_gradebook, new_canvas_gradebook
from grader.plugins.platforms.shared.gradebook_file import GradebookFile, read_gradebook_file
from tests.grading.hidden_example import CLASS, EXCUSED, LATE, OPEN, WRONG

TITLE = '"Doubling, ""twice"" (77)"'
LINES = [
    f"Student,ID,SIS User ID,SIS Login ID,Section,Other (5),{TITLE},Final Score",
    ",,,,,Manual Posting,,",
    "    Points Possible,,,,,10.00,4.00,(read only)",
    '"O\'Brien, ""Zo"", Zoë",1,z1,zoe@example.org,A,9.00,,90',
    "李小龍,2,z2,lee,A,8.50,1.00,85",
    "nobody,3,z1234567,no,A,,EX,",
    '"Dvořák, Łucja",6,,lu,A,,2.00,',
    '"Example, Again",4,z4,again@example.org,A,,,',
    '"Student, Test",5,,test,A,,,',
]


def gradebook(*lines: str) -> GradebookFile:
    return read_gradebook_file("\r\n".join([*lines, ""]).encode(), "gradebook.csv")


def imported(exported: ExportedFiles, column: str) -> dict[str, str]:
    """The scores by student, as Canvas's "How do I import grades in the Gradebook?" says how a file is read."""
    header, *lines = csv.reader(StringIO(exported.files["canvas.csv"].decode(), newline=""), strict=True)
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert len({*header}) == len(header)
    place = header.index(column)
    above = [line[0].strip() for line in lines].index("Points Possible")
    assert Decimal(lines[above][place]) == CLASS.assignment.marks
    scores = {line[0]: line[place] for line in lines[above + 1 :]}
    assert {len(line) for line in lines} == {len(header)}
    assert all(score in ("", "EX") or Decimal(score) >= 0 for score in scores.values())
    return scores


def test_the_gradebook_is_filled_in_and_nothing_else_changes() -> None:
    sheet = gradebook(*LINES)
    exported = canvas_gradebook(CLASS, sheet, None)
    changed = {
        (record, column)
        for record, (old, new) in enumerate(
            zip(sheet.records, read_gradebook_file(exported.files["canvas.csv"], "x").records, strict=True)
        )
        for column, (was, now) in enumerate(zip(old.raw, new.raw, strict=True))
        if was != now
    }
    assert changed == {(4, 6), (6, 6)}
    assert sheet.filled({(4, 6): "3.6", (6, 6): "EX"}).to_bytes() == exported.files["canvas.csv"]
    assert exported.students == {LATE.student, EXCUSED.student}
    scores = imported(exported, 'Doubling, "twice" (77)')
    assert (scores[LATE.student], scores["Dvořák, Łucja"], scores["nobody"]) == ("3.6", "EX", "EX")
    assert "李小龍,2,z2,lee,A,8.50,3.6,85\r\n" in exported.files["canvas.csv"].decode()
    assert exported.left_out[:2] == (
        'Zoë O\'Brien, "Zo": is not in the sheet; add an id, email address or name from there to roster.csv',
        f"{WRONG.student}: is not in the sheet; add an id, email address or name from there to roster.csv",
    )
    assert exported.left_out[2:] == (
        "z1234567: Canvas says EX, which was left so",
        f"{OPEN.student}: a test has to be run again (internal error)",
    )
    assert exported.notes[0] == "excused: z7"
    assert "Student, Test" in exported.notes[1]


def test_who_is_excused_on_canvas_too_is_no_question() -> None:
    exported = canvas_gradebook(CLASS, gradebook(*LINES[:3], '"Dvořák, Łucja",6,z7,lu,A,,EX,'), None)
    assert exported.files["canvas.csv"].decode().endswith('"Dvořák, Łucja",6,z7,lu,A,,EX,\r\n')
    assert not any("EX" in sentence for sentence in exported.left_out)


def test_last_name_first_is_the_same_name() -> None:
    row = replace(LATE, graded=replace(LATE.graded, submission=replace(LATE.graded.submission, student="Sam Lee")))
    sheet = gradebook("Student,ID,T (1)", "Points Possible,,4", '"Lee, Sam",2,')
    exported = canvas_gradebook(replace(CLASS, rows=(row,)), sheet, "T (1)")
    assert exported.files["canvas.csv"].decode().endswith('"Lee, Sam",2,3.6\r\n')


@pytest.mark.parametrize(
    ("lines", "column", "message"),
    [
        (
            ["Student,ID,Other (5)", "Points Possible,,4"],
            None,
            r"0 .*`Doubling, \"twice\" \(NUMBER\)`.*Other \(5\)",
        ),
        ([f"Student,{TITLE},{TITLE}", "Points Possible,4,4"], None, "2 columns of the gradebook"),
        (["Student,ID,Other (5)", "Points Possible,,4"], "Others (5)", "0 columns of the gradebook are called `Others"),
        (["Student,ID,Other (5)", "Points Possible,,10"], "Other (5)", "points possible on Canvas are 10, .* are 4"),
        (["Student,ID,Other (5)", "Points Possible,,"], "Other (5)", "points possible on Canvas are missing"),
        (["Student,ID,Other (5)", "a,1,"], "Other (5)", "no row `Points Possible`"),
    ],
)
def test_another_sheet_is_refused(lines: list[str], column: str | None, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        canvas_gradebook(CLASS, gradebook(*lines), column)


def test_a_new_gradebook_goes_in_again() -> None:
    new = new_canvas_gradebook(CLASS, "Doubling (77)")
    rows = list(csv.reader(StringIO(new.files["canvas.csv"].decode(), newline="")))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Doubling (77)"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "4"]
    assert [*imported(new, "Doubling (77)").values()] == ["4", "3.6", "0", "0", "EX"]
    assert rows[-1] == ["Łucja, =Dvořák", "6", "z7", "lu", "", "EX"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    again = canvas_gradebook(CLASS, read_gradebook_file(new.files["canvas.csv"], "x"), "Doubling (77)")
    assert again.files == new.files
    assert LATE.student not in str(again.left_out)
