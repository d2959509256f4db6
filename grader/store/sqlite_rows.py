"""Stores rows in a file: SQLite in WAL mode."""

import errno
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from grader.files.owner import owner_of
from grader.store.stored_rows import StoredRow, StoreError, Table

_VERSION = 2
_SECONDS_TO_WAIT = 60
_ADVICE = "run this as the user who owns the store, and remove other users' files beside it when it is not in use."
_TABLES = "".join(
    f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value BLOB NOT NULL);"
    f"CREATE INDEX {table}_by_key ON {table} (key, id);"
    for table in Table
)
_SCHEMA = f"BEGIN; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;"


class SqliteRows:
    """Rows in an SQLite file; see the protocol `RowDatabase`."""

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file = file
        self._connection = connection
        self._lock = Lock()

    def newest(self, table: Table, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the last value added for each of the keys that has one."""
        with self._lock, _store_errors(self._file):
            # A damaged value may have a different type from the original.
            named = "SELECT value FROM json_each(?)"
            query = f"SELECT key, CAST(value AS BLOB) FROM {table} WHERE key IN ({named}) ORDER BY id"
            return dict(self._connection.execute(query, [json.dumps(keys)]).fetchall())

    def add(self, rows: Sequence[StoredRow]) -> None:
        """Add all rows, which are durable when this returns, or add none."""
        with self._lock, _store_errors(self._file):
            if len(rows) == 1:
                self._insert(rows[0])
                return
            with self._transaction():
                for row in rows:
                    self._insert(row)

    def keys(self, table: Table) -> list[str]:
        """Return the keys that have a value, without duplicates."""
        with self._lock, _store_errors(self._file):
            return [key for (key,) in self._connection.execute(f"SELECT DISTINCT key FROM {table}")]

    def remove(self, keys: Mapping[Table, Sequence[str]]) -> None:
        """Remove all values for these keys, so that no byte of them remains in storage."""
        with self._lock, _store_errors(self._file):
            with self._transaction():
                for table, of_table in keys.items():
                    named = "SELECT value FROM json_each(?)"
                    self._connection.execute(f"DELETE FROM {table} WHERE key IN ({named})", [json.dumps(of_table)])
            # Pages still contain remains of moved rows, and so does the log.
            self._connection.execute("VACUUM")
            (is_busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            raise StoreError(
                f"The store {self._file} is in use, so its log may still have what was removed. End the "
                "other program and try again."
            )

    def _insert(self, row: StoredRow) -> None:
        self._connection.execute(f"INSERT INTO {row.table} (key, value) VALUES (?, ?)", (row.key, row.value))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # Become a writer at once. Otherwise, the first row could find another writer active, and would not wait for it.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self._connection.commit()


@contextmanager
def open_sqlite(file: Path) -> Iterator[SqliteRows]:
    """Open the rows in `file`, creating it and its folder if necessary. Raises StoreError."""
    with _store_errors(file):
        if not file.exists():
            _make_store(file)
        connection = sqlite3.connect(
            _uri(file), timeout=_SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False, uri=True
        )
    with closing(connection):
        with _store_errors(file):
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            # SQLite reports this for a file without a version, such as an empty file.
            content = f"a store of version {version}; expected {_VERSION}" if version else "no store, or an empty file"
            raise StoreError(
                f"{file} is {content}. Remove it (everything is then run again), or name another one with --store."
            )
        yield SqliteRows(file, connection)


def _uri(file: Path) -> str:
    """Return the URI for SQLite.

    A user who cannot write the store must not leave a log next to it, because the owner of the store cannot write that.
    """
    has_log = os.path.exists(f"{file}-wal") and os.path.exists(f"{file}-shm")
    mode = "rw" if os.access(file, os.W_OK) else "ro" if has_log else "ro&immutable=1"
    return f"{file.absolute().as_uri()}?mode={mode}"


def _make_store(file: Path) -> None:
    """Create a complete store next to `file`, then rename it, so that an incomplete store is never visible.

    WAL mode is set last, because without it, a full disk makes the transaction fail, whereas with it, part of the data
    stays elsewhere.
    """
    import tempfile

    if not file.parent.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / ".gitignore").write_text("*\n")
    with tempfile.TemporaryDirectory(prefix=".new-store-", dir=file.parent) as folder:
        new = Path(folder) / "store"
        with closing(sqlite3.connect(new)) as connection:
            connection.executescript(_SCHEMA)
            connection.execute("PRAGMA journal_mode = WAL")
        with closing(sqlite3.connect(new)) as connection:
            if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise OSError(errno.EIO, "a new store is not what was written")
        try:
            os.link(new, file)
        except FileExistsError:
            return


@contextmanager
def _store_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        # SQLite's messages repeat damaged bytes, which are then not valid text.
        advice = (
            "Make room or give access, remove it if it is damaged (everything is then run again), or name another one "
            "with --store."
        )
        for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
            if os.path.exists(path) and not os.access(path, os.W_OK):
                advice = f"{path} belongs to {owner_of(path)}: {_ADVICE}"
        raise StoreError(f"The store {file} cannot be used: {error}. {advice}") from error
