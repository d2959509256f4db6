"""What 100,000 submissions of 40 tests need: costs measured here and now, put into a simulation of a cluster.

Measured on a made-up class: what grading a submission keeps a core busy (in the sandbox, one in ten failing every
test), what the coordinator spends on sending it, receiving it and writing its reports, and what Dask's scheduler
spends on a task; a submission that takes long is a task of its own. Simulated: clusters of several sizes whose workers
die now and then. Printed as JSON; times are in seconds, sizes in bytes. Run as `python -m benchmarks.scale`.
"""

import argparse
import json
import pickle
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.batch_class import TESTS, make_class
from benchmarks.scale_simulation import Cluster, Costs, shortest_possible, simulate
from grader.cluster.address import LocalWorkers
from grader.cluster.client import connected
from grader.cluster.dask_worker import content_of_file
from grader.cluster.messages import GradingJob, JobResult, class_payload, read_submission, this_installation
from grader.cluster.worker_grader import WorkerGrader, WorkerPlan, open_worker_grader
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import LocalBackend
from grader.grading.student_result import student_result
from grader.intake.download_format import submissions_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.program import SandboxKind
from grader.model.results import ClassResult, GradedSubmission
from grader.model.submission import Submission
from grader.platforms import DOWNLOAD_FORMATS
from grader.reports.write import write_reports
from grader.run.find_python import OWN_PYTHON
from grader.spec.course import find_course
from grader.store.database import ResultStore, open_store
from grader.store.outcome_key import FileContent, KeyMaker

_HOUR = 3600.0


