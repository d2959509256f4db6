"""The rows of a store on a server: PostgreSQL, in the schema `grader` of a database.

The URL is passed to libpq and has all its features: `~/.pgpass`, services, PGPASSWORD and so on. Messages name the
host and the database, never the password.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from threading import Lock
from typing import Any, LiteralString, TypeAlias, TypeVar

import psycopg
from psycopg import IsolationLevel, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import LockNotAvailable
from psycopg.pq import Conninfo

from grader.store.stored_rows import StoredRow, StoreError, Table

_VERSION = 1
# An arbitrary number with which processes that create the same store take turns.
_MAKING = 0x67726164
_SCHEMA = f"""
CREATE TABLE grader.outcomes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL, value bytea NOT NULL
);
CREATE INDEX outcomes_by_key ON grader.outcomes (key, id);
CREATE TABLE grader.answers (LIKE grader.outcomes INCLUDING ALL);
CREATE TABLE grader.runs (LIKE grader.outcomes INCLUDING ALL);
CREATE TABLE grader.version AS SELECT {_VERSION} AS version;
"""

# Read from the catalogue itself, because `to_regclass` may return the state from before the wait.
_HAS_TABLES = "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'grader' AND tablename = 'version')"
_HAS_SCHEMA = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'grader')"
_NEWEST = sql.SQL("SELECT DISTINCT ON (key) key, value FROM {} WHERE key = ANY(%s) ORDER BY key, id DESC")
# In seconds, the last one in milliseconds, so that a vanished server is noticed.
_PATIENCE: Mapping[str, str] = {
    "connect_timeout": "30",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}

_SECONDS_TO_WAIT = 4
"""The maximum wait for a lock of another session; no signal interrupts a thread that waits for the server."""


_Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

_Done = TypeVar("_Done")
_HOST = r"(\[[^@/?\]]*\]|[^@/?:,\[]*)(:[0-9]+)?"
# User and password, hosts and ports, the database, and more settings.
_ADDRESS = re.compile(rf"\w+://([^@/]*@)?{_HOST}(,{_HOST})*(/[^@/?]*)?(\?[^@]*)?")


class PostgresRows:
    """See the protocol `RowDatabase`.

    When the connection breaks, the request is tried once more on a new connection: adding a row twice does no harm.
    """

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings = settings
        self._name = _described(settings)
        self._lock = Lock()
        with self._errors():
            self._connection = self._connect()

    def newest(self, table: Table, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the last value added under each of the keys that has one."""
        query = _NEWEST.format(sql.Identifier("grader", table))

        def ask(connection: _Connection) -> dict[str, bytes]:
            return dict(connection.execute(query, [list(keys)], binary=True).fetchall())

        return self._done(ask)

    def add(self, rows: Sequence[StoredRow]) -> None:
        """Add rows: all of them are durable when this returns, or none was added."""

        def insert(connection: _Connection) -> None:
            if len(rows) == 1:
                connection.execute(_added_to(rows[0].table), (rows[0].key, rows[0].value))
                return
            with connection.transaction(), connection.cursor() as cursor:
                for table in Table:
                    rows_here = [(row.key, row.value) for row in rows if row.table is table]
                    cursor.executemany(_added_to(table), rows_here)

        self._done(insert)

    def keys(self, table: Table) -> list[str]:
        """Return the keys that have a value, each once."""
        query = sql.SQL("SELECT DISTINCT key FROM {}").format(sql.Identifier("grader", table))
        return self._done(lambda connection: [str(key) for (key,) in connection.execute(query)])

    def remove(self, keys: Mapping[Table, Sequence[str]]) -> None:
        """See the protocol. The server's log and its backups are out of reach."""

        def delete(connection: _Connection) -> None:
            refusals: list[str] = []
            connection.add_notice_handler(lambda notice: refusals.append(str(notice.message_primary)))
            with connection.transaction():
                for table, of_table in keys.items():
                    name = sql.Identifier("grader", table)
                    connection.execute(sql.SQL("DELETE FROM {} WHERE key = ANY(%s)").format(name), [list(of_table)])
            for table in keys:
                connection.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier("grader", table)))
            if refusals:
                raise StoreError(
                    f"The rows are removed, but not their bytes ({refusals[0]}). Let the owner of the tables in "
                    f"{self._name} do this again, or run VACUUM (FULL)."
                )

        self._done(delete)

    def close(self) -> None:
        """Close the connection to the server."""
        self._connection.close()

    def make(self) -> None:
        """Create the tables if they do not exist, all or nothing, and check their version."""
        with self._errors():
            if not self._says(_HAS_TABLES):
                with self._connection.transaction():
                    self._connection.execute("SELECT pg_advisory_xact_lock(%s)", [_MAKING])
                    self._make_tables()
            versions = self._connection.execute("SELECT version FROM grader.version").fetchall()
        if versions != [(_VERSION,)]:
            present = ", ".join(str(version) for (version,) in versions) or "none"
            raise StoreError(
                f"In {self._name} is a store of version {present}; expected {_VERSION}. Remove the schema `grader` "
                "(everything is then run again), or name another store with --store."
            )

    def _make_tables(self) -> None:
        # Another grader may have created them while this one was waiting.
        if self._says(_HAS_TABLES):
            return
        # A user who may use a schema may lack the permission to create one.
        if not self._says(_HAS_SCHEMA):
            self._connection.execute("CREATE SCHEMA grader")
        self._connection.execute(_SCHEMA)

    def _says(self, question: LiteralString) -> bool:
        return self._connection.execute(question).fetchone() == (True,)

    def _done(self, work: Callable[[_Connection], _Done]) -> _Done:
        with self._lock, self._errors():
            try:
                return work(self._connection)
            except psycopg.Error:
                if not self._connection.closed:
                    raise
            self._connection.close()
            self._connection = self._connect()
            return work(self._connection)

    def _connect(self) -> _Connection:
        connection = psycopg.connect(make_conninfo(**self._settings), autocommit=True)
        connection.execute(sql.SQL("SET lock_timeout = {}").format(f"{_SECONDS_TO_WAIT}s"))
        # At a stricter level, a transaction would see the state from before its turn.
        connection.isolation_level = IsolationLevel.READ_COMMITTED
        return connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except LockNotAvailable as error:
            raise StoreError(
                f"The store in {self._name} cannot be used: another session has locked it for more than "
                f"{_SECONDS_TO_WAIT} s. End that one (pg_locks names it) or wait for it, or name another store with "
                "--store."
            ) from error
        except psycopg.Error as error:
            reason = " ".join(str(error).split())
            raise StoreError(
                f"The store in {self._name} cannot be used: {reason}{'' if reason.endswith(('.', '?')) else '.'} See "
                "that the server runs, lets you in and lets you make tables or use those that are there, or name "
                "another store with --store."
            ) from error


