"""Outcomes are taken from the store when it has them, and only what may be trusted is kept."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grader.errors import GraderError
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Isolation
from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.model.submission import SubmittedFile
from grader.run.environment import RunEnvironment, open_environment
from grader.store.database import ResultStore, open_store
from tests.reports.graded_example import GAME

PLAIN = Isolation.FRESH_PROCESS
PROGRAM = 'print("Double:", 2 * int(input("Number: ")))\n'


@pytest.fixture
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as one:
        yield one


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResultStore]:
    with open_store(tmp_path / "store.sqlite3") as one:
        yield one


@pytest.fixture
def files(tmp_path: Path) -> list[SubmittedFile]:
    file = tmp_path / "double.py"
    file.write_text(PROGRAM)
    return [SubmittedFile("double.py", file)]


def kept(tmp_path: Path) -> int:
    with closing(sqlite3.connect(tmp_path / "store.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])


def test_without_an_archive_every_question_is_a_session(
    environment: RunEnvironment, files: list[SubmittedFile]
) -> None:
    with OutcomeSource(environment).of(files, [GAME], Limits()) as ask:
        assert ask(GAME, PLAIN).transcript == ask(GAME, PLAIN).transcript == "Number: 4\nDouble: 8\n"


def test_what_is_stored_needs_no_environment(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile]
) -> None:
    outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
    with outcomes.of(files, [GAME], Limits()) as ask:
        first = ask(GAME, PLAIN)
    environment.interpreter.executable.unlink()
    with outcomes.of(files, [GAME], Limits()) as ask:
        assert ask(GAME, PLAIN) == first


def test_fresh_takes_nothing_and_keeps_what_is_new(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile], tmp_path: Path
) -> None:
    outcomes = OutcomeSource(environment, ResultCache(store, "harness", fresh=True))
    for count in (1, 2):
        with outcomes.of(files, [GAME], Limits()) as ask:
            ask(GAME, PLAIN)
        assert kept(tmp_path) == count


def test_another_harness_takes_nothing(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile], tmp_path: Path
) -> None:
    for harness in ("one", "two"):
        with OutcomeSource(environment, ResultCache(store, harness)).of(files, [GAME], Limits()) as ask:
            ask(GAME, PLAIN)
    assert kept(tmp_path) == 2


def test_a_failure_of_ours_is_not_kept(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile], tmp_path: Path
) -> None:
    environment.interpreter.executable.unlink()
    with (
        OutcomeSource(environment, ResultCache(store, "harness")).of(files, [GAME], Limits()) as ask,
        pytest.raises(GraderError),
    ):
        ask(GAME, PLAIN)
    assert kept(tmp_path) == 0


def test_a_cancelled_session_is_not_kept(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile], tmp_path: Path
) -> None:
    outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
    outcomes.cancel()
    with outcomes.of(files, [GAME], Limits()) as ask:
        assert ask(GAME, PLAIN).ending is Termination.CANCELLED
    assert kept(tmp_path) == 0


def test_a_program_that_changed_while_it_was_run_is_not_kept(
    environment: RunEnvironment, store: ResultStore, files: list[SubmittedFile], tmp_path: Path
) -> None:
    with OutcomeSource(environment, ResultCache(store, "harness")).of(files, [GAME], Limits()) as ask:
        files[0].path.write_text(f"# changed\n{PROGRAM}")
        ask(GAME, PLAIN)
    assert kept(tmp_path) == 0
