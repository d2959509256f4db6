"""Estimates the cost of 100,000 submissions with 40 tests each, by simulating a cluster with costs measured here.

Measured on a made-up class: how long grading a submission keeps a core busy (in the sandbox, with one in ten failing
every test); then, with a real scheduler and a real worker that returns these outcomes immediately, how much time the
processes of the coordinator and the scheduler spend on many submissions, in bundles of realistic size, and how long the
reports take. Simulated: clusters of several sizes whose workers die now and then. Prints JSON, with times in seconds
and sizes in bytes. Run as `python -m benchmarks.scale`.
"""

import argparse
import gc
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.batch_class import make_class
from benchmarks.replayed_cluster import KnownOutcomes, MakeReplayingBackend, separate_cluster
from benchmarks.scale_simulation import Cluster, Costs, shortest_possible, simulate
from grader.api.class_reading import handed_in
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import LocalBackend
from grader.grading.result_cache import ResultCache
from grader.grading.shards import ShardFile
from grader.grading.student_result import student_result
from grader.model.assignment import Assignment
from grader.model.outcome import Outcome
from grader.model.program import SandboxKind
from grader.model.results import ClassResult, GradedSubmission
from grader.model.submission import Submission
from grader.plugins.cluster.installation import this_installation
from grader.plugins.cluster.messages import GradingJob, class_payload, read_submission
from grader.plugins.cluster.pool import ClusterPool, batch_size
from grader.plugins.cluster.worker_grader import WorkerPlan, open_worker_grader
from grader.reports.write import place_reports, prepare_reports
from grader.run.find_python import StudentPython
from grader.spec.course import Course
from grader.store.database import open_store

_HOUR = 3600.0
_FAULT = b'Done.!"'
"""The output of programs that fail every test."""


