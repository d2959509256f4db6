"""Our own CSV in a spreadsheet."""

import csv
from dataclasses import replace
from io import StringIO

from grader.plugins.platforms.plain_files.exports import own_csv
from tests.grading.hidden_example import CLASS, ORIGIN


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(StringIO(own_csv(CLASS, ORIGIN).files["results.csv"].decode(), newline="")))
    assert [row[0].lstrip("'") for row in rows[1:]] == [row.student for row in CLASS.rows]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_students_without_a_mark_are_counted() -> None:
    marked, *others = CLASS.rows
    unmarked = replace(marked, mark=None)
    assert own_csv(replace(CLASS, rows=(unmarked, *others)), ORIGIN).notes[0].endswith("without a mark yet")
    assert own_csv(replace(CLASS, rows=(unmarked,)), ORIGIN).notes == ("1 student without a mark yet",)


def test_no_cell_holds_a_control_character() -> None:
    first = CLASS.rows[0]
    submission = replace(first.graded.submission, notes=("the file \u202eyp.x\x1b[2J is not read",))
    row = replace(first, graded=replace(first.graded, submission=submission))
    text = own_csv(replace(CLASS, rows=(row,)), ORIGIN).files["results.csv"].decode()
    assert "the file <U+202E>yp.x<U+001B>[2J is not read" in text
    assert not {*text} & {"\u202e", "\x1b"}
