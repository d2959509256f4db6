"""The tests that a search comes to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.seeds.cover import cover
from grader.seeds.explore import Explored, Goal, Reached
from grader.spec.assignment import Assignment, Test


@dataclass(frozen=True)
class Chosen:
    """A test that is needed: `adds` is what it reaches and those before it do not.

    `existing` is the test of the assignment that does the same, if there is one.
    """

    reached: Reached
    test: Test
    adds: frozenset[Goal]
    existing: str | None


def choose(assignment: Assignment, explored: Explored) -> tuple[Chosen, ...]:
    """Few candidates that reach together what any candidate reaches, those that reach most first."""
    usable = [one for one in explored.reached if one.fault is None]
    return tuple(_chosen(assignment, [usable[index] for index in cover([one.goals for one in usable])]))


def _chosen(assignment: Assignment, needed: list[Reached]) -> Iterator[Chosen]:
    same = {_deed(test): test.id for test in reversed(assignment.tests)}
    before: frozenset[Goal] = frozenset()
    for one in needed:
        candidate = one.candidate
        old = candidate.template.test
        test = replace(old, id=candidate.id, title=candidate.title, lines=old.lines[: one.read], twin=None)
        yield Chosen(one, test, one.goals - before, same.get(_deed(test)))
        before |= one.goals


def _deed(test: Test) -> tuple[object, ...]:
    """What a test does, whatever it is called and worth."""
    return (
        *(test.program, test.start, test.lines, test.stdin, test.echo, test.exit_status),
        *(test.comparison, test.provision, test.checker, repr(test.call)),
    )
