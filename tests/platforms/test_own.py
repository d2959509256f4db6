"""Our own CSV in a spreadsheet."""

import csv
from io import StringIO

from grader.platforms.plain_files.exports import own_csv
from tests.platforms.example import CLASS, ORIGIN


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(StringIO(own_csv(CLASS, ORIGIN).files["results.csv"].decode(), newline="")))
    assert [row[0].lstrip("'") for row in rows[1:]] == [row.student for row in CLASS.rows]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
