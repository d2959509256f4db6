"""Whether tests can be trusted at all: they repeat, their expected files are fresh, samples get what they must."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from grader.authoring.generate import findings, generate
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.intake.download_format import submission_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.run.environment import RunEnvironment

VERDICTS = "verdicts.yaml"


def changing_tests(assignment: Assignment, bench: RunEnvironment, *, times: int, jobs: int) -> Iterator[str]:
    """Run the references `times` times; words every expected file that is not fresh or differs from run to run."""
    first: Mapping[Path, str] = {}
    for number in range(times):
        generated = generate(assignment, assignment.tests, bench, jobs=jobs, tick=lambda: None)
        if not number:
            first = generated
            for finding in findings(assignment.folder / "expected", generated):
                yield f"{finding.state}: {finding.file} (`grader generate` brings it up to date)"
        yield from (
            f"{file.name} is not the same in every run: the program, or a module it uses, is left to chance"
            for file, text in generated.items()
            if text != first[file]
        )


def broken_samples(
    assignment: Assignment,
    samples: Path,
    transcripts: ExpectedTranscripts,
    outcomes: OutcomeSource,
) -> Iterator[str]:
    """Grade every sample in `samples` that has a verdicts.yaml; words each that gets other verdicts than stated."""
    for file in sorted(samples.glob(f"*/{VERDICTS}")):
        with TemporaryDirectory(prefix="grader-intake-") as unpacked:
            submission = submission_in(file.parent, submission_requirements(assignment), Path(unpacked))
            graded = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, lambda: None)
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
