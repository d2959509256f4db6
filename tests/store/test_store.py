"""What every store promises: what is kept stays, with several writers too, and no reader meets half a store."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier

import pytest

from grader.checkers import passed, wrong
from grader.store.database import ResultStore, open_rows, open_store
from grader.store.stored_rows import StoreError, Table
from grader.store.stored_values import PastRun, encode_outcome
from tests import ROOT
from tests.store.examples import answer_row, outcome, outcome_row
from tests.store.stores import StoreInTest

WRITER = """
import sys
from grader.store.database import ResultStore, open_rows, open_store
from tests.store.examples import answer_row, outcome, outcome_row

sys.stdin.readline()
with open_store(sys.argv[1]) as store:
    for number in range(int(sys.argv[3])):
        store.keep(f"{sys.argv[2]}-{number}", outcome(str(number)))
        store.keep("shared", outcome("same"))
        print(number, flush=True)
"""


def writer(place: str, name: str, rows: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, place, name, str(rows)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("go\n")
    process.stdin.flush()


def test_what_is_kept_is_there_when_the_store_is_opened_again(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("a", outcome("A"))
        store.keep("b", outcome("B \udc80 \0 ü"))
    with open_store(given.place) as store:
        assert store.outcomes(["a", "b", "c"]) == {"a": outcome("A"), "b": outcome("B \udc80 \0 ü")}
        assert store.outcomes([]) == {}


def test_the_newest_counts_and_the_older_stay(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("a", outcome("old"))
        store.keep("a", outcome("new"))
        store.keep_run("r", PastRun(0, "old", {}))
        store.keep_run("r", PastRun(1, "new \udc80 \0", {"folder": "digest"}))
        assert store.outcomes(["a"]) == {"a": outcome("new")}
        assert store.past_run("r") == PastRun(1, "new \udc80 \0", {"folder": "digest"})
        assert store.past_run("s") is None
    assert [key for key, _ in given.rows(Table.OUTCOMES)] == ["a", "a"]
    assert len(given.rows(Table.RUNS)) == 2


def test_answers_of_checkers(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep_answer("a", passed())
        store.keep_answer("a", wrong("no \udc80 \0", "0.25"))
    with open_store(given.place) as store:
        assert store.answer("a") == wrong("no \udc80 \0", "0.25")
        assert store.answer("b") is None


def test_what_is_removed_leaves_no_byte_behind(given: StoreInTest) -> None:
    secret = outcome("".join(sha256(bytes([number])).hexdigest() for number in range(200)))
    pieces = encode_outcome(secret)
    with open_rows(given.place) as rows:
        store = ResultStore(rows)
        for number in range(60):
            store.keep(f"other-{number}", outcome(str(number)))
            store.keep("secret", secret)
        store.keep_answer("secret", wrong("no"))
        assert sorted(rows.keys(Table.OUTCOMES))[-2:] == ["other-9", "secret"]
        assert given.holds(pieces[100:120])
        rows.remove({Table.OUTCOMES: ["secret"], Table.ANSWERS: ["secret", "unknown"]})
        assert not any(given.holds(pieces[start : start + 12]) for start in range(20, len(pieces) - 12, 97))
        assert store.outcomes(["secret", "other-3"]) == {"other-3": outcome("3")}
        assert store.answer("secret") is None


def test_many_rows_in_one_transaction(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("a", outcome("old"))
        answers = [answer_row("a", passed()), answer_row("c", wrong("no"))]
        store.add([outcome_row("a", "new"), outcome_row("b", "B"), *answers])
        store.add([])
        assert store.encoded_outcomes(["b", "c"]) == {"b": encode_outcome(outcome("B"))}
    with open_store(given.place) as store:
        assert store.outcomes(["a", "b", "c"]) == {"a": outcome("new"), "b": outcome("B")}
        assert [store.answer(key) for key in "abc"] == [passed(), None, wrong("no")]


def test_of_many_rows_none_is_kept_when_one_cannot_be(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("a", outcome("A"))
        given.refuse_answers()
        with pytest.raises(StoreError, match=r"cannot be used: .*no.room"):
            store.add([outcome_row("a", "new"), outcome_row("b", "new"), answer_row("c", passed())])
        assert store.outcomes(["a", "b"]) == {"a": outcome("A")}
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"a": outcome("A"), "b": outcome("B")}


def test_many_keys_at_once(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("70000", outcome("last"))
        assert list(store.outcomes([str(number) for number in range(70_001)])) == ["70000"]


def test_writers_that_all_make_the_store_at_once(given: StoreInTest) -> None:
    writers = [writer(given.place, str(number), 100) for number in range(4)]
    for process in writers:
        begin(process)
    for process in writers:
        process.communicate()
    assert [process.returncode for process in writers] == [0, 0, 0, 0]
    keys = [key for key, _ in given.rows(Table.OUTCOMES)]
    assert (len(keys), len(set(keys))) == (800, 401)


def test_all_who_make_the_store_at_the_same_moment_have_it(given: StoreInTest) -> None:
    at_once = Barrier(8)

    def make(number: int) -> None:
        at_once.wait()
        with open_store(given.place) as store:
            store.keep(str(number), outcome(str(number)))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(make, range(8)))
    assert {key for key, _ in given.rows(Table.OUTCOMES)} == set("01234567")


def test_a_writer_that_is_killed_has_kept_what_it_said(given: StoreInTest) -> None:
    with writer(given.place, "killed", 1_000_000) as process:
        begin(process)
        assert process.stdout
        said = [process.stdout.readline() for _ in range(20)]
        process.kill()
        said += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    whole = [line for line in said if line.endswith("\n")]
    with open_store(given.place) as store:
        assert len(store.outcomes([f"killed-{number}" for number in range(len(whole))])) == len(whole) >= 20


def test_threads_share_a_store(given: StoreInTest) -> None:
    def work(number: int) -> bool:
        store.keep(str(number), outcome(str(number)))
        store.keep_answer(str(number), passed(str(number)))
        return store.outcomes([str(number)]) == {str(number): outcome(str(number))}

    with open_store(given.place) as store, ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(200)))
        assert len(store.outcomes([str(number) for number in range(200)])) == 200


def test_a_store_of_another_version(given: StoreInTest) -> None:
    with open_store(given.place):
        pass
    given.set_version(7)
    with (
        pytest.raises(StoreError, match=r"a store of version 7; expected [12]\. Remove (it|the schema)"),
        open_store(given.place),
    ):
        pass


def test_a_damaged_outcome(given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep("a", outcome("A"))
        given.overwrite(Table.OUTCOMES, b"\0")
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"b": outcome("B")}
        assert store.damaged_keys == {"a"}
        store.keep("a", outcome("C"))
        assert store.outcomes(["a"]) == {"a": outcome("C")}


@pytest.mark.parametrize(
    "value", [b"", b"[]", b"{}", b"3", b"\x80", b'{"exit_code": 0, "printed": 3, "reports": {}}'], ids=repr
)
def test_damaged_answers_and_runs(value: bytes, given: StoreInTest) -> None:
    with open_store(given.place) as store:
        store.keep_answer("a", passed())
        store.keep_run("r", PastRun(0, "", {}))
        given.overwrite(Table.ANSWERS, value)
        given.overwrite(Table.RUNS, value)
        assert (store.answer("a"), store.past_run("r")) == (None, None)
        assert store.damaged_keys == {"a", "r"}
