"""The store for outcomes, checkers' answers and past runs, either a file or a database on a server.

Grading only ever adds rows, and each row is durable once added, so killing the grader never loses an added row. Several
graders can use a store at the same time. The newest row for a key is used.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

from grader.checkers import CheckResult
from grader.extensions import STORES, extensions, find_extension
from grader.model.outcome import Outcome
from grader.store.stored_rows import RowDatabase, RowKeeper, StoredRow, StoreError, StoreServer, Table
from grader.store.stored_values import (
    DamagedError,
    PastRun,
    decode_answer,
    decode_outcome,
    decode_run,
    encode_answer,
    encode_outcome,
    encode_run,
)

StorePlace: TypeAlias = str | os.PathLike[str]
"""The path of a file, or the URL of a database on a server, such as `postgresql://HOST/DATABASE`."""

_SCHEME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9+.-]+):/")
_Decoded = TypeVar("_Decoded")


def default_store(course: Path) -> Path:
    """Return the default location of a course's store."""
    return course / ".grader" / "store.sqlite3"


class ResultStore:
    """An open store, which several threads can use. Every method raises StoreError."""

    def __init__(self, rows: RowKeeper) -> None:
        self._rows = rows
        self.damaged_keys: set[str] = set()
        """The keys of requested rows that cannot be read, which count as missing."""

    def outcomes(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """Return the newest outcome for every key that has one, ignoring damaged outcomes."""
        return self._newest(Table.OUTCOMES, keys, decode_outcome)

    def encoded_outcomes(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the newest outcome for every key that has one, encoded for `decode_outcome`; it may be damaged."""
        return self._rows.newest(Table.OUTCOMES, keys)

    def keep(self, key: str, outcome: Outcome) -> None:
        """Add an outcome, which is durable once this returns."""
        self.add([StoredRow(Table.OUTCOMES, key, encode_outcome(outcome))])

    def answer(self, key: str) -> CheckResult | None:
        """Return a checker's newest answer for this key, or None if it is missing or damaged."""
        return self._newest(Table.ANSWERS, [key], decode_answer).get(key)

    def keep_answer(self, key: str, answer: CheckResult) -> None:
        """Add an answer."""
        self.add([StoredRow(Table.ANSWERS, key, encode_answer(answer).encode("ascii"))])

    def add(self, rows: Sequence[StoredRow]) -> None:
        """Add all rows durably, or add none."""
        self._rows.add(rows)

    def past_run(self, key: str) -> PastRun | None:
        """Return the newest run for this key, or None if it is missing or damaged."""
        return self._newest(Table.RUNS, [key], decode_run).get(key)

    def keep_run(self, key: str, run: PastRun) -> None:
        """Add a run."""
        self.add([StoredRow(Table.RUNS, key, encode_run(run))])

    def _newest(self, table: Table, keys: Sequence[str], decode: Callable[[bytes], _Decoded]) -> dict[str, _Decoded]:
        values = {}
        for key, value in self._rows.newest(table, keys).items():
            try:
                values[key] = decode(value)
            except DamagedError:
                self.damaged_keys.add(key)
        return values


@contextmanager
def open_store(place: StorePlace) -> Iterator[ResultStore]:
    """Open the store at `place`, creating it (for a file, also its folder) if it does not exist. Raises StoreError."""
    with open_rows(place) as rows:
        yield ResultStore(rows)


def open_rows(named: StorePlace) -> AbstractContextManager[RowDatabase]:
    """Open the rows in a file or on a server, importing only the module that is needed. Raises StoreError."""
    place = os.fspath(named)
    scheme = _SCHEME.match(place)
    if scheme is None:
        from grader.store.sqlite_rows import open_sqlite

        return open_sqlite(Path(place))
    server = find_extension(STORES, scheme["name"]) if place.startswith(f"{scheme[0]}/") else None
    if server is None:
        servers = "".join(f" or {name}://..." for name in extensions(STORES))
        # The URL may contain a password, so the message does not repeat it.
        raise StoreError(
            f"A store that begins with `{scheme['name']}:` is not known; expected a file{servers}, in Python as a "
            "text. For a file of that name put ./ before it."
        )
    return server.load(StoreServer).open(place)