def main() -> None:
    """Measure, simulate and print."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="scale-") as name:
        measured = _measure(Path(name), options)
    factor = options.tests / TESTS
    costs = Costs(
        tuple(seconds * factor for seconds in measured.grade),
        send=measured.send * factor,
        schedule=_seconds_per_task(options.tasks),
        receive=measured.receive * factor,
    )
    report = {
        "submissions": options.submissions,
        "tests": options.tests,
        "measured_per_submission": {
            "grade_median": _rounded(statistics.median(costs.grade)),
            "grade_highest": _rounded(max(costs.grade)),
            "send": _rounded(costs.send),
            "schedule": _rounded(costs.schedule),
            "receive": _rounded(costs.receive),
            "report": _rounded(measured.report * factor),
            "bytes_sent": round(measured.bytes_sent),
            "bytes_received": round(measured.bytes_received * factor),
            "bytes_stored": round(measured.bytes_stored * factor),
            "bytes_in_memory": round(measured.bytes_in_memory * factor),
        },
        "clusters": [_simulated(options, costs, cores) for cores in options.cores],
        "then_reports_hours": _rounded(options.submissions * measured.report * factor / _HOUR),
        "store_gigabytes": _rounded(options.submissions * measured.bytes_stored * factor / 1e9),
        "memory_gigabytes": _rounded(options.submissions * measured.bytes_in_memory * factor / 1e9),
    }
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=100_000)
    parser.add_argument("--tests", type=int, default=40, help="of each submission")
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 16, 64, 256, 1024], help="sizes of clusters")
    parser.add_argument("--hours-between-deaths", type=float, default=4.0, help="of one core, on average")
    parser.add_argument("--restart", type=float, default=30.0, help="seconds until a dead worker is replaced")
    parser.add_argument("--sample", type=int, default=40, help="submissions that are measured")
    parser.add_argument("--tasks", type=int, default=1000, help="tasks by which the scheduler is measured")
    parser.add_argument("--sandbox", type=SandboxKind, default=SandboxKind.BWRAP, choices=list(SandboxKind))
    return parser.parse_args()


@dataclass(frozen=True)
class _Measured:
    """Per submission of `TESTS` tests: seconds and bytes."""

    grade: tuple[float, ...]
    send: float
    receive: float
    report: float
    bytes_sent: float
    bytes_received: float
    bytes_stored: float
    bytes_in_memory: float


def _measure(folder: Path, options: argparse.Namespace) -> _Measured:
    made = make_class(folder / "course", options.sample)
    assignment = find_course(made.folder).assignment("totals")
    wanted = submission_requirements(assignment)
    submissions = submissions_in(
        made.submissions, wanted, folder / "unpacked", lambda _: assignment.due, DOWNLOAD_FORMATS
    ).submissions
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_store(folder / "store") as store:
        sent = _Clock()
        with sent:
            jobs = [_packed(assignment, submission, store) for submission in submissions]
        with _desk(assignment, transcripts, SandboxKind(options.sandbox)) as desk:
            graded = [_graded(desk, job) for job in jobs]
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        kept = [
            _as_received(assignment, submission, done)
            for submission, (_, done) in zip(submissions, graded, strict=True)
        ]
        memory = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        received = _Clock()
        with received:
            for _, done in graded:
                for key, outcome in pickle.loads(done).outcomes.items():
                    store.keep(key, outcome)
    stored = sum(file.stat().st_size for file in folder.glob("store*"))
    written = _Clock()
    rows = tuple(student_result(assignment, one, {}) for one in kept)
    with written:
        write_reports(ClassResult(assignment=assignment, rows=rows, not_graded=(), notes=()), folder / "reports")
    count = len(submissions)
    return _Measured(
        tuple(seconds for seconds, _ in graded),
        sent.seconds / count,
        received.seconds / count,
        written.seconds / count,
        statistics.mean(map(len, jobs)),
        statistics.mean(len(done) for _, done in graded),
        stored / count,
        memory / count,
    )


class _Clock:
    """The processor seconds of this thread in a block, which others on the machine change least."""

    seconds = 0.0

    def __enter__(self) -> None:
        self._started = time.thread_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.thread_time() - self._started


@contextmanager
def _desk(assignment: Assignment, transcripts: ExpectedTranscripts, sandbox: SandboxKind) -> Iterator[WorkerGrader]:
    workplace = partial(LocalBackend, sandbox, hidden=())
    plan = WorkerPlan(
        payload=class_payload(assignment, transcripts),
        installation=this_installation(),
        make_backend=workplace,
        harness="harness",
        python=OWN_PYTHON.in_use,
    )
    with open_worker_grader(plan, threads=1) as desk:
        yield desk


def _packed(assignment: Assignment, submission: Submission, store: ResultStore) -> bytes:
    """What the coordinator does before it gives a submission to Dask."""
    files = list(read_submission(submission))
    contents = [FileContent(file.name, file.digest) for file, _ in files]
    keys = KeyMaker().keys("harness", contents, assignment.tests, assignment.limits)
    job = GradingJob(submission, tuple(file for file, _ in files), store.outcomes(list(keys.values())))
    return pickle.dumps((job, [content for _, content in files]))


def _graded(desk: WorkerGrader, packed: bytes) -> tuple[float, bytes]:
    """The seconds that a core is busy with a submission, its programs included, and what is sent back."""
    job, contents = pickle.loads(packed)
    started = time.perf_counter()
    done = desk.grade(job, contents)
    return time.perf_counter() - started, pickle.dumps(done)


def _as_received(assignment: Assignment, submission: Submission, data: bytes) -> GradedSubmission:
    """With the tests of this process in place of copies, as the pool does."""
    done: JobResult = pickle.loads(data)
    pairs = zip(done.graded.results, assignment.tests, strict=True)
    results = tuple(replace(result, test=test) for result, test in pairs)
    return replace(done.graded, submission=submission, results=results)


def _seconds_per_task(tasks: int) -> float:
    """What a task that does nothing costs: the client, the scheduler and the connections of one machine together."""
    with connected(LocalWorkers(1)) as client:
        started = time.process_time()
        futures = client.map(content_of_file, [b""] * tasks, key=[f"task-{number}" for number in range(tasks)])
        client.gather(futures)
        return (time.process_time() - started) / tasks


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
