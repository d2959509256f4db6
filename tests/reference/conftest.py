"""Plays a reference game as the harness does: in a terminal, beside the provided cards, told about them by the test."""

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest

from grader.authoring.generate import VARIANT_VARIABLE
from grader.model.interaction import Start
from grader.model.limits import STANDARD_LIMITS
from grader.model.outcome import Ending
from grader.model.program import Provision
from grader.model.test import Test, Visibility
from grader.run.environment import Bench, open_bench
from tests.reference.programs import REFERENCE, load

Play = Callable[..., str]
NOTHING_TOLD = Provision()


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    with open_bench() as opened:
        yield opened


@pytest.fixture
def play(bench: Bench) -> Play:
    """Returns the whole transcript of a game that must end well when the last line is typed."""

    def play(
        program: str,
        *typed: str,
        cards: str = "cards.py",
        provision: Provision = NOTHING_TOLD,
        variant: str = "canonical",
        start: Start = Start.PROGRAM,
    ) -> str:
        test = Test("t", "", program, "p", Visibility.PUBLIC, Decimal(1), start, typed, True, 0, provision=provision)
        files: tuple[tuple[Path, str], ...] = ((REFERENCE / cards, "cards.py"), (REFERENCE / program, program))
        environment = {**provision.environment, VARIANT_VARIABLE: variant}
        outcome = bench.run(test, files, STANDARD_LIMITS, environment)
        assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Ending.EXITED, 0, 0), outcome.transcript
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
