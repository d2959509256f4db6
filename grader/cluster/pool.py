"""Gives the submissions of a class to the workers of a cluster, and keeps what comes back."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Event
from uuid import uuid4

from distributed import Client, Future, KilledWorker, as_completed

from grader.cluster.dask_worker import GraderPlugin, cancel_worker, content_of_file, grade_on_worker
from grader.cluster.messages import (
    ClassPayload,
    GradingJob,
    JobBatch,
    JobResult,
    ShippedFile,
    class_payload,
    read_submission,
    this_installation,
)
from grader.cluster.worker_grader import WorkerBackendFactory, WorkerPlan
from grader.errors import ClusterError
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import as_handed_in, ungraded
from grader.grading.locate import recorded_tests
from grader.grading.result_cache import ResultCache
from grader.model.assignment import Assignment
from grader.model.outcome import Outcome
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.run.find_python import OWN_PYTHON, StudentPython
from grader.store.outcome_key import FileContent

_WAITING_PER_THREAD = 4


_LEAST_WAITING = 16


_MOST_TOGETHER = 4


_BUNDLES_LEFT_PER_THREAD = 8


_QUICK_SECONDS = 1.0
"""A submission that takes longer travels alone, so that little is lost with a worker or the coordinator."""


_SECONDS_BETWEEN_LOOKS = 0.01


@dataclass(frozen=True, kw_only=True)
class ClusterPool:
    """Grades on the workers that `client` reaches, until `cancelled` is set. See `GradingPool`.

    With `locate`, they look for the lines at fault.
    """

    client: Client
    make_backend: WorkerBackendFactory
    archive: ResultCache
    cancelled: Event = field(default_factory=Event)
    python: StudentPython = OWN_PYTHON
    locate: bool = False

    def grade(
        self,
        assignment: Assignment,
        transcripts: ExpectedTranscripts,
        submissions: Sequence[Submission],
        tick: Callable[[], None],
    ) -> Iterator[GradedSubmission]:
        """See `GradingPool`. Raises ClusterError when the cluster has gone or a worker cannot grade."""
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
            locate=self.locate,
        )
        with self._prepared_workers(plan) as plugin_name:
            batch = _Batch(
                client=self.client,
                plugin_name=plugin_name,
                assignment=assignment,
                payload=payload,
                archive=self.archive,
                cancelled=self.cancelled,
                locate=self.locate,
            )
            for graded in batch.grade(submissions):
                for _ in assignment.tests:
                    tick()
                yield graded

    @contextmanager
    def _prepared_workers(self, plan: WorkerPlan) -> Iterator[str]:
        """Open a grader on every worker; gives their name. Sessions that are still under way at the end are ended."""
        name = f"grader-{uuid4().hex}"
        try:
            self._prepare_workers(GraderPlugin(name, plan))
            yield name
        finally:
            # What is left of a cluster that has gone needs no closing.
            with suppress(OSError, ValueError, RuntimeError):
                self.client.run(cancel_worker, name, on_error="ignore")
                self.client.unregister_worker_plugin(name)

    def _prepare_workers(self, plugin: GraderPlugin) -> None:
        try:
            self.client.register_plugin(plugin)
        except ClusterError:
            raise
        except Exception as error:
            # Anything that Dask found on a worker: no grader there, other versions, a worker that has just gone.
            raise ClusterError(f"The workers cannot be made ready: {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class _Packed:
    """A submission as it travels."""

    job: GradingJob
    contents: list[bytes | Future[bytes]]


def batch_size(waiting: int, threads: int) -> int:
    """How many submissions travel together, which Dask takes as long for as for one.

    At the end they travel alone, so that no worker has nothing to do while others have bundles.
    """
    return max(1, min(_MOST_TOGETHER, waiting // (_BUNDLES_LEFT_PER_THREAD * threads)))


class _Batch:
    """The submissions of one class on their way."""

    def __init__(
        self,
        *,
        client: Client,
        plugin_name: str,
        assignment: Assignment,
        payload: ClassPayload,
        archive: ResultCache,
        cancelled: Event,
        locate: bool,
    ) -> None:
        self._client = client
        self._plugin_name = plugin_name
        self._assignment = assignment
        self._archive = archive
        self._cancelled = cancelled
        self._locate = locate
        self._provided = payload.provided
        self._texts = {text: text for text in payload.transcripts.texts.values()}
        self._rules = {rule.id: rule for rule in assignment.rules}
        self._shipping = _Shipping(client)

    def grade(self, submissions: Sequence[Submission]) -> Iterator[GradedSubmission]:
        """Grade all; yields each as it comes back.

        A submission that was there when workers died is graded again, alone, so that only one that is to blame is
        left without verdicts.
        """
        suspects: list[Submission] = []
        yield from self._graded(submissions, suspects)
        for submission in suspects:
            still: list[Submission] = []
            yield from self._graded([submission], still)
            for one in still:
                yield ungraded(one, self._assignment.tests, ClusterError("every worker that graded it died"))

    def _graded(self, submissions: Sequence[Submission], suspects: list[Submission]) -> Iterator[GradedSubmission]:
        """Keep so many submissions at the cluster that no worker runs out of them."""
        waiting = deque(submissions)
        running: dict[Future[JobBatch], list[Submission]] = {}
        finished = as_completed(with_results=True, raise_errors=False)
        window = 0
        quick = False
        while (waiting or running) and not self._cancelled.is_set():
            if waiting and len(running) <= window // 2:
                threads = sum(self._client.nthreads().values())
                window = max(_LEAST_WAITING, _WAITING_PER_THREAD * threads)
                size = batch_size(len(waiting), threads) if quick else 1
                several = [waiting.popleft() for _ in range(min(len(waiting), size * (window - len(running))))]
                packed, unreadable = self._packed(several)
                yield from unreadable
                sent = self._send(packed, size)
                running.update(sent)
                finished.update(list(sent))
            if running:
                while not finished.has_ready() and not self._cancelled.wait(_SECONDS_BETWEEN_LOOKS):
                    pass
                for future, result in finished.next_batch(block=False):
                    bundle = running.pop(future)
                    if isinstance(result, JobBatch):
                        quick = result.seconds < _QUICK_SECONDS * len(bundle)
                        yield from map(self._received, bundle, result.done)
                        continue
                    fault = _fault(future)
                    if len(bundle) > 1 or isinstance(fault, KilledWorker):
                        suspects += bundle
                    else:
                        yield ungraded(bundle[0], self._assignment.tests, fault)

    def _packed(self, submissions: Sequence[Submission]) -> tuple[list[_Packed], list[GradedSubmission]]:
        """The submissions as they travel, and apart from them those of which a file cannot be read after all."""
        packed, unreadable = [], []
        for submission in submissions:
            try:
                files = list(read_submission(submission))
            except OSError as error:
                unreadable.append(ungraded(submission, self._assignment.tests, error))
            else:
                shipped = tuple(file for file, _ in files)
                contents = [self._shipping.ship(file, content) for file, content in files]
                packed.append(_Packed(GradingJob(submission, shipped, self._found(submission, shipped)), contents))
        return packed, unreadable

    def _send(self, packed: Sequence[_Packed], size: int) -> dict[Future[JobBatch], list[Submission]]:
        """Send submissions in bundles of this size."""
        bundles = [packed[first : first + size] for first in range(0, len(packed), size)]
        jobs = [[one.job for one in bundle] for bundle in bundles]
        contents = [[one.contents for one in bundle] for bundle in bundles]
        keys = [f"grader-submissions-{uuid4().hex}" for _ in bundles]
        plugins = [self._plugin_name] * len(bundles)
        futures = self._client.map(grade_on_worker, plugins, jobs, contents, key=keys, pure=False)
        return {future: [job.submission for job in bundle] for future, bundle in zip(futures, jobs, strict=True)}

    def _found(self, submission: Submission, files: Sequence[ShippedFile]) -> Mapping[str, Outcome]:
        if self._archive.fresh:
            return {}
        contents = [*self._provided, *(FileContent(file.name, file.digest) for file in files)]
        assignment, archive = self._assignment, self._archive
        asked = [as_handed_in(assignment, submission, assignment.tests)]
        if self._locate:
            asked.append(recorded_tests(assignment, submission, assignment.tests))
        keys = [archive.keys(contents, tests, assignment.limits) for tests in asked]
        return archive.find([key for own in keys for key in own.values()])

    def _received(self, submission: Submission, done: JobResult) -> GradedSubmission:
        """Keep what a worker found."""
        for key, outcome in done.outcomes.items():
            self._archive.store.keep(key, outcome)
        for key, answer in done.answers.items():
            self._archive.store.keep_answer(key, answer)
        return self._as_ours(submission, done.graded)

    def _as_ours(self, submission: Submission, graded: GradedSubmission) -> GradedSubmission:
        """The same with the values of this process: paths that are here, and one copy of what is the same for all."""
        tests = as_handed_in(self._assignment, submission, self._assignment.tests)
        results = tuple(
            replace(result, test=test, expected=self._texts.get(result.expected, result.expected))
            for result, test in zip(graded.results, tests, strict=True)
        )
        rules = tuple(replace(one, rule=self._rules[one.rule.id]) for one in graded.rules)
        return replace(graded, submission=submission, results=results, rules=rules)


def _fault(future: Future[JobBatch]) -> Exception:
    """Why a task has no result. Raises ClusterError when that is no matter of its submissions alone."""
    if future.status != "error":
        raise ClusterError(
            "The connection to the cluster was lost. What came back is kept: the same command goes on from there."
        )
    error: Exception = future.exception()
    if isinstance(error, ClusterError):
        raise error
    return error


class _Shipping:
    """How the contents of files travel: with the submission that first has one, and again only as Dask's data.

    Those Dask brings to each worker once, and makes again when the worker that has them died.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._met: set[str] = set()
        self._common: dict[str, Future[bytes]] = {}

    def ship(self, file: ShippedFile, content: bytes) -> bytes | Future[bytes]:
        """Give what stands for the content of one file in what is sent."""
        if file.digest not in self._met:
            self._met.add(file.digest)
            return content
        if file.digest not in self._common:
            key = f"grader-file-{file.digest}"
            self._common[file.digest] = self._client.submit(content_of_file, content, key=key, pure=False)
        return self._common[file.digest]
