"""What `--cluster` may say."""

import pytest

from grader.errors import ClusterError
from grader.plugins.cluster.address import LocalWorkers, RemoteScheduler, parse_address


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("local:2", LocalWorkers(2)),
        ("tcp://10.0.0.1:8786", RemoteScheduler("tcp://10.0.0.1:8786")),
        ("tls://scheduler.example:8786", RemoteScheduler("tls://scheduler.example:8786")),
        ("tcp://[::1]:8786", RemoteScheduler("tcp://[::1]:8786")),
    ],
)
def test_addresses(text: str, meant: LocalWorkers | RemoteScheduler) -> None:
    assert parse_address(text) == meant


@pytest.mark.parametrize(
    "text", ["", "local", "local:0", "local:-1", "local:two", "host:8786", "tcp://host", "tcp://:1"]
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ClusterError, match="expected tcp://HOST:PORT"):
        parse_address(text)
