"""Hands the submissions of a class to the workers of a cluster, and stores their results."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from uuid import uuid4

from distributed import Client, Future, KilledWorker, as_completed

from grader.errors import ClusterError
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import as_handed_in, ungraded
from grader.grading.result_cache import ResultCache
from grader.grading.shards import ShardFile
from grader.grading.submission_step import Steps
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.plugins.cluster.dask_worker import GraderPlugin, cancel_worker, content_of_file, grade_on_worker
from grader.plugins.cluster.installation import this_installation
from grader.plugins.cluster.messages import (
    ClassPayload,
    GradingJob,
    JobBatch,
    ShippedFile,
    class_payload,
    read_submission,
)
from grader.plugins.cluster.worker_grader import WorkerBackendFactory, WorkerPlan
from grader.run.find_python import StudentPython
from grader.store.outcome_key import FileContent

_WAITING_PER_THREAD = 4
_MIN_WAITING = 16
_MAX_SENT_AT_ONCE = 32
_BUNDLES_LEFT_PER_THREAD = 3
_SECONDS_TOGETHER = 5.0
"""The maximum time for a bundle, so that little is lost when a worker or the coordinator dies."""


_SHORTEST = 0.001
"""The minimum time assumed for a submission, because a worker's clock may measure zero for a quick one."""


_NEWEST_SHARE = 0.2
_SECONDS_BETWEEN_LOOKS = 0.01


