"""Grades submissions of one class on a worker, which unpacks their shared files once."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Condition
from typing import Protocol

from grader.errors import ClusterError
from grader.grading.grade_submission import ungraded
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.grading.shards import ShardEncoder
from grader.grading.submission_step import Steps, grade_with_steps
from grader.model.assignment import Assignment
from grader.model.python_request import PythonInUse, PythonRequest, minor_version
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.cluster.installation import Installation, this_installation
from grader.plugins.cluster.messages import ClassPayload, GradingJob, JobResult, ShippedFile
from grader.run.environment import RunEnvironment
from grader.run.find_python import StudentPython
from grader.run.packages import installed_packages
from grader.run.student_python import asked_python, with_packages
from grader.store.database import ResultStore
from grader.store.outcome_key import KeyMaker
from grader.store.stored_rows import StoredRow, Table


class WorkerBackend(Protocol):
    """A backend that opens an environment for runs on the worker's machine."""

    def open_environment(self, python: StudentPython) -> AbstractContextManager[RunEnvironment]:
        """Open the environment that tests run in, with this Python. Raises a GraderError if it is not available."""


class WorkerBackendFactory(Protocol):
    """A factory for the backend of a worker. It is a plain value, because it is sent to the worker."""

    def __call__(self, tests_at_a_time: int) -> WorkerBackend:
        """Return a backend that runs this many tests at a time."""


@dataclass(frozen=True, kw_only=True)
class WorkerPlan:
    """The plan by which a worker opens a grader. `harness` is from `run_identity`; programs run with this `python`.

    The `steps` are performed after each submission is graded.
    """

    payload: ClassPayload
    installation: Installation
    make_backend: WorkerBackendFactory
    harness: str
    python: PythonInUse
    steps: Steps = ()


@dataclass(frozen=True)
class _RecordingRows:
    """The store rows of one submission: outcomes that were sent along, and new ones recorded here."""

    sent: Mapping[str, bytes]
    new: list[StoredRow] = field(default_factory=list)

    def newest(self, table: Table, keys: Sequence[str]) -> dict[str, bytes]:
        sent = self.sent if table is Table.OUTCOMES else {}
        rows = {**sent, **{row.key: row.value for row in self.new if row.table is table}}
        return {key: rows[key] for key in keys if key in rows}

    def add(self, rows: Sequence[StoredRow]) -> None:
        self.new.extend(rows)


class WorkerGrader:
    """A grader on a worker, which several threads may use."""

    def __init__(self, assignment: Assignment, plan: WorkerPlan, environment: RunEnvironment, folder: Path) -> None:
        self._assignment = assignment
        self._plan = plan
        self._environment = environment
        self._folder = folder
        self._keys = KeyMaker()
        self._shards = ShardEncoder(plan.payload.transcripts)
        self._busy = 0
        self._changed = Condition()

    def grade(self, job: GradingJob, contents: Sequence[bytes]) -> JobResult:
        """Grade one submission with the `contents` of its files. A fault in the grader leaves it without verdicts.

        Raises OSError if the files cannot be laid out.
        """
        rows = _RecordingRows(job.found)
        store = ResultStore(rows)
        with self._at_work():
            submission = self._laid_out(job, contents)
            try:
                outcomes = OutcomeSource(self._environment, ResultCache(store, self._plan.harness, maker=self._keys))
                graded = grade_with_steps(
                    self._assignment,
                    self._plan.payload.transcripts,
                    submission,
                    outcomes,
                    steps=self._plan.steps,
                    tick=lambda: None,
                )
            except Exception as error:
                graded = ungraded(submission, self._assignment.tests, error)
        shard = self._shards.shard(graded)
        return JobResult(shard, tuple(rows.new), frozenset(store.damaged_keys))

    def cancel(self) -> None:
        """End the running sessions."""
        self._environment.cancelled.set()

    def wait(self) -> None:
        """Wait until no submission is being graded here."""
        with self._changed:
            self._changed.wait_for(lambda: not self._busy)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._changed:
            self._busy += 1
        try:
            yield
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()

    def _laid_out(self, job: GradingJob, contents: Sequence[bytes]) -> Submission:
        """Return the submission with its files on this machine; an unreadable file has a path that does not exist.

        Only the coordinator knows who submitted it and when.
        """
        shipped = {
            file.name: self._stored_file(file, content) for file, content in zip(job.files, contents, strict=True)
        }
        nowhere = self._folder / "unreadable"
        return Submission(
            student="",
            files=tuple(SubmittedFile(name, shipped.get(name, nowhere)) for name in job.names),
            submitted=None,
            time_source=TimeSource.NONE,
            notes=(),
            refused=job.refused,
        )

    def _stored_file(self, file: ShippedFile, content: bytes) -> Path:
        """Return the path of the stored content; identical contents are stored once."""
        path = self._folder / f"{file.digest}{'.executable' if file.executable else ''}"
        if not path.exists():
            # No thread ever sees a half-written file, and no file is replaced while another thread uses it.
            descriptor, name = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(descriptor, "wb") as writer:
                writer.write(content)
            written = Path(name)
            written.chmod(0o700 if file.executable else 0o600)
            with suppress(FileExistsError):
                path.hardlink_to(written)
            written.unlink()
        return path


def _python(plan: WorkerPlan) -> StudentPython:
    """Find the coordinator's Python with the same packages. Raises a GraderError if it is not installed."""
    required, asked = plan.python, plan.payload.assignment.python
    interpreter = asked_python(PythonRequest(version=minor_version(required.version)))
    if interpreter.version != required.version:
        raise ClusterError(
            f"it has Python {interpreter.version}; the programs of this class are run with {required.version}"
        )
    installed = installed_packages(interpreter, asked.packages) if asked.packages else None
    if installed is not None and installed.versions == required.packages:
        return replace(interpreter, packages=installed)
    return with_packages(interpreter, PythonRequest(packages=required.packages))


@contextmanager
def open_worker_grader(plan: WorkerPlan, threads: int) -> Iterator[WorkerGrader]:
    """Yield a grader for a worker with these `threads`. Raises a GraderError if this machine cannot grade."""
    difference = plan.installation.difference(this_installation())
    if difference:
        raise ClusterError(f"it has {difference}; everything must be installed alike on all machines of a cluster")
    # While one submission is laid out or judged, the tests of other submissions run.
    backend = plan.make_backend(max(1, threads - 1))
    python = _python(plan)
    with tempfile.TemporaryDirectory(prefix="grader-worker-") as name, backend.open_environment(python) as environment:
        folder = Path(name).resolve()
        (folder / "files").mkdir()
        grader = WorkerGrader(plan.payload.unpack(folder / "class"), plan, environment, folder / "files")
        try:
            yield grader
        finally:
            grader.cancel()
            grader.wait()
