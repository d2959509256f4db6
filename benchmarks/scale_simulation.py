"""A small discrete-event simulation of a cluster that grades: one coordinator, many cores, workers that die."""

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """Seconds. `grade` are samples of what one submission keeps a core busy.

    The coordinator spends `send` and `receive` on each submission, the scheduler `schedule`; these two are processes
    that do one thing at a time.
    """

    grade: Sequence[float]
    send: float
    schedule: float
    receive: float


@dataclass(frozen=True)
class Cluster:
    """`cores` that each grade one submission at a time; a core is lost once in `seconds_between_deaths`, on average."""

    cores: int
    seconds_between_deaths: float
    seconds_to_restart: float


@dataclass(frozen=True)
class Run:
    """How long it took (seconds), the busy shares of the cores, coordinator and scheduler, and lives lost."""

    seconds: float
    cores_busy: float
    coordinator_busy: float
    scheduler_busy: float
    deaths: int


_WAITING_PER_CORE = 4
_LEAST_WAITING = 16


def simulate(submissions: int, costs: Costs, cluster: Cluster, seed: int = 1) -> Run:
    """Let the cluster grade so many submissions: as the pool does, a bounded number is under way at any time.

    What comes back is received before anything new is sent. A submission on a core that dies is started again.
    """
    chance = random.Random(seed)
    window = max(_LEAST_WAITING, _WAITING_PER_CORE * cluster.cores)
    unsent, under_way, received, deaths = submissions, 0, 0, 0
    free, ready, back = cluster.cores, 0, 0
    now = scheduler_free_at = graded_seconds = coordinator_seconds = scheduler_seconds = 0.0
    coordinator_idle = True
    events: list[tuple[float, str]] = []

    while received < submissions:
        if coordinator_idle and (back or (unsent and under_way < window)):
            coordinator_idle = False
            what, cost = ("received", costs.receive) if back else ("sent", costs.send)
            if back:
                back -= 1
            else:
                unsent, under_way = unsent - 1, under_way + 1
            coordinator_seconds += cost
            heapq.heappush(events, (now + cost, what))
        while free and ready:
            free, ready = free - 1, ready - 1
            work, death = chance.choice(costs.grade), chance.expovariate(1 / cluster.seconds_between_deaths)
            graded_seconds += min(work, death)
            if death < work:
                deaths += 1
                heapq.heappush(events, (now + death, "died"))
            else:
                heapq.heappush(events, (now + work, "graded"))
        now, what = heapq.heappop(events)
        match what:
            case "sent":
                coordinator_idle = True
                scheduler_free_at = max(now, scheduler_free_at) + costs.schedule
                scheduler_seconds += costs.schedule
                heapq.heappush(events, (scheduler_free_at, "ready"))
            case "received":
                coordinator_idle = True
                received, under_way = received + 1, under_way - 1
            case "ready":
                ready += 1
            case "graded":
                free, back = free + 1, back + 1
            case "died":
                ready += 1
                heapq.heappush(events, (now + cluster.seconds_to_restart, "restarted"))
            case "restarted":
                free += 1
    return Run(
        now,
        graded_seconds / (now * cluster.cores),
        coordinator_seconds / now,
        scheduler_seconds / now,
        deaths,
    )


def shortest_possible(submissions: int, costs: Costs, cores: int) -> float:
    """Seconds below which no order of work can be: the cores, the coordinator or the scheduler would be overbusy."""
    mean = sum(costs.grade) / len(costs.grade)
    return submissions * max(mean / cores, costs.send + costs.receive, costs.schedule)
