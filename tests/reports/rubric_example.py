"""A class graded by a rubric: rules about the code, marks by hand, lateness by the hour."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from grader.grading.student_result import student_result
from grader.model.assignment import ManualItem, Part
from grader.model.mark import ManualMarks
from grader.model.results import ClassResult, StudentResult
from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.model.submission import SubmittedFile
from grader.plugins.code_rules.functions import NoNestedFunctions
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.style import Docstrings
from grader.plugins.late_policies.points_per_hour import PointsPerHour
from tests.reports import graded_example

MAIN = Rule(id="main", title="main() is used", check=MainGuard(), programs=("double.py",), deduct=Decimal(1))
NESTED = Rule(id="nested", title="no nested functions", check=NoNestedFunctions(), programs=("double.py",))
DOCS = Rule(
    id="docs",
    title="docstrings",
    check=Docstrings(),
    programs=("double.py",),
    part="style",
    points=Decimal("0.5"),
)

ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    parts=(
        *graded_example.ASSIGNMENT.parts,
        Part(
            id="style",
            title="Style",
            marks=Decimal(2),
            manual=(ManualItem("names", "mnemonic identifiers", Decimal("1.5")),),
        ),
    ),
    late=PointsPerHour(Decimal("0.25")),
    rules=(MAIN, NESTED, DOCS),
)


def row(student: str, late: timedelta, manual: ManualMarks) -> StudentResult:
    """A student whose program breaks two rules with an evil line of code."""
    graded = graded_example.row(student, graded_example.EXPECTED, late=late).graded
    rules = (
        RuleResult(
            MAIN,
            (
                RuleFinding(
                    file="double.py", line=9, code="main() # \x1b[31m", message="main() is called without a guard"
                ),
            ),
        ),
        RuleResult(
            NESTED,
            tuple(RuleFinding(file="double.py", line=line, code="def f():", message="nested") for line in range(1, 13)),
        ),
        RuleResult(DOCS, ()),
    )
    files = (SubmittedFile("double.py", graded_example.ASSIGNMENT.folder / "double.py"),)
    submission = replace(graded.submission, files=files)
    return student_result(ASSIGNMENT, replace(graded, submission=submission, rules=rules), {}, manual)


NAMED = {"names": Decimal(1)}
CLASS = ClassResult(
    assignment=ASSIGNMENT,
    rows=(
        row("confirmed", timedelta(hours=1, seconds=1), ManualMarks(NAMED, confirmed=frozenset({"main"}))),
        row("open", timedelta(0), ManualMarks()),
        row("waived", timedelta(0), ManualMarks(NAMED, waived=frozenset({"main"}))),
    ),
    not_graded=(),
    notes=(),
)
