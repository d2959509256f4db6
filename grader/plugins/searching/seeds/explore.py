"""Runs the candidates of a search, and chooses a few that together reach every goal that any candidate reaches."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.util import find_spec
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, TypeVar

from grader.installation import install_command
from grader.model.assignment import Assignment
from grader.model.ending import ExitsBetween
from grader.model.interaction import typed_lines
from grader.model.test import Test
from grader.plugins.searching.branches.runner import BranchRunner, open_branch_runner
from grader.plugins.searching.seeds.search_file import Candidate, SeedSearch, SeedsError, dialogue_with
from grader.plugins.searching.test_templates import action_digest
from grader.run.run_slots import thread_pool

Coverable = TypeVar("Coverable", bound=Hashable)


def cover(reached: Sequence[Collection[Coverable]]) -> list[int]:
    """Return indexes into `reached` that together cover every goal, the one with the most goals first.

    The algorithm is greedy and deterministic: it repeatedly takes the first index that adds the most goals, and finally
    drops indexes whose goals are covered by others. For n goals, it returns at most ln(n) + 1 times as many indexes as
    necessary.
    """
    bits: dict[Coverable, int] = {}
    # The order of the goals only determines which bit represents which goal.
    masks = [sum(1 << bits.setdefault(goal, len(bits)) for goal in set(goals)) for goals in reached]
    first = {mask: index for index, mask in reversed(list(enumerate(masks)))}
    waiting = sorted(first.values())
    chosen: list[int] = []
    covered = 0
    while waiting:
        waiting = [index for index in waiting if masks[index] & ~covered]
        if waiting:
            best = max(waiting, key=lambda index: ((masks[index] & ~covered).bit_count(), -index))
            covered |= masks[best]
            chosen.append(best)
    for index in reversed(chosen.copy()):
        others = 0
        for chosen_set in chosen:
            others |= masks[chosen_set] if chosen_set != index else 0
        if others == covered:
            chosen.remove(index)
    return chosen


class GoalKind(StrEnum):
    """The kind of a goal."""

    EVENT = "event"
    LENGTH = "length"
    BRANCH = "branch"


@dataclass(frozen=True, order=True)
class CoverageGoal:
    """Something that a test can reach: an event, a length of the transcript, a branch of the reference."""

    kind: GoalKind
    name: str


@dataclass(frozen=True)
class CandidateCoverage:
    """The goals that a candidate reaches in all variants together; lines after the first `read` are never read.

    A candidate with a `fault` cannot be a test.
    """

    candidate: Candidate
    goals: frozenset[CoverageGoal]
    read: int
    fault: str | None


@dataclass(frozen=True)
class Exploration:
    """The coverage of the candidates, in their order, and all goals, reached or not."""

    search: SeedSearch
    reached: tuple[CandidateCoverage, ...]
    goals: frozenset[CoverageGoal]


def explore(assignment: Assignment, search: SeedSearch, *, jobs: int, tick: Callable[[], None]) -> Exploration:
    """Run every candidate in every variant, `jobs` at a time; `tick` is called after each candidate.

    Raises SeedsError if Coverage.py is not installed or the reference cannot be run.
    """
    if find_spec("coverage") is None:
        raise SeedsError(f"Searching for seeds needs Coverage.py; install it with: {install_command('seeds')}")
    program, events = search.program, search.entry.events
    idle: SimpleQueue[BranchRunner] = SimpleQueue()
    with ExitStack() as stack:
        runners = [stack.enter_context(open_branch_runner(assignment, program, events)) for _ in range(jobs)]
        for runner in runners:
            idle.put(runner)

        def run(candidate: Candidate) -> CandidateCoverage:
            runner = idle.get()
            try:
                answers = [runner.run(candidate.template.test, variant) for variant in program.variants]
            finally:
                idle.put(runner)
            tick()
            return _reached(search, candidate, answers)

        def cancel() -> None:
            for runner in runners:
                runner.kill()

        with thread_pool(jobs, cancel) as pool:
            reached = tuple(pool.map(run, search.candidates))
        branches = frozenset(_branch(*branch) for branch in runners[0].branches)
    stated = {CoverageGoal(GoalKind.EVENT, name) for name in search.entry.events} | {
        CoverageGoal(GoalKind.LENGTH, name) for name in _lengths(search)
    }
    return Exploration(search, reached, branches | stated)


def _reached(search: SeedSearch, candidate: Candidate, answers: Sequence[dict[str, Any]]) -> CandidateCoverage:
    faults = filter(None, (_fault(candidate, answer) for answer in answers))
    fault = next(faults, None) or _fault_of_variants(candidate, answers)
    if fault is not None:
        return CandidateCoverage(candidate, frozenset(), 0, fault)
    goals = {_branch(*branch) for answer in answers for branch in answer["branches"]}
    goals |= {CoverageGoal(GoalKind.EVENT, name) for answer in answers for name in answer["events"]}
    if search.entry.lengths:
        names = _lengths(search)
        longer = [sum(answer["length"] >= bound for bound in search.entry.lengths) for answer in answers]
        goals |= {CoverageGoal(GoalKind.LENGTH, names[index]) for index in longer}
    return CandidateCoverage(candidate, frozenset(goals), max(answer["read"] for answer in answers), fault=None)


def _fault_of_variants(candidate: Candidate, answers: Sequence[dict[str, Any]]) -> str | None:
    if candidate.template.test.may_leave_input or len({answer["read"] for answer in answers}) <= 1:
        return None
    return "its variants do not read as many lines"


def _fault(candidate: Candidate, answer: dict[str, Any]) -> str | None:
    if answer["fault"] is not None:
        return str(answer["fault"])
    expected, status = candidate.template.test.ending, answer["status"]
    if isinstance(expected, ExitsBetween) and expected.least <= status <= expected.most:
        return None
    return f"its exit status is {status}, that of the test {expected.words}"


def _lengths(search: SeedSearch) -> list[str]:
    """Return the names of the lengths between the bounds, the shortest first."""
    bounds = search.entry.lengths
    if not bounds:
        return []
    between = (f"{low} to {high - 1} lines" for low, high in pairwise(bounds))
    return [f"fewer than {bounds[0]} lines", *between, f"{bounds[-1]} lines or more"]


def _branch(start: int, end: int) -> CoverageGoal:
    where = str(end) if end > 0 else "the end"
    return CoverageGoal(GoalKind.BRANCH, f"line {start} to {where}")


@dataclass(frozen=True)
class SelectedTest:
    """A test that is needed: `adds` holds the goals that it reaches and that earlier tests do not reach.

    `existing` is the test of the assignment that does the same thing, if any.
    """

    reached: CandidateCoverage
    test: Test
    adds: frozenset[CoverageGoal]
    existing: str | None


def choose(assignment: Assignment, explored: Exploration) -> tuple[SelectedTest, ...]:
    """Choose a few candidates that together reach every goal that any of them reaches, most productive ones first."""
    usable = [candidate for candidate in explored.reached if candidate.fault is None]
    return tuple(_chosen(assignment, [usable[index] for index in cover([candidate.goals for candidate in usable])]))


def _chosen(assignment: Assignment, needed: list[CandidateCoverage]) -> Iterator[SelectedTest]:
    same = {action_digest(test): test.id for test in reversed(assignment.tests)}
    before: frozenset[CoverageGoal] = frozenset()
    for needed_test in needed:
        candidate = needed_test.candidate
        old = candidate.template.test
        read = dialogue_with(old.interaction, typed_lines(old.interaction)[: needed_test.read])
        test = replace(old, id=candidate.id, title=candidate.title, interaction=read, hidden_twin_of=None)
        yield SelectedTest(needed_test, test, needed_test.goals - before, same.get(action_digest(test)))
        before |= needed_test.goals
