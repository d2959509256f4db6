"""A store on a server, as a test finds it and as it looks into it behind the grader's back."""

from dataclasses import dataclass
from typing import LiteralString

from psycopg import sql

from grader.store.stored_rows import Table
from tests.plugins.postgres.postgres_server import OWNER, PostgresServer


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

    def holds(self, piece: bytes) -> bool:
        self.execute("CHECKPOINT")
        with self.server.connect(self.database) as connection:
            (folder,) = connection.execute(
                "SELECT oid::text FROM pg_database WHERE datname = current_database()"
            ).fetchall()
        files = (self.server.socket / "data" / "base" / str(folder[0])).iterdir()
        return any(piece in file.read_bytes() for file in files)

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
