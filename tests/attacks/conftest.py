"""An arena for each hostile program."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, sandboxed_environment
from tests.attacks.arena import Arena, make_course
from tests.building import TEST
from tests.sandbox import MISSING, STARTS, is_missing


@pytest.fixture(scope="session", params=STARTS)
def sandboxes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunEnvironment]:
    if is_missing:
        pytest.skip(MISSING)
    with sandboxed_environment((), start=request.param) as environment:
        # What all sandboxes share starts with the first one.
        program = tmp_path_factory.mktemp("first") / "program.py"
        program.write_text("print(1)\n")
        with environment.runner([(program, program.name)]) as runner:
            runner.run(replace(TEST, program=program.name, interaction=Dialogue(())), Limits(), Isolation.FORK, {})
        assert environment.sandbox_start is request.param
        yield environment


@pytest.fixture
def arena(sandboxes: RunEnvironment, tmp_path: Path) -> Arena:
    make_course(tmp_path)
    return Arena(tmp_path, replace(sandboxes))