@contextmanager
def open_postgres(address: str) -> Iterator[PostgresRows]:
    """Yield the rows of the database at the URL `address`, creating the tables if necessary. Raises StoreError."""
    with closing(PostgresRows({**_PATIENCE, **_settings(address), "client_encoding": "utf-8"})) as rows:
        rows.make()
        yield rows


def _added_to(table: Table) -> sql.Composed:
    return sql.SQL("INSERT INTO {} (key, value) VALUES (%s, %s)").format(sql.Identifier("grader", table))


def _settings(address: str) -> dict[str, str]:
    """Parse a URL like libpq. Raises StoreError without libpq's message, which repeats parts of the URL."""
    try:
        # If the password contains / or @, libpq would take part of it for a host or a port, and show it.
        if _ADDRESS.fullmatch(address):
            return {name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None}
    except psycopg.Error:
        pass
    raise StoreError(
        "The address of the store in PostgreSQL cannot be read; expected postgresql://USER@HOST:PORT/DATABASE. In "
        "user, password and database write %2F for /, %40 for @, %3A for : and %25 for %."
    )


def _described(settings: Mapping[str, str]) -> str:
    """Describe the database that the settings, the environment and libpq's defaults lead to."""
    usual = {option.keyword.decode(): option.val.decode() for option in Conninfo.get_defaults() if option.val}
    given = {**usual, **settings}
    if "service" in settings:
        return f"the PostgreSQL database of the service {settings['service']}"
    host = given.get("host") or given.get("hostaddr") or "this machine"
    return f"the PostgreSQL database {given.get('dbname') or given.get('user')} on {host}"
