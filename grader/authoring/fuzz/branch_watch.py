"""Tells which sessions reach branches of the reference that none before them has reached."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from grader.authoring.fuzz.grammar import RepeatedLines
from grader.authoring.fuzz.session_plan import SessionPlan
from grader.authoring.seeds.branch_runner import BranchRunner, open_branch_runner
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue, StdinRun
from grader.model.test import Test
from grader.run.find_python import OWN_PYTHON


@dataclass(kw_only=True)
class BranchWatch:
    """The branches that sessions have reached so far, in the reference's first variant.

    Without a runner, as for references that are not in Python, no session is seen to reach anything.
    """

    variant: str
    runner: BranchRunner | None
    _reached: set[tuple[int, int]] = field(default_factory=set)

    def reaches_more(self, test: Test) -> bool:
        """Whether the session of a test reaches a branch that none before it reached. Raises SeedsError."""
        if self.runner is None:
            return False
        answer: dict[str, Any] = self.runner.run(test, self.variant)
        branches: Iterable[list[int]] = answer.get("branches", ())
        before = len(self._reached)
        self._reached.update((start, end) for start, end in branches)
        return len(self._reached) > before


@contextmanager
def open_branch_watch(assignment: Assignment, plan: SessionPlan) -> Iterator[BranchWatch]:
    """Watch the reference of a plan, where it is in the Python that runs the grader and lines are typed or read."""
    program = plan.program
    asked = assignment.python
    own_python = program.reference.suffix == ".py" and not asked.packages and not asked.differs_from(OWN_PYTHON.version)
    repeats = any(isinstance(one, RepeatedLines) for one in plan.grammar.lines)
    types_or_reads = all(isinstance(like.test.interaction, Dialogue | StdinRun) for like in plan.templates)
    with ExitStack() as stack:
        runner = None
        if own_python and repeats and types_or_reads:
            runner = stack.enter_context(open_branch_runner(assignment, program, {}))
        yield BranchWatch(variant=program.variants[0], runner=runner)
