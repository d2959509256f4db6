"""Whether tests can be audited: they give the same result again, and samples get the verdicts stated for them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from grader.authoring.audit.base_run import TrialSetting
from grader.authoring.generate import findings, generate
from grader.grading.grade_submission import grade_submission
from grader.intake.download_format import submission_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.run.core_slots import thread_pool
from grader.run.environment import RunEnvironment

VERDICTS = "verdicts.yaml"


def changing_tests(
    assignment: Assignment, environment: RunEnvironment, *, times: int, jobs: int, tick: Callable[[], None]
) -> Iterator[str]:
    """Run the references `times` times; words every expected file that is not fresh or differs from run to run.

    `tick` is called for each of these files in each run.
    """
    first: Mapping[Path, str] = {}
    for number in range(times):
        generated = generate(assignment, assignment.tests, environment, jobs=jobs, tick=tick)
        if not number:
            first = generated
            for finding in findings(assignment.folder / "expected", generated):
                yield f"{finding.state}: {finding.file} (`grader generate` brings it up to date)"
        yield from (
            f"{file.name} is not the same in every run: the program, or a module it uses, is left to chance"
            for file, text in generated.items()
            if text != first[file]
        )


def samples_in(folder: Path) -> list[Path]:
    """The verdicts.yaml of every sample in `folder` that has one."""
    return sorted(folder.glob(f"*/{VERDICTS}"))


def broken_samples(setting: TrialSetting, samples: Sequence[Path], tick: Callable[[], None]) -> Iterator[str]:
    """Grade the samples, each named by its verdicts.yaml; words those that get other verdicts than stated.

    `tick` is called after each test.
    """
    assignment, outcomes = setting.assignment, setting.outcomes

    def graded(file: Path) -> GradedSubmission:
        with TemporaryDirectory(prefix="grader-intake-") as unpacked:
            submission = submission_in(file.parent, submission_requirements(assignment), Path(unpacked))
            return grade_submission(assignment, assignment.tests, setting.transcripts, submission, outcomes, tick=tick)

    with thread_pool(setting.jobs, outcomes.cancel) as pool:
        for file, found in zip(samples, pool.map(graded, samples), strict=True):
            yield from _differences(file, found)


def _differences(file: Path, graded: GradedSubmission) -> Iterator[str]:
    """The parts of a sample whose verdicts are not those that its verdicts.yaml states."""
    found: dict[str, set[str]] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED:
            found.setdefault(result.test.part, set()).add(str(result.verdict))
    stated = _stated(file)
    for part in sorted(stated.keys() | found.keys()):
        if stated.get(part, set()) != found.get(part, set()):
            yield f"{file.parent.name}, {part}: got {_words(found.get(part))}; stated {_words(stated.get(part))}"


def _stated(file: Path) -> dict[str, set[str]]:
    content: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {part: {words} if isinstance(words, str) else set(words) for part, words in content["fails"].items()}


def _words(verdicts: Sequence[str] | set[str] | None) -> str:
    return ", ".join(sorted(verdicts)) if verdicts else "passed"
