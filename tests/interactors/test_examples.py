"""The example course of docs/interactors.md: programs get the verdicts that are stated for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.authoring.audit.trial import broken_samples, changing_tests, samples_in
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from tests import ROOT
from tests.sandbox import is_missing

COURSE = ROOT / "docs" / "examples" / "interactors"
EXAMPLES = ("guess", "aces", "number")


@pytest.fixture(scope="module")
def best_environment() -> Iterator[RunEnvironment]:
    """With a sandbox where there is one."""
    with open_environment() if is_missing else sandboxed_environment((ROOT,)) as environment:
        yield environment


def stated(example: str) -> list[Path]:
    samples = samples_in(COURSE / "submissions" / example)
    assert len(samples) == len(list((COURSE / "submissions" / example).iterdir()))
    return samples


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_sample_gets_its_verdicts(example: str, best_environment: RunEnvironment) -> None:
    assignment = Course(COURSE).assignment(example)
    transcripts = load_transcripts(assignment, assignment.tests)
    outcomes = OutcomeSource(best_environment)
    assert list(broken_samples(assignment, stated(example), transcripts, outcomes, tick=lambda: None)) == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_reference_passes_each_time(example: str) -> None:
    assignment = Course(COURSE).assignment(example)
    with open_environment() as environment:
        assert list(changing_tests(assignment, environment, times=2, jobs=2, tick=lambda: None)) == []
