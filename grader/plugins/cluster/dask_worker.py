"""Code that runs inside Dask's workers. Only this module, `pool` and `client` depend on Dask."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import starmap

from distributed import Worker, WorkerPlugin, get_worker

from grader.errors import ClusterError
from grader.plugins.cluster.messages import GradingJob, JobBatch
from grader.plugins.cluster.worker_grader import WorkerGrader, WorkerPlan, open_worker_grader


class GraderPlugin(WorkerPlugin):
    """A plugin that opens a grader on every worker, including workers that join later. No worker grades without it."""

    def __init__(self, name: str, plan: WorkerPlan) -> None:
        self.name = name
        self._plan = plan
        self._open = ExitStack()
        self._grader: WorkerGrader | None = None
        self._fault = "is not ready"

    async def setup(self, worker: Worker) -> None:
        """Open the grader. Raises ClusterError, which names the worker."""
        try:
            opening = open_worker_grader(self._plan, worker.state.nthreads)
            self._grader = await asyncio.to_thread(self._open.enter_context, opening)
        except Exception as error:
            self._fault = f"The worker {worker.address} on {worker.name!r} cannot grade: {error}"
            raise ClusterError(self._fault) from None

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - the name is Dask's
        """End the running sessions and close the grader."""
        await asyncio.to_thread(self._open.close)

    @property
    def grader(self) -> WorkerGrader:
        """The open grader. Raises ClusterError if this worker has none."""
        if self._grader is None:
            raise ClusterError(self._fault)
        return self._grader


def grade_on_worker(name: str, jobs: Sequence[GradingJob], contents: Sequence[Sequence[bytes]]) -> JobBatch:
    """Grade submissions as a task, one after the other, with the plugin `name`."""
    plugin = get_worker().plugins[name]
    if not isinstance(plugin, GraderPlugin):
        raise ClusterError(f"The plugin {name} of this worker is not the grader's.")
    start = time.monotonic()
    done = tuple(starmap(plugin.grader.grade, zip(jobs, contents, strict=True)))
    return JobBatch(done, time.monotonic() - start)


def content_of_file(content: bytes) -> bytes:
    """Return the content of a file as a task, so that Dask sends it to each worker only once."""
    return content


def cancel_worker(name: str, dask_worker: Worker) -> None:
    """End the sessions of the plugin `name`; this runs outside the tasks."""
    plugin = dask_worker.plugins.get(name)
    if isinstance(plugin, GraderPlugin):
        plugin.grader.cancel()
