"""Every program of the sample class gets the verdicts that are written beside it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from deepdiff import DeepDiff

from grader.expected.transcripts import load_transcripts
from grader.intake.folder import submission_in
from grader.judge.verdict import Verdict
from grader.pipeline.grade_submission import grade_submission
from grader.pipeline.outcomes import Outcomes
from grader.run.bench import open_bench
from grader.spec.course import Course

ROOT = Path(__file__).parents[1]
SUBMISSIONS = sorted(file.parent for file in (ROOT / "submissions").glob("*/*/verdicts.yaml"))


def stated(folder: Path) -> dict[str, set[str]]:
    content: dict[str, Any] = yaml.safe_load((folder / "verdicts.yaml").read_text())
    return {part: set([words] if isinstance(words, str) else words) for part, words in content["fails"].items()}


@pytest.mark.parametrize("folder", SUBMISSIONS, ids=lambda folder: folder.name)
def test_verdicts_are_as_stated(folder: Path) -> None:
    assignment = Course(ROOT).assignment(folder.parent.name)
    submission = submission_in(folder, assignment.program_of, assignment.zone)
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_bench() as bench:
        graded = grade_submission(assignment, assignment.tests, transcripts, submission, Outcomes(bench), lambda: None)
    found: dict[str, set[str]] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED:
            found.setdefault(result.test.part, set()).add(str(result.verdict))
    assert DeepDiff(stated(folder), found) == {}


def test_the_sample_class_is_there() -> None:
    assert len(SUBMISSIONS) >= 12
