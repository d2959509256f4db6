"""The rules of an assignment on a real submission, from the spec to the report."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import grader
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.style import Docstrings
from tests.conftest import RIGHT, Grader, SmallCourse

RULES = """\
rules:
  - {id: main, title: main() is used, rule: main-guard, program: double.py, deduct: 3}
  - {id: docs, title: docstrings, rule: docstrings, part: style, points: 1}
  - {id: honest, title: no hard coding, rule: hard-coded-output, program: double.py, zero_mark: true}
"""
MARKS = "format: 1\nmarks:\n  - {student: table, points: {names: 1}, confirm: [honest], waive: [main]}\n"
TABLE = "print(input('Number: ') and 'Double: 8')\n"


def with_rules(course: SmallCourse) -> None:
    spec = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    style = "  - {id: style, title: Style, marks: 2, manual: [{id: names, title: names, marks: 1}]}\n"
    spec.write_text(spec.read_text().replace("parts:\n", f"parts:\n{style}") + RULES)
    tests = spec.parent / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("id: hidden-$n", "id: hidden-$n\n    hidden_twin_of: small"))


def graded(course: SmallCourse, grader: Grader, code: int = 0) -> dict[str, dict[str, object]]:
    run = grader("grade", "submissions")
    assert run.returncode == code, run.stdout + run.stderr
    submissions = json.loads((course.reports / "results.json").read_text())["submissions"]
    return {entry["student"]: entry for entry in submissions}


@pytest.mark.slow
def test_evidence_confirmation_and_marks(small_course: SmallCourse, grader: Grader) -> None:
    with_rules(small_course)
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("table", TABLE)
    before = graded(small_course, grader)
    assert before["right"]["mark"] is None
    rules = {str(rule["id"]): rule for rule in before["table"]["rules"]}  # type: ignore[attr-defined]
    assert [finding["message"] for finding in rules["honest"]["findings"]] == [
        "weak evidence: the test small passes, no twin of it does (hidden-11 (wrong-output), "
        "hidden-12 (wrong-output)), and the program holds 1 of the 2 lines that only small expects",
        "the program holds a line that only small expects",
    ]
    assert rules["docs"]["findings"] == [
        {"file": "triple.py", "line": 1, "code": "def show(number):", "message": "the function show() has no docstring"}
    ]
    assert "hard coding" not in (small_course.reports / "students" / "table.txt").read_text()
    (small_course.students / "marks.yaml").write_text(MARKS)
    after = graded(small_course, grader)
    assert after["table"]["points"] == "0"
    assert "hard coding" in (small_course.reports / "students" / "table.txt").read_text()
    assert after["right"]["mark"] is None


@pytest.mark.slow
def test_only_uses_in_functions_that_something_calls_count(small_course: SmallCourse, grader: Grader) -> None:
    with_rules(small_course)
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    used = "  - {id: used, title: used, rule: used-functions, program: double.py, functions: [twice(n)], deduct: 1}\n"
    spec.write_text(spec.read_text() + used)
    tests = spec.parent / "tests" / "double.yaml"
    tests.write_text(f"{tests.read_text()}  - {{id: called, call: quadruple(1), returns: 4, points: 0}}\n")
    program = "def twice(n):\n    return 2 * n\n\n\ndef {name}(n):\n    return twice(twice(n))\n\n\n" + RIGHT
    small_course.hand_in("tested", program.format(name="quadruple"))
    small_course.hand_in("decoy", program.format(name="sextuple"))
    small_course.hand_in("lambda", f"def twice(n):\n    return 2 * n\n\n\nnever = lambda: twice(1)\n{RIGHT}")
    small_course.hand_in("shared", program.format(name="sextuple"))
    (small_course.students / "shared" / "triple.py").write_text("from double import sextuple\n\nprint(sextuple(2))\n")
    found = {
        student: [finding["message"] for rule in entry["rules"] if rule["id"] == "used" for finding in rule["findings"]]  # type: ignore[attr-defined]
        for student, entry in graded(small_course, grader).items()
    }
    unused = ["twice() is never used"]
    assert found == {"tested": [], "decoy": unused, "lambda": unused, "shared": []}


@pytest.mark.slow
def test_a_missing_or_unreadable_program_earns_no_points_of_rules_and_loses_none(
    small_course: SmallCourse, grader: Grader
) -> None:
    with_rules(small_course)
    small_course.hand_in("missing", None)
    small_course.hand_in("syntax", "print('Double\n")
    for entry in graded(small_course, grader).values():
        rules = {str(rule["id"]): rule for rule in entry["rules"]}  # type: ignore[attr-defined]
        assert rules["main"]["findings"] == []
        assert [finding["file"] for finding in rules["docs"]["findings"]] == ["double.py", "triple.py"]


@pytest.mark.slow
def test_a_codec_of_no_text_is_no_program(small_course: SmallCourse, grader: Grader, tmp_path: Path) -> None:
    with_rules(small_course)
    (tmp_path / "double.py").write_text(f"# coding: rot13\n{RIGHT}")
    small_course.hand_in("rotated", f"# coding: rot13\n{RIGHT}")
    entry = graded(small_course, grader)["rotated"]
    rules = {str(rule["id"]): rule for rule in entry["rules"]}  # type: ignore[attr-defined]
    assert "internal-error" not in {test["verdict"] for test in entry["tests"]}  # type: ignore[attr-defined]
    assert rules["main"]["findings"] == []
    assert "'rot13' is not a text encoding" in rules["docs"]["findings"][0]["message"]
    run = grader("check", tmp_path / "double.py")
    assert "'rot13' is not a text encoding" in run.stdout, run.stdout + run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("padding", "said"),
    [
        (f"#{'#' * 200_000}\n".encode(), "the file has more than 200000 bytes"),
        (b"# coding: latin-1 \xe9\n", "its encoding is not clear"),
    ],
)
def test_a_program_that_is_not_looked_at_waits_for_a_person(
    padding: bytes, said: str, small_course: SmallCourse, grader: Grader
) -> None:
    with_rules(small_course)
    small_course.hand_in("padded", TABLE)
    (small_course.students / "padded" / "double.py").write_bytes(padding + TABLE.encode())
    entry = graded(small_course, grader)["padded"]
    rules = {str(rule["id"]): rule for rule in entry["rules"]}  # type: ignore[attr-defined]
    found = f"the grader could not check this rule (double.py: {said})"
    expected = [(rule, False, [found]) for rule in ("main", "docs", "honest")]
    assert [
        (one, rules[one]["judged"], [each["message"] for each in rules[one]["findings"]]) for one in rules
    ] == expected
    assert entry["mark"] is None
    notes = " ".join(grader("grade", "submissions").stdout.split())
    assert f"to confirm or waive: main (main() is used), 3 points: {found}" in notes
    assert f"to confirm or waive: honest (no hard coding), the whole mark: {found}" in notes
    assert "no mark yet, the grader could not check these rules (or you decide the mark): docs" in notes
    assert "no hidden test" not in (small_course.reports / "students" / "padded.txt").read_text()


def test_the_self_check_shows_the_rules(small_course: SmallCourse, grader: Grader, tmp_path: Path) -> None:
    with_rules(small_course)
    (tmp_path / "double.py").write_text(TABLE)
    run = grader("check", tmp_path / "double.py")
    assert "double.py:1: input() is called outside all functions: print(input(" in run.stdout
    assert "no hard coding" not in run.stdout, "without hidden tests nothing can be said of it"


def test_marks_in_both_formats_are_refused(small_course: SmallCourse, grader: Grader) -> None:
    with_rules(small_course)
    small_course.hand_in("table", TABLE)
    (small_course.students / "marks.yaml").write_text(MARKS)
    (small_course.students / "marks.csv").write_text("student,names\n")
    run = grader("grade", "submissions")
    assert run.returncode == 2
    assert "marks.csv:1:1: there is marks.yaml too; expected one of them" in run.stderr


@pytest.mark.slow
def test_a_fault_in_one_rule_leaves_that_one_undecided(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_rules(small_course)
    small_course.hand_in("table", TABLE)
    marks = "format: 1\nmarks:\n  - {student: table, points: {names: 1}, waive: [honest]}\n"
    (small_course.students / "marks.yaml").write_text(marks)

    def row() -> grader.StudentResult:
        [student] = grader.grade(small_course.students, course=small_course.folder).students
        return student

    def failing(*_: object) -> Iterator[RuleFinding]:
        raise KeyError("a name")

    before = row()
    monkeypatch.setattr(MainGuard, "findings", failing)
    for_person = row()
    by_id = {result.rule.id: result for result in for_person.graded.rules}
    said = "the grader could not check this rule (KeyError: 'a name')"
    assert (by_id["main"].judged, [str(finding) for finding in by_id["main"].findings]) == (False, [said])
    assert [result.rule.id for result in for_person.to_confirm] == ["main"]
    assert (for_person.mark, for_person.tests) == (before.mark, before.tests)
    assert before.mark is not None
    monkeypatch.setattr(Docstrings, "findings", failing)
    without_points = row()
    assert (without_points.mark, without_points.tests) == (None, before.tests)
    assert without_points.graded.raw == before.graded.raw


def test_a_rule_about_code_that_cannot_be_read_is_neither_kept_nor_broken(
    small_course: SmallCourse, grader: Grader
) -> None:
    with_rules(small_course)
    program = small_course.hand_in("faulty", "def double(:\n") / "double.py"
    run = grader("check", str(program))
    rules = run.stdout.partition("Rules about the code\n")[2]
    unreadable = "    double.py: Python cannot read the program (invalid syntax) in line 1\n"
    assert f"  not read       docs: docstrings\n{unreadable}" in rules
    assert "  not read       main: main() is used\n" in rules
    assert "kept" not in rules
    assert "roken" not in rules
