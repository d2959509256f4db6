"""Runs the candidates of a search and says what each one reaches."""

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from grader.expected.generate import VARIANT_VARIABLE
from grader.run.interpreter import Interpreter
from grader.run.workspace import workspace
from grader.seeds.search import Candidate, Search, SeedsError
from grader.spec.assignment import Assignment

_CHILD = Path(__file__).with_name("child.py")


class Kind(StrEnum):
    """What can be reached."""

    EVENT = "event"
    LENGTH = "length"
    BRANCH = "branch"


@dataclass(frozen=True, order=True)
class Goal:
    """Something that a test can reach: an event, a length of the transcript, a branch of the reference."""

    kind: Kind
    name: str


@dataclass(frozen=True)
class Reached:
    """What a candidate reaches in all variants together, typing the first `read` lines; the others are never read.

    One with a `fault` cannot be a test.
    """

    candidate: Candidate
    goals: frozenset[Goal]
    read: int
    fault: str | None


@dataclass(frozen=True)
class Explored:
    """What was reached, in the order of the candidates, and all goals, reached or not."""

    search: Search
    reached: tuple[Reached, ...]
    goals: frozenset[Goal]


def explore(assignment: Assignment, search: Search, *, jobs: int, tick: Callable[[], None]) -> Explored:
    """Run every candidate in every variant, `jobs` at a time; `tick` is called after each candidate.

    Raises SeedsError when Coverage.py is not installed or the reference cannot be run.
    """
    if find_spec("coverage") is None:
        raise SeedsError("Searching for seeds needs Coverage.py: install grader with its extra `seeds`.")
    if not search.program.reference.is_file():
        raise SeedsError(f"The reference {search.program.reference} is missing.")
    idle: SimpleQueue[_Runner] = SimpleQueue()
    with ExitStack() as stack:
        runners = [stack.enter_context(_runner(assignment, search)) for _ in range(jobs)]
        for runner in runners:
            idle.put(runner)

        def run(candidate: Candidate) -> Reached:
            runner = idle.get()
            try:
                answers = [runner.run(candidate, variant) for variant in search.program.variants]
            finally:
                idle.put(runner)
            tick()
            return _reached(search, candidate, answers)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        try:
            reached = tuple(pool.map(run, search.candidates))
        except BaseException:
            for runner in runners:
                runner.kill()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        branches = frozenset(_branch(*branch) for branch in runners[0].branches)
    stated = {Goal(Kind.EVENT, name) for name in search.entry.events} | {
        Goal(Kind.LENGTH, name) for name in _lengths(search)
    }
    return Explored(search, reached, branches | stated)


def _reached(search: Search, candidate: Candidate, answers: Sequence[dict[str, Any]]) -> Reached:
    fault = next(filter(None, (_fault(candidate, answer) for answer in answers)), None)
    if fault is None and len({answer["read"] for answer in answers}) > 1:
        fault = "its variants do not read as many lines"
    if fault is not None:
        return Reached(candidate, frozenset(), 0, fault)
    goals = {_branch(*branch) for answer in answers for branch in answer["branches"]}
    goals |= {Goal(Kind.EVENT, name) for answer in answers for name in answer["events"]}
    if search.entry.lengths:
        names = _lengths(search)
        longer = [sum(answer["length"] >= bound for bound in search.entry.lengths) for answer in answers]
        goals |= {Goal(Kind.LENGTH, names[index]) for index in longer}
    return Reached(candidate, frozenset(goals), answers[0]["read"], None)


def _fault(candidate: Candidate, answer: dict[str, Any]) -> str | None:
    if answer["fault"] is not None:
        return str(answer["fault"])
    wanted = candidate.template.test.exit_status
    if wanted not in (None, answer["status"]):
        return f"its exit status is {answer['status']}, that of the test {wanted}"
    return None


def _lengths(search: Search) -> list[str]:
    """The names of the lengths that the bounds part, the shortest first."""
    bounds = search.entry.lengths
    if not bounds:
        return []
    between = (f"{low} to {high - 1} lines" for low, high in pairwise(bounds))
    return [f"fewer than {bounds[0]} lines", *between, f"{bounds[-1]} lines or more"]


def _branch(start: int, end: int) -> Goal:
    where = str(end) if end > 0 else "the end"
    return Goal(Kind.BRANCH, f"line {start} to {where}")


class _Runner:
    """A process that runs the reference, prepared for one input after the other."""

    def __init__(self, search: Search, process: "subprocess.Popen[str]", errors: Path, seconds: float) -> None:
        self._process = process
        self._errors = errors
        self._reference = search.program.reference
        setup = {"program": search.program.file, "seconds": seconds, "events": search.entry.events}
        self.branches: list[tuple[int, int]] = self._ask(setup)

    def run(self, candidate: Candidate, variant: str) -> dict[str, Any]:
        """Run the reference as `variant`."""
        test = candidate.template.test
        environment = {**test.provision.environment, VARIANT_VARIABLE: variant}
        answer: dict[str, Any] = self._ask({"lines": test.lines, "echo": test.echo, "environment": environment})
        return answer

    def kill(self) -> None:
        """End the process and its forks."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _ask(self, request: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            said = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise SeedsError(f"The reference {self._reference} cannot be run: {''.join(said)}")
        return json.loads(answer)


@contextmanager
def _runner(assignment: Assignment, search: Search) -> Iterator[_Runner]:
    interpreter = Interpreter(Path(sys.prefix), platform.python_version(), Path(sys.base_prefix))
    files = (*assignment.provided_files, (search.program.reference, search.program.file))
    with tempfile.TemporaryDirectory(prefix="grader-seeds-") as scratch, workspace(files, Path(scratch)) as folder:
        errors = Path(scratch) / "errors"
        with errors.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, str(_CHILD)],
                cwd=folder,
                env=interpreter.environment(folder, {}),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        with process:
            try:
                yield _Runner(search, process, errors, assignment.limits.wall_seconds)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