def main() -> None:
    """Measure, simulate, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="scale-") as name:
        graded = _graded_here(Path(name), options)
        measured = _coordinated(Path(name), options, graded)
    half = measured.coordinator / 2
    costs = Costs(graded.seconds, send=half, schedule=measured.schedule, receive=half)
    report = {
        "submissions": options.submissions,
        "tests": options.tests,
        "measured_per_submission": {
            "grade_median": _rounded(statistics.median(graded.seconds)),
            "grade_highest": _rounded(max(graded.seconds)),
            **{name: _rounded(value) for name, value in asdict(measured).items()},
        },
        "clusters": [_simulated(options, costs, cores) for cores in options.cores],
        "then_reports_hours": _rounded(options.submissions * measured.report / _HOUR),
        "store_gigabytes": _rounded(options.submissions * measured.bytes_stored / 1e9),
        "memory_gigabytes": _rounded(options.submissions * measured.bytes_in_memory / 1e9),
    }
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=100_000)
    parser.add_argument("--tests", type=int, default=40, help="of each submission")
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 16, 64, 256, 500, 1024], help="sizes of clusters")
    parser.add_argument("--hours-between-deaths", type=float, default=4.0, help="of one core, on average")
    parser.add_argument("--restart", type=float, default=30.0, help="seconds until a dead worker is replaced")
    parser.add_argument("--sample", type=int, default=40, help="submissions that are measured")
    parser.add_argument("--replayed", type=int, default=2000, help="submissions by which the coordinator is measured")
    parser.add_argument("--sandbox", type=SandboxKind, default=SandboxKind.BWRAP, choices=list(SandboxKind))
    return parser.parse_args()


@dataclass(frozen=True)
class _GradedHere:
    """The seconds that each sample submission kept a core busy, and the outcomes of a right and a wrong submission."""

    seconds: tuple[float, ...]
    known: KnownOutcomes

    @property
    def together(self) -> int:
        """Return how many of these submissions are sent together while many are left."""
        return batch_size(sys.maxsize, 1, statistics.mean(self.seconds))


@dataclass(frozen=True)
class _Measured:
    """The seconds and bytes per submission; `schedule` is per bundle."""

    coordinator: float
    schedule: float
    report: float
    bytes_stored: float
    bytes_in_memory: float


@dataclass(frozen=True)
class _Class:
    assignment: Assignment
    submissions: Sequence[Submission]
    transcripts: ExpectedTranscripts


def _made(folder: Path, students: int, tests: int) -> _Class:
    made = make_class(folder, students, tests=tests)
    assignment = Course(made.folder).assignment("totals")
    found = handed_in(assignment, made.submissions, folder / "unpacked").submissions()
    return _Class(assignment, found.submissions, load_transcripts(assignment, assignment.tests))


def _graded_here(folder: Path, options: argparse.Namespace) -> _GradedHere:
    """Grade the sample on one core, which also runs its programs, as a worker does."""
    sample = _made(folder / "sample", options.sample, options.tests)
    plan = WorkerPlan(
        payload=class_payload(sample.assignment, sample.transcripts),
        installation=this_installation(),
        make_backend=partial(LocalBackend, SandboxKind(options.sandbox), hidden=()),
        harness="harness",
        python=StudentPython().in_use,
    )
    seconds = []
    outcomes: dict[bool, Mapping[str, Outcome]] = {}
    shards = ShardFile(sample.assignment, sample.transcripts)
    with open_worker_grader(plan, threads=1) as grader:
        for submission in sample.submissions:
            files = list(read_submission(submission))
            names = tuple(file.name for file in submission.files)
            job = GradingJob(names, tuple(file for file, _ in files), submission.refused, {})
            started = time.perf_counter()
            done = grader.grade(job, [content for _, content in files])
            seconds.append(time.perf_counter() - started)
            graded = shards.graded(done.shard, submission)
            outcomes[graded.passes_all_tests] = {one.test.id: one.outcome for one in graded.results if one.outcome}
    right = outcomes[True]
    return _GradedHere(tuple(seconds), KnownOutcomes(_FAULT, with_it=outcomes.get(False, right), without=right))


def _coordinated(folder: Path, options: argparse.Namespace, here: _GradedHere) -> _Measured:
    """Measure a coordinator on submissions with known outcomes; the scheduler and the worker are other processes."""
    count = options.replayed
    with separate_cluster() as cluster, open_store(folder / "store") as store:
        pool = ClusterPool(
            client=cluster.client,
            make_backend=MakeReplayingBackend(here.known),
            archive=ResultCache(store, "harness"),
            most_together=here.together,
        )
        # The scheduler's start-up, and its work on the first class, are not part of the cost per submission.
        [_] = _graded_by(pool, _made(folder / "one", 1, options.tests))
        many = _made(folder / "many", count, options.tests)
        before, scheduled_before = time.process_time(), cluster.scheduler_seconds
        done = _graded_by(pool, many)
        coordinator, scheduled = time.process_time() - before, cluster.scheduler_seconds - scheduled_before
        rows = [student_result(many.assignment, one, {}) for one in done]
        before = time.process_time()
        graded = ClassResult(assignment=many.assignment, rows=tuple(rows), not_graded=(), notes=())
        prepare_reports(graded, folder / "reports")
        place_reports(folder / "reports")
        report = time.process_time() - before
        # By now, everything that is stored only once is present.
        tracemalloc.start()
        gc.collect()
        before_few = tracemalloc.get_traced_memory()[0]
        few = _made(folder / "few", max(1, count // 4), options.tests)
        kept = [student_result(few.assignment, one, {}) for one in _graded_by(pool, few)]
        gc.collect()
        memory = tracemalloc.get_traced_memory()[0] - before_few
        tracemalloc.stop()
    return _Measured(
        coordinator=coordinator / count,
        schedule=scheduled / count * here.together,
        report=report / count,
        bytes_stored=sum(file.stat().st_size for file in folder.glob("store*")) / count,
        bytes_in_memory=memory / len(kept),
    )


def _graded_by(pool: ClusterPool, made: _Class) -> list[GradedSubmission]:
    return list(pool.grade(made.assignment, made.transcripts, made.submissions, lambda: None))


def _simulated(options: argparse.Namespace, costs: Costs, cores: int) -> dict[str, Any]:
    run = simulate(options.submissions, costs, Cluster(cores, options.hours_between_deaths * _HOUR, options.restart))
    return {
        "cores": cores,
        "hours": _rounded(run.seconds / _HOUR),
        "hours_at_least": _rounded(shortest_possible(options.submissions, costs, cores) / _HOUR),
        **{name: _rounded(value) for name, value in asdict(run).items() if name != "seconds"},
    }


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


if __name__ == "__main__":
    main()
