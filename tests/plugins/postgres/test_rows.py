"""A store on a server: connections that break, users who may little, and passwords, which no message repeats."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from grader.checkers import passed
from grader.installation import install_command
from grader.store.database import ResultStore, open_store
from grader.store.stored_rows import StoreError, Table
from grader.store.stored_values import PastRun
from tests import ROOT
from tests.plugins.postgres.postgres_server import GUARDED, OWNER, PASSWORD, PostgresServer
from tests.plugins.postgres.store_in_test import PostgresInTest
from tests.store.examples import answer_row, outcome, outcome_row

_OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
BREAK = f"SELECT pg_terminate_backend(pid, 60000) {_OTHERS}"


def refusal(address: str) -> str:
    with pytest.raises(StoreError) as refused, open_store(address):
        pass
    return str(refused.value)


@pytest.mark.parametrize(
    ("use", "rows"),
    [
        (lambda store: store.outcomes(["a"]), 1),
        (lambda store: store.answer("a"), 1),
        (lambda store: store.keep("b", outcome("B")), 2),
        (lambda store: store.add([outcome_row("b", "B"), outcome_row("c", "B"), answer_row("b", passed())]), 3),
        (lambda store: store.keep_run("r", PastRun(0, "", {})), 1),
    ],
    ids=["outcomes", "answer", "keep", "add", "keep_run"],
)
def test_a_connection_that_breaks_is_made_anew_once(
    use: Callable[[ResultStore], object], rows: int, on_server: PostgresInTest, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(on_server.place) as store:
        store.keep("a", outcome("A"))
        on_server.execute(BREAK)
        use(store)
        assert store.outcomes(["a"]) == {"a": outcome("A")}
    assert caplog.text == ""
    assert len(on_server.rows(Table.OUTCOMES)) == rows


BREAKS_OFF = """
CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
CREATE TRIGGER break_off BEFORE INSERT ON grader.answers FOR EACH ROW EXECUTE FUNCTION break_off()
"""


def test_a_connection_that_breaks_in_a_transaction_has_added_nothing(
    on_server: PostgresInTest, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(on_server.place) as store:
        on_server.execute(BREAKS_OFF)
        with pytest.raises(StoreError, match=r"cannot be used: .*connection"):
            store.add([outcome_row("a", "A"), answer_row("a", passed())])
        assert store.outcomes(["a"]) == {}
        store.keep("b", outcome("B"))
    assert [key for key, _ in on_server.rows(Table.OUTCOMES)] == ["b"]
    assert caplog.text == ""


def test_a_server_that_has_gone_is_told_with_what_to_do(on_server: PostgresInTest) -> None:
    with open_store(on_server.place) as store:
        store.keep("a", outcome("A"))
        with on_server.server.connect() as connection:
            name = sql.Identifier(on_server.database)
            connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
            connection.execute(BREAK.replace("current_database()", f"'{on_server.database}'"))
        for use in (lambda: store.keep("b", outcome("B")), lambda: store.outcomes(["a"])):
            with pytest.raises(StoreError) as broken:
                use()
            said = str(broken.value)
            assert said.startswith(
                f"The store in the PostgreSQL database {on_server.database} on {on_server.server.socket} cannot be used"
            )
            assert "is not currently accepting connections" in said
            assert said.endswith("or name another store with --store.")
        with on_server.server.connect() as connection:
            connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
        assert store.outcomes(["a"]) == {"a": outcome("A")}


def test_a_locked_table_is_not_waited_for_without_end(
    on_server: PostgresInTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.plugins.postgres.rows._SECONDS_TO_WAIT", 0.1)
    with open_store(on_server.place) as store, psycopg.connect(on_server.place) as other:
        store.keep("a", outcome("A"))
        other.execute("LOCK TABLE grader.outcomes")
        for use in (lambda: store.keep("b", outcome("B")), lambda: store.outcomes(["a"])):
            with pytest.raises(StoreError, match=r"another session has locked it for more than 0\.1 s\. End that one"):
                use()
        other.rollback()
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"a": outcome("A"), "b": outcome("B")}


def test_tables_are_made_all_or_not_at_all(on_server: PostgresInTest) -> None:
    on_server.execute("CREATE SCHEMA grader CREATE TABLE runs (other text)")
    assert 'relation "runs" already exists' in refusal(on_server.place)
    with on_server.server.connect(on_server.database) as connection:
        tables = connection.execute("SELECT relname FROM pg_class WHERE relnamespace = 'grader'::regnamespace")
        assert tables.fetchall() == [("runs",)]
    on_server.execute("DROP TABLE grader.runs")
    with open_store(on_server.place) as store:
        store.keep("a", outcome("A"))


def test_a_store_without_a_version(on_server: PostgresInTest) -> None:
    with open_store(on_server.place):
        pass
    on_server.execute("DELETE FROM grader.version")
    assert "is a store of version none; expected 1. Remove the schema `grader`" in refusal(on_server.place)


def test_a_user_who_may_only_read_and_add_rows(on_server: PostgresInTest) -> None:
    with open_store(on_server.place) as store:
        store.keep("a", outcome("A"))
    marker = replace(on_server, user=f"marker_{on_server.database}")
    on_server.execute(f"CREATE USER {marker.user}")
    assert "permission denied for schema grader" in refusal(marker.place)
    on_server.execute(f"GRANT USAGE ON SCHEMA grader TO {marker.user}")
    on_server.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA grader TO {marker.user}")
    with open_store(marker.place) as store:
        store.add([outcome_row("b", "B"), answer_row("b", passed())])
        assert store.outcomes(["a", "b"]) == {"a": outcome("A"), "b": outcome("B")}


def test_a_schema_that_was_made_for_a_user_who_may_make_none(on_server: PostgresInTest) -> None:
    marker = replace(on_server, user=f"marker_{on_server.database}")
    on_server.execute(f"CREATE USER {marker.user}")
    assert "permission denied for database" in refusal(marker.place)
    on_server.execute(f"CREATE SCHEMA grader AUTHORIZATION {marker.user}")
    with open_store(marker.place) as store:
        store.keep("a", outcome("A"))
        assert store.outcomes(["a"]) == {"a": outcome("A")}


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding(encoding: str, server: PostgresServer) -> None:
    with open_store(server.address(server.new_database(encoding))) as store:
        store.keep("a", outcome("A \udc80 \0 ü 行"))
        store.keep_run("r", PastRun(0, "ü 行", {}))
        assert store.outcomes(["a"]) == {"a": outcome("A \udc80 \0 ü 行")}
        assert store.past_run("r") == PastRun(0, "ü 行", {})


def test_a_password_from_the_address_a_variable_or_a_file(
    on_server: PostgresInTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_server.execute(f"GRANT CREATE ON DATABASE {on_server.database} TO {GUARDED}")
    guarded = replace(on_server, user=GUARDED).place
    in_it = guarded.replace("@", ":" + PASSWORD.replace("%", "%25").replace("/", "%2F") + "@")
    with open_store(in_it) as store:
        store.keep("a", outcome("A"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "no password supplied" in refusal(guarded)
    with monkeypatch.context() as patch:
        patch.setenv("PGPASSWORD", PASSWORD)
        with open_store(guarded) as store:
            assert store.outcomes(["a"]) == {"a": outcome("A")}
    file = tmp_path / ".pgpass"
    file.touch(mode=0o600)
    file.write_text(f"*:*:*:{GUARDED}:{PASSWORD}\n")
    with open_store(guarded) as store:
        assert store.outcomes(["a"]) == {"a": outcome("A")}
    services = tmp_path / "services"
    services.write_text(f"[course]\nhost={on_server.server.socket}\ndbname={on_server.database}\nuser={OWNER}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    with open_store("postgresql:///?service=course") as store:
        assert store.outcomes(["a"]) == {"a": outcome("A")}
    assert "of the service elsewhere cannot be used" in refusal("postgresql:///?service=elsewhere")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://{GUARDED}:secret@/db?host=SOCKET",
        "postgresql://anna:secret@/db?host=/nowhere",
        "postgresql://anna:secret@127.0.0.1:1/db",
        "postgresql://anna@127.0.0.1:1/db?password=secret",
        "postgresql://anna:secret@127.0.0.1:1,127.0.0.1:2/db",
        "postgresql://anna:secret@[::1]:1/db",
        "postgresql://anna:secret@127.0.0.1:1/db?sslmode=perhaps",
        "postgresql://anna:secret@127.0.0.1:1/db?colour=secret",
        "postgresql://anna:x/secret@host/db",
        "postgresql://anna:x@secret@host/db",
        "postgresql://anna:x@secret/y@host/db",
        "postgresql://anna:%zzsecret@host/db",
        "postgresql://anna:secret/db",
        "postgresql://anna:x?y=secret/z@host/db",
        "postgresql://[secret@host/db",
    ],
)
def test_no_message_repeats_a_password(address: str, server: PostgresServer) -> None:
    said = refusal(address.replace("SOCKET", str(server.socket)))
    assert "secret" not in said
    assert said.startswith(("The store in the PostgreSQL database", "The address of the store in PostgreSQL cannot"))


def test_a_place_is_named_as_the_environment_completes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "/nowhere")
    monkeypatch.setenv("PGDATABASE", "course")
    assert refusal("postgresql://").startswith("The store in the PostgreSQL database course on /nowhere cannot be used")


def test_without_psycopg(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('no such library')\n")
    script = """
import sys
from grader.store.database import open_store
from grader.store.stored_rows import StoreError
try:
    with open_store("postgresql://host/db"):
        pass
except StoreError as error:
    print(error)
"""
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    command_to_install = install_command("postgres")
    assert run.stdout == (
        f"A store in PostgreSQL needs psycopg (no such library); install it with: {command_to_install}\n"
    )


def test_psycopg_is_imported_for_a_server_only(tmp_path: Path) -> None:
    script = """
import sys
from grader.store.database import open_store
with open_store(sys.argv[1]):
    assert 'psycopg' not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "store")], cwd=ROOT, check=True)
