"""The simulation keeps the laws of queues, and is right where the answer is known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scale_simulation import Cluster, Costs, shortest_possible, simulate

NEVER = 1e12


def test_one_core_grades_one_after_the_other() -> None:
    run = simulate(10, Costs([2.0], send=0, schedule=0, receive=0), Cluster(1, NEVER, 0))
    assert run.seconds == pytest.approx(20)
    assert run.cores_busy == pytest.approx(1)
    assert run.deaths == 0


def test_the_coordinator_is_the_limit_when_there_are_cores_enough() -> None:
    run = simulate(1000, Costs([1.0], send=0.01, schedule=0.001, receive=0.02), Cluster(500, NEVER, 0))
    assert run.seconds == pytest.approx(30, rel=0.1)
    assert run.coordinator_busy > 0.9


def test_nothing_is_lost_when_workers_die() -> None:
    run = simulate(2000, Costs([1.0], send=0, schedule=0, receive=0), Cluster(10, 50.0, 5.0))
    assert run.deaths == pytest.approx(40, rel=0.6)
    assert run.seconds > 2000 / 10


@given(
    submissions=st.integers(1, 60),
    grade=st.floats(0.1, 5),
    serial=st.floats(0.001, 1),
    cores=st.integers(1, 20),
)
def test_never_faster_than_the_busiest_allows(submissions: int, grade: float, serial: float, cores: int) -> None:
    costs = Costs([grade], send=serial, schedule=serial, receive=serial)
    run = simulate(submissions, costs, Cluster(cores, NEVER, 0))
    assert run.seconds >= shortest_possible(submissions, costs, cores) * 0.999
    assert max(run.cores_busy, run.coordinator_busy, run.scheduler_busy) <= 1.001
