"""Runs mutants through the tests of an assignment, and sums up what that says about the tests.

Before that the tests must be sound: they give the same result again, and samples get the verdicts stated for them.
"""

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from grader.authoring.audit.mutants import Mutant
from grader.authoring.generate import findings, generate
from grader.authoring.reference_files import all_references
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.intake.download_format import submission_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Visibility
from grader.run.core_slots import thread_pool
from grader.run.environment import RunEnvironment

_SECONDS = 3.0
"""A mutant that takes so long loops for ever: references need a fraction of it."""


@dataclass(frozen=True)
class MutantTrial:
    """A mutant and the tests that it failed; none means that it survived.

    The tests in `unsettled` failed for a fault of the grader.
    """

    mutant: Mutant
    failed: tuple[str, ...]
    unsettled: tuple[str, ...] = ()


def try_mutants(
    assignment: Assignment,
    mutants: Sequence[Mutant],
    transcripts: ExpectedTranscripts,
    outcomes: OutcomeSource,
    *,
    jobs: int,
    tick: Callable[[], None],
) -> Iterator[MutantTrial]:
    """Run every test of its program on each mutant, `jobs` mutants at a time; `tick` is called after each mutant.

    A mutant is judged like a submission, so it is caught only when it loses a test under the variant that suits it
    best.
    """
    seconds = min(_SECONDS, assignment.limits.wall_seconds)
    hurried = replace(assignment, limits=replace(assignment.limits, wall_seconds=seconds), rules=())

    with tempfile.TemporaryDirectory(prefix="grader-audit-") as folder, thread_pool(jobs, outcomes.cancel) as pool:

        def trial(mutant: Mutant) -> MutantTrial:
            graded = _grade(hurried, mutant, transcripts, outcomes, Path(folder))
            tick()
            return _trial(mutant, graded)

        yield from pool.map(trial, mutants)


def _grade(
    assignment: Assignment, mutant: Mutant, transcripts: ExpectedTranscripts, outcomes: OutcomeSource, folder: Path
) -> GradedSubmission:
    own = folder / mutant.id
    own.mkdir(exist_ok=True)
    file = own / mutant.program
    file.write_text(mutant.source, encoding="utf-8")
    others = all_references(assignment)
    beside = (SubmittedFile(name, path) for path, name in others if name != mutant.program)
    submission = Submission(
        student=mutant.id,
        files=(SubmittedFile(mutant.program, file), *beside),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=(),
    )
    tests = [test for test in assignment.tests if test.program == mutant.program]
    return grade_submission(assignment, tests, transcripts, submission, outcomes, tick=lambda: None)


def _trial(mutant: Mutant, graded: GradedSubmission) -> MutantTrial:
    failed = [result for result in graded.results if result.verdict is not Verdict.PASSED]
    return MutantTrial(
        mutant,
        tuple(result.test.id for result in failed if result.verdict is not Verdict.INTERNAL_ERROR),
        tuple(result.test.id for result in failed if result.verdict is Verdict.INTERNAL_ERROR),
    )


@dataclass(frozen=True, kw_only=True)
class AuditReport:
    """`caught` and `survived` are mutants that are mistakes; `equivalent` survived too, and a person says why.

    `wrongly_marked` were said to be equivalent, and a test caught them. `stale_marks` name no mutant. `only_hidden`
    are the mutants that no public test catches, with the hidden tests that do. `redundant` are tests each of which
    could be left out: others catch all that it catches. `idle` ones catch nothing at all.
    """

    caught: tuple[MutantTrial, ...]
    survived: tuple[Mutant, ...]
    equivalent: tuple[Mutant, ...]
    wrongly_marked: tuple[str, ...]
    stale_marks: tuple[str, ...]
    only_hidden: tuple[MutantTrial, ...]
    redundant: tuple[str, ...]
    idle: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share caught of those that are not equivalent, from 0 to 1; 1 when there are none."""
        count = len(self.caught) + len(self.survived)
        return len(self.caught) / count if count else 1.0


def audit(
    assignment: Assignment, trials: Sequence[MutantTrial], equivalent: Mapping[str, str], known: Collection[str] | None
) -> AuditReport:
    """Sum up `trials`; `equivalent` are reasons by mutant, `known` the ids of all mutants if all were made."""
    caught = tuple(trial for trial in trials if trial.failed)
    passed = [trial.mutant for trial in trials if not trial.failed and not trial.unsettled]
    hidden = {test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN}
    catching = {name for trial in caught for name in trial.failed}
    # A test is needed when it is the only one to catch some mutant.
    needed = {trial.failed[0] for trial in caught if len(trial.failed) == 1}
    programs = {trial.mutant.program for trial in trials}
    tests = [test.id for test in assignment.tests if test.program in programs]
    return AuditReport(
        caught=caught,
        survived=tuple(mutant for mutant in passed if mutant.id not in equivalent),
        equivalent=tuple(mutant for mutant in passed if mutant.id in equivalent),
        wrongly_marked=tuple(trial.mutant.id for trial in caught if trial.mutant.id in equivalent),
        stale_marks=tuple(sorted(set(equivalent) - set(known))) if known is not None else (),
        only_hidden=tuple(trial for trial in caught if hidden.issuperset(trial.failed)),
        redundant=tuple(name for name in tests if name in catching - needed),
        idle=tuple(name for name in tests if name not in catching),
    )


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


def broken_samples(
    assignment: Assignment,
    samples: Sequence[Path],
    transcripts: ExpectedTranscripts,
    outcomes: OutcomeSource,
    *,
    tick: Callable[[], None],
) -> Iterator[str]:
    """Grade every sample, named by its verdicts.yaml; words each that gets other verdicts than stated.

    `tick` is called after each test.
    """
    for file in samples:
        with TemporaryDirectory(prefix="grader-intake-") as unpacked:
            submission = submission_in(file.parent, submission_requirements(assignment), Path(unpacked))
            graded = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, tick=tick)
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
