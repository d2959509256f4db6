from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from grader.report.graded_class import Row, graded_row
from grader.report.html.mark_steps import mark_steps
from grader.spec.assignment import Assignment, FallingCap, LatePolicy, PointsPerHour
from tests.report.graded_example import ASSIGNMENT, EXPECTED, rerun_row, row
from tests.report.html import site_example


def steps(late: timedelta, policy: LatePolicy | None) -> list[tuple[str, str, str]]:
    assignment = replace(ASSIGNMENT, late=policy)
    graded = graded_row(assignment, row("a", EXPECTED, late=late).graded, {})
    return said(assignment, graded)


def said(assignment: Assignment, graded: Row) -> list[tuple[str, str, str]]:
    return [(step.label, step.sum, step.value) for step in mark_steps(assignment, graded)]


@pytest.mark.parametrize(
    ("late", "policy", "last"),
    [
        (
            timedelta(0),
            FallingCap(Decimal(5), 5),
            [("Late by", "", "in time"), ("Mark", "the smaller of 1.5 and 1.5", "1.5")],
        ),
        (
            timedelta(days=1, minutes=1),
            FallingCap(Decimal(5), 5),
            [
                ("Late by", "", "1 d 1 min late"),
                ("Counted as", "every started day is a day", "2 days"),
                ("Highest mark left", "1.5 − 2 × 5 % of 1.5", "1.35"),
                ("Mark", "the smaller of 1.5 and 1.35", "1.35"),
            ],
        ),
        (
            timedelta(days=9),
            FallingCap(Decimal(5), 5),
            [
                ("Late by", "", "9 d late"),
                ("Counted as", "every started day is a day", "9 days"),
                ("Highest mark left", "nothing after 5 days", "0"),
                ("Mark", "the smaller of 1.5 and 0", "0"),
            ],
        ),
        (
            timedelta(minutes=61),
            PointsPerHour(Decimal("0.25")),
            [
                ("Late by", "", "1 h 1 min late"),
                ("Counted as", "every started hour is an hour", "2 hours"),
                ("Taken off", "2 × 0.25", "0.5"),
                ("Mark", "1.5 − 0.5, never below 0", "1"),
            ],
        ),
        (
            timedelta(minutes=1),
            None,
            [
                ("Late by", "", "1 min late"),
                ("Taken off", "lateness costs nothing", "0"),
                ("Mark", "the smaller of 1.5 and 1.5", "1.5"),
            ],
        ),
    ],
)
def test_the_calculation_line_by_line(
    late: timedelta, policy: LatePolicy | None, last: list[tuple[str, str, str]]
) -> None:
    found = steps(late, policy)
    assert found[:2] == [
        ("Points", "tests, rules and marks by hand, of 1.5", "1.5"),
        ("Due", "", "2025-10-27 11:59:00 AEDT"),
    ]
    assert found[2][:2] == ("Handed in", "from submission.yaml")
    assert found[3:] == last


def test_a_mark_that_is_not_known_yet() -> None:
    assert said(ASSIGNMENT, rerun_row("c"))[-1] == ("Mark", "not known yet", "?")
    open_row = site_example.CLASS.rows[3]
    assert said(site_example.ASSIGNMENT, open_row)[-1] == ("Mark", "not yet marked: mnemonic identifiers", "?")


def test_what_a_confirmed_rule_costs_is_told() -> None:
    assert said(site_example.ASSIGNMENT, site_example.CLASS.rows[1])[:3] == [
        ("Earned", "tests, rules and marks by hand, of 9.5", "3"),
        ("Rule broken", "main: main() is used", "−1"),
        ("Points", "never below 0", "2"),
    ]


def test_an_extension_is_told() -> None:
    graded = row("a", EXPECTED).graded
    extended = graded_row(ASSIGNMENT, graded, {"a": ASSIGNMENT.due + timedelta(days=1)})
    assert said(ASSIGNMENT, extended)[1] == ("Due (extended)", "", "2025-10-28 11:59:00 AEDT")
