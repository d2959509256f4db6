"""A store as a test finds it and as it looks into it behind the grader's back."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.store.stored_rows import Table


class StoreInTest(Protocol):
    """A store that is not made yet."""

    @property
    def place(self) -> str:
        """What `--store` says."""

    def rows(self, table: Table) -> list[tuple[str, bytes]]:
        """The keys and values of a table, in the order in which they were added."""

    def holds(self, piece: bytes) -> bool:
        """Return whether these bytes stand in any file of the store."""

    def overwrite(self, table: Table, value: bytes) -> None:
        """Put something else in every row."""

    def refuse_answers(self) -> None:
        """Have no room for answers any more."""

    def set_version(self, version: int) -> None:
        """Say that it was made by another version."""


@dataclass(frozen=True)
class SqliteInTest:
    """A file."""

    file: Path

    @property
    def place(self) -> str:
        return str(self.file)

    def rows(self, table: Table) -> list[tuple[str, bytes]]:
        with closing(sqlite3.connect(self.file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return connection.execute(f"SELECT key, CAST(value AS BLOB) FROM {table} ORDER BY id").fetchall()

    def holds(self, piece: bytes) -> bool:
        return any(piece in file.read_bytes() for file in self.file.parent.iterdir())

    def overwrite(self, table: Table, value: bytes) -> None:
        self._script(f"UPDATE {table} SET value = CAST(x'{value.hex()}' AS TEXT)")

    def refuse_answers(self) -> None:
        self._script("CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no room'); END")

    def set_version(self, version: int) -> None:
        self._script(f"PRAGMA user_version = {version}")

    def _script(self, statements: str) -> None:
        with closing(sqlite3.connect(self.file)) as connection:
            connection.executescript(statements)
