"""A small discrete-event simulation of a cluster: one coordinator, many cores, and workers that die."""

import heapq
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TypeAlias

from grader.plugins.cluster.pool import Pace, batch_size, window


@dataclass(frozen=True)
class Costs:
    """Costs in seconds. `grade` holds samples of how long a submission keeps a core busy.

    The coordinator spends `send` and `receive` on each submission, and the scheduler `schedule` on each bundle. Both
    are processes that do one thing at a time.
    """

    grade: Sequence[float]
    send: float
    schedule: float
    receive: float


@dataclass(frozen=True)
class Cluster:
    """A cluster of `cores` that grade one bundle at a time; a core dies every `seconds_between_deaths` on average."""

    cores: int
    seconds_between_deaths: float
    seconds_to_restart: float


@dataclass(frozen=True)
class Run:
    """The seconds of a run, the busy shares of cores, coordinator and scheduler, and the number of deaths."""

    seconds: float
    cores_busy: float
    coordinator_busy: float
    scheduler_busy: float
    deaths: int


def simulate(submissions: int, costs: Costs, cluster: Cluster, seed: int = 1) -> Run:
    """Let the cluster grade this many submissions, as the pool does.

    They are sent in bundles of the size that the pool chooses, and the number of bundles under way is limited. Results
    are received before anything new is sent. If a core dies, its bundle is started again.
    """
    run = _Simulation(submissions, costs, cluster, seed)
    while run.received < submissions:
        run.step()
    return run.result()


_Bundle: TypeAlias = list[float]


class _Simulation:
    def __init__(self, submissions: int, costs: Costs, cluster: Cluster, seed: int) -> None:
        self._costs = costs
        self._cluster = cluster
        self._chance = random.Random(seed)
        self._unsent, self._under_way, self.received = submissions, 0, 0
        self._free = cluster.cores
        # The seconds for the submissions in each bundle.
        self._ready: deque[_Bundle] = deque()
        self._back: deque[_Bundle] = deque()
        self._pace = Pace()
        self._coordinator_is_idle = True
        self._scheduler_free_at = 0.0
        self._now = self._graded_seconds = self._coordinator_seconds = self._scheduler_seconds = 0.0
        self._deaths = 0
        # The time, the order among events at the same time, and the event.
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def step(self) -> None:
        """Start everything that can start now, then advance to the next event."""
        self._coordinate()
        while self._free and self._ready:
            self._grade()
        self._now, _, happen = heapq.heappop(self._events)
        happen()

    def result(self) -> Run:
        """Return the result of the simulation."""
        return Run(
            self._now,
            self._graded_seconds / (self._now * self._cluster.cores),
            self._coordinator_seconds / self._now,
            self._scheduler_seconds / self._now,
            self._deaths,
        )

    def _at(self, moment: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (moment, next(self._numbers), happen))

    def _coordinate(self) -> None:
        if not self._coordinator_is_idle:
            return
        if self._back:
            bundle = self._back.popleft()
            self._pace.learn(sum(bundle), len(bundle))
            cost, happen = self._costs.receive * len(bundle), partial(self._is_received, bundle)
        elif self._unsent and self._under_way < window(self._cluster.cores, self._pace):
            size = min(self._unsent, batch_size(self._unsent, self._cluster.cores, self._pace.seconds))
            self._unsent -= size
            self._under_way += 1
            bundle = self._chance.choices(self._costs.grade, k=size)
            cost, happen = self._costs.send * size, partial(self._is_sent, bundle)
        else:
            return
        self._coordinator_is_idle = False
        self._coordinator_seconds += cost
        self._at(self._now + cost, happen)

    def _grade(self) -> None:
        self._free -= 1
        bundle = self._ready.popleft()
        work = sum(bundle)
        death = self._chance.expovariate(1 / self._cluster.seconds_between_deaths)
        self._graded_seconds += min(work, death)
        self._at(self._now + min(work, death), partial(self._dies if death < work else self._is_graded, bundle))

    def _is_sent(self, bundle: _Bundle) -> None:
        self._coordinator_is_idle = True
        self._scheduler_seconds += self._costs.schedule
        self._scheduler_free_at = max(self._now, self._scheduler_free_at) + self._costs.schedule
        self._at(self._scheduler_free_at, partial(self._ready.append, bundle))

    def _is_graded(self, bundle: _Bundle) -> None:
        self._free += 1
        self._back.append(bundle)

    def _is_received(self, bundle: _Bundle) -> None:
        self._coordinator_is_idle = True
        self._under_way -= 1
        self.received += len(bundle)

    def _dies(self, bundle: _Bundle) -> None:
        self._deaths += 1
        self._ready.append(bundle)
        self._at(self._now + self._cluster.seconds_to_restart, self._restarts)

    def _restarts(self) -> None:
        self._free += 1


def shortest_possible(submissions: int, costs: Costs, cores: int) -> float:
    """Return the minimum seconds in any order of work, in which the cores or the coordinator are never idle."""
    mean = sum(costs.grade) / len(costs.grade)
    return submissions * max(mean / cores, costs.send + costs.receive)
