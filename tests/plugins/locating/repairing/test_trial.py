"""Versions are judged as in grading, up to the first failure, within a budget."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import SubmissionGrading, TestOutcome, open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.outcome import Outcome, Termination
from grader.model.results import TestResult
from grader.model.test import Test
from grader.plugins.locating.repairing.search import TriedVersion
from grader.plugins.locating.repairing.trial import Budget, ProgramTrial, opened_stand_ins, seconds_of_a_run
from grader.run.environment import open_environment
from grader.selfcheck.check import submission_at
from grader.spec.course import Course
from tests.conftest import RIGHT, WRONG, SmallCourse

TESTS = ("small", "hidden-11", "hidden-12")
ONLY_SMALL = 'n = int(input("Number: "))\nprint("Double:", 2 * n + n // 5)\n'


@pytest.fixture
def grading(small_course: SmallCourse) -> Iterator[SubmissionGrading]:
    assignment = Course(small_course.folder).assignment("doubles")
    submission = submission_at(assignment, small_course.hand_in("ann", WRONG))
    tests = [test for test in assignment.tests if test.program == "double.py"]
    with open_environment() as environment:
        transcripts = load_transcripts(assignment, tests)
        with open_grading(assignment, tests, transcripts, submission, OutcomeSource(environment)) as opened:
            yield opened


def trial(grading: SubmissionGrading, budget: Budget, cancelled: Event | None = None) -> Iterator[ProgramTrial]:
    with open_environment() as environment:
        yield ProgramTrial(
            variant="canonical",
            grading=grading,
            open_versions=opened_stand_ins("double.py", grading, environment, 0.02),
            cancelled=cancelled or Event(),
            budget=budget,
            at_once=2,
        )


def clock() -> float:
    return 0.0


def attempts(grading: SubmissionGrading, texts: Sequence[str], may: Sequence[str] = ()) -> list[TriedVersion]:
    must = [test for test in TESTS if test not in may]
    [ready] = [list(made.attempts(texts, must, may)) for made in trial(grading, Budget(100, 10, clock))]
    assert [text for text, _ in ready] == list(texts)
    return [attempt for _, attempt in ready]


def test_versions_are_judged_as_in_grading(grading: SubmissionGrading) -> None:
    right, wrong, small = attempts(grading, [RIGHT, WRONG, ONLY_SMALL])
    assert right == TriedVersion(frozenset(TESTS))
    assert wrong == TriedVersion(frozenset(), right=len("Number: 4\nDouble: "))
    assert small.passes == {"small"}


def test_other_tests_run_after_those_that_must_pass(grading: SubmissionGrading) -> None:
    [small] = attempts(grading, [ONLY_SMALL], may=["hidden-11", "hidden-12"])
    assert small == TriedVersion(frozenset({"small"}))


def test_versions_that_print_the_same_are_judged_once(
    grading: SubmissionGrading, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    judge = SubmissionGrading.judged_as

    def counted(self: SubmissionGrading, session: TestOutcome, variant: str) -> TestResult:
        judged.append(session.test.id)
        return judge(self, session, variant)

    monkeypatch.setattr(SubmissionGrading, "judged_as", counted)
    same, other = attempts(grading, [WRONG, f"{WRONG}\n"])
    assert same == other
    assert judged == ["small"]


@pytest.mark.slow
def test_a_version_that_cannot_be_parsed_or_does_not_end_passes_nothing(grading: SubmissionGrading) -> None:
    broken, endless = attempts(grading, ["print('\n", "while True:\n    pass\n"])
    assert (broken.passes, endless.passes) == (frozenset(), frozenset())


@dataclass
class NoRuns:
    """Versions that count how often they run, and then do not pass."""

    ran: list[str] = field(default_factory=list)
    ending: Termination = Termination.EXITED

    @contextmanager
    def opened(self, texts: Sequence[str]) -> Iterator[Sequence["Counted"]]:
        yield [Counted(self, text) for text in texts]


@dataclass
class Counted:
    runs: NoRuns
    text: str

    def outcome(self, _test: Test) -> Outcome:
        self.runs.ran.append(self.text)
        return Outcome(
            transcript="",
            typed=(),
            ending=self.runs.ending,
            exit_code=0,
            signal=None,
            unsent=0,
            wall_seconds=0,
            cpu_seconds=0,
        )


def counted(grading: SubmissionGrading, runs: NoRuns, budget: Budget, cancelled: Event) -> ProgramTrial:
    return ProgramTrial(
        variant="canonical", grading=grading, open_versions=runs.opened, cancelled=cancelled, budget=budget, at_once=2
    )


def test_a_test_is_not_repeated(grading: SubmissionGrading) -> None:
    runs = NoRuns()
    made = counted(grading, runs, Budget(100, 10, clock), Event())
    for _ in range(2):
        assert [attempt for _, attempt in made.attempts(["a", "b"], TESTS)] == [TriedVersion(frozenset())] * 2
    assert runs.ran == ["a", "b"]


@pytest.mark.parametrize(("ending", "most"), [(Termination.EXITED, 3), (Termination.TIMED_OUT, 1)])
def test_the_budget_ends_the_trial(grading: SubmissionGrading, ending: Termination, most: int) -> None:
    runs = NoRuns(ending=ending)
    made = counted(grading, runs, Budget(3, 10, clock), Event())
    assert len(list(made.attempts(map(str, range(9)), TESTS))) == most
    assert len(runs.ran) == most


def test_time_and_cancellation_end_the_trial(grading: SubmissionGrading) -> None:
    times = iter([0.0, 1.0, 11.0])
    budget = Budget(100, 10, lambda: next(times))
    assert len(list(counted(grading, NoRuns(), budget, Event()).attempts("abc", TESTS))) == 1
    assert budget.out_of_time
    cancelled = Event()
    cancelled.set()
    assert list(counted(grading, NoRuns(), Budget(100, 10, clock), cancelled).attempts("abc", TESTS)) == []


@pytest.mark.parametrize(("usual", "seconds"), [(0.0, 0.25), (0.05, 0.5), (60.0, 2.0)])
def test_a_version_may_take_ten_times_as_long_within_limits(usual: float, seconds: float) -> None:
    assert seconds_of_a_run(usual) == pytest.approx(seconds)


def test_a_program_that_behaves_differently_here_is_noticed(grading: SubmissionGrading) -> None:
    results = [grading.result(grading.run(test), "canonical") for test in grading.tests]
    [(same, other)] = [
        (made.agrees(WRONG, results), made.agrees(RIGHT, results)) for made in trial(grading, Budget(100, 10, clock))
    ]
    assert (same, other) == (True, False)
