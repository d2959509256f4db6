"""What ends the playing of random sessions."""

from itertools import count
from pathlib import Path

import pytest

from grader.model.program import SandboxKind
from grader.plugins.scaffolding.author import generate
from grader.plugins.searching.fuzzing.api import FuzzOptions, fuzz


@pytest.fixture
def generated_course(moves_course: Path) -> Path:
    generate(["moves"], course=moves_course)
    return moves_course


def test_no_session_is_begun_when_the_seconds_are_used_up(generated_course: Path) -> None:
    seconds = count(step=1000.0)
    options = FuzzOptions(sandbox=SandboxKind.NONE, clock=lambda: next(seconds))
    found = fuzz("moves", course=generated_course, options=options)
    assert sorted(found.accepted) == ["forgets", "right", "zero", "zero-too"]
    assert found.played == 0
    assert found.differing == ()
