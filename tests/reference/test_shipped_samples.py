"""The transcripts that submissions are compared with are the samples, byte for byte."""

import pytest

from grader.expected.transcripts import load_transcripts
from grader.model.interaction import typed_lines
from grader.spec.course import Course
from tests import ROOT
from tests.reference.programs import SAMPLES

SHIPPED = [
    (
        "cse231-proj10",
        "p10-test-1",
        "canonical",
        "proj10/handout-sample.transcript.txt",
        "proj10/handout-sample.input.txt",
    ),
    ("cse231-lab10a", "lab10a", "canonical", "lab10/lab10a.transcript.txt", None),
    (
        "cse231-lab10b",
        "war-test-1",
        "five-cards",
        "lab10/war-test1-printed.transcript.txt",
        "lab10/war-test1.input.txt",
    ),
    (
        "cse231-lab10b",
        "war-test-1-all-y",
        "five-cards-winner-first",
        "lab10/war-test1-winner-first.transcript.txt",
        None,
    ),
]


@pytest.mark.parametrize(("assignment_id", "test", "variant", "sample", "typed"), SHIPPED)
def test_a_sample_is_what_is_expected(
    assignment_id: str, test: str, variant: str, sample: str, typed: str | None
) -> None:
    assignment = Course(ROOT).assignment(assignment_id)
    [one] = [found for found in assignment.tests if found.id == test]
    assert load_transcripts(assignment, [one]).text(one, variant) == (SAMPLES / sample).read_text(encoding="utf-8")
    if typed is not None:
        lines = (SAMPLES / typed).read_text().splitlines()
        # Where a variant goes on longer than the sample, more is there to be typed.
        assert list(typed_lines(one.interaction)[: len(lines)]) == lines
        assert one.may_leave_input or len(lines) == len(typed_lines(one.interaction))


def test_no_sample_is_left_out() -> None:
    folders = (SAMPLES / "proj10", SAMPLES / "lab10")
    samples = {f"{folder.name}/{file.name}" for folder in folders for file in folder.glob("*.transcript.txt")}
    assert samples == {sample for *_, sample, _ in SHIPPED}
