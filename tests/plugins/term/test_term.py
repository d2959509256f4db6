"""The table of a term: totals, late days, what is open, and who is who."""

import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import GraderError, SpecError
from grader.model.assignment import Assignment
from grader.model.mark import InstructorDecision, Mark, MarkOverride, StudentExtension
from grader.plugins.term.api import term
from grader.plugins.term.late_days import marks_by_days
from grader.plugins.term.reported import ReportedRow, TermError
from grader.plugins.term.table import CellState, TermRow, TermTable
from grader.spec.course import Course
from tests.plugins.term.term_course import LATE, TERM, WORKS, Work, write_assignment, write_course, write_reports
from tests.plugins.term.term_course import row as row_of


def rows(table: TermTable) -> dict[str, TermRow]:
    return {row.student.student: row for row in table.rows}


def days(row: TermRow) -> dict[str, int]:
    return {name: cell.late_days for name, cell in row.cells.items() if cell.late_days}


def test_days_go_where_they_help_most(tmp_path: Path) -> None:
    of = rows(term(write_course(tmp_path)))
    assert (days(of["z1"]), of["z1"].total) == ({"a2": 3}, Decimal("80.2"))
    assert (days(of["z2"]), of["z2"].total) == ({"a1": 3, "a2": 1}, Decimal("61.0"))


def test_days_in_order_are_left_for_the_next(tmp_path: Path) -> None:
    of = rows(term(write_course(tmp_path, TERM.replace("best\n", "in-order\n"))))
    # 18 of 20 on time; 1 of the 3 days is left for a2, which is 3 late: 41 - 2 x 5 of 50.
    assert (days(of["z1"]), of["z1"].total) == ({"a1": 2, "a2": 1}, Decimal("74.2"))
    assert days(of["z2"]) == {"a1": 3, "lab1": 1}


def test_without_late_days_the_reported_marks_count_and_no_assignment_is_read(tmp_path: Path) -> None:
    file = write_course(tmp_path, TERM.partition("late_days:")[0])
    (tmp_path / "test_specs" / "a1" / "assignment.yaml").write_text("broken")
    of = rows(term(file))
    assert of["z1"].cells["a2"].mark == Decimal(26)
    # 30 x 14/20 + 10 x 1 + 60 x 26/50 = 62.2
    assert of["z1"].total == Decimal("62.2")


@pytest.mark.parametrize(("missing", "total", "labs"), [("zero", "61", "0.7"), ("excused", "61", "0.7")])
def test_missing_is_zero_or_excused(missing: str, total: str, labs: str, tmp_path: Path) -> None:
    file = write_course(tmp_path, TERM.replace("missing: zero", f"missing: {missing}"))
    row = rows(term(file))["z2"]
    assert (row.cells["lab2"].state, row.total) == (CellState.MISSING, Decimal(total))
    assert row.groups["labs"] is not None
    assert Decimal(labs) == Decimal(row.groups["labs"].numerator) / row.groups["labs"].denominator


def test_missing_from_all_of_a_group(tmp_path: Path) -> None:
    for missing, total in (("zero", "54.0"), ("excused", "60.0")):
        file = write_course(tmp_path, TERM.replace("missing: zero", f"missing: {missing}"))
        write_reports(tmp_path, "lab1", {"z1": Work("5")})
        assert rows(term(file))["z2"].total == Decimal(total)


def test_what_is_open_is_never_zero(tmp_path: Path) -> None:
    table = term(write_course(tmp_path))
    row = rows(table)["z3"]
    assert (row.total, row.open_because) == (None, ("a2: not yet marked: work",))
    assert row.cells["a2"].share is None


