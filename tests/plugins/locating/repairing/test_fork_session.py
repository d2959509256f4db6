"""Versions run in forks inside the sandbox as they do in a session."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from grader.model.assignment import Assignment
from grader.model.outcome import Termination
from grader.plugins.locating.repairing.fork_session import with_forks
from grader.plugins.locating.repairing.forked_versions import ForkedVersion, ForkServer
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from tests.conftest import RIGHT, WRONG, SmallCourse
from tests.sandbox import needs_sandbox

ENVIRONMENTS = [
    pytest.param(open_environment, id="open"),
    pytest.param(lambda: sandboxed_environment(()), id="sandbox", marks=needs_sandbox),
]


@pytest.fixture(params=ENVIRONMENTS)
def environment(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    opened: Callable[[], AbstractContextManager[RunEnvironment]] = request.param
    with opened() as environment:
        yield environment


@pytest.fixture
def assignment(small_course: SmallCourse) -> Assignment:
    return Course(small_course.folder).assignment("doubles")


def tried(environment: RunEnvironment, assignment: Assignment, folder: Path, texts: list[str]) -> list[str]:
    test = assignment.tests[0]
    module = folder / "helper.py"
    module.write_text("three = 3\n")

    def outcomes(server: ForkServer) -> list[str]:
        versions = (ForkedVersion(text, server, 0.5, 5).outcome(test) for text in texts)
        return [version.transcript if version.ending is Termination.EXITED else version.ending for version in versions]

    return with_forks(environment, [(module, "helper.py")], test, assignment.limits, outcomes)


def test_versions_run_one_after_another(environment: RunEnvironment, assignment: Assignment, tmp_path: Path) -> None:
    loop = "while True:\n    pass\n"
    module = "import helper\nprint(helper.three)\n"
    outputs = tried(environment, assignment, tmp_path, [RIGHT, loop, WRONG, module])
    assert outputs == ["Number: 4\nDouble: 8\n", "timed-out", "Number: 4\nDouble: 12\n", "3\n"]


def test_errors_of_the_work_are_raised(environment: RunEnvironment, assignment: Assignment) -> None:
    def fails(_: ForkServer) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        with_forks(environment, [], assignment.tests[0], assignment.limits, fails)
