"""What `--cluster` may say: the address of a scheduler, or how many worker processes to start here."""

import re
from dataclasses import dataclass

from grader.cluster.errors import ClusterError

_LOCAL = re.compile(r"local:([1-9]\d{0,3})")
_REMOTE = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):\d{1,5}")


@dataclass(frozen=True)
class LocalWorkers:
    """A cluster that lives on this machine for one run, of so many worker processes."""

    count: int


@dataclass(frozen=True)
class Scheduler:
    """A cluster that is there already, by the address of its scheduler."""

    url: str


def parse_address(text: str) -> LocalWorkers | Scheduler:
    """Read `local:N`, `tcp://HOST:PORT` or `tls://HOST:PORT`. Raises ClusterError."""
    local = _LOCAL.fullmatch(text)
    if local:
        return LocalWorkers(int(local[1]))
    if _REMOTE.fullmatch(text):
        return Scheduler(text)
    raise ClusterError(
        f"--cluster {text!r} is no cluster; expected tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, "
        "or local:N for N workers on this machine"
    )
