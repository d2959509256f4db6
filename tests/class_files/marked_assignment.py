"""An assignment with items that a person marks and rules that ask, without any submission."""

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from grader.model.assignment import ManualItem, Part
from grader.model.rule import Rule
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.style import Docstrings
from tests.reports import graded_example

STUDENTS = ("ann", "bob", "cy")
ITEMS = (ManualItem("comments", "comments", Decimal(2)), ManualItem("names", "names", Decimal(1)))
PROGRAMS = ("double.py",)
ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    parts=(*graded_example.ASSIGNMENT.parts, Part(id="style", title="Style", marks=Decimal(3), manual=ITEMS)),
    rules=(
        Rule(id="main", title="main() is used", check=MainGuard(), programs=PROGRAMS, deduct=Decimal(1)),
        Rule(id="guard", title="a guard", check=MainGuard(), programs=PROGRAMS, zero_mark=True),
        Rule(id="docstrings", title="docstrings", check=Docstrings(), programs=PROGRAMS),
    ),
)


@dataclass(frozen=True)
class NoneNamed:
    """All files are those beside the submissions."""

    roster: Path | None = None
    extensions: Path | None = None
    marks: Path | None = None
    overrides: Path | None = None


NAMED = NoneNamed()
