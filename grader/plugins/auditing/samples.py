"""Checks that the samples of a course get the verdicts listed in their verdicts.yaml."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from grader.grading.grade_submission import grade_submission
from grader.intake.match_files import submission_requirements
from grader.intake.read_class import submission_in
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.plugins.auditing.base_run import TrialSetting
from grader.run.run_slots import thread_pool

VERDICTS = "verdicts.yaml"


def samples_in(folder: Path) -> list[Path]:
    """Return the path of each verdicts.yaml of a sample in `folder`."""
    return sorted(folder.glob(f"*/{VERDICTS}"))


def broken_samples(setting: TrialSetting, samples: Sequence[Path], tick: Callable[[], None]) -> Iterator[str]:
    """Grade the samples of these verdicts.yaml files, and describe each sample whose verdicts differ from its file.

    `tick` is called after each test.
    """
    assignment, outcomes = setting.assignment, setting.outcomes

    def graded(file: Path) -> GradedSubmission:
        with TemporaryDirectory(prefix="grader-intake-") as unpacked:
            submission = submission_in(file.parent, submission_requirements(assignment), Path(unpacked))
            return grade_submission(assignment, assignment.tests, setting.transcripts, submission, outcomes, tick=tick)

    with thread_pool(setting.jobs, outcomes.cancel) as pool:
        for file, graded_sample in zip(samples, pool.map(graded, samples), strict=True):
            yield from _differences(file, graded_sample)


def _differences(file: Path, graded: GradedSubmission) -> Iterator[str]:
    """Describe the parts of a sample whose verdicts differ from its verdicts.yaml."""
    actual: dict[str, set[str]] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED:
            actual.setdefault(result.test.part, set()).add(str(result.verdict))
    stated = _stated_verdicts(file)
    for part in sorted(stated.keys() | actual.keys()):
        if stated.get(part, set()) != actual.get(part, set()):
            yield f"{file.parent.name}, {part}: got {_words(actual.get(part))}; stated {_words(stated.get(part))}"


def _stated_verdicts(file: Path) -> dict[str, set[str]]:
    content: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {part: {words} if isinstance(words, str) else set(words) for part, words in content["fails"].items()}


def _words(verdicts: Sequence[str] | set[str] | None) -> str:
    return ", ".join(sorted(verdicts)) if verdicts else "passed"
