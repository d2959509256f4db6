"""Both kinds of store, as a test finds them and as it looks into them behind the grader's back."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString, Protocol

from psycopg import sql

from grader.store.stored_rows import Table
from tests.store.postgres_server import OWNER, PostgresServer

SQLITE_VALUES = {Table.OUTCOMES: "outcome", Table.ANSWERS: "answer", Table.RUNS: "run"}


class StoreInTest(Protocol):
    """A store that is not made yet."""

    @property
    def place(self) -> str:
        """What `--store` says."""

    def rows(self, table: Table) -> list[tuple[str, bytes]]:
        """The keys and values of a table, in the order in which they were added."""

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
            return connection.execute(
                f"SELECT key, CAST({SQLITE_VALUES[table]} AS BLOB) FROM {table} ORDER BY id"
            ).fetchall()

    def overwrite(self, table: Table, value: bytes) -> None:
        self._script(f"UPDATE {table} SET {SQLITE_VALUES[table]} = CAST(x'{value.hex()}' AS TEXT)")

    def refuse_answers(self) -> None:
        self._script("CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no room'); END")

    def set_version(self, version: int) -> None:
        self._script(f"PRAGMA user_version = {version}")

    def _script(self, statements: str) -> None:
        with closing(sqlite3.connect(self.file)) as connection:
            connection.executescript(statements)


@dataclass(frozen=True)
class PostgresInTest:
    """A database of its own."""

    server: PostgresServer
    database: str
    user: str = OWNER

    @property
    def place(self) -> str:
        return self.server.address(self.database, self.user)

    def rows(self, table: Table) -> list[tuple[str, bytes]]:
        query = sql.SQL("SELECT key, value FROM {} ORDER BY id").format(sql.Identifier("grader", table))
        with self.server.connect(self.database) as connection:
            return connection.execute(query).fetchall()

    def overwrite(self, table: Table, value: bytes) -> None:
        statement = sql.SQL("UPDATE {} SET value = {}").format(sql.Identifier("grader", table), sql.Literal(value))
        self.execute(statement)

    def refuse_answers(self) -> None:
        self.execute("ALTER TABLE grader.answers ADD CONSTRAINT no_room CHECK (false)")

    def set_version(self, version: int) -> None:
        self.execute(sql.SQL("UPDATE grader.version SET version = {}").format(sql.Literal(version)))

    def execute(self, statement: LiteralString | sql.Composed) -> None:
        """Run a statement as a user who may do anything."""
        with self.server.connect(self.database) as connection:
            connection.execute(statement)
