"""The example course of docs/interactors.md: programs get the verdicts that are stated for them."""

from pathlib import Path

import pytest

from grader.authoring.audit.trial import broken_samples, changing_tests, samples_in
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource
from grader.run.environment import RunEnvironment
from grader.spec.course import Course
from tests import ROOT

COURSE = ROOT / "docs" / "examples" / "interactors"
EXAMPLES = ("guess", "aces", "number")


def stated(example: str) -> list[Path]:
    samples = samples_in(COURSE / "submissions" / example)
    assert len(samples) == len(list((COURSE / "submissions" / example).iterdir()))
    return samples


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_sample_gets_its_verdicts(example: str, environment: RunEnvironment) -> None:
    assignment = Course(COURSE).assignment(example)
    transcripts = load_transcripts(assignment, assignment.tests)
    outcomes = OutcomeSource(environment)
    assert list(broken_samples(assignment, stated(example), transcripts, outcomes, tick=lambda: None)) == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_reference_passes_each_time(example: str, environment: RunEnvironment) -> None:
    assignment = Course(COURSE).assignment(example)
    assert list(changing_tests(assignment, environment, times=2, jobs=2, tick=lambda: None)) == []
