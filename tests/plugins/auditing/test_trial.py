"""Mutants are run no more than the question needs: not where no test gets, not after they are caught, not twice."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.plugins.auditing.base_program import BaseProgram, references
from grader.plugins.auditing.base_run import TrialSetting, run_bases
from grader.plugins.auditing.mutants import Mutant
from grader.plugins.auditing.trial import MutantTrial, TrialDepth, try_mutants
from grader.run.environment import RunEnvironment, open_environment
from grader.spec.course import Course
from grader.store.database import ResultStore, open_store
from tests.conftest import SmallCourse

REFERENCE = """\
import os

number = int(input("Number: "))
word = "Twice" if os.environ.get("REFERENCE_VARIANT") == "wordy" else "Double"
if number > 11:
    print(f"{word}: {number + number}")
elif number < 0:
    print("none")
else:
    print(f"{word}: {2 * number}")
"""


@dataclass(frozen=True)
class Audit:
    """The tests of double.py, with a store that is counted."""

    assignment: Assignment
    base: BaseProgram
    environment: RunEnvironment
    store: ResultStore
    file: Path

    def mutant(self, before: str, after: str) -> Mutant:
        assert self.base.source.count(before) == 1
        return Mutant(self.base, "an example", self.base.source.replace(before, after))

    def tried(self, *mutants: Mutant, depth: TrialDepth = TrialDepth.UNTIL_CAUGHT) -> tuple[list[MutantTrial], int]:
        """What came of the mutants, and how many outcomes were kept meanwhile."""
        transcripts = load_transcripts(self.assignment, self.assignment.tests)
        outcomes = OutcomeSource(self.environment, ResultCache(self.store, "harness"))
        setting = TrialSetting(self.assignment, transcripts, outcomes, jobs=1)
        runs = run_bases(setting, [self.base], lambda: None)
        before = self.kept
        return list(try_mutants(setting, mutants, runs, depth, lambda: None)), self.kept - before

    @property
    def kept(self) -> int:
        with closing(sqlite3.connect(self.file)) as connection:
            return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])


@pytest.fixture
def audit(small_course: SmallCourse, tmp_path: Path) -> Iterator[Audit]:
    (small_course.folder / "reference" / "double.py").write_text(REFERENCE)
    assignment = Course(small_course.folder).assignment("doubles")
    base = next(base for base in references(assignment) if base.file == "double.py")
    with open_environment() as environment, open_store(tmp_path / "store.sqlite3") as store:
        yield Audit(assignment, base, environment, store, tmp_path / "store.sqlite3")


def test_where_no_test_gets_nothing_is_run_and_the_mutant_survives(audit: Audit) -> None:
    mutant = audit.mutant('print("none")', 'print("nothing")')
    for depth in TrialDepth:
        assert audit.tried(mutant, depth=depth) == ([MutantTrial(mutant, (), reached=False)], 0)


def test_only_tests_that_get_to_the_change_are_run(audit: Audit) -> None:
    mutant = audit.mutant("number + number", "number + number + 0")
    assert audit.tried(mutant) == ([MutantTrial(mutant, ())], 1)


def test_a_mutant_is_left_alone_once_it_is_caught(audit: Audit) -> None:
    mutant = audit.mutant("2 * number", "3 * number")
    [trial], kept = audit.tried(mutant)
    assert len(trial.failed) == kept == 1
    [trial], kept = audit.tried(mutant, depth=TrialDepth.EVERY_TEST)
    assert set(trial.failed) == {"small", "hidden-11"}
    assert kept == 1, "what was run before is not run again"


def test_what_passes_in_one_variant_is_not_caught(audit: Audit) -> None:
    mutant = audit.mutant('"Twice" if', '"Double" if')
    [trial], kept = audit.tried(mutant)
    assert (trial.failed, kept) == ((), 3)


def test_what_passes_some_tests_in_one_variant_and_some_in_another_is_caught(audit: Audit) -> None:
    mutant = audit.mutant("{word}: {number + number}", "Twice: {number + number}")
    for depth in TrialDepth:
        [trial], _ = audit.tried(mutant, depth=depth)
        assert trial.failed == ("hidden-12",)


def test_a_second_run_goes_on_where_the_first_ended(audit: Audit) -> None:
    mutants = [audit.mutant("2 * number", f"{factor} * number") for factor in range(3, 6)]
    _, first = audit.tried(mutants[0])
    trials, second = audit.tried(*mutants)
    assert all(trial.failed for trial in trials)
    assert (first, second) == (1, 2)
    assert audit.tried(*mutants)[1] == 0
