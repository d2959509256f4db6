"""Tests take turns; one that was kept waiting or killed by the machine gets another chance, alone."""

import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.errors import KilledForMemoryError
from grader.model.outcome import Outcome, Termination
from grader.run.run_slots import RunSlots

PATIENCE = 20


def ended(ending: Termination, starved_seconds: float, number: int | None = None) -> Outcome:
    return Outcome(
        transcript="",
        typed=(),
        ending=ending,
        exit_code=None,
        signal=number,
        unsent=0,
        wall_seconds=10.0,
        cpu_seconds=5.0,
        starved_seconds=starved_seconds,
    )


def answers(*outcomes: Outcome) -> tuple[Callable[[], Outcome], list[Outcome]]:
    left = list(outcomes)
    return lambda: left.pop(0), left


@pytest.mark.parametrize(
    ("first", "runs"),
    [
        (ended(Termination.EXITED, 9.0), 1),
        (ended(Termination.TIMED_OUT, 0.4), 1),
        (ended(Termination.TIMED_OUT, 0.6), 2),
        # A program can send itself that.
        (ended(Termination.SIGNALLED, 0.0, signal.SIGKILL), 1),
        (ended(Termination.SIGNALLED, 0.0, signal.SIGSEGV), 1),
        (ended(Termination.MEMORY_LIMIT, 0.0), 1),
    ],
)
def test_who_gets_another_chance(first: Outcome, runs: int) -> None:
    second = ended(Termination.TIMED_OUT, 9.0)
    run, left = answers(first, second)
    assert RunSlots(2).run_with_retry(run) is (second if runs == 2 else first)
    assert len(left) == 2 - runs


def test_a_game_has_another_chance_only_when_the_kernel_killed_the_program() -> None:
    starved = ended(Termination.TIMED_OUT, 9.0)
    run, _ = answers(starved)
    assert RunSlots(2).run_once(run) is starved
    runs: list[int] = []

    def run_out_of_memory() -> Outcome:
        runs.append(1)
        if len(runs) < 2:
            raise KilledForMemoryError("no memory")
        return starved

    assert RunSlots(2).run_once(run_out_of_memory) is starved
    runs.clear()
    assert RunSlots(2).run_with_retry(lambda: run_out_of_memory() and ended(Termination.EXITED, 0)).exit_code is None
    assert len(runs) == 2


def test_no_more_than_allowed_at_a_time() -> None:
    turns = RunSlots(2)
    together = threading.Barrier(2)
    running: list[int] = []
    most: list[int] = []

    def work(_: int) -> None:
        with turns.one_slot():
            running.append(1)
            most.append(len(running))
            # Two do get in together, or no thread would ever pass here.
            together.wait(PATIENCE)
            running.pop()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert max(most) == 2


def test_alone_is_alone() -> None:
    turns = RunSlots(2)
    inside, may_leave, alone_is_over = threading.Event(), threading.Event(), threading.Event()
    order: list[str] = []

    def ordinary() -> None:
        with turns.one_slot():
            inside.set()
            assert may_leave.wait(PATIENCE)
            order.append("first leaves")

    def alone() -> None:
        with turns.all_slots():
            order.append("alone")
        alone_is_over.set()

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(ordinary)
        assert inside.wait(PATIENCE)
        second = pool.submit(alone)
        may_leave.set()
        first.result(PATIENCE)
        second.result(PATIENCE)
        with turns.one_slot():
            order.append("another")
    assert alone_is_over.is_set()
    assert order == ["first leaves", "alone", "another"]
