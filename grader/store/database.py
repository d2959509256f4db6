"""The file that keeps outcomes, answers of checkers and past runs: SQLite in WAL mode.

Rows are only ever added, each in a transaction of its own, so killing the grader at any moment leaves every row that
was added. Several graders may use one file at the same time. Of rows with one key the newest counts.
"""

import dataclasses
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from grader.checkers import CheckResult, CheckStatus
from grader.errors import GraderError
from grader.model.codec import from_plain
from grader.model.outcome import CallResult, CodeLine, Outcome, Termination, TraceStep, TrialResult, TypedLine

_FASTEST = 1

_Decoded = TypeVar("_Decoded")


class DamagedError(ValueError):
    """A stored value that this version of the grader cannot have written."""


def encode_outcome(outcome: Outcome) -> bytes:
    """The bytes that `decode_outcome` turns into an equal outcome. Lone surrogates and exact times survive."""
    content = {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}
    content["typed"] = [[typed.offset, typed.text] for typed in outcome.typed]
    content["call"] = outcome.call and dataclasses.asdict(outcome.call)
    content["trials"] = [dataclasses.asdict(trial) for trial in outcome.trials]
    content["answer"] = outcome.answer and encode_answer(outcome.answer)
    # Far shorter than with the names of the fields; traces are long.
    content["trace"] = [[step.newlines, [[one.file, one.line] for one in step.lines]] for step in outcome.trace]
    return zlib.compress(json.dumps(content).encode("ascii"), _FASTEST)


def decode_outcome(data: bytes) -> Outcome:
    """The outcome that was encoded as `data`. Raises DamagedError."""
    try:
        content: dict[str, Any] = json.loads(zlib.decompress(data))
        content["typed"] = tuple(TypedLine(offset, text) for offset, text in content["typed"])
        content["ending"] = Termination(content["ending"])
        content["call"] = content["call"] and from_plain(CallResult, content["call"])
        content["trials"] = tuple(from_plain(TrialResult, trial) for trial in content["trials"])
        content["answer"] = content["answer"] and decode_answer(content["answer"])
        content["trace"] = _trace(content["trace"])
        return Outcome(**content)
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DamagedError(f"an outcome in it is damaged ({error})") from error


def _trace(content: list[Any]) -> tuple[TraceStep, ...]:
    return tuple(TraceStep(tuple(CodeLine(*one) for one in lines), newlines) for newlines, lines in content)


def encode_answer(answer: CheckResult) -> str:
    """The text that `decode_answer` turns into an equal result of a checker or interactor."""
    return json.dumps([answer.status, answer.reason, None if answer.score is None else str(answer.score)])


def decode_answer(text: str) -> CheckResult:
    """The result of a checker or interactor that was encoded as `text`. Raises DamagedError."""
    try:
        status, reason, score = json.loads(text)
        return CheckResult(CheckStatus(status), reason, None if score is None else Decimal(score))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise DamagedError(f"an answer in it is damaged ({error})") from error


_FILE_NAME = "store.sqlite3"


_VERSION = 1


_SECONDS_TO_WAIT = 60


_SCHEMA = f"""
PRAGMA journal_mode = WAL;
CREATE TABLE outcomes (id INTEGER PRIMARY KEY, key TEXT NOT NULL, outcome BLOB NOT NULL);
CREATE INDEX outcomes_by_key ON outcomes (key, id);
CREATE TABLE runs (id INTEGER PRIMARY KEY, key TEXT NOT NULL, run TEXT NOT NULL);
CREATE INDEX runs_by_key ON runs (key, id);
PRAGMA user_version = {_VERSION};
"""


# Stores of version 1 were made without it at first.
_ANSWERS = """
CREATE TABLE IF NOT EXISTS answers (id INTEGER PRIMARY KEY, key TEXT NOT NULL, answer TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS answers_by_key ON answers (key, id);
"""


class StoreError(GraderError):
    """The store cannot be read or written."""


def default_store(course: Path) -> Path:
    """Where the store of a course is unless the user names another file."""
    return course / ".grader" / _FILE_NAME


@dataclass(frozen=True)
class PastRun:
    """A run of `grader grade` that left nothing open: what it printed, and the digests of the folders it wrote.

    `summary` is what it added to the job summary of a workflow.
    """

    exit_code: int
    printed: str
    reports: dict[str, str]
    summary: str = ""


