"""The output formats are contracts: they are compared with stored files, character by character.

To accept a change of format, run `python -m tests.reports.test_golden_reports`, read the difference, and commit it.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grader.grading.student_result import self_check_result
from grader.grading.student_view import student_views
from grader.model.assignment import Assignment
from grader.model.general_causes import MISSING_FILE
from grader.model.judgement import Diagnosis, Judgement, Note, NoteKind, Verdict
from grader.model.program import ProvidedModule, ProvidedSettings
from grader.model.results import ClassResult, GradedSubmission, SkippedTests, StudentResult, TestResult
from grader.reports.output_formats import data_format
from grader.reports.printed_report import CheckedProgram, CheckSettings
from grader.reports.results_csv import results_csv
from grader.reports.results_json import results_json, results_line
from grader.reports.student_text import student_text
from grader.reports.terminal.class_report import class_pieces
from grader.reports.terminal.self_check import CheckText
from grader.text.language import speaking
from tests.reports import counted_example, decided_example, rubric_example
from tests.reports.graded_example import ASSIGNMENT, CLASS

GOLDEN = Path(__file__).parent / "golden"


def class_printed(graded: ClassResult, width: int = 120) -> str:
    console = Console(file=StringIO(), width=width, highlight=False, color_system=None)
    return "".join(class_pieces(console, graded))


def checked(graded: GradedSubmission, assignment: Assignment = ASSIGNMENT, show: int = 3) -> CheckedProgram:
    settings = CheckSettings(
        assignment=assignment,
        tests=tuple(one.test for one in graded.results),
        show=show,
        folder=Path("/home/ada"),
    )
    return CheckedProgram(settings, graded)


def check_text(check: CheckedProgram) -> str:
    report = CheckText(
        settings=check.settings,
        console=Console(file=StringIO(), width=120, highlight=False, color_system=None),
    )
    verdicts = (report.known(one.test, one.verdict) for one in check.graded.results)
    return "".join((report.began(), *verdicts, report.ended(check).printed))


RUBRIC_CHECK = checked(rubric_example.CLASS.rows[0].graded, rubric_example.ASSIGNMENT, show=0)


def partial_check() -> CheckedProgram:
    """A check with a program that is missing, something that was let pass, and tests that were not run."""
    graded = CLASS.rows[0].graded
    let_pass = graded.results[0]
    why = Diagnosis(MISSING_FILE, "There is no file triple.py in the submission.")
    missing = Judgement(verdict=Verdict.MISSING_FILE, diagnosis=why)
    absent = tuple(
        TestResult(
            test=replace(let_pass.test, id=test_id, program="triple.py"), judgement=missing, outcome=None, expected=""
        )
        for test_id in ("third", "fourth")
    )
    found = checked(replace(graded, results=(let_pass, *absent)))
    left = tuple(replace(let_pass.test, id=test_id) for test_id in ("large", "huge"))
    skipped = SkippedTests(left, "double.py ran into its time limit twice. To run them all the same: --run-all")
    settings = replace(found.settings, tests=(*found.settings.tests, *left), left_out=("call",), lacks=("it is dark",))
    return CheckedProgram(settings, found.graded, (skipped,))


PARTIAL_CHECK = partial_check()
JSON = data_format("grader.reports.results_json:results_line")


def test_what_was_let_pass_is_told_below_the_causes() -> None:
    note = Note(NoteKind.TRAILING_WHITESPACE, "Ignored: trailing whitespace (line 1).")
    graded = CLASS.rows[1].graded
    failed = graded.results[0]
    lenient = replace(failed, judgement=replace(failed.judgement, notes=(note,)))
    unused = replace(graded.submission, unused=("notes.txt",))
    printed = check_text(checked(replace(graded, submission=unused, results=(lenient,))))
    told = ("small: a small number  [wrong-output]", "notes.txt is not used", "Ignored: trailing", "0 of 1 tests")
    places = [printed.index(words) for words in told]
    assert places == sorted(places)


def test_a_check_says_what_a_provided_file_is_for() -> None:
    provided = ProvidedModule("cards.py", Path("cards.py"))
    graded = CLASS.rows[1].graded
    printed = check_text(checked(graded, replace(ASSIGNMENT, provided=(provided,))))
    assert "\nYour course provides cards.py: put a copy beside your program to run it yourself.\n" in printed
    assert "PROVIDED_" not in printed
    [failed] = graded.results
    seeded = replace(failed, test=replace(failed.test, provision=ProvidedSettings(random_seed=4)))
    printed = check_text(checked(replace(graded, results=(seeded,)), replace(ASSIGNMENT, provided=(provided,))))
    assert printed.index("PROVIDED_… before a command are settings that cards.py reads.") < printed.index(
        "run: PROVIDED_"
    )


def in_chinese(render: Callable[[], str]) -> str:
    with speaking("zh_CN"):
        return render()


def feedback(graded: ClassResult, place: int) -> str:
    """Return the feedback of the student in that place."""
    return student_text(graded.assignment, student_views(graded.assignment)(graded.rows[place]))


REPORTS: dict[str, Callable[[], str]] = {
    "results.json": lambda: results_json(CLASS),
    "results.csv": lambda: results_csv(CLASS),
    "right.txt": lambda: feedback(CLASS, 0),
    "wrong.txt": lambda: feedback(CLASS, 1),
    "rerun.txt": lambda: feedback(CLASS, 2),
    "class.txt": lambda: class_printed(CLASS),
    "narrow-class.txt": lambda: class_printed(CLASS, width=40),
    "rubric.json": lambda: results_json(rubric_example.CLASS),
    "rubric.csv": lambda: results_csv(rubric_example.CLASS),
    "rubric-confirmed.txt": lambda: feedback(rubric_example.CLASS, 0),
    "rubric-open.txt": lambda: feedback(rubric_example.CLASS, 1),
    "rubric-class.txt": lambda: class_printed(rubric_example.CLASS),
    "rubric-check.txt": lambda: check_text(RUBRIC_CHECK),
    "decided.json": lambda: results_json(decided_example.CLASS),
    "decided.csv": lambda: results_csv(decided_example.CLASS),
    "decided-class.txt": lambda: class_printed(decided_example.CLASS),
    "decided-late.txt": lambda: feedback(decided_example.CLASS, 0),
    "decided-mark.txt": lambda: feedback(decided_example.CLASS, 1),
    "decided-excused.txt": lambda: feedback(decided_example.CLASS, 2),
    "decided-verdict.txt": lambda: feedback(decided_example.CLASS, 4),
    "counted.json": lambda: results_json(counted_example.CLASS),
    "counted.csv": lambda: results_csv(counted_example.CLASS),
    "counted-class.txt": lambda: class_printed(counted_example.CLASS),
    "counted-right.txt": lambda: feedback(counted_example.CLASS, 0),
    "counted-in-part.txt": lambda: feedback(counted_example.CLASS, 2),
    "counted-barred.txt": lambda: feedback(counted_example.CLASS, 3),
    "counted-waits.txt": lambda: feedback(counted_example.CLASS, 4),
    "counted-check.txt": lambda: check_text(checked(counted_example.CLASS.rows[3].graded)),
    "check.txt": lambda: check_text(checked(CLASS.rows[1].graded)),
    "partial-check.txt": lambda: check_text(PARTIAL_CHECK),
    "partial-check.json": lambda: JSON.of_check(PARTIAL_CHECK.settings).ended(PARTIAL_CHECK).printed,
    "check.json": lambda: results_line(self_check_result(ASSIGNMENT, CLASS.rows[1].graded)),
}
IN_CHINESE = (
    "check.txt",
    "partial-check.txt",
    "rubric-confirmed.txt",
    "rubric-open.txt",
    "decided-late.txt",
    "decided-mark.txt",
    "counted-barred.txt",
    "counted-in-part.txt",
    "wrong.txt",
)
REPORTS |= {f"zh_CN-{name}": partial(in_chinese, REPORTS[name]) for name in IN_CHINESE}


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_as_stored(name: str) -> None:
    assert REPORTS[name]() == (GOLDEN / name).read_bytes().decode()


def test_nothing_a_student_prints_reaches_the_terminal_as_a_control_sequence() -> None:
    for name, render in REPORTS.items():
        assert "\x1b" not in render(), name


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, render in REPORTS.items():
        (GOLDEN / name).write_bytes(render().encode())


def test_a_class_is_looked_through_a_few_times_however_many_there_are() -> None:
    class Counted(tuple[StudentResult, ...]):
        looks = 0

        def __iter__(self) -> Iterator[StudentResult]:
            Counted.looks += 1
            return super().__iter__()

    results_csv(replace(CLASS, rows=Counted(CLASS.rows * 10)))
    assert Counted.looks <= 2
