"""Summarises the results of trying mutants on the tests."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from grader.analysis.item_statistics import ProportionInterval, wilson_interval
from grader.model.assignment import Assignment
from grader.model.test import Visibility
from grader.plugins.auditing.base_program import Accepted, Reference
from grader.plugins.auditing.mutants import OF_SUBMISSION, Mutant
from grader.plugins.auditing.trial import MutantTrial, TrialDepth


@dataclass(frozen=True)
class SurvivingShare:
    """The number of faulty programs of one kind, and the number that survived all tests."""

    kind: str
    survived: int
    count: int

    @property
    def interval(self) -> ProportionInterval:
        """The confidence interval for the share of all programs of this kind that would survive."""
        return wilson_interval(self.survived, self.count)


@dataclass(frozen=True)
class CatchCounts:
    """The number of mutants caught by public tests, by hidden tests, and by both kinds."""

    public: int
    hidden: int
    both: int

    @property
    def caught(self) -> int:
        """The number of mutants caught by public or hidden tests."""
        return self.public + self.hidden - self.both

    @property
    def missed(self) -> float:
        """Return Chapman's capture-recapture estimate of the number of mistakes that neither kind catches.

        It assumes that hidden tests catch a mistake equally often whether or not public tests catch it. In practice,
        some mistakes are easier to catch than others, so the true number is likely to be higher.
        """
        return (self.public + 1) * (self.hidden + 1) / (self.both + 1) - 1 - self.caught


@dataclass(frozen=True)
class FirstKills:
    """No figures on individual tests, because each mutant was only tried until a test caught it."""


@dataclass(frozen=True)
class TestTable:
    """The contribution of each test, if every test was tried on each mutant.

    `only_hidden` holds the mutants that are only caught by hidden tests. Any single `redundant` test could be removed,
    because other tests catch the same mutants; `idle` tests catch none. `catches` counts mutants by the kind of test
    that catches them.
    """

    only_hidden: tuple[MutantTrial, ...]
    redundant: tuple[str, ...]
    idle: tuple[str, ...]
    catches: CatchCounts


AboutTests: TypeAlias = FirstKills | TestTable


@dataclass(frozen=True, kw_only=True)
class AuditReport:
    """The result of an audit: mutants that were caught, that survived, and that survived but are marked as equivalent.

    `wrongly_marked` lists mutants that are marked as equivalent although a test caught them, and `stale_marks` lists
    marks that match no mutant. `tests` holds the findings on individual tests.
    """

    caught: tuple[MutantTrial, ...]
    survived: tuple[MutantTrial, ...]
    equivalent: tuple[Mutant, ...]
    wrongly_marked: tuple[str, ...]
    stale_marks: tuple[str, ...]
    tests: AboutTests

    @property
    def share(self) -> float:
        """The share of non-equivalent mutants that were caught, from 0 to 1 (or 1 without such mutants)."""
        count = len(self.caught) + len(self.survived)
        return len(self.caught) / count if count else 1.0

    @property
    def by_kind(self) -> tuple[SurvivingShare, ...]:
        """Return the surviving share of each kind of mutant."""
        count = Counter(_kind_of_program(trial.mutant) for trial in (*self.caught, *self.survived))
        survived = Counter(_kind_of_program(trial.mutant) for trial in self.survived)
        return tuple(SurvivingShare(kind, survived[kind], count[kind]) for kind in sorted(count))


def _kind_of_program(mutant: Mutant) -> str:
    match mutant.base.origin:
        case Reference():
            where = "references"
        case Accepted():
            where = "programs of students"
        case _:
            assert_never(mutant.base.origin)
    return f"{mutant.mistake} in {where}"


def sum_up(
    assignment: Assignment,
    trials: Sequence[MutantTrial],
    equivalent: Mapping[str, str],
    all_ids: Collection[str] | None,
    depth: TrialDepth,
) -> AuditReport:
    """Summarise `trials`; `equivalent` maps mutants to reasons; `all_ids` holds all ids if all mutants were made."""
    caught = tuple(trial for trial in trials if trial.failed)
    passed = [trial for trial in trials if not trial.failed and not trial.unsettled]
    return AuditReport(
        caught=caught,
        survived=tuple(trial for trial in passed if trial.mutant.id not in equivalent),
        equivalent=tuple(trial.mutant for trial in passed if trial.mutant.id in equivalent),
        wrongly_marked=tuple(trial.mutant.id for trial in caught if trial.mutant.id in equivalent),
        stale_marks=_stale_marks(equivalent, all_ids) if all_ids is not None else (),
        tests=_test_table(assignment, trials) if depth is TrialDepth.EVERY_TEST else FirstKills(),
    )


def _stale_marks(marked: Collection[str], all_ids: Collection[str]) -> tuple[str, ...]:
    """Return the marks that match no mutant, except marks on students' programs, which may belong to another class."""
    return tuple(sorted(mark for mark in marked if mark not in all_ids and not mark.startswith(OF_SUBMISSION)))


def _test_table(assignment: Assignment, trials: Sequence[MutantTrial]) -> TestTable:
    caught = [trial for trial in trials if trial.failed]
    hidden = {test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN}
    catching = {name for trial in caught for name in trial.failed}
    # A test is needed if it is the only one to catch some mutant.
    needed = {trial.failed[0] for trial in caught if len(trial.failed) == 1}
    programs = {trial.mutant.base.file for trial in trials}
    tests = [test.id for test in assignment.tests if test.program in programs]
    return TestTable(
        only_hidden=tuple(trial for trial in caught if hidden.issuperset(trial.failed)),
        redundant=tuple(name for name in tests if name in catching - needed),
        idle=tuple(name for name in tests if name not in catching),
        catches=CatchCounts(
            public=sum(not hidden.issuperset(trial.failed) for trial in caught),
            hidden=sum(not hidden.isdisjoint(trial.failed) for trial in caught),
            both=sum(not hidden.issuperset(trial.failed) and not hidden.isdisjoint(trial.failed) for trial in caught),
        ),
    )
