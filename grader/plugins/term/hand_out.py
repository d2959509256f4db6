"""Distributes a student's late days over the assignments of a term."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from grader.plugins.term.weighing import Component

_Key = TypeVar("_Key")

Choices: TypeAlias = Mapping[str, Sequence["DayChoice"]]
"""The uses of late days for a student's counted assignments. The first uses none; each further one is better."""


@dataclass(frozen=True)
class DayChoice:
    """The share of the full mark with this number of late days."""

    days: int
    share: Fraction


def in_order(choices: Choices, pool: int) -> dict[str, int]:
    """Return the late days by assignment if each one in turn takes the fewest days that give its best mark."""
    taken: dict[str, int] = {}
    for assignment, of_assignment in choices.items():
        taken[assignment] = max(choice.days for choice in of_assignment if choice.days <= pool)
        pool -= taken[assignment]
    return taken


@dataclass(frozen=True)
class _Plan:
    """Days by assignment, and the resulting share. Among equal shares, fewer days are better, then earlier ones."""

    value: Fraction = Fraction(0)
    days: tuple[tuple[str, int], ...] = ()

    def merit(self) -> tuple[Fraction, int, tuple[int, ...]]:
        return self.value, -sum(days for _, days in self.days), tuple(days for _, days in self.days)

    def __add__(self, other: "_Plan") -> "_Plan":
        return _Plan(self.value + other.value, self.days + other.days)


def where_they_help_most(components: Sequence[Component], choices: Choices, pool: int) -> dict[str, int]:
    """Return the late days by assignment with the highest total, and among these the fewest.

    This is exact: the best plan is kept for each number of days used so far. The days may affect which members of a
    group form its mean, so within a group the best plan is also kept for each number of chosen members.
    """
    plans = {0: _Plan()}
    for component in components:
        of_component = _plans_of(component, choices, pool)
        plans = _best_plans(
            (before + days, plan + further)
            for before, plan in plans.items()
            for days, further in of_component.items()
            if before + days <= pool
        )
    return dict(max(plans.values(), key=_Plan.merit).days)


def _plans_of(component: Component, choices: Choices, pool: int) -> dict[int, _Plan]:
    """Return the best plan for a component by the number of days used."""
    members = [member for member in component.members if member in choices]
    number = component.number(len(members))
    plans = {(0, 0): _Plan()}
    for member in members:
        options = [(1, choice.days, choice.share * component.weight / number) for choice in choices[member]]
        options.append((0, 0, Fraction(0)))
        plans = _best_plans(_with_member(plans, member, options, (number, pool)))
    return {days: plan for (chosen, days), plan in plans.items() if chosen == number}


def _with_member(
    plans: Mapping[tuple[int, int], _Plan],
    member: str,
    options: Sequence[tuple[int, int, Fraction]],
    most: tuple[int, int],
) -> Iterator[tuple[tuple[int, int], _Plan]]:
    """Yield each plan with each option for another member, by members chosen and days used, up to `most` each."""
    for (chosen, used), plan in plans.items():
        for is_chosen, days, value in options:
            key = chosen + is_chosen, used + days
            if key[0] <= most[0] and key[1] <= most[1]:
                yield key, plan + _Plan(value, ((member, days),))


def _best_plans(candidates: Iterable[tuple[_Key, _Plan]]) -> dict[_Key, _Plan]:
    """Return the best plan by key."""
    best: dict[_Key, _Plan] = {}
    for key, plan in candidates:
        if key not in best or plan.merit() > best[key].merit():
            best[key] = plan
    return best
