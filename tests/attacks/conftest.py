"""An arena for each hostile program."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.run.environment import RunEnvironment, sandboxed_environment
from tests.attacks.arena import Arena, make_course
from tests.sandbox import MISSING, STARTS, is_missing


@pytest.fixture(scope="session", params=STARTS)
def sandboxes(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    if is_missing:
        pytest.skip(MISSING)
    with sandboxed_environment((), start=request.param) as environment:
        yield environment


@pytest.fixture
def arena(sandboxes: RunEnvironment, tmp_path: Path) -> Arena:
    make_course(tmp_path)
    return Arena(tmp_path, replace(sandboxes))
