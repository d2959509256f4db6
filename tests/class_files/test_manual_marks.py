"""marks.yaml and marks.csv say the same, and slips are named with their place."""

import os
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.class_files.manual_marks import read_manual_marks
from grader.errors import SpecError
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.mark import ManualMarks, MarkedByHand
from grader.model.program import Limits, Program
from grader.model.rule import Rule
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.style import Docstrings

STYLE = (ManualItem("comments", "comments", Decimal(2)), ManualItem("names", "names", Decimal(1)))
ASSIGNMENT = Assignment(
    id="demo",
    title="Demo",
    folder=Path("demo"),
    programs=(Program(file="game.py", reference=Path("game.py"), variants=("canonical",)),),
    parts=(Part(id="style", title="Style", marks=Decimal(3), manual=STYLE),),
    due=datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney")),
    late=None,
    limits=Limits(),
    tests=(),
    rules=(
        Rule(id="main", title="main() is used", check=MainGuard(), programs=("game.py",), deduct=Decimal(10)),
        Rule(id="docstrings", title="docstrings", check=Docstrings(), programs=("game.py",)),
    ),
)
YAML = """\
format: 1
marks:
  - {student: ann, points: {comments: 1.5}, confirm: [main]}
  - {student: bob, points: {comments: 0, names: 1}, waive: [main]}
"""
CSV = "\ufeffstudent,comments,names,main\nann,1.5,,confirm\n\nbob,0,1,waive\n"


def read(folder: Path, name: str, content: str) -> MarkedByHand:
    (folder / name).write_text(content)
    return read_manual_marks(folder / name, ASSIGNMENT, ["ann", "bob", "cy"])


@pytest.mark.parametrize(
    ("name", "content"), [("marks.yaml", YAML), ("marks.csv", CSV), ("marks.csv", CSV.replace(",", " , "))]
)
def test_both_formats_say_the_same(name: str, content: str, tmp_path: Path) -> None:
    marked = read(tmp_path, name, content)
    assert marked.notes == ()
    assert marked.marks == {
        "ann": ManualMarks({"comments": Decimal("1.5")}, confirmed=frozenset({"main"})),
        "bob": ManualMarks({"comments": Decimal(0), "names": Decimal(1)}, waived=frozenset({"main"})),
    }
    assert [item.id for item in marked.marks["ann"].unmarked(ASSIGNMENT)] == ["names"], "absent is not 0"
    assert marked.marks["bob"].unmarked(ASSIGNMENT) == ()


def test_a_student_without_a_submission_is_a_note(tmp_path: Path) -> None:
    assert read(tmp_path, "marks.csv", "student,names\nanne,1\n").notes == (
        f"{tmp_path}/marks.csv:2:1: no submission of `anne`; did you mean `ann`?",
    )


SLIPS = [
    ("marks.csv", "name,comments\n", "1:1: found `name`; expected the columns `student` and the items"),
    ("marks.csv", "", "1:1: found nothing; expected the columns `student` and the items"),
    ("marks.csv", "student,coments\nann,1\n", "2:2: there is no manual item `coments`; did you mean `comments`?"),
    ("marks.csv", "student,names\nann,2\n", "2:2: found 2 points for `names`; expected at most 1"),
    ("marks.csv", "student,names\nann,one\n", "2:2: found `one`; expected points such as 1.5, or nothing"),
    ("marks.csv", "student,names\nann,٤\n", "2:2: found `٤`; expected points such as 1.5, or nothing"),
    ("marks.csv", "student,names\nann,NaN\n", "2:2: found `NaN`; expected points such as 1.5, or nothing"),
    ("marks.csv", "student,main\nann,yes\n", "2:2: found `yes`; expected `confirm` or `waive`"),
    ("marks.csv", "student,names\nann,1\nann,1\n", "3:2: `names` of `ann` is given twice"),
    (
        "marks.csv",
        "student,comments,names\nbob,1,\nann,1,5,1\n",
        "3:4: this row has 4 cells, the header has 3; expected a cell for each column (put a cell that contains `,` "
        "into quotes, or write 7.5 for 7,5)",
    ),
    ("marks.csv", "student;names\nann;0;5\n", "2:3: this row has 3 cells, the header has 2"),
    ("marks.csv", "student;comments;names\nann;0,5;1\n", "2:2: found `0,5`; expected points such as 1.5, or nothing"),
    (
        "marks.csv",
        "student,comments,names\nann;1;0.5\n",
        "2:1: this row is divided by `;`; expected `,`, as in the header",
    ),
    (
        "marks.csv",
        "student;comments;names\nann\t1\t0.5\n",
        "2:1: this row is divided by tabs; expected `;`, as in the header",
    ),
    ("marks.csv", 'student,names\nann,"1\nbob,1\n', "3:1: this is no CSV: unexpected end of data"),
    ("marks.csv", 'student,names\n"ann"x,1\n', "2:1: this is no CSV: ',' expected after '\"'"),
    ("marks.csv", "student,names\na/b,1\na_b,1\n", "3:2: `names` of `a_b` is given twice"),
    (
        "marks.csv",
        "student,docstrings\nann,confirm\n",
        "2:2: there is no rule `docstrings` that asks to be confirmed; expected one of: main",
    ),
    ("marks.yaml", YAML.replace("1.5", "2.5"), "3:29: found 2.5 points for `comments`; expected at most 2"),
    ("marks.yaml", YAML.replace("waive: [main]", "waive: [man]"), "4:61: there is no rule `man` that asks to be"),
    (
        "marks.yaml",
        YAML.replace("confirm: [main]", "confirm: [main], waive: [main]"),
        "3:70: `main` of `ann` is given twice",
    ),
    ("marks.yaml", YAML.replace("points", "point"), "3:20: unknown key `point`; did you mean `points`?"),
]


@pytest.mark.parametrize(("name", "content", "problem"), SLIPS)
def test_slips(name: str, content: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, name, content)
    assert str(caught.value).startswith(f"{tmp_path}/{name}:{problem}")


@pytest.mark.parametrize("row", ["ann,1.5", "ann,1.5,", "ann,1.5,,,", '"ann",1.5, , '])
def test_cells_at_the_end_that_a_spreadsheet_left_out_or_added_say_nothing(row: str, tmp_path: Path) -> None:
    marks = read(tmp_path, "marks.csv", f"student,comments,names\n{row}\n").marks["ann"]
    assert marks == ManualMarks({"comments": Decimal("1.5")})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("marks.yaml", "format: 1\nmarks: [{student: 2019/CS/01, points: {names: 1}}]\n"),
        ("marks.csv", "student,names\n2019/CS/01,1\n"),
    ],
)
def test_the_id_of_a_roster_is_the_name_in_reports(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    marked = read_manual_marks(tmp_path / name, ASSIGNMENT, ["2019_CS_01"])
    assert marked == MarkedByHand({"2019_CS_01": ManualMarks({"names": Decimal(1)})})


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "marks.csv")
    with pytest.raises(SpecError, match="1:1: the file cannot be read: it is a folder, a pipe or a device"):
        read_manual_marks(tmp_path / "marks.csv", ASSIGNMENT, [])
