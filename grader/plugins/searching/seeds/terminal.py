"""The results of a search for seeds, for the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.plugins.searching.seeds.explore import CoverageGoal, Exploration, GoalKind, SelectedTest
from grader.plugins.searching.seeds.tests_file import goals_text
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls

_PLURALS = {GoalKind.EVENT: "events", GoalKind.LENGTH: "lengths", GoalKind.BRANCH: "branches"}


def seeds_lines(explored: Exploration, chosen: Sequence[SelectedTest]) -> Iterator[Text]:
    """Yield the search in words."""
    search = explored.search
    reached = frozenset(goal for test in chosen for goal in test.reached.goals)
    shares = (
        f"{_count(reached, kind)} of {_count(explored.goals, kind)} {_PLURALS[kind]}"
        for kind in GoalKind
        if _count(explored.goals, kind)
    )
    yield Text(escape_controls(f"{search.id}: {search.program.file}"), TerminalStyle.HEADING)
    yield Text(
        f"  {len(chosen)} of {len(explored.reached)} values reach what all of them reach: {', '.join(shares)}.",
        TerminalStyle.PASSED,
    )
    for fault, count in Counter(test.fault for test in explored.reached if test.fault).most_common():
        yield Text(f"  {count} values make no test: {escape_controls(fault)}.", TerminalStyle.WARNING)
    for test in chosen:
        present = f" (there already: {test.existing})" if test.existing else ""
        yield Text(f"    {test.test.id}{present}: {escape_controls(goals_text(test.adds))}")
    for goal in missed_goals(explored, chosen):
        yield Text(f"  never reached: {escape_controls(goal.name)}", TerminalStyle.FAILED)
    unseen = (goal.name for goal in explored.goals - reached if goal.kind is GoalKind.BRANCH)
    branches = sorted(unseen, key=lambda name: (int(name.split()[1]), name))
    if branches:
        yield Text(
            f"  branches of {search.program.reference.name} never taken: {', '.join(branches)}", TerminalStyle.MUTED
        )


def missed_goals(explored: Exploration, chosen: Sequence[SelectedTest]) -> list[CoverageGoal]:
    """Return the stated events and lengths that no test reaches."""
    reached = frozenset(goal for test in chosen for goal in test.reached.goals)
    return sorted(goal for goal in explored.goals - reached if goal.kind is not GoalKind.BRANCH)


def _count(goals: frozenset[CoverageGoal], kind: GoalKind) -> int:
    return sum(goal.kind is kind for goal in goals)
