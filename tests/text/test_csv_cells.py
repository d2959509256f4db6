"""Cells that a spreadsheet must not take for formulas."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.text.csv_cells import plain_cell, readable_cell, safe_cell, separator_of

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1", "''-1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_become_text(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
    assert plain_cell(f"'{text}") == text


@pytest.mark.parametrize("text", ["", "ann", "O'Neill", "'ann", "1-2", "Łucja", "李小龍", "a,b", 'the "best"', " =1"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text
    assert plain_cell(text) == text


def test_what_people_read_holds_no_control_characters() -> None:
    assert readable_cell("Ann\u202ennA\x1b[2J\r\n\udcff") == "Ann<U+202E>nnA<U+001B>[2J␍<U+000A><0xFF>"
    assert readable_cell("=\u2066") == "'=<U+2066>"


@given(st.text() | st.builds("".join, st.lists(st.sampled_from(["'", "=", "-", "@", "\t", "\r", "\n", ",", '"', "a"]))))
def test_whatever_is_written_is_read_back(text: str) -> None:
    out = StringIO()
    csv.writer(out).writerow(["first", safe_cell(text)])
    ((_, cell),) = csv.reader(StringIO(out.getvalue(), newline=""))
    assert plain_cell(cell) == text
    assert not safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("id,name\n1;2;3,x\n", ","),
        ("id;name;family, given\r\n", ";"),
        ("id\tname\n", "\t"),
        ('"a;b;c",name\n', ","),
        ("id\n", ","),
        ("", ","),
    ],
)
def test_the_first_line_says_what_stands_between_cells(text: str, separator: str) -> None:
    assert separator_of(text) == separator
