"""Graded submissions read back from a file of shards equal those put in, also after decisions and counting."""

import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.shards import MAX_IN_MEMORY, ResultSpool, ShardEncoder, ShardError, ShardFile
from grader.grading.student_result import student_result
from grader.grading.student_view import student_views
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, VerdictOverride
from grader.model.results import ClassResult, GradedSubmission, LazyResults
from grader.reports.results_csv import results_csv
from grader.reports.results_json import results_json
from grader.reports.student_text import student_text
from tests.reports import counted_example, graded_example, rubric_example

CLASSES = pytest.mark.parametrize("example", [counted_example, graded_example, rubric_example])
TRANSCRIPTS = ExpectedTranscripts({("small", "canonical"): graded_example.EXPECTED, ("small", "other"): "other"})
DECIDED = VerdictOverride("small", Verdict.PASSED, None, InstructorDecision("an appeal", "the lecturer"))


def undecided(example: ModuleType) -> Iterator[GradedSubmission]:
    """The submissions as they come from grading."""
    for row in example.CLASS.rows:
        results = (replace(result, barred_by=(), overruled=None) for result in row.graded.results)
        yield replace(row.graded, results=tuple(results), groups=())


def read_late(assignment: Assignment, submissions: list[GradedSubmission]) -> list[GradedSubmission]:
    encoder, file = ShardEncoder(TRANSCRIPTS), ShardFile(assignment, TRANSCRIPTS)
    sent = [pickle.loads(pickle.dumps(encoder.shard(one))) for one in submissions]
    return [file.graded(shard, one.submission) for shard, one in zip(sent, submissions, strict=True)]


@CLASSES
def test_nothing_of_a_submission_is_lost(example: ModuleType) -> None:
    before = list(undecided(example))
    after = read_late(example.ASSIGNMENT, before)
    assert all(isinstance(one.results, LazyResults) for one in after)
    assert [replace(one, results=tuple(one.results)) for one in after] == before
    # In any order, and one result as well as all.
    assert [one.results[-1] for one in reversed(after)] == [one.results[-1] for one in reversed(before)]
    assert [len(one.results[1:]) for one in after] == [len(one.results) - 1 for one in before]


@CLASSES
def test_their_reports_are_the_same(example: ModuleType) -> None:
    def written(submissions: list[GradedSubmission]) -> tuple[str, ...]:
        rows = tuple(student_result(example.ASSIGNMENT, one, {}, overrides=[DECIDED]) for one in submissions)
        graded = ClassResult(assignment=example.ASSIGNMENT, rows=rows, not_graded=(), notes=())
        texts = [student_text(example.ASSIGNMENT, student_views(example.ASSIGNMENT)(row)) for row in rows]
        return results_json(graded), results_csv(graded), *texts

    before = list(undecided(example))
    assert written(read_late(example.ASSIGNMENT, before)) == written(before)


def test_what_is_done_to_results_is_done_when_they_are_read() -> None:
    [graded, *_] = read_late(graded_example.ASSIGNMENT, list(undecided(graded_example)))
    changed = graded.with_results(lambda results: [replace(one, because="a rule") for one in results])
    assert isinstance(changed.results, LazyResults)
    assert {one.because for one in changed.results} == {"a rule"}
    assert {one.because for one in graded.results} == {None}


def test_what_is_done_last_sees_what_was_done_before() -> None:
    [graded, *_] = read_late(graded_example.ASSIGNMENT, list(undecided(graded_example)))
    first = graded.with_results(lambda results: [replace(one, because="one") for one in results])
    second = first.with_results(lambda results: [replace(one, because=f"{one.because}, two") for one in results])
    assert {one.because for one in second.results} == {second.results[0].because} == {"one, two"}


def test_long_results_are_compressed() -> None:
    [graded, *_] = undecided(graded_example)
    long = graded.with_results(lambda results: [replace(one, because="so " * 10_000) for one in results])
    assert len(ShardEncoder(TRANSCRIPTS).shard(long).results) < 10_000
    [after] = read_late(graded_example.ASSIGNMENT, [long])
    assert tuple(after.results) == long.results


def test_only_the_first_submissions_of_a_class_stay_in_memory() -> None:
    [graded, *_] = undecided(graded_example)
    spool = ResultSpool(graded_example.ASSIGNMENT, TRANSCRIPTS)
    kept = [spool.add(graded) for _ in range(MAX_IN_MEMORY + 2)]
    assert [one is graded for one in kept] == [True] * MAX_IN_MEMORY + [False] * 2
    assert replace(kept[-1], results=tuple(kept[-1].results)) == graded
    assert spool.add(kept[-1]) is kept[-1]


def test_no_room_for_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not there"))
    with pytest.raises(ShardError, match=r"cannot be kept in the folder for temporary files: .*TMPDIR"):
        ShardFile(graded_example.ASSIGNMENT, TRANSCRIPTS)
