"""Compares the seeds or decks that `grader seeds` finds with random choices of ten times as many.

Each search of the assignments is compared with several random choices: ten times as many values, from the numbers below
a million. Prints JSON with the goals that both reach. The exit status is 1 if a random choice reaches a goal that the
chosen values do not reach.
"""

import argparse
import json
import random
import sys
from dataclasses import replace
from pathlib import Path

from grader.model.assignment import Assignment
from grader.plugins.searching.seeds.explore import CoverageGoal, Exploration, GoalKind, choose, explore
from grader.plugins.searching.seeds.search_file import SeedSearch, read_searches
from grader.plugins.searching.seeds.terminal import missed_goals
from grader.run.run_slots import cores
from grader.spec.course import Course

COURSE_FOLDER = Path(__file__).resolve().parent.parent
ASSIGNMENTS = ["comp9021-25t3-a1", "cse231-lab10b", "cse231-proj10"]
TIMES = 10
MOST = 1_000_000


def compare(assignment: Assignment, search: SeedSearch, choices: int) -> dict[str, object]:
    """Compare the search with random choices."""
    explored = _explore(assignment, search)
    chosen = choose(assignment, explored)
    found = _union(explored, {one.test.id for one in chosen})
    random_ones = [_at_random(assignment, search, TIMES * len(chosen), seed) for seed in range(choices)]
    return {
        "search": search.id,
        "program": search.program.file,
        "values_tried": len(explored.reached),
        "values_found": len(chosen),
        "values_at_random": TIMES * len(chosen),
        "reached_by_found": _figures(found),
        "reached_at_random": [_figures(reached) for reached in random_ones],
        "only_found_reach": sorted({goal.name for reached in random_ones for goal in found - reached}),
        "only_random_reach": sorted({goal.name for reached in random_ones for goal in reached - found}),
        "stated_and_never_reached": [goal.name for goal in missed_goals(explored, chosen)],
    }


def _at_random(assignment: Assignment, search: SeedSearch, count: int, seed: int) -> frozenset[CoverageGoal]:
    values = tuple(map(str, random.Random(seed).sample(range(MOST), count)))
    explored = _explore(assignment, replace(search, entry=search.entry.model_copy(update={"values": values})))
    return _union(explored, {one.candidate.id for one in explored.reached})


def _explore(assignment: Assignment, search: SeedSearch) -> Exploration:
    return explore(assignment, search, jobs=cores(), tick=lambda: None)


def _union(explored: Exploration, ids: set[str]) -> frozenset[CoverageGoal]:
    return frozenset(goal for one in explored.reached if one.candidate.id in ids for goal in one.goals)


def _figures(goals: frozenset[CoverageGoal]) -> dict[str, int]:
    return {kind: sum(goal.kind is kind for goal in goals) for kind in GoalKind}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assignments", nargs="+", default=ASSIGNMENTS)
    parser.add_argument("--choices", type=int, default=5, help="how often values are chosen at random")
    arguments = parser.parse_args()
    course = Course(COURSE_FOLDER)
    compared = [
        compare(assignment, search, arguments.choices)
        for assignment in map(course.assignment, arguments.assignments)
        for search in read_searches(assignment)
    ]
    print(json.dumps({"random_times": TIMES, "searches": compared}, indent=2))
    return 1 if any(one["only_random_reach"] for one in compared) else 0


if __name__ == "__main__":
    sys.exit(main())
