"""The interface of a store: tables of rows with a key and a value."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from grader.errors import GraderError


class StoreError(GraderError):
    """The store cannot be read or written."""


class Table(StrEnum):
    """The tables of a store."""

    OUTCOMES = "outcomes"
    ANSWERS = "answers"
    RUNS = "runs"


@dataclass(frozen=True)
class StoredRow:
    """A row to add. The key is a digest, and the value is encoded by a function of `stored_values`."""

    table: Table
    key: str
    value: bytes


class RowKeeper(Protocol):
    """Stores rows; several threads can use it. Every method raises StoreError."""

    def newest(self, table: Table, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the last value added for each of the keys that has one."""

    def add(self, rows: Sequence[StoredRow]) -> None:
        """Add all rows, which are durable when this returns, or add none."""


class RowDatabase(RowKeeper, Protocol):
    """An open database of rows."""

    def keys(self, table: Table) -> Sequence[str]:
        """Return the keys that have a value, without duplicates."""

    def remove(self, keys: Mapping[Table, Sequence[str]]) -> None:
        """Remove all values for these keys, so that no byte of them remains in storage.

        If this is interrupted, running it again completes the removal.
        """


@dataclass(frozen=True)
class StoreServer:
    """A kind of server for `--store`, registered under the word before `://`; `open` takes the whole URL."""

    open: Callable[[str], AbstractContextManager[RowDatabase]]
