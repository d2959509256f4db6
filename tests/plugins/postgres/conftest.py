"""Fixtures: a PostgreSQL server for all tests of a process, and a store on it."""

import os
from collections.abc import Iterator

import pytest

from tests.plugins.postgres.postgres_server import PostgresServer, run_server
from tests.plugins.postgres.store_in_test import PostgresInTest
from tests.store.stores import StoreInTest


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


@pytest.fixture
def given(on_server: PostgresInTest) -> StoreInTest:
    """The store of the tests of any store."""
    return on_server
