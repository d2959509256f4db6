"""The store file: what is kept stays, with several writers too, and no reader meets half a store."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from grader.checkers import passed, wrong
from grader.model.outcome import Outcome, Termination
from grader.store.database import PastRun, StoreError, encode_answer, encode_outcome, open_store

WRITER = """
import sys
from pathlib import Path
from grader.store.database import open_store
from tests.store.test_store import outcome

sys.stdin.readline()
with open_store(Path(sys.argv[1])) as store:
    for number in range(100):
        store.keep(f"{sys.argv[2]}-{number}", outcome(str(number)))
        store.keep("shared", outcome("same"))
"""


def outcome(transcript: str) -> Outcome:
    return Outcome(
        transcript=transcript,
        typed=(),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0.1,
        cpu_seconds=0.2,
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "store.sqlite3"


def test_what_is_kept_is_there_when_the_store_is_opened_again(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("A"))
        store.keep("b", outcome("B \udc80"))
    with open_store(file) as store:
        assert store.outcomes(["a", "b", "c"]) == {"a": outcome("A"), "b": outcome("B \udc80")}
        assert store.outcomes([]) == {}


def test_the_newest_counts_and_the_older_stay(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("old"))
        store.keep("a", outcome("new"))
        store.keep_run("r", PastRun(0, "old", {}))
        store.keep_run("r", PastRun(1, "new \udc80", {"folder": "digest"}))
        assert store.outcomes(["a"]) == {"a": outcome("new")}
        assert store.past_run("r") == PastRun(1, "new \udc80", {"folder": "digest"})
        assert store.past_run("s") is None
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM outcomes").fetchone() == (2,)


def test_answers_of_checkers(file: Path) -> None:
    with open_store(file) as store:
        store.keep_answer("a", passed())
        store.keep_answer("a", wrong("no \udc80", "0.25"))
    with open_store(file) as store:
        assert store.answer("a") == wrong("no \udc80", "0.25")
        assert store.answer("b") is None


def test_many_rows_in_one_transaction(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("old"))
        answers = {"a": encode_answer(passed()), "c": encode_answer(wrong("no"))}
        store.keep_all({"a": encode_outcome(outcome("new")), "b": encode_outcome(outcome("B"))}, answers)
        store.keep_all({}, {})
        assert store.encoded_outcomes(["b", "c"]) == {"b": encode_outcome(outcome("B"))}
    with open_store(file) as store:
        assert store.outcomes(["a", "b", "c"]) == {"a": outcome("new"), "b": outcome("B")}
        assert [store.answer(key) for key in "abc"] == [passed(), None, wrong("no")]


def test_of_many_rows_none_is_kept_when_one_cannot_be(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("A"))
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(
                "CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )
        with pytest.raises(StoreError, match="cannot be used: no room"):
            store.keep_all({name: encode_outcome(outcome("new")) for name in "ab"}, {"c": encode_answer(passed())})
        assert store.outcomes(["a", "b"]) == {"a": outcome("A")}
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"a": outcome("A"), "b": outcome("B")}


def test_a_store_that_was_made_before_answers_were_kept(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("A"))
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("DROP TABLE answers")
    with open_store(file) as store:
        assert store.answer("a") is None
        store.keep_answer("a", passed())
        assert store.answer("a") == passed()
        assert store.outcomes(["a"]) == {"a": outcome("A")}


def test_many_keys_at_once(file: Path) -> None:
    with open_store(file) as store:
        store.keep("70000", outcome("last"))
        assert list(store.outcomes([str(number) for number in range(70_001)])) == ["70000"]


def test_writers_that_all_make_the_store_at_once(file: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(file)]
    writers = [subprocess.Popen([*command, str(number)], stdin=subprocess.PIPE, text=True) for number in range(4)]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*), count(DISTINCT key) FROM outcomes").fetchone() == (800, 401)
    assert sorted(path.name for path in file.parent.iterdir()) == [".gitignore", file.name]


def test_git_ignores_the_folder_that_is_made(file: Path) -> None:
    with open_store(file):
        assert (file.parent / ".gitignore").read_text() == "*\n"


def test_a_store_of_another_version(file: Path) -> None:
    with open_store(file):
        pass
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match=r"is a store of version 7; expected 1\. Remove it"), open_store(file):
        pass


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no database, " * 100)
    with pytest.raises(StoreError, match="cannot be used: file is not a database"), open_store(file):
        pass


def test_a_place_where_nothing_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"), open_store(tmp_path / "file" / "store.sqlite3"):
        pass


def test_a_damaged_outcome(file: Path) -> None:
    with open_store(file) as store:
        store.keep("a", outcome("A"))
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE outcomes SET outcome = x'00'")
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"b": outcome("B")}
        assert store.damaged_keys == {"a"}
        store.keep("a", outcome("C"))
        assert store.outcomes(["a"]) == {"a": outcome("C")}


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"exit_code": 0, "printed": 3, "reports": {}}'])
def test_damaged_answers_and_runs(text: str, file: Path) -> None:
    with open_store(file) as store:
        store.keep_answer("a", passed())
        store.keep_run("r", PastRun(0, "", {}))
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE answers SET answer = ?", (text,))
            connection.execute("UPDATE runs SET run = ?", (text,))
        assert (store.answer("a"), store.past_run("r")) == (None, None)
        assert store.damaged_keys == {"a", "r"}
