"""Rules, manual items, twins and the two late policies in the spec files."""

from decimal import Decimal
from pathlib import Path

import pytest

from grader.model.assignment import ManualItem
from grader.model.rule import Rule
from grader.plugins.code_rules.functions import RequiredFunctions
from grader.plugins.code_rules.hard_coding import HardCodedOutput
from grader.plugins.code_rules.style import Docstrings
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.late_policies.points_per_hour import PointsPerHour
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

STYLE = ASSIGNMENT.replace(
    "parts:\n",
    "parts:\n  - {id: style, title: Style, marks: 3, manual: [{id: names, title: Names, marks: 2}]}\n",
)
DOCS = "rules:\n  - {id: docs, title: Docs, rule: docstrings, part: style, points: 1}\n"


def test_rules_and_manual_items(tmp_path: Path) -> None:
    functions = "  - {id: f, title: F, rule: required-functions, functions: ['f(a, b)'], program: game.py, deduct: 2}\n"
    zero = "  - {id: z, title: Z, rule: hard-coded-output, zero_mark: true}\n"
    assignment = load(write_assignment(tmp_path, STYLE + DOCS + functions + zero))
    game = ("game.py",)
    assert assignment.rules == (
        Rule(id="docs", title="Docs", check=Docstrings(), programs=game, part="style", points=Decimal(1)),
        Rule(
            id="f",
            title="F",
            check=RequiredFunctions(("f(a, b)",)),
            programs=game,
            deduct=Decimal(2),
        ),
        Rule(id="z", title="Z", check=HardCodedOutput(), programs=game, zero_mark=True),
    )
    assert [rule.asks for rule in assignment.rules] == [False, True, True]
    assert assignment.manual == (ManualItem("names", "Names", Decimal(2)),)
    assert assignment.marks == 4


def test_late_policies(tmp_path: Path) -> None:
    hourly = load(write_assignment(tmp_path / "a", f"{ASSIGNMENT}late: {{policy: points-per-hour, points: 1}}\n"))
    assert hourly.late == PointsPerHour(Decimal(1))
    daily = "late: {policy: falling-cap, percent_per_day: 5, max_days_late: 3}\n"
    assert load(write_assignment(tmp_path / "b", ASSIGNMENT + daily)).late == FallingCap(Decimal(5), 3)


def test_twins_are_public(tmp_path: Path) -> None:
    tests = TESTS.replace("points: 1", "points: 0.5") + "  - {id: two, input: [2], hidden_twin_of: one}\n"
    said = problems_of(write_assignment(tmp_path / "a", play=tests))
    assert said == "tests/play.yaml:7:43: there is no public test `one`"
    public = tests.replace("{id: one,", "{id: one, visibility: public,")
    assert [test.hidden_twin_of for test in load(write_assignment(tmp_path / "b", play=public)).tests] == [None, "one"]


SLIPS = [
    ("rule: docstrings", "rule: docstring", "found `docstring`; expected one of `docstrings`, `forbidden-names`, "),
    (
        "rule: docstrings",
        "rule: docstrings, program: gam.py",
        "there is no program `gam.py` in assignment.yaml",
    ),
    ("part: style", "part: styl", "there is no part `styl` in assignment.yaml; did you mean `style`?"),
    ("rule: docstrings", "rule: line-length", "the key `columns` is missing here"),
    (
        "rule: docstrings",
        "rule: docstrings, columns: 80",
        "unknown key `columns`; expected one of: deduct, id, part, points, program, rule, title, zero_mark",
    ),
    ("rule: docstrings", "rule: required-functions, functions: [f(]", "found `f(`; expected a function with its"),
    ("rule: docstrings", "rule: provided-module, module: cards.py", "there is no provided module `cards.py`"),
    ("part: style, points: 1", "points: 1", "found one of `part` and `points`; expected both or neither"),
    ("points: 1", "points: 1, deduct: 1", "found more than one of `points`, `deduct` and `zero_mark`"),
    (
        "points: 1",
        "points: 2",
        "the tests, rules and manual items of `style` give 4 points together",
    ),
    ("points: 1}", "points: 1}\n  - {id: docs, title: x, rule: naming-style}", "`docs` is given twice"),
    ("rules:", "late: {policy: points-per-hour}\nrules:", "the key `points` is missing here"),
    (
        "rules:",
        "late: {policy: points-per-hour, of: full}\nrules:",
        "unknown key `of`; expected one of: cut_off, grace_minutes",
    ),
]


@pytest.mark.parametrize(("was", "now", "problem"), SLIPS)
def test_slips(was: str, now: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write_assignment(tmp_path, STYLE + DOCS.replace(was, now)))
