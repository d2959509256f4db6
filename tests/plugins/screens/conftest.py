"""Sessions of programs that draw."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.screens.interaction import ScreenDialogue
from grader.plugins.screens.settings import ScreenPart, ScreenSettings, Span
from grader.run.environment import RunEnvironment
from tests.building import TEST

Press = Callable[..., Outcome]


def screen_settings(
    *parts: ScreenPart, rows: int = 24, columns: int = 80, shown_rows: Span | None = None, shown: Span | None = None
) -> ScreenSettings:
    return ScreenSettings(
        rows=rows,
        columns=columns,
        parts=frozenset(parts or (ScreenPart.TEXT,)),
        shown_rows=shown_rows or Span(1, rows),
        shown_columns=shown or Span(1, columns),
    )


def screen_test(keys: Sequence[str], settings: ScreenSettings | None = None) -> Test:
    return replace(TEST, interaction=ScreenDialogue(tuple(keys), screen=settings or screen_settings()))


@pytest.fixture
def press(environment: RunEnvironment, tmp_path: Path) -> Press:
    """Press keys in a Python program, given as text."""

    def outcome(
        program: str, *keys: str, settings: ScreenSettings | None = None, limits: Limits = Limits(wall_seconds=60)
    ) -> Outcome:
        (tmp_path / "game.py").write_text(program)
        test = screen_test(keys, settings)
        with environment.runner([(tmp_path / "game.py", "game.py")], [test]) as runner:
            return runner.run(test, limits, Isolation.FRESH_PROCESS, {})

    return outcome


def judged(expected: str, outcome: Outcome, *keys: str) -> Judgement:
    return judge(screen_test(keys), expected, outcome)
