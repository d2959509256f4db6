"""The example courses of docs/examples: their programs get the verdicts that are stated for them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource
from grader.plugins.auditing.base_run import TrialSetting
from grader.plugins.auditing.samples import broken_samples, samples_in
from grader.plugins.auditing.trial import stale_expected_files
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from tests import ROOT
from tests.sandbox import is_missing

EXAMPLES = ROOT / "docs" / "examples"
COURSES = sorted(folder for folder in EXAMPLES.iterdir() if folder.is_dir())


def needs(assignment: Path) -> list[pytest.MarkDecorator]:
    """What must be installed for an assignment."""
    text = (assignment / "assignment.yaml").read_text(encoding="utf-8")
    tools = [tool for tool, sign in (("gcc", "gcc"), ("gcc", ".c\n"), ("valgrind", "valgrind")) if sign in text]
    return [pytest.mark.skipif(not shutil.which(tool), reason=f"needs the Debian package {tool}") for tool in tools]


def assignments(*others: pytest.MarkDecorator) -> list[ParameterSet]:
    """All of them; those after the first of a course get the marks `others`."""
    return [
        pytest.param(
            course, folder.name, id=f"{course.name}-{folder.name}", marks=[*needs(folder), *(others if number else ())]
        )
        for course in COURSES
        for number, folder in enumerate(sorted((course / "test_specs").iterdir()))
    ]


@pytest.fixture(scope="module")
def best_environment() -> Iterator[RunEnvironment]:
    """With a sandbox where there is one."""
    with open_environment() if is_missing else sandboxed_environment((ROOT,)) as environment:
        yield environment


@pytest.fixture(scope="module")
def plain_environment() -> Iterator[RunEnvironment]:
    """Without a sandbox."""
    with open_environment() as environment:
        yield environment


@pytest.mark.slow
@pytest.mark.parametrize(("course", "name"), assignments())
def test_every_sample_gets_its_verdicts(course: Path, name: str, best_environment: RunEnvironment) -> None:
    assignment = Course(course).assignment(name)
    transcripts = load_transcripts(assignment, assignment.tests)
    samples = samples_in(course / "submissions" / name)
    setting = TrialSetting(assignment, transcripts, OutcomeSource(best_environment), jobs=2)
    assert list(broken_samples(setting, samples, lambda: None)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("course", "name"), assignments(pytest.mark.slow))
def test_the_reference_passes(course: Path, name: str, plain_environment: RunEnvironment) -> None:
    assignment = Course(course).assignment(name)
    assert list(stale_expected_files(assignment, plain_environment, jobs=2, tick=lambda: None)) == []


@pytest.mark.parametrize(("course", "name"), assignments())
def test_there_are_right_and_wrong_samples_and_each_states_its_verdicts(course: Path, name: str) -> None:
    stated = samples_in(course / "submissions" / name)
    assert [file.parent for file in stated] == sorted((course / "submissions" / name).iterdir())
    failing = [bool(yaml.safe_load(file.read_text(encoding="utf-8"))["fails"]) for file in stated]
    assert set(failing) == {True, False}
