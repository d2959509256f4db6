"""Fixtures: a PostgreSQL server for all tests of a process, and stores of both kinds."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.postgres_server import PostgresServer, run_server
from tests.store.stores import PostgresInTest, SqliteInTest, StoreInTest


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("PG"):
                patch.delenv(name)
        with run_server() as started:
            yield started


@pytest.fixture
def on_server(server: PostgresServer) -> PostgresInTest:
    """A database whose transactions see nothing new, unless they ask for it."""
    found = PostgresInTest(server, server.new_database())
    found.execute(f"ALTER DATABASE {found.database} SET default_transaction_isolation TO 'serializable'")
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> StoreInTest:
    if request.param == "sqlite":
        return SqliteInTest(tmp_path / "new folder" / "store.sqlite3")
    found: PostgresInTest = request.getfixturevalue("on_server")
    return found
