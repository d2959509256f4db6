"""What trials of mutants say about the tests of an assignment."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grader.audit.mutant import Mutant
from grader.audit.trial import Trial
from grader.spec.assignment import Assignment, Visibility


@dataclass(frozen=True)
class Audit:
    """`caught` and `survived` are mutants that are mistakes; `equivalent` survived too, and a person says why.

    `wrongly_marked` were said to be equivalent, and a test caught them. `stale_marks` name no mutant. `only_hidden`
    are the mutants that no public test catches, with the hidden tests that do. `redundant` are tests each of which
    could be left out: others catch all that it catches. `idle` ones catch nothing at all.
    """

    caught: tuple[Trial, ...]
    survived: tuple[Mutant, ...]
    equivalent: tuple[Mutant, ...]
    wrongly_marked: tuple[str, ...]
    stale_marks: tuple[str, ...]
    only_hidden: tuple[Trial, ...]
    redundant: tuple[str, ...]
    idle: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share caught of those that are not equivalent, from 0 to 1; 1 when there are none."""
        count = len(self.caught) + len(self.survived)
        return len(self.caught) / count if count else 1.0


def audit(
    assignment: Assignment, trials: Sequence[Trial], equivalent: Mapping[str, str], known: Collection[str] | None
) -> Audit:
    """Sum up `trials`; `equivalent` are reasons by mutant, `known` the ids of all mutants if all were made."""
    caught = tuple(trial for trial in trials if trial.failed)
    passed = [trial.mutant for trial in trials if not trial.failed and not trial.unsettled]
    hidden = {test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN}
    catching = {name for trial in caught for name in trial.failed}
    # A test is needed when it is the only one to catch some mutant.
    needed = {trial.failed[0] for trial in caught if len(trial.failed) == 1}
    programs = {trial.mutant.program for trial in trials}
    tests = [test.id for test in assignment.tests if test.program in programs]
    return Audit(
        caught=caught,
        survived=tuple(mutant for mutant in passed if mutant.id not in equivalent),
        equivalent=tuple(mutant for mutant in passed if mutant.id in equivalent),
        wrongly_marked=tuple(trial.mutant.id for trial in caught if trial.mutant.id in equivalent),
        stale_marks=tuple(sorted(set(equivalent) - set(known))) if known is not None else (),
        only_hidden=tuple(trial for trial in caught if hidden.issuperset(trial.failed)),
        redundant=tuple(name for name in tests if name in catching - needed),
        idle=tuple(name for name in tests if name not in catching),
    )