@dataclass(frozen=True, kw_only=True)
class ClusterPool:
    """A pool that grades on the workers of `client` until `cancelled` is set.

    The workers also perform the `steps` after grading. A bundle holds at most `most_together` submissions.
    """

    client: Client
    make_backend: WorkerBackendFactory
    archive: ResultCache
    cancelled: Event = field(default_factory=Event)
    python: StudentPython = StudentPython()
    steps: Steps = ()
    most_together: int = 64

    def grade(
        self,
        assignment: Assignment,
        transcripts: ExpectedTranscripts,
        submissions: Sequence[Submission],
        tick: Callable[[], None],
    ) -> Iterator[GradedSubmission]:
        """See `GradeAll`. Raises ClusterError if the cluster can no longer be reached, or a worker cannot grade."""
        try:
            payload = class_payload(assignment, transcripts)
        except OSError as error:
            raise ClusterError(f"{error.filename} cannot be sent to the workers: {error.strerror}") from None
        plan = WorkerPlan(
            payload=payload,
            installation=this_installation(),
            make_backend=self.make_backend,
            harness=self.archive.harness,
            python=self.python.in_use,
            steps=self.steps,
        )
        with self._prepared_workers(plan) as plugin_name:
            batch = _Batch(self, plugin_name, assignment, payload)
            for graded in batch.grade(submissions):
                for _ in assignment.tests:
                    tick()
                yield graded

    @contextmanager
    def _prepared_workers(self, plan: WorkerPlan) -> Iterator[str]:
        """Open a grader on every worker, and yield the graders' name. Sessions still running at the end are ended."""
        name = f"grader-{uuid4().hex}"
        try:
            self._prepare_workers(GraderPlugin(name, plan))
            yield name
        finally:
            # If the cluster can no longer be reached, there is nothing to close.
            with suppress(OSError, ValueError, RuntimeError):
                self.client.run(cancel_worker, name, on_error="ignore")
                self.client.unregister_worker_plugin(name)

    def _prepare_workers(self, plugin: GraderPlugin) -> None:
        try:
            self.client.register_plugin(plugin)
        except ClusterError:
            raise
        except Exception as error:
            # Dask raises any error here: the worker has no grader, has other versions, or has just disappeared.
            raise ClusterError(f"The workers cannot be made ready: {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class _Packed:
    """A submission ready to be sent: its readable files and their contents, which may already be on the cluster."""

    submission: Submission
    files: tuple[ShippedFile, ...]
    contents: list[bytes | Future[bytes]]


class Pace:
    """An estimate of how many seconds a submission takes, based on the most recent results."""

    def __init__(self) -> None:
        self._known: float | None = None

    @property
    def is_known(self) -> bool:
        """Return whether any results have come back yet."""
        return self._known is not None

    @property
    def seconds(self) -> float:
        """The time per submission. Before the first result, it is long enough for one submission to fill a bundle."""
        return _SECONDS_TOGETHER if self._known is None else self._known

    def learn(self, seconds: float, submissions: int) -> None:
        """Update the estimate, given that this number of `submissions` took `seconds` in total."""
        each = seconds / submissions
        self._known = each if self._known is None else self._known + _NEWEST_SHARE * (each - self._known)


def window(threads: int, pace: Pace) -> int:
    """Return the maximum number of bundles on the cluster: one per thread until the right bundle size is known."""
    return max(_MIN_WAITING, (_WAITING_PER_THREAD if pace.is_known else 1) * threads)


def batch_size(waiting: int, threads: int, seconds: float) -> int:
    """Return how many submissions to send together if each takes `seconds`.

    Dask handles a bundle as fast as a single submission. The last submissions are sent one by one, so that no worker is
    idle while others still have bundles.
    """
    in_time = int(_SECONDS_TOGETHER / max(seconds, _SHORTEST))
    # There may be no threads for a moment, if all workers have just died.
    return max(1, min(in_time, waiting // max(1, _BUNDLES_LEFT_PER_THREAD * threads)))


@dataclass
class _InFlight:
    """The submissions not graded yet: some are waiting here, and at most `window` bundles are on the cluster."""

    waiting: deque[Submission]
    running: dict[Future[JobBatch], list[Submission]] = field(default_factory=dict)
    finished: as_completed = field(default_factory=partial(as_completed, with_results=True, raise_errors=False))
    window: int = 0

    @property
    def has_room(self) -> bool:
        """Return whether there is room for enough bundles to make sending them worthwhile."""
        room = self.window - len(self.running)
        return bool(self.waiting) and room >= min(self.window // 2, _MAX_SENT_AT_ONCE)


class _Batch:
    """The submissions of one class that are being graded."""

    def __init__(self, pool: ClusterPool, plugin_name: str, assignment: Assignment, payload: ClassPayload) -> None:
        self._client = pool.client
        self._archive = pool.archive
        self._cancelled = pool.cancelled
        self._steps = pool.steps
        self._most_together = pool.most_together
        self._plugin_name = plugin_name
        self._assignment = assignment
        self._provided = payload.provided
        self._shards = ShardFile(assignment, payload.transcripts)
        self._shipping = _Shipping(pool.client)
        self._pace = Pace()

    def grade(self, submissions: Sequence[Submission]) -> Iterator[GradedSubmission]:
        """Grade all submissions, and yield each as it comes back.

        A submission that was on workers when they died is graded again on its own, so that only the submission that
        caused this is left without verdicts.
        """
        suspects: list[Submission] = []
        yield from self._graded(submissions, suspects)
        for submission in suspects:
            still: list[Submission] = []
            yield from self._graded([submission], still)
            for unlucky in still:
                yield ungraded(unlucky, self._assignment.tests, ClusterError("every worker that graded it died"))

    def _graded(self, submissions: Sequence[Submission], suspects: list[Submission]) -> Iterator[GradedSubmission]:
        """Keep enough submissions on the cluster to keep every worker busy, and yield each one as it is graded."""
        flight = _InFlight(deque(submissions))
        while (flight.waiting or flight.running) and not self._cancelled.is_set():
            if flight.has_room:
                yield from self._refilled(flight)
            if flight.running:
                while not flight.finished.has_ready() and not self._cancelled.wait(_SECONDS_BETWEEN_LOOKS):
                    pass
                for future, result in flight.finished.next_batch(block=False):
                    bundle = flight.running.pop(future)
                    if isinstance(result, JobBatch):
                        yield from self._received(bundle, result)
                        continue
                    fault = _fault(future)
                    if len(bundle) > 1 or isinstance(fault, KilledWorker):
                        suspects += bundle
                    else:
                        yield ungraded(bundle[0], self._assignment.tests, fault)

    def _refilled(self, flight: _InFlight) -> Iterator[GradedSubmission]:
        """Send submissions until a result comes back, and yield the ones that could not be sent."""
        threads = sum(self._client.nthreads().values())
        flight.window = window(threads, self._pace)
        while flight.has_room:
            bundles = self._next_bundles(flight.waiting, flight.window - len(flight.running), threads)
            packed = [self._packed(bundle) for bundle in bundles]
            for _, unreadable in packed:
                yield from unreadable
            sent = self._send([bundle for bundle, _ in packed if bundle])
            flight.running.update(sent)
            flight.finished.update(list(sent))
            if flight.finished.has_ready():
                return

    def _next_bundles(self, waiting: deque[Submission], room: int, threads: int) -> Iterator[list[Submission]]:
        """Take the next submissions to send, in up to `room` bundles of equal size."""
        size = min(self._most_together, batch_size(len(waiting), threads, self._pace.seconds))
        for _ in range(min(room, _MAX_SENT_AT_ONCE)):
            if waiting:
                yield [waiting.popleft() for _ in range(min(len(waiting), size))]

    def _packed(self, submissions: Sequence[Submission]) -> tuple[list[_Packed], list[GradedSubmission]]:
        """Return the submissions that are ready to be sent, and separately the ones with unreadable files."""
        packed, unreadable = [], []
        for submission in submissions:
            try:
                files = list(read_submission(submission))
            except OSError as error:
                unreadable.append(ungraded(submission, self._assignment.tests, error))
            else:
                shipped = tuple(file for file, _ in files)
                contents = [self._shipping.ship(file, content) for file, content in files]
                packed.append(_Packed(submission, shipped, contents))
        return packed, unreadable

    def _send(self, bundles: Sequence[Sequence[_Packed]]) -> dict[Future[JobBatch], list[Submission]]:
        """Send bundles of submissions."""
        jobs = [self._jobs(bundle) for bundle in bundles]
        contents = [[packed.contents for packed in bundle] for bundle in bundles]
        keys = [f"grader-submissions-{uuid4().hex}" for _ in bundles]
        plugins = [self._plugin_name] * len(bundles)
        futures = self._client.map(grade_on_worker, plugins, jobs, contents, key=keys, pure=False)
        return {
            future: [packed.submission for packed in bundle] for future, bundle in zip(futures, bundles, strict=True)
        }

    def _jobs(self, bundle: Sequence[_Packed]) -> list[GradingJob]:
        """Return the jobs for a worker, with the stored outcomes that they may need."""
        keys = [self._keys(packed) for packed in bundle]
        stored = self._archive.find_encoded([key for keys_of_job in keys for key in keys_of_job])
        return [
            GradingJob(
                names=tuple(file.name for file in packed.submission.files),
                files=packed.files,
                refused=packed.submission.refused,
                found={key: stored[key] for key in keys_of_job if key in stored} if stored else {},
            )
            for packed, keys_of_job in zip(bundle, keys, strict=True)
        ]

    def _keys(self, packed: _Packed) -> list[str]:
        """Return the keys of all outcomes that grading the submission may ask for."""
        if self._archive.fresh:
            return []
        contents = [*self._provided, *(FileContent(file.name, file.digest) for file in packed.files)]
        assignment, submission = self._assignment, packed.submission
        asked = [as_handed_in(assignment, submission, assignment.tests)]
        asked += [list(step.tests(assignment, submission)) for step in self._steps]
        keys = (self._archive.keys(contents, tests, assignment.limits) for tests in asked)
        return [key for keys_by_test in keys for key in keys_by_test.values()]

    def _received(self, bundle: Sequence[Submission], batch: JobBatch) -> Iterator[GradedSubmission]:
        """Store the results of a worker, and yield the graded submissions."""
        self._pace.learn(batch.seconds, len(bundle))
        store = self._archive.store
        rows = [row for result in batch.done for row in result.rows]
        if rows:
            store.add(rows)
        for submission, result in zip(bundle, batch.done, strict=True):
            store.damaged_keys.update(result.damaged)
            yield self._shards.graded(result.shard, submission)


def _fault(future: Future[JobBatch]) -> Exception:
    """Return the reason why a task has no result. Raises ClusterError if the fault affects other submissions too."""
    if future.status != "error":
        raise ClusterError(
            "The connection to the cluster was lost. What came back is kept: the same command goes on from there."
        )
    error: Exception = future.exception()
    if isinstance(error, ClusterError):
        raise error
    return error


class _Shipping:
    """The way to send a file's content: along with the first submission that has it, and after that as Dask data.

    Dask sends this data to each worker once, and recreates it if the worker that holds it dies.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._met: set[str] = set()
        self._common: dict[str, Future[bytes]] = {}

    def ship(self, file: ShippedFile, content: bytes) -> bytes | Future[bytes]:
        """Return the content of a file to send, or the Dask data that represents it."""
        if file.digest not in self._met:
            self._met.add(file.digest)
            return content
        if file.digest not in self._common:
            key = f"grader-file-{file.digest}"
            self._common[file.digest] = self._client.submit(content_of_file, content, key=key, pure=False)
        return self._common[file.digest]
