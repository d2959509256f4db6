"""Sessions become tests: once, with what is expected, and all or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.authoring.generate import GenerationError
from grader.model.interaction import FunctionCall, StdinRun
from grader.plugins.searching.fuzzing.add_tests import AddedTests, add_sessions
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan, read_plans
from grader.run.environment import RunEnvironment, open_environment
from grader.spec.course import Course


@pytest.fixture
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as opened:
        yield opened


def add(course: Path, name: str, environment: RunEnvironment, *texts: tuple[str, ...]) -> AddedTests | None:
    found = Course(course)
    assignment = found.assignment("moves")
    plan = plan_of(course, name)
    return add_sessions(found, assignment, plan, [RandomSession(one) for one in texts], environment, jobs=1)


def plan_of(course: Path, name: str) -> FuzzPlan:
    [plan] = (one for one in read_plans(Course(course).assignment("moves")) if one.id == name)
    return plan


def test_standard_input_becomes_a_test(moves_course: Path, environment: RunEnvironment) -> None:
    added = add(moves_course, "random-sums", environment, ("4", "-1"), ())
    assert added is not None
    assert added.ids == ("random-sums-1", "random-sums-2")
    tests = {test.id: test for test in Course(moves_course).assignment("moves").tests}
    assert tests["random-sums-1"].interaction == StdinRun(None, "4\n-1\n")
    assert tests["random-sums-2"].interaction == StdinRun(None, "")
    assert tests["random-sums-1"].points == 0
    expected = moves_course / "test_specs" / "moves" / "expected"
    assert (expected / "random-sums-1.canonical.txt").read_text() == "3\n"


@pytest.mark.slow
def test_no_session_is_written_twice(moves_course: Path, environment: RunEnvironment) -> None:
    assert add(moves_course, "random-lists", environment, ("largest([3, 1, 2])",)) is None
    call = ("largest([9])",)
    added = add(moves_course, "random-lists", environment, call, call)
    assert added is not None
    assert added.ids == ("random-lists-1",)
    before = added.file.read_text()
    assert add(moves_course, "random-lists", environment, call) is None
    assert added.file.read_text() == before
    more = add(moves_course, "random-lists", environment, call, ("largest([8])",))
    assert more is not None
    assert more.ids == ("random-lists-2",)
    assert added.file.read_text().startswith(before)


@pytest.mark.slow
def test_what_is_compared_stays(moves_course: Path, environment: RunEnvironment) -> None:
    file = moves_course / "test_specs" / "moves" / "tests" / "lists.yaml"
    file.write_text(file.read_text().replace('"largest([3, 1, 2])"', '"largest([3, 1, 2])", returns: 3'))
    assert add(moves_course, "random-lists", environment, ("largest([1])",)) is not None
    tests = {test.id: test for test in Course(moves_course).assignment("moves").tests}
    one, other = tests["largest"].interaction, tests["random-lists-1"].interaction
    assert isinstance(one, FunctionCall)
    assert isinstance(other, FunctionCall)
    assert one.checks == other.checks


def test_a_file_that_cannot_take_them_stays_as_it_was(moves_course: Path, environment: RunEnvironment) -> None:
    tests = moves_course / "test_specs" / "moves" / "tests"
    (tests / "game.yaml").rename(tests / "random-sums.yaml")
    before = (tests / "random-sums.yaml").read_text()
    with pytest.raises(FuzzError, match="holds other tests: give the entry `random-sums` of "):
        add(moves_course, "random-sums", environment, ("4",))
    assert (tests / "random-sums.yaml").read_text() == before


def test_what_a_loop_says_cannot_be_copied(moves_course: Path, environment: RunEnvironment) -> None:
    specs = moves_course / "test_specs" / "moves"
    file = specs / "tests" / "lists.yaml"
    loop = "{id: largest-$n, for: {n: 1..2}, points: 0.5, call: largest(v), variables: {v: $n}}"
    file.write_text(file.read_text().replace('{id: largest, points: 1, call: "largest([3, 1, 2])"}', loop))
    (specs / "fuzz.yaml").write_text(
        "format: 1\nsessions:\n  - {id: random-lists, test: largest-1, call: 'largest([v, {1..9}])'}\n"
    )
    with pytest.raises(FuzzError, match="so that they are like `largest-1`"):
        add(moves_course, "random-lists", environment, ("largest([v, 9])",))
    assert not (specs / "tests" / "random-lists.yaml").exists()


def test_nothing_is_left_when_the_reference_fails(moves_course: Path, environment: RunEnvironment) -> None:
    with pytest.raises(GenerationError):
        add(moves_course, "random-sums", environment, ("four",))
    assert not (moves_course / "test_specs" / "moves" / "tests" / "random-sums.yaml").exists()
    assert not (moves_course / "test_specs" / "moves" / "expected").exists()
