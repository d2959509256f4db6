"""A store in a file: how it is made, and what else may lie there."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from grader.store.database import open_store
from grader.store.stored_rows import StoreError
from tests.store.examples import outcome


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "store.sqlite3"


def test_git_ignores_the_folder_that_is_made_and_nothing_else_is_left_in_it(file: Path) -> None:
    with open_store(file):
        assert (file.parent / ".gitignore").read_text() == "*\n"
    assert sorted(path.name for path in file.parent.iterdir()) == [".gitignore", file.name]


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no database, " * 100)
    with pytest.raises(StoreError, match="cannot be used: file is not a database"), open_store(file):
        pass


def test_an_empty_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"is no store, or an empty file\. Remove it"), open_store(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_bytes() == b""


def test_a_place_where_nothing_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"), open_store(tmp_path / "file" / "store.sqlite3"):
        pass


@pytest.mark.parametrize("place", ["mysql://anna:secret@host/db", "postgresql:/anna:secret@host/db", "Postgres://h/d"])
def test_a_server_of_another_kind_is_no_file_and_its_password_is_not_repeated(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened = open_store(Path(place) if place.startswith("postgresql") else place)
    with pytest.raises(StoreError, match=r"^A store that begins with `\w+:` is not known; expected a file") as refused:
        opened.__enter__()
    assert "secret" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []
    with open_store(f"./{place.partition('://')[0]}"):
        assert len(list(tmp_path.iterdir())) >= 1


def test_a_store_with_a_damaged_byte_in_its_schema_is_refused_in_words(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("A"))
    whole, said = file.read_bytes(), list[str]()
    schema = [
        place for text in (b"CREATE TABLE outcomes", b"CREATE INDEX runs_by_key") for place in [whole.index(text)]
    ]
    for place in (place + offset for place in schema for offset in (0, 3, 8, 14, 19)):
        file.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        try:
            with open_store(file) as store:
                store.outcomes(["a"])
        except StoreError as error:
            said.append(str(error))
    assert all(message.startswith(f"The store {file} cannot be used: ") for message in said)
    assert len(said) > 1


def test_a_new_store_holds_everything_without_its_log(file: Path) -> None:
    with open_store(file):
        pass
    alone = file.with_name("alone")
    alone.write_bytes(file.read_bytes())
    with closing(sqlite3.connect(alone)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    assert tables == [("answers",), ("outcomes",), ("runs",)]


FULL = """
import sys
from pathlib import Path
from grader.store.database import open_store
from grader.store.stored_rows import StoreError

try:
    with open_store(Path(sys.argv[1])):
        print("made")
except StoreError as error:
    print("refused")
"""


@pytest.mark.slow
def test_a_disk_that_is_full_leaves_no_damaged_store(file: Path) -> None:
    said = set()
    for limit in range(4_096, 81_920, 16_384):
        file.unlink(missing_ok=True)

        def no_longer_files(most: int = limit) -> None:
            # Who writes beyond it gets an error, as on a full disk.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        command = [sys.executable, "-B", "-c", FULL, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=no_longer_files, check=True)
        said.add(done.stdout)
        with open_store(file) as store:
            store.keep("a", outcome("A"))
            assert store.outcomes(["a"]) == {"a": outcome("A")}
    assert said == {"refused\n", "made\n"}


# A user may not be able to read the modules of Python, so they are imported first.
AS_USER = """
import os, sys, tempfile
import grader.store.sqlite_rows
from grader.store.database import open_rows
from grader.store.stored_rows import StoredRow, StoreError, Table
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[2]))
try:
    with open_rows(sys.argv[1]) as rows:
        if sys.argv[3] == "add":
            rows.add([StoredRow(Table.RUNS, "key", b"value")])
        print(rows.newest(Table.RUNS, ["key"]), sorted(os.listdir(os.path.dirname(sys.argv[1]))))
except StoreError as error:
    print(error)
"""
OWNER, READER = 54_001, 54_002


def as_user(file: Path, user: int, act: str) -> str:
    """Open the store as a user; returns its rows and the files beside it as printed, or the error."""
    command = [sys.executable, "-c", AS_USER, str(file), str(user), act]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def shared() -> Iterator[Path]:
    """A place for a store in a folder that every user can write."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        (Path(folder) / "store").mkdir()
        (Path(folder) / "store").chmod(0o777)
        yield Path(folder) / "store" / "store.sqlite3"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be several users")
def test_a_user_who_cannot_write_the_store_reads_it_and_leaves_no_file(shared: Path) -> None:
    as_user(shared, OWNER, "add")
    assert as_user(shared, READER, "read") == "{'key': b'value'} ['store.sqlite3']\n"
    said = as_user(shared, READER, "add")
    assert (
        f"cannot be used: attempt to write a readonly database. {shared} belongs to user {OWNER}: run this as" in said
    )
    assert [path.name for path in shared.parent.iterdir()] == [shared.name]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be several users")
def test_the_owner_of_a_file_in_the_way_of_the_store_is_named(shared: Path) -> None:
    as_user(shared, OWNER, "add")
    log = shared.with_name(f"{shared.name}-shm")
    log.touch(0o644)
    os.chown(log, READER, READER)
    assert f"{log} belongs to user {READER}: " in as_user(shared, OWNER, "add")
    log.unlink()
    assert as_user(shared, OWNER, "add").startswith("{'key': b'value'}")
