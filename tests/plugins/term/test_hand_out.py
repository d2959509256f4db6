"""Days are handed out as well as can be, by comparison with every way there is."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.plugins.term.hand_out import DayChoice, in_order, where_they_help_most
from grader.plugins.term.weighing import Component, total_share

SHARES = st.integers(0, 12).map(lambda twelfths: Fraction(twelfths, 12))


@st.composite
def choices_of_one(draw: st.DrawFn) -> tuple[DayChoice, ...]:
    shares = sorted(draw(st.sets(SHARES, min_size=1, max_size=3)))
    days = sorted(draw(st.sets(st.integers(1, 4), min_size=len(shares) - 1, max_size=len(shares) - 1)))
    return tuple(DayChoice(each, share) for each, share in zip((0, *days), shares, strict=True))


@st.composite
def terms(draw: st.DrawFn) -> tuple[list[Component], dict[str, tuple[DayChoice, ...]]]:
    """Components of one to three members, of whom some do not count for the student."""
    components, choices = [], {}
    for number in range(draw(st.integers(1, 3))):
        members = tuple(f"{number}-{member}" for member in range(draw(st.integers(1, 3))))
        best = draw(st.integers(1, len(members)))
        components.append(Component(str(number), Fraction(draw(st.integers(1, 6))), members, best))
        choices.update({member: draw(choices_of_one()) for member in members if draw(st.integers(0, 5))})
    return components, choices


Term = tuple[list[Component], dict[str, tuple[DayChoice, ...]]]


def shares_with(choices: dict[str, tuple[DayChoice, ...]], days: dict[str, int]) -> dict[str, Fraction]:
    return {
        name: next(choice.share for choice in of_one if choice.days == days.get(name, 0))
        for name, of_one in choices.items()
    }


@pytest.mark.slow
@settings(max_examples=200)
@given(terms(), st.integers(0, 9))
def test_no_other_way_gives_a_higher_total_nor_the_same_with_fewer_days(term: Term, pool: int) -> None:
    components, choices = term
    every_way = product(*([(name, choice.days) for choice in of_one] for name, of_one in choices.items()))
    allowed = [dict(way) for way in every_way if sum(days for _, days in way) <= pool]
    best = max((total_share(components, shares_with(choices, way)) or 0, -sum(way.values())) for way in allowed)
    handed_out = where_they_help_most(components, choices, pool)
    total = total_share(components, shares_with(choices, handed_out)) or 0
    assert (total, -sum(handed_out.values())) == best


@settings(max_examples=100)
@given(terms(), st.integers(0, 9))
def test_in_order_each_takes_its_best_of_what_is_left(term: Term, pool: int) -> None:
    _, choices = term
    taken, left = in_order(choices, pool), pool
    for name, of_one in choices.items():
        affordable = [choice for choice in of_one if choice.days <= left]
        assert taken[name] == max(affordable, key=lambda choice: choice.share).days
        left -= taken[name]
    assert left >= 0


def test_a_day_goes_to_the_member_that_then_counts() -> None:
    group = Component("labs", Fraction(1), ("first", "second"), 1)
    choices = {
        "first": (DayChoice(0, Fraction(5, 10)),),
        "second": (DayChoice(0, Fraction(4, 10)), DayChoice(2, Fraction(9, 10))),
    }
    assert where_they_help_most([group], choices, 1) == {"first": 0, "second": 0}
    assert where_they_help_most([group], choices, 2) == {"first": 0, "second": 2}


def test_many_days_and_assignments_take_no_time() -> None:
    names = [f"a{number}" for number in range(15)]
    group = Component("all", Fraction(1), tuple(names), 10)
    choices = {name: tuple(DayChoice(days, Fraction(days, 10)) for days in range(6)) for name in names}
    assert sum(where_they_help_most([group], choices, 30).values()) == 30
