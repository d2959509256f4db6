"""Every program of the sample class gets the verdicts that are written beside it."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from deepdiff import DeepDiff

from grader.expected.transcripts import load_transcripts
from grader.intake.manual_marks import read_manual_marks
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Archive, Outcomes
from grader.rules.check import check_rules
from grader.run.bench import open_bench, sandboxed_bench
from grader.spec.course import Course
from grader.store.store import open_store
from tests.intake.taking import submission_in
from tests.sandbox import is_missing

ROOT = Path(__file__).parents[1]
SUBMISSIONS = sorted(file.parent for file in (ROOT / "submissions").glob("*/*/verdicts.yaml"))


def stated(folder: Path) -> dict[str, set[str]]:
    content: dict[str, Any] = yaml.safe_load((folder / "verdicts.yaml").read_text())
    return {part: set([words] if isinstance(words, str) else words) for part, words in content["fails"].items()}


@pytest.mark.parametrize("folder", SUBMISSIONS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_verdicts_are_as_stated(folder: Path, tmp_path: Path) -> None:
    if any(folder.glob("*.cpp")) and not shutil.which("g++"):
        pytest.skip("needs the Debian package g++")
    assignment = Course(ROOT).assignment(folder.parent.name)
    provided = [module.file for module in assignment.provided]
    submission = submission_in(folder, assignment.file_names, assignment.zone, provided)
    transcripts = load_transcripts(assignment, assignment.tests)
    with (
        open_bench() if is_missing else sandboxed_bench((ROOT,)) as bench,
        open_store(tmp_path / "store.sqlite3") as store,
    ):
        outcomes = Outcomes(bench, Archive(store, "harness"))
        graded = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, lambda: None)
    found: dict[str, set[str]] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED:
            found.setdefault(result.test.part, set()).add(str(result.verdict))
    assert DeepDiff(stated(folder), found) == {}


@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_every_assignment_has_a_sample_class(assignment_id: str) -> None:
    folders = [folder for folder in SUBMISSIONS if folder.parent.name == assignment_id]
    assert len(folders) >= 6
    assert {folder.name.startswith("right-") for folder in folders} == {True, False}


def test_right_programs_lose_nothing_and_wrong_ones_something() -> None:
    without_failure = {folder.name for folder in SUBMISSIONS if not stated(folder)}
    right = {folder.name for folder in SUBMISSIONS if folder.name.startswith("right-")}
    assert without_failure - right == {"course-tight-20-minutes-late", "six-days-late"}
    assert right <= without_failure


@pytest.mark.parametrize("folder", [folder for folder in SUBMISSIONS if not stated(folder)], ids=lambda one: one.name)
def test_right_programs_keep_every_rule(folder: Path) -> None:
    assignment = Course(ROOT).assignment(folder.parent.name)
    files = {program: folder / program for program in assignment.program_of if (folder / program).exists()}
    broken = [result for result in check_rules(assignment, files, files, ()) if not result.kept]
    assert broken == []


def test_marks_by_hand_fit_the_rubric() -> None:
    for file in (ROOT / "submissions").glob("*/marks.*"):
        assignment = Course(ROOT).assignment(file.parent.name)
        students = [folder.name for folder in SUBMISSIONS if folder.parent == file.parent]
        assert read_manual_marks(file, assignment, students).notes == ()
