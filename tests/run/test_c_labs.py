"""The example course of programs in C: they get the verdicts that are stated for them."""

import shutil
from collections.abc import Iterator

import pytest

from grader.authoring.audit.trial import broken_samples, samples_in
from grader.authoring.generate import generate
from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from tests import ROOT
from tests.sandbox import is_missing

COURSE = ROOT / "docs" / "examples" / "c-labs"
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="needs the Debian package gcc")
needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="needs the Debian package valgrind")
LABS = [pytest.param("sort", marks=needs_gcc), pytest.param("queue", marks=[needs_gcc, needs_valgrind])]


@pytest.fixture(scope="module")
def best_environment() -> Iterator[RunEnvironment]:
    """With a sandbox where there is one."""
    with open_environment() if is_missing else sandboxed_environment((ROOT,)) as environment:
        yield environment


@pytest.mark.parametrize("lab", LABS)
def test_every_sample_gets_its_verdicts(lab: str, best_environment: RunEnvironment) -> None:
    assignment = Course(COURSE).assignment(lab)
    transcripts = load_transcripts(assignment, assignment.tests)
    samples = samples_in(COURSE / "submissions" / lab)
    assert len(samples) == len(list((COURSE / "submissions" / lab).iterdir()))
    assert (
        list(broken_samples(assignment, samples, transcripts, OutcomeSource(best_environment), tick=lambda: None)) == []
    )


@pytest.mark.parametrize("lab", LABS)
def test_the_reference_is_free_of_errors_and_prints_what_is_expected(lab: str) -> None:
    assignment = Course(COURSE).assignment(lab)
    with open_environment() as environment:
        texts = generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None)
    assert {file: file.read_text() for file in texts} == texts
    assert len(texts) == len(assignment.tests)