def test_a_decided_mark_stays_and_takes_no_days(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    decided = MarkOverride(Decimal(44), InstructorDecision("an appeal", "the lecturer"))
    write_reports(tmp_path, "a2", {**WORKS["a2"], "z1": Work("41", 2.2, overrides=(decided,))})
    row = rows(term(file))["z1"]
    assert (row.cells["a2"].mark, days(row)) == (Decimal(44), {"a1": 2})


def test_a_waived_penalty_takes_no_days(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_reports(tmp_path, "a2", {**WORKS["a2"], "z1": Work("41", 2.2, granted=StudentExtension(waived=True))})
    row = rows(term(file))["z1"]
    assert (row.cells["a2"].mark, days(row)) == (Decimal(41), {"a1": 2})


def test_a_mark_under_other_terms_is_open(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_assignment(tmp_path, "a2", LATE.replace("10", "20"))
    of = rows(term(file))
    assert of["z1"].open_because == (
        "a2: its mark was given under another due date, late policy or rounding; grade it again",
    )
    assert of["z4"].total is not None


def test_days_from_the_term_replace_those_of_the_assignment(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_assignment(tmp_path, "a2", f"{LATE[:-1]}, late_days: 9, max_late_days: 2}}")
    write_reports(tmp_path, "a2", WORKS["a2"])
    row = rows(term(file))["z1"]
    assert days(row) == {"a1": 1, "a2": 2}
    assert (row.cells["a2"].reported, row.cells["a2"].mark) == (Decimal(36), Decimal(36))


@pytest.fixture(scope="module")
def rounded_assignments(tmp_path_factory: pytest.TempPathFactory) -> dict[int | None, Assignment]:
    """An assignment whose marks are rounded, by the most late days that it takes."""
    loaded = {}
    for most in (None, 0, 2):
        folder = tmp_path_factory.mktemp("course")
        limit = "" if most is None else f", max_late_days: {most}"
        write_assignment(folder, "a2", f"{LATE[:-1]}{limit}}}\nrounding: {{places: 0}}")
        loaded[most] = Course(folder).assignment("a2")
    return loaded


@given(st.integers(0, 40), st.floats(0, 6), st.integers(0, 8), st.sampled_from([None, 0, 2]))
def test_days_give_the_marks_of_a_bank_of_so_many(
    rounded_assignments: dict[int | None, Assignment], points: int, late: float, pool: int, most: int | None
) -> None:
    assignment = rounded_assignments[most]

    def graded(bank: int) -> Mark:
        mark = row_of(assignment, "z1", Work(str(points), late, granted=StudentExtension(late_days=bank))).mark
        assert mark is not None
        return mark

    due = assignment.due
    row = ReportedRow(
        student="z1", points=Decimal(points), mark=graded(0).adjusted, submitted=due + timedelta(days=late), due=due
    )
    marks = marks_by_days(row, assignment, pool)
    for bank in range(pool + 1):
        assert marks[max(used for used in marks if used <= bank)] == graded(bank).adjusted
        assert graded(bank).bank_used in marks


def test_the_id_of_the_school_says_who_is_who(tmp_path: Path) -> None:
    file = write_course(tmp_path, TERM.replace("student: z2", "student: Doe Jane_17"))
    write_reports(
        tmp_path, "a1", {"jd": Work("10", school_id="n1"), "sam": Work("9"), "kim": Work("8", school_id="n2")}
    )
    write_reports(tmp_path, "lab1", {"jane": Work("5", school_id="n1"), "sam": Work("5", school_id="n3")})
    write_reports(tmp_path, "lab2", {"kim": Work("5", school_id="n4")})
    write_reports(tmp_path, "a2", {"Doe Jane_17": Work("50", 1, school_id="n1")})
    table = term(file)
    assert [(row.student.student, row.student.school_id, len(row.student.rows)) for row in table.rows] == [
        ("Doe Jane_17", "n1", 3),
        ("kim", "n2", 1),
        ("kim", "n4", 1),
        ("sam", "n3", 2),
    ]
    assert rows(table)["Doe Jane_17"].total == Decimal("85.0")
    assert "`kim` is the name of several students, whose ids differ" in table.notes
    assert "a2: not in the reports, and count as 0 there: kim, kim, sam" in table.notes


def test_a_class_cannot_have_a_student_twice(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    write_reports(tmp_path, "a1", {"x": Work("1", school_id="n1"), "y": Work("2", school_id="n1")})
    with pytest.raises(TermError, match="a1: x and y are the same student, n1"):
        term(file)


def test_without_reports_there_is_only_a_table_so_far(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    (tmp_path / "reports" / "a2" / "results.json").unlink()
    with pytest.raises(SpecError, match=r"term\.yaml:8:10: there is no .*a2/results\.json; grade the class first"):
        term(file)
    table = term(file, so_far=True)
    # 30 x 18/20 + 10 x 1 of 40
    assert rows(table)["z1"].total == Decimal("92.5")
    assert "a2: no reports yet, so it has no part in the totals" in table.notes


def without_a_key(content: dict[str, Any]) -> None:
    del content["submissions"][0]["manual"], content["submissions"][0]["student"]


def other_id(content: dict[str, Any]) -> None:
    content["assignment"]["id"] = "a9"


def newer(content: dict[str, Any]) -> None:
    content["format"] = "grader-results/99"


@pytest.mark.parametrize(
    ("change", "message"),
    [(without_a_key, "is damaged"), (other_id, "has the results of a9; expected a1"), (newer, "grader-results/99")],
)
def test_results_that_cannot_be_read(change: Any, message: str, tmp_path: Path) -> None:
    file = write_course(tmp_path)
    results = tmp_path / "reports" / "a1" / "results.json"
    content = json.loads(results.read_text())
    change(content)
    results.write_text(json.dumps(content))
    with pytest.raises(SpecError, match=message) as caught:
        term(file)
    assert str(caught.value).startswith(f"{file}:5:10: ")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("{id: a1, weight: 30}", "{id: a1, weight: 30, group: labs}", "5:5: expected one of `weight` and `group`"),
        ("{id: a1, weight: 30}", "{id: a1}", "5:5: expected one of `weight` and `group`"),
        ("{id: a1, weight: 30}", "{id: a1, weight: 0}", "5:22: found `0`; expected more than 0"),
        ("{id: a1, weight: 30}", "{id: labs, weight: 1}", "10:10: `labs` is given twice"),
        ("lab1, group: labs", "lab1, group: lab", "6:23: there is no group `lab`; did you mean `labs`?"),
        ("best: 1", "best: 3", "10:34: the group `labs` has 2 assignments; expected at least 3"),
        ("missing: zero", "missing: nil", "3:10: found `nil`; expected 'zero' or 'excused'"),
        ("hand_out: best", "hand_out: fair", "14:13: found `fair`"),
        ("total: 3", "total: -1", "13:10: found `-1`; expected at least 0"),
        ("days: 1,", "days: 1, day: 2,", "16:30: unknown key `day`"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(before: str, after: str, message: str, tmp_path: Path) -> None:
    file = write_course(tmp_path, TERM.replace(before, after))
    with pytest.raises(SpecError) as caught:
        term(file)
    assert message.replace("'", "`") in str(caught.value)


def test_rules_to_confirm_are_named(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    results = tmp_path / "reports" / "a1" / "results.json"
    content = json.loads(results.read_text())
    rule = {"id": "main", "zero_mark": False, "deduct": "1", "decision": None, "findings": [{}]}
    content["submissions"][0]["rules"] = [rule, {**rule, "id": "done", "decision": "waived"}]
    results.write_text(json.dumps(content))
    row = rows(term(file))["z1"]
    assert row.doubts == ("a1: rule main is to be confirmed or waived",)


def test_students_left_out_by_an_interruption_are_open(tmp_path: Path) -> None:
    file = write_course(tmp_path)
    results = tmp_path / "reports" / "a1" / "results.json"
    content = json.loads(results.read_text())
    content["not_graded"] = ["z9"]
    results.write_text(json.dumps(content))
    assert rows(term(file))["z9"].open_because == ("a1: grading was interrupted",)


def test_extra_days_for_nobody_are_told(tmp_path: Path) -> None:
    table = term(write_course(tmp_path, TERM.replace("student: z2", "student: z22")))
    assert "term.yaml: late days for `z22`, who is in no report; did you mean `z2`?" in table.notes


def test_a_row_without_times_has_no_choice() -> None:
    class_of_one = ReportedRow(student="z1", mark=Decimal(0))
    assert marks_by_days(class_of_one, None, 3) == {0: Decimal(0)}  # type: ignore[arg-type]


def test_where_there_is_no_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GraderError, match="No course folder"):
        term()
