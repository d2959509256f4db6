"""The backend that pyproject.toml registers for `--cluster`: Dask workers, on this machine or behind a scheduler.

Dask is slow to import, so it is only imported when a cluster is opened.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError
from grader.grading.backend import Backend, ClusterKind
from grader.installation import install_command
from grader.model.option import LateFunction
from grader.model.program import SandboxKind
from grader.plugins.cluster.address import LocalWorkers, parse_address, prepare_to_fork

CLUSTER = ClusterKind(LateFunction("grader.plugins.cluster.backend:open_backend"))


@contextmanager
def open_backend(address: str, sandbox: SandboxKind, hidden: tuple[Path, ...]) -> Iterator[Backend]:
    """Open a cluster. Raises GraderError."""
    parsed = parse_address(address)
    if isinstance(parsed, LocalWorkers):
        prepare_to_fork()
    try:
        from grader.plugins.cluster.client import open_cluster
    except ImportError:
        raise GraderError(f"--cluster needs Dask distributed; install it with: {install_command('cluster')}") from None
    with open_cluster(parsed, sandbox, hidden) as backend:
        yield backend
