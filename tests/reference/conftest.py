"""Plays a reference game as the harness does: in a terminal, beside the provided cards, told about them by the test."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from grader.model.interaction import Dialogue, ReplSession
from grader.model.outcome import Termination
from grader.model.program import Limits, ProvidedSettings
from grader.run.environment import RunEnvironment, open_environment
from tests.building import TEST
from tests.reference.programs import REFERENCE, load

Play = Callable[..., str]
NOTHING_TOLD = ProvidedSettings()


@pytest.fixture(scope="session")
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as opened:
        yield opened


@pytest.fixture
def play(environment: RunEnvironment) -> Play:
    """Returns the whole transcript of a game that must end well when the last line is typed."""

    def play(
        program: str,
        *typed: str,
        cards: str = "cards.py",
        provision: ProvidedSettings = NOTHING_TOLD,
        variant: str = "canonical",
        kind: type[Dialogue | ReplSession] = Dialogue,
    ) -> str:
        test = replace(
            TEST,
            program=program,
            interaction=kind(typed),
            provision=provision,
        )
        files: tuple[tuple[Path, str], ...] = ((REFERENCE / cards, "cards.py"), (REFERENCE / program, program))
        variables = {**provision.environment, "REFERENCE_VARIANT": variant}
        outcome = environment.run(test, files, Limits(), variables)
        assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0), outcome.transcript
        return outcome.transcript

    return play


@pytest.fixture
def proj10(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Aces Up, imported."""
    monkeypatch.setitem(sys.modules, "cards", load("cards"))
    return load("proj10")


@pytest.fixture
def lab10b(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """War, imported."""
    monkeypatch.setitem(sys.modules, "cards", load("cards"))
    return load("lab10b")


@pytest.fixture
def proj09(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Spider, imported."""
    monkeypatch.setitem(sys.modules, "cards", load("cards_spider"))
    return load("proj09")
