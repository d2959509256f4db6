"""Machines of a cluster are compared, and what differs is said."""

from dataclasses import replace

import pytest

from grader.plugins.cluster.installation import Installation, this_installation

HERE = Installation("source", ("dask-1.dist-info", "pexpect-4.dist-info"), ("/usr/bin/python3", "3.12.1 (main)"))


def test_the_same() -> None:
    assert this_installation().difference(this_installation()) is None
    assert any(name.startswith("distributed-") for name in this_installation().packages)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (replace(HERE, source="other"), "another version of grader"),
        (
            replace(HERE, packages=("dask-2.dist-info", "pexpect-4.dist-info")),
            "other packages (dask-2 instead of dask-1)",
        ),
        (replace(HERE, packages=("dask-1.dist-info",)), "other packages (none instead of pexpect-4)"),
        (
            replace(HERE, interpreter=("/opt/python", "3.13.0 (main)")),
            "another Python (/opt/python, version 3.13.0 instead of /usr/bin/python3, version 3.12.1)",
        ),
    ],
)
def test_what_differs(other: Installation, said: str) -> None:
    assert HERE.difference(other) == said
