"""A program that has to share its processor gets the time back; one that never ends is run once all the same."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.interaction import Dialogue
from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.run.environment import sandboxed_environment
from grader.run.interpreter import Interpreter
from grader.run.process import tree
from grader.run.process.fair_time import FairTimeLimit
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import run_dialogue
from grader.time_limit import TimeLimit
from tests.building import TEST
from tests.sandbox import needs_sandbox

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


@pytest.mark.slow
@pytest.mark.usefixtures("shared_core")
def test_what_a_program_waits_for_a_processor_does_not_count(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("while True: pass\n")
    launch = interpreter.program("program.py", tmp_path)
    for outcome in run_dialogue(launch, (), limits=LIMITS), run_stdin(launch, "", limits=LIMITS):
        assert outcome.ending is Termination.TIMED_OUT
        assert outcome.wall_seconds > 1.2 * SECONDS


@pytest.mark.parametrize(("waited", "is_over"), [(0.0, True), (0.3, False)])
def test_what_the_grader_waits_for_a_processor_does_not_count(
    waited: float, *, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = tree.ProcessorUsage(total=0.01, longest=0.01, waited=0.0, works=False)
    clock = iter([0.0])
    monkeypatch.setattr(tree, "seconds_waited_here", lambda: next(clock, waited))
    monkeypatch.setattr(tree, "processor_usage", lambda _: usage)
    limit = FairTimeLimit(TimeLimit(0.01), 0.2, os.getpid(), os.getpid())
    time.sleep(0.02)
    assert limit.is_over() == is_over
    assert limit.starved_seconds() <= waited


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


def use(monkeypatch: pytest.MonkeyPatch, ran: Callable[[], float], waited: Callable[[], float]) -> None:
    """Have one thread that ran and was made to wait for so many seconds."""
    monkeypatch.setattr(
        tree, "processor_usage", lambda _: tree.ProcessorUsage(total=ran(), longest=ran(), waited=waited(), works=True)
    )


@pytest.mark.parametrize(
    ("share", "ends_at"), [(0.0, 10.0), (0.005, 10.0), (0.2, 12.5), (0.5, 20.0), (0.6, 25.0), (0.9, 30.0)]
)
def test_a_limit_moves_on_by_the_time_without_a_processor(
    share: float, ends_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = _Clock(10.0)
    use(monkeypatch, lambda: (1 - share) * clock.now, lambda: share * clock.now)
    limit = FairTimeLimit(clock, 10.0, os.getpid(), os.getpid())
    while not limit.is_over():
        clock.now += 0.01
    assert limit.passed() == pytest.approx(ends_at, rel=0.02)
    assert limit.starved_seconds() == pytest.approx(max(0.0, share * clock.now - min(clock.limit - 10.0, 20.0)))


def test_who_had_a_processor_all_the_time_gets_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock(10.0)
    use(monkeypatch, lambda: clock.now, lambda: 5.0)
    limit = FairTimeLimit(clock, 10.0, os.getpid(), os.getpid())
    while not limit.is_over():
        clock.now += 0.01
    assert limit.passed() == pytest.approx(10.0, abs=0.02)


CHILDREN = """
import os, time
def work():
    while time.process_time() < 0.055: pass
    os._exit(0)
for _ in range(8):
    if not (child := os.fork()): work()
    os.waitpid(child, 0)
print("done")
"""


@pytest.mark.slow
@pytest.mark.usefixtures("shared_core")
def test_a_program_of_many_children_is_run_again_on_a_busy_machine(interpreter: Interpreter, tmp_path: Path) -> None:
    """How long they waited that have ended is told by no one, so it gives no time back."""
    (tmp_path / "program.py").write_text(CHILDREN)
    launch = interpreter.program("program.py", tmp_path)
    for outcome in run_dialogue(launch, (), limits=LIMITS), run_stdin(launch, "", limits=LIMITS):
        assert outcome.ending is Termination.TIMED_OUT
        assert outcome.is_starved


BURN = """
import os, signal, sys, time
def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass
    os._exit(0)
"""
CHILD_BEFORE = "if not os.fork():\n    work(0.2)\nos.wait()\n"
SELF_STARVED = {
    "a hidden process after a child": f"""{CHILD_BEFORE}
reading, writing = os.pipe()
if not os.fork():
    if not os.fork(): work(1000)
    os._exit(0)
os.wait()
os.read(reading, 1)
""",
    "sleep after a child": f"{CHILD_BEFORE}time.sleep(1000)\n",
    "processes on one core": """
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
for _ in range(20):
    if not os.fork(): work(1000)
work(1000)
""",
    "threads on one core": """
import threading
sys.setswitchinterval(0.0001)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def hash_much():
    import hashlib
    while True: hashlib.sha256(bytes(1 << 22))
for _ in range(20): threading.Thread(target=hash_much).start()
hash_much()
""",
    "processes no one waits for": """
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork(): work(1000)
while True:
    for _ in range(3):
        if not os.fork(): work(0.2)
    time.sleep(0.2)
""",
}


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("way", SELF_STARVED)
def test_a_program_gains_no_time_by_what_it_starts_itself(way: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(BURN + SELF_STARVED[way])
    test = replace(TEST, program=file.name, interaction=Dialogue(lines=()))
    limits = Limits(wall_seconds=1)
    with sandboxed_environment(()) as environment:
        outcome = environment.run(test, [(file, file.name)], limits, {})
    assert outcome.ending is Termination.TIMED_OUT
    # Where others use this machine too, it gets time back, and has no more of a processor for that.
    assert min(outcome.wall_seconds, outcome.cpu_seconds) < 1.5 * limits.wall_seconds


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
    assert (fed.ending, fed.transcript) == (Termination.EXITED, "done\n")
