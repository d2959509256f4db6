"""What is written is as stored, and safe in a spreadsheet."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.plugins.term.api import term
from grader.plugins.term.formats import term_csv, term_json
from grader.plugins.term.table import TermTable
from grader.plugins.term.terminal import print_term
from tests.plugins.term.term_course import WORKS, Work, write_course, write_reports

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("written", [term_csv, term_json])
def test_each_format_is_as_stored(written: Callable[[TermTable], str], tmp_path: Path) -> None:
    """To accept a change, write what is printed to the file in golden/ and commit it."""
    stored = GOLDEN / written.__name__.replace("_", ".")
    assert written(term(write_course(tmp_path))) == stored.read_bytes().decode()


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_reports(tmp_path, "a1", {**WORKS["a1"], '=HYPERLINK("x")': Work("1", school_id="+1\u202e")})
    cells = [cell for row in csv.reader(StringIO(term_csv(term(file)))) for cell in row]
    assert '\'=HYPERLINK("x")' in cells
    assert "'+1<U+202E>" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_csv_and_json_say_the_same(tmp_path: Path) -> None:
    table = term(write_course(tmp_path))
    rows = list(csv.DictReader(StringIO(term_csv(table))))
    students = json.loads(term_json(table))["students"]
    assert [row["total"] for row in rows] == [each["total"] or "" for each in students]
    for name in WORKS:
        assert [row[f"{name}_mark"] for row in rows] == [each["assignments"][name]["mark"] or "" for each in students]


def shown(table: TermTable, width: int, *, terminal: bool = True) -> str:
    class Screen(StringIO):
        def isatty(self) -> bool:
            return terminal

    screen = Screen()
    print_term(Console(file=screen, width=width, color_system=None, highlight=False, markup=False), table)
    return screen.getvalue()


@pytest.mark.parametrize("width", [30, 40, 50, 80, 100, 200])
def test_a_narrow_terminal_gets_all_columns(width: int, tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_reports(tmp_path, "a1", {**WORKS["a1"], "名字很长的学生": Work("1"), "[red]x": Work("2")})
    printed = shown(term(file), width)
    assert max(map(cell_len, printed.splitlines())) <= width
    for heading in ("a1 %", "lab1 %", "lab2 %", "a2 %", "labs %", "late days", "total %"):
        assert printed.count(f" {heading} ┃") == 1
    assert "[red]x" in printed


def test_in_a_pipe_it_is_one_table(tmp_path: Path) -> None:
    assert shown(term(write_course(tmp_path)), 20, terminal=False).count("student ┃") == 1
