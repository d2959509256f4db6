"""A program that has to share its processor gets the time back; one that never ends is run once all the same."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.run.interpreter import Interpreter
from grader.run.process import tree
from grader.run.run_slots import FairTimeLimit
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import run_dialogue
from grader.time_limit import TimeLimit

SECONDS = 0.5
LIMITS = Limits(wall_seconds=SECONDS)


@pytest.fixture
def shared_core() -> Iterator[None]:
    """Have this test and what it starts share one core with a process that never rests."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    command = [sys.executable, "-S", "-c", "print(flush=True)\nwhile True: pass"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as neighbour:
        assert neighbour.stdout is not None
        neighbour.stdout.readline()
        try:
            yield
        finally:
            neighbour.kill()
            os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("shared_core")
def test_what_a_program_waits_for_a_processor_does_not_count(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("while True: pass\n")
    launch = interpreter.program("program.py", tmp_path)
    for outcome in run_dialogue(launch, (), limits=LIMITS), run_stdin(launch, "", limits=LIMITS):
        assert outcome.ending is Termination.TIMED_OUT
        assert outcome.wall_seconds > 1.2 * SECONDS


def test_what_sleeps_gets_nothing_back(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time\ntime.sleep(1000)\n")
    outcome = run_dialogue(interpreter.program("program.py", tmp_path), (), limits=LIMITS)
    assert outcome.ending is Termination.TIMED_OUT
    assert outcome.starved_seconds < SECONDS


class _Clock(TimeLimit):
    """A limit whose time is what a test says."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.now, self.limit = 0.0, seconds

    def passed(self) -> float:
        return self.now

    def is_over(self) -> bool:
        return self.now > self.limit

    def extend(self, seconds: float) -> None:
        self.limit += seconds


@pytest.mark.parametrize(
    ("share", "ends_at"), [(0.0, 10.0), (0.005, 10.0), (0.2, 12.5), (0.5, 20.0), (0.6, 25.0), (0.9, 30.0)]
)
def test_a_limit_moves_on_by_the_time_without_a_processor(
    share: float, ends_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = _Clock(10.0)
    monkeypatch.setattr(tree, "starved_seconds", lambda _: share * clock.now)
    monkeypatch.setattr(tree, "ran_seconds", lambda _: (1 - share) * clock.now)
    monkeypatch.setattr(tree, "used_seconds", lambda _: ((1 - share) * clock.now, 0.0))
    limit = FairTimeLimit(clock, 10.0, os.getpid())
    while not limit.is_over():
        clock.now += 0.01
    assert limit.passed() == pytest.approx(ends_at, rel=0.02)
    assert limit.starved_seconds() == pytest.approx(max(0.0, share * clock.now - min(clock.limit - 10.0, 20.0)))


def test_who_had_a_processor_all_the_time_gets_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock(10.0)
    monkeypatch.setattr(tree, "starved_seconds", lambda _: 5.0)
    monkeypatch.setattr(tree, "ran_seconds", lambda _: clock.now)
    monkeypatch.setattr(tree, "used_seconds", lambda _: (clock.now, 0.0))
    limit = FairTimeLimit(clock, 10.0, os.getpid())
    while not limit.is_over():
        clock.now += 0.01
    assert limit.passed() == pytest.approx(10.0, abs=0.02)


@pytest.mark.parametrize(("ended", "ends_at"), [(0.01, 10.0), (0.5, 20.0)])
def test_what_children_waited_that_have_ended_counts_too(
    ended: float, ends_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing tells how long they waited, so it is all the time in which nothing of the program ran."""
    clock = _Clock(10.0)
    monkeypatch.setattr(tree, "starved_seconds", lambda _: 0.0)
    monkeypatch.setattr(tree, "ran_seconds", lambda _: 0.0)
    monkeypatch.setattr(tree, "used_seconds", lambda _: (0.0, ended * clock.now))
    limit = FairTimeLimit(clock, 10.0, os.getpid())
    while not limit.is_over():
        clock.now += 0.01
    assert limit.passed() == pytest.approx(ends_at, rel=0.02)


CHILDREN = """
import os, time
def work():
    while time.process_time() < 0.04: pass
    os._exit(0)
for _ in range(8):
    if not (child := os.fork()): work()
    os.waitpid(child, 0)
print("done")
"""


@pytest.mark.usefixtures("shared_core")
def test_a_program_of_many_children_has_its_time(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(CHILDREN)
    launch = interpreter.program("program.py", tmp_path)
    for outcome in run_dialogue(launch, (), limits=LIMITS), run_stdin(launch, "", limits=LIMITS):
        assert outcome.ending is Termination.EXITED


def test_a_program_that_has_ended_when_the_clock_is_looked_at_late(
    interpreter: Interpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def after_its_end(_: FairTimeLimit) -> bool:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        return True

    monkeypatch.setattr(FairTimeLimit, "is_over", after_its_end)
    (tmp_path / "program.py").write_text("print('done')\n")
    launch = interpreter.program("program.py", tmp_path)
    dialogue, fed = run_dialogue(launch, ()), run_stdin(launch, "")
    assert (dialogue.ending, dialogue.transcript) == (Termination.EXITED, "done\n")
    assert (fed.ending, fed.stdout) == (Termination.EXITED, "done\n")
