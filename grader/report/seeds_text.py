"""What a search for seeds came to, for the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.judge.characters import harmless
from grader.seeds.choice import Chosen
from grader.seeds.explore import Explored, Goal, Kind
from grader.seeds.write import goals_text

_PLURALS = {Kind.EVENT: "events", Kind.LENGTH: "lengths", Kind.BRANCH: "branches"}


def seeds_lines(explored: Explored, chosen: Sequence[Chosen]) -> Iterator[Text]:
    """The search in words."""
    search = explored.search
    reached = frozenset(goal for one in chosen for goal in one.reached.goals)
    shares = (
        f"{_count(reached, kind)} of {_count(explored.goals, kind)} {_PLURALS[kind]}"
        for kind in Kind
        if _count(explored.goals, kind)
    )
    yield Text(harmless(f"{search.id}: {search.program.file}"), "bold")
    yield Text(
        f"  {len(chosen)} of {len(explored.reached)} values reach what all of them reach: {', '.join(shares)}.", "green"
    )
    for fault, count in Counter(one.fault for one in explored.reached if one.fault).most_common():
        yield Text(f"  {count} values make no test: {harmless(fault)}.", "yellow")
    for one in chosen:
        there = f" (there already: {one.existing})" if one.existing else ""
        yield Text(f"    {one.test.id}{there}: {harmless(goals_text(one.adds))}")
    for goal in missed(explored, chosen):
        yield Text(f"  never reached: {harmless(goal.name)}", "red")
    unseen = (goal.name for goal in explored.goals - reached if goal.kind is Kind.BRANCH)
    branches = sorted(unseen, key=lambda name: (int(name.split()[1]), name))
    if branches:
        yield Text(f"  branches of {search.program.reference.name} never taken: {', '.join(branches)}", "dim")


def missed(explored: Explored, chosen: Sequence[Chosen]) -> list[Goal]:
    """The stated events and lengths that no test reaches."""
    reached = frozenset(goal for one in chosen for goal in one.reached.goals)
    return sorted(goal for goal in explored.goals - reached if goal.kind is not Kind.BRANCH)


def _count(goals: frozenset[Goal], kind: Kind) -> int:
    return sum(goal.kind is kind for goal in goals)
