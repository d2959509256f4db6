"""A PostgreSQL server of the tests' own: in a folder that is removed, reached by a socket in it, without a network."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

OWNER = "grader"


GUARDED = "guarded"
"""The one user who is asked for a password."""

PASSWORD = "p%a/s"
_DEBIAN = Path("/usr/lib/postgresql")
_MISSING = "needs a PostgreSQL server: the Debian package postgresql is not installed"
_ACCESS = f"local all {GUARDED} scram-sha-256\nlocal all all trust\n"
_SETTINGS = ("listen_addresses=", "fsync=off", "shared_buffers=8MB", "max_connections=40")


@dataclass(frozen=True)
class PostgresServer:
    """A server that runs; `socket` is the folder of its socket."""

    socket: Path

    def address(self, database: str, user: str = OWNER) -> str:
        """The address of a database, as it is given to --store."""
        return f"postgresql://{user}@/{database}?host={self.socket}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        """A connection of a user who may do anything."""
        return psycopg.connect(self.address(database), autocommit=True)

    def new_database(self, encoding: str = "UTF8") -> str:
        """Make an empty database; returns its name."""
        name = f"course_{uuid4().hex}"
        statement = "CREATE DATABASE {} TEMPLATE template0 LOCALE 'C' ENCODING {}"
        with self.connect() as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name), sql.Literal(encoding)))
        return name


def _programs() -> Path:
    versions = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda file: int(file.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which("initdb")
    if found is None or shutil.which("setpriv") is None:
        pytest.skip(_MISSING)
    return Path(found).resolve().parent


@contextmanager
def run_server() -> Iterator[PostgresServer]:
    """Run a server, which root cannot: another user does that then. Skips the test where none is installed."""
    programs = _programs()
    other_user = ("--reuid", "postgres", "--regid", "postgres", "--clear-groups") if os.geteuid() == 0 else ()
    # It ends with the tests, however they end.
    started_by = ("setpriv", *other_user, "--pdeathsig", "SIGQUIT")
    # Not below pytest's folder, which another user may not enter, and whose path may be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if other_user:
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        initdb = (programs / "initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "-U", OWNER, data)
        made = subprocess.run([*started_by, *initdb], cwd=folder, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr
        (data / "pg_hba.conf").write_text(_ACCESS)
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = [*started_by, programs / "postgres", "-D", data, "-k", folder, *settings]
        with (
            (folder / "log").open("w") as log,
            subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process,
        ):
            try:
                yield _when_ready(process, PostgresServer(folder))
            finally:
                # At once: what is in it is thrown away.
                process.send_signal(signal.SIGQUIT)


def _when_ready(process: subprocess.Popen[bytes], server: PostgresServer) -> PostgresServer:
    while process.poll() is None:
        with suppress(psycopg.OperationalError), server.connect() as connection:
            statement = sql.SQL("CREATE USER {} PASSWORD {}")
            connection.execute(statement.format(sql.Identifier(GUARDED), sql.Literal(PASSWORD)))
            return server
        time.sleep(0.02)
    raise AssertionError((server.socket / "log").read_text())