def decode_run(text: str) -> PastRun:
    """The run that was kept as `text`. Raises DamagedError."""
    try:
        run = PastRun(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise DamagedError(f"a run in it is damaged ({error})") from error
    if not (isinstance(run.exit_code, int) and isinstance(run.printed, str) and isinstance(run.reports, dict)):
        raise DamagedError("a run in it is damaged")
    return run


class ResultStore:
    """An open store; several threads may use it. Every method raises StoreError."""

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file = file
        self._connection = connection
        self._lock = Lock()
        self.damaged_keys: set[str] = set()
        """The keys of rows that were asked for and cannot be read: they count as not there."""

    def outcomes(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """The newest outcome of every key that has one; one that is damaged is none."""
        found = {}
        for key, data in self.encoded_outcomes(keys).items():
            with self._noting_damage(key):
                found[key] = decode_outcome(data)
        return found

    def encoded_outcomes(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The newest outcome of every key that has one, as `decode_outcome` reads it; it may be damaged."""
        rows = self._execute(
            "SELECT key, outcome FROM outcomes WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id",
            [json.dumps(keys)],
        )
        return dict(rows)

    def keep(self, key: str, outcome: Outcome) -> None:
        """Add an outcome; it is safe when this returns."""
        self._execute("INSERT INTO outcomes (key, outcome) VALUES (?, ?)", (key, encode_outcome(outcome)))

    def answer(self, key: str) -> CheckResult | None:
        """The newest answer of a checker with this key; one that is damaged is none."""
        rows = self._execute("SELECT answer FROM answers WHERE key = ? ORDER BY id DESC LIMIT 1", (key,))
        return self._decoded(key, rows, decode_answer)

    def keep_answer(self, key: str, answer: CheckResult) -> None:
        """Add an answer."""
        self._execute("INSERT INTO answers (key, answer) VALUES (?, ?)", (key, encode_answer(answer)))

    def keep_all(self, outcomes: Mapping[str, bytes], answers: Mapping[str, str]) -> None:
        """Add outcomes and answers, encoded, by their keys: all are safe when this returns, or none was added."""
        with self._lock, _store_errors(self._file), self._transaction():
            self._connection.executemany("INSERT INTO outcomes (key, outcome) VALUES (?, ?)", outcomes.items())
            self._connection.executemany("INSERT INTO answers (key, answer) VALUES (?, ?)", answers.items())

    def past_run(self, key: str) -> PastRun | None:
        """The newest run of this key; one that is damaged is none."""
        rows = self._execute("SELECT run FROM runs WHERE key = ? ORDER BY id DESC LIMIT 1", (key,))
        return self._decoded(key, rows, decode_run)

    def keep_run(self, key: str, run: PastRun) -> None:
        """Add a run."""
        self._execute("INSERT INTO runs (key, run) VALUES (?, ?)", (key, json.dumps(asdict(run))))

    def _decoded(self, key: str, rows: Sequence[tuple[str]], decode: Callable[[str], _Decoded]) -> _Decoded | None:
        for (text,) in rows:
            with self._noting_damage(key):
                return decode(text)
        return None

    @contextmanager
    def _noting_damage(self, key: str) -> Iterator[None]:
        try:
            yield
        except DamagedError:
            self.damaged_keys.add(key)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # At once for writing: else it could find out at its first row that another one writes, and not wait for it.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self._connection.commit()

    def _execute(self, statement: str, values: Sequence[str | bytes]) -> list[tuple[Any, ...]]:
        with self._lock, _store_errors(self._file):
            return self._connection.execute(statement, values).fetchall()


@contextmanager
def open_store(file: Path) -> Iterator[ResultStore]:
    """The store in `file`, which is made, together with its folder, if it is not there. Raises StoreError."""
    with _store_errors(file):
        if not file.exists():
            _make_store(file)
        connection = sqlite3.connect(file, timeout=_SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False)
    with closing(connection):
        with _store_errors(file):
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            raise StoreError(
                f"{file} is a store of version {version}; expected {_VERSION}. "
                "Remove it (everything is then run again), or name another file with --store."
            )
        with _store_errors(file):
            connection.executescript(_ANSWERS)
        yield ResultStore(file, connection)


def _make_store(file: Path) -> None:
    """Make a complete store beside `file`, then give it its name: a store is never seen half made."""
    import tempfile

    if not file.parent.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / ".gitignore").write_text("*\n")
    with tempfile.TemporaryDirectory(prefix=".new-store-", dir=file.parent) as folder:
        new = Path(folder) / _FILE_NAME
        with closing(sqlite3.connect(new)) as connection:
            connection.executescript(_SCHEMA)
        try:
            os.link(new, file)
        except FileExistsError:
            return


@contextmanager
def _store_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"The store {file} cannot be used: {error}. Make room or give access, remove it if it is damaged "
            "(everything is then run again), or name another file with --store."
        ) from error
