"""The store that the tests of any store run on."""

from pathlib import Path

import pytest

from tests.store.stores import SqliteInTest, StoreInTest


@pytest.fixture
def given(tmp_path: Path) -> StoreInTest:
    """A file here; tests of a plugin run the same tests on a server."""
    return SqliteInTest(tmp_path / "new folder" / "store.sqlite3")
