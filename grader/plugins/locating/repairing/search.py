"""Searches for the smallest repair of a program: a part of the differences to a program that passes more tests."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from grader.plugins.locating.repairing.changes import changed_programs
from grader.plugins.locating.repairing.edits import Edit, added, cost, edited, edits_between, removed
from grader.plugins.locating.repairing.minimise import minimised
from grader.plugins.locating.repairing.program_lines import ProgramLine, program_lines, program_text, read_source, size
from grader.plugins.locating.repairing.renaming import NamedProgram, named_program, renamed

_MOST_REMOVED, _MOST_ADDED = 1 / 3, 1 / 2
"""The share of the program's tokens that a repair may remove or replace, and add; a larger one is another program."""

_MOST_CHANGES = 400
_MOST_STEPS = 2
_MOST_CONTINUED = 4
_MOST_COMPARED, _MOST_TRIED = 40, 16
"""The numbers of accepted programs that are compared token by token, and that are tried."""

Passes: TypeAlias = frozenset[str]
"""The tests that a program passes."""

TryPrograms: TypeAlias = Callable[[Sequence[str]], Iterator[Passes]]
"""Runs the tests of several programs, and yields which each passes; it ends early when the time is over."""


@dataclass(frozen=True, kw_only=True)
class Repair:
    """Edits of a program, and the tests that it passes then."""

    edits: tuple[Edit, ...]
    passes: Passes
    cost: int


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a repair must do: tests to `mend`, where all tests that the program passes already stay `passed`."""

    mend: frozenset[str]
    passed: frozenset[str]

    def holds(self, passes: Passes) -> bool:
        """Return whether a program that passes these tests is a repair."""
        return self.mend | self.passed <= passes


@dataclass(frozen=True, kw_only=True)
class RepairSearch:
    """The search for a repair of `text`; `accepted` are programs that pass all tests."""

    text: str
    accepted: Sequence[str]
    try_programs: TryPrograms

    def find(self, goal: Goal) -> Repair | None:
        """Return the smallest repair found that reaches the goal; None if there is none. Raises SyntaxError."""
        program = tuple(source.line for source in read_source(self.text))
        repairs = [self._repair(program, target, goal) for target in self._targets(goal)]
        small = [repair for repair in repairs if repair is not None and _is_small(program, repair.edits)]
        return min(small, key=lambda repair: repair.cost, default=None)

    def _targets(self, goal: Goal) -> Iterator[Sequence[ProgramLine]]:
        """Yield programs that reach the goal: changed ones, or else the accepted ones nearest to the program."""
        changed = [program_lines(text) for text in self._changed_programs(goal)]
        yield from changed or self._accepted_programs(goal)

    def _changed_programs(self, goal: Goal) -> list[str]:
        """Return the programs that reach the goal by one change, or else by two, the first of which helps."""
        texts = [self.text]
        for _ in range(_MOST_STEPS):
            candidates = [changed for text in texts for changed in islice(changed_programs(text), _MOST_CHANGES)]
            passed = list(zip(candidates, self.try_programs(candidates), strict=False))
            reached = [text for text, passes in passed if goal.holds(passes)]
            if reached:
                return reached
            helping = [(text, passes) for text, passes in passed if passes > goal.passed]
            helping.sort(key=lambda item: len(item[1]), reverse=True)
            texts = [text for text, _ in helping[:_MOST_CONTINUED]]
        return []

    def _accepted_programs(self, goal: Goal) -> list[Sequence[ProgramLine]]:
        program = named_program(self.text)
        nearest = [renamed(program, other) for other in _nearest(program, self.accepted)]
        targets = sorted(nearest, key=lambda target: cost(program.lines, edits_between(program.lines, target)))
        targets = targets[:_MOST_TRIED]
        passed = self.try_programs([program_text(target) for target in targets])
        return [target for target, passes in zip(targets, passed, strict=False) if goal.holds(passes)]

    def _repair(self, program: Sequence[ProgramLine], target: Sequence[ProgramLine], goal: Goal) -> Repair | None:
        """Return the edits that the program needs of those that turn it into the target."""
        passes: dict[Sequence[Edit], Passes] = {}

        def first_that_works(parts: Sequence[Sequence[Edit]]) -> int | None:
            tried = self.try_programs([program_text(edited(program, part)) for part in parts])
            for place, passed in enumerate(tried):
                if goal.holds(passed):
                    passes[tuple(parts[place])] = passed
                    return place
            return None

        edits = edits_between(program, target)
        if first_that_works([edits]) is None:
            return None
        needed = tuple(minimised(edits, first_that_works))
        return Repair(edits=needed, passes=passes[needed], cost=cost(program, needed))


def _is_small(program: Sequence[ProgramLine], edits: Sequence[Edit]) -> bool:
    whole = size(program)
    return removed(program, edits) <= whole * _MOST_REMOVED and added(program, edits) <= whole * _MOST_ADDED


def _nearest(program: NamedProgram, accepted: Sequence[str]) -> list[NamedProgram]:
    """Return the accepted programs whose lines are most like those of the program, whatever their names are."""
    shapes = Counter(program.shapes())
    others = [named_program(text) for text in accepted]

    def unlikeness(other: NamedProgram) -> float:
        other_shapes = Counter(other.shapes())
        return -2 * (shapes & other_shapes).total() / (shapes.total() + other_shapes.total())

    return sorted(others, key=unlikeness)[:_MOST_COMPARED]
