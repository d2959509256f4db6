"""Plays the sessions of a plan, round by round, and shortens differing sessions as far as possible."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from grader.authoring.reference_files import reference_files
from grader.installation import install_command
from grader.model.assignment import Assignment
from grader.model.interaction import Dialogue, StdinRun
from grader.model.test import Test
from grader.plugins.searching.branches.runner import BranchRunner, open_branch_runner
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError
from grader.plugins.searching.fuzzing.grammar import RepeatedLines
from grader.plugins.searching.fuzzing.playing.field import PlayingField
from grader.plugins.searching.fuzzing.playing.reference import (
    Answer,
    AnsweredTest,
    DroppedSession,
    LeftOpenSession,
    ReferencePlayer,
)
from grader.plugins.searching.fuzzing.playing.sessions import PlayedTest, RandomSession, played_test
from grader.plugins.searching.fuzzing.probe import AcceptedSubmission, FoundDifference, ProbedSubmission, open_probe
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan
from grader.plugins.searching.fuzzing.sessions import is_left_open, numbers_in, own_sessions, played_together, texts_of
from grader.plugins.searching.fuzzing.shorten import DifferingSubmission, adopted, shortened
from grader.run.find_python import OWN_VERSION
from grader.run.run_slots import thread_pool

if TYPE_CHECKING:
    from grader.plugins.searching.fuzzing.session_source import SessionSource

_SESSIONS_PER_ROUND = 50
_SESSIONS_PER_LONG_ROUND = 300
"""The number of sessions per round when all rounds draw alike. Preparing a program, which happens in each round, takes
longer than 150 calls.
"""
_FRUITLESS_ROUNDS = 3
"""After this many rounds without a new session, it is assumed that there are no other sessions."""
_SHARE_TO_SEARCH = 0.6
"""The share of its time that a plan may spend on finding more differences after the first; the rest is for shortening.
"""


_MIN_SECONDS, _MAX_SECONDS = 2.0, 30.0
"""The time for shortening one difference."""
_MAX_BYTES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class SharedDifference:
    """A session in which the submissions of `students` differ from the reference, all for the same reason."""

    students: tuple[str, ...]
    difference: FoundDifference


@dataclass(frozen=True, kw_only=True)
class PlanFindings:
    """The findings of a plan.

    `played` counts the sessions that the reference handles and that were played by every submission without a known
    difference. Sessions that the handout leaves open were drawn too, and so were the `dropped` ones, which the
    reference does not handle. `unsteady` counts the tests in which a program differed, but not when run again.
    `complete` is set if all possible sessions were played.
    """

    plan: FuzzPlan
    probed: int
    played: int
    left_open: int
    dropped: tuple[DroppedSession, ...]
    unsteady: int
    complete: bool
    differences: tuple[SharedDifference, ...]


def refuse_without_hypothesis() -> None:
    """Raise FuzzError if Hypothesis is not installed."""
    if find_spec("hypothesis") is None:
        raise FuzzError(f"Playing random sessions needs Hypothesis; install it with: {install_command('fuzz')}")


@dataclass(kw_only=True)
class BranchWatch:
    """The branches that sessions have reached so far, in the reference's first variant.

    Without a runner, as for references in languages other than Python, no session counts as reaching anything.
    """

    variant: str
    runner: BranchRunner | None
    _reached: set[tuple[int, int]] = field(default_factory=set)

    def reaches_more(self, test: Test) -> bool:
        """Return whether the session of a test reaches a new branch. Raises BranchRunError."""
        if self.runner is None:
            return False
        answer: dict[str, Any] = self.runner.run(test, self.variant)
        branches: Iterable[list[int]] = answer.get("branches", ())
        before = len(self._reached)
        self._reached.update((start, end) for start, end in branches)
        return len(self._reached) > before


@contextmanager
def open_branch_watch(assignment: Assignment, plan: FuzzPlan) -> Iterator[BranchWatch]:
    """Watch the reference of a plan, if it runs in the grader's own Python and lines are typed or read."""
    program = plan.program
    asked = assignment.python
    own_python = program.reference.suffix == ".py" and not asked.packages and not asked.differs_from(OWN_VERSION)
    repeats = any(isinstance(line, RepeatedLines) for line in plan.grammar.lines)
    types_or_reads = all(isinstance(like.test.interaction, Dialogue | StdinRun) for like in plan.templates)
    with ExitStack() as stack:
        runner = None
        if own_python and repeats and types_or_reads:
            runner = stack.enter_context(open_branch_runner(assignment, program, {}))
        yield BranchWatch(variant=program.variants[0], runner=runner)


@dataclass(kw_only=True)
class PlanSearch:
    """The search with one plan: at most `most` sessions, chosen by `seed`, with `jobs` programs at a time.

    No session begins after `last_start`; the seconds of `clock` count from `start`. `tick` is called for each session.
    """

    plan: FuzzPlan
    place: PlayingField
    accepted: Sequence[AcceptedSubmission]
    most: int
    seed: int
    jobs: int
    clock: Callable[[], float]
    start: float
    last_start: float
    tick: Callable[[], None]
    _drawn: set[RandomSession] = field(default_factory=set)
    _answered: set[RandomSession] = field(default_factory=set)
    _read_as: dict[RandomSession, RandomSession] = field(default_factory=dict)
    _reaching: list[RandomSession] = field(default_factory=list)
    _dropped: list[DroppedSession] = field(default_factory=list)
    _differing: list[tuple[AcceptedSubmission, DifferingSubmission]] = field(default_factory=list)
    _played: int = 0
    _left_open: int = 0
    _unsteady: int = 0

    def run(self) -> PlanFindings:
        """Play rounds until sessions, submissions or time run out. Raises FuzzError if the reference handles none."""
        with open_branch_watch(self.place.assignment, self.plan) as watch:
            return self._search(watch)

    def _search(self, watch: BranchWatch) -> PlanFindings:
        plan, occurring = self.plan, numbers_in(self._texts())
        waiting, number, fruitless = list(self.accepted), 0, 0
        while waiting and len(self._drawn) < self.most and self._goes_on():
            source = self._source(occurring, number, watch)
            new = [session for session in source.draw() if session not in self._drawn]
            new = new[: self.most - len(self._drawn)]
            self._drawn.update(new)
            fruitless = 0 if new else fruitless + 1
            if fruitless == _FRUITLESS_ROUNDS:
                break
            waiting = self._round(source, new, waiting, watch)
            number += 1
        if self._dropped and not self._answered:
            reference = plan.program.reference.name
            raise FuzzError(f"The reference {reference} handles no session of `{plan.id}`: {self._dropped[0].fault}.")
        return PlanFindings(
            plan=plan,
            probed=sum(len(submission.students) for submission in self.accepted),
            played=self._played,
            left_open=self._left_open,
            dropped=tuple(self._dropped),
            unsteady=self._unsteady,
            complete=fruitless == _FRUITLESS_ROUNDS,
            differences=tuple(_shared(self._shortest())),
        )

    def _goes_on(self) -> bool:
        share = _SHARE_TO_SEARCH if self._differing else 1.0
        return self.clock() < self.start + share * (self.last_start - self.start)

    def _source(self, occurring: Sequence[int], number: int, watch: BranchWatch) -> "SessionSource":
        """Return the source of the sessions in this round, the same for the same class and seed."""
        from grader.plugins.searching.fuzzing.session_source import SessionSource
        from grader.plugins.searching.fuzzing.strategies import session_strategy

        starting_points = (*own_sessions(self.plan), *self._reaching)
        strategy = session_strategy(self.plan, occurring, starting_points)
        seed = random.Random(f"{self.seed} {self.plan.id} {number}").getrandbits(32)
        most = _SESSIONS_PER_LONG_ROUND if watch.runner is None else _SESSIONS_PER_ROUND
        return SessionSource(strategy, seed, min(most, self.most))

    def _texts(self) -> Iterator[str]:
        """Yield the texts to take numbers from: the tests of the program, the reference and the submissions."""
        assignment, program = self.place.assignment, self.plan.program
        for test in assignment.tests:
            if test.program == program.file:
                yield from texts_of(test)
        sources = [path for path, _ in reference_files(assignment, program, program.reference)]
        sources += [
            file.path for accepted in self.accepted for file in accepted.submission.files if file.name in program.names
        ]
        for path in sources:
            yield path.read_bytes()[:_MAX_BYTES].decode("utf-8", "replace")

    def _round(
        self,
        source: "SessionSource",
        drawn: Sequence[RandomSession],
        waiting: Sequence[AcceptedSubmission],
        watch: BranchWatch,
    ) -> list[AcceptedSubmission]:
        """Play the sessions with the `waiting` submissions, and return the submissions without a difference so far."""
        plan, cancel = self.plan, self.place.environment.cancelled.set
        playable = [session for session in drawn if not is_left_open(plan, session)]
        groups = played_together(plan, playable)
        with thread_pool(self.jobs, cancel) as pool:
            played = list(pool.map(partial(played_test, plan), groups))
            answers = _answer_all(played, self.place.reference, pool, jobs=self.jobs, goes_on=self._goes_on)
            earlier = tuple(self._answered)
            tests = list(self._with_new_session(answers))
            reaching = [result.played for result in tests if watch.reaches_more(result.played.test)]
            self._reaching += (session for played in reaching for session in played.sessions)
            probed = list(self._all_probed(pool, waiting, tests, len(drawn)))
        self._dropped += (result for result in answers if isinstance(result, DroppedSession))
        self._left_open += len(drawn) - len(playable) + sum(isinstance(result, LeftOpenSession) for result in answers)
        self._unsteady += sum(result.unsteady for result in probed)
        count = sum(len(test.played.sessions) for test in tests)
        self._played += min((len(result.played) for result in probed if result.found is None), default=count)
        remaining = []
        for accepted, result in zip(waiting, probed, strict=True):
            if result.found is None:
                remaining.append(replace(accepted, variants=result.variants))
                continue
            differing = DifferingSubmission(
                plan=plan,
                source=source,
                found=result.found,
                alike=[*earlier, *result.played, *(each.session for each in self._dropped)],
                read_as=self._read_as,
                variants=result.variants,
            )
            self._differing.append((accepted, differing))
        return remaining

    def _with_new_session(self, answers: Iterable[Answer]) -> Iterator[AnsweredTest]:
        """Yield the tests with a new session; sessions that the reference ends early may become equal."""
        for answer in answers:
            if not isinstance(answer, AnsweredTest):
                continue
            played = answer.played
            if played.drawn is not None:
                self._read_as[played.drawn] = played.sessions[0]
            if not self._answered.issuperset(played.sessions):
                self._answered.update(played.sessions)
                yield answer

    def _all_probed(
        self,
        pool: ThreadPoolExecutor,
        waiting: Sequence[AcceptedSubmission],
        tests: Sequence[AnsweredTest],
        drawn: int,
    ) -> Iterator[ProbedSubmission]:
        """Yield the results of the tests for each submission, and report progress in equal parts of the sessions."""
        for number, probed in enumerate(pool.map(lambda accepted: self._probed(accepted, tests), waiting)):
            yield probed
            for _ in range(drawn * number // len(waiting), drawn * (number + 1) // len(waiting)):
                self.tick()

    def _probed(self, accepted: AcceptedSubmission, tests: Sequence[AnsweredTest]) -> ProbedSubmission:
        with open_probe(self.place, accepted) as probe:
            return probe.play(tests, self._goes_on)

    def _shortest(self) -> list[tuple[AcceptedSubmission, FoundDifference]]:
        """Shorten each difference in an equal share of the time, or adopt an earlier one that also occurs here."""
        shortest: list[tuple[AcceptedSubmission, FoundDifference]] = []
        for accepted, differing in self._differing:
            share = (self.last_start - self.clock()) / (len(self._differing) - len(shortest))
            end = self.clock() + min(max(share, _MIN_SECONDS), _MAX_SECONDS)
            others = {difference.session: difference for _, difference in shortest}.values()
            with open_probe(self.place, accepted) as probe:
                difference = adopted(differing, probe, others) or shortened(differing, probe, self._is_before(end))
            shortest.append((accepted, difference))
        return shortest

    def _is_before(self, end: float) -> Callable[[], bool]:
        return lambda: self.clock() < end


def _answer_all(
    tests: Sequence[PlayedTest],
    open_player: Callable[[], AbstractContextManager[ReferencePlayer]],
    pool: ThreadPoolExecutor,
    *,
    jobs: int,
    goes_on: Callable[[], bool],
) -> list[Answer]:
    """Return the answers of the reference, `jobs` tests at a time; start no more tests once `goes_on` is false."""

    def some(first: int) -> list[list[Answer]]:
        with open_player() as player:
            return [list(player.answers(test)) if goes_on() else [] for test in tests[first::jobs]]

    answers = list(pool.map(some, range(jobs)))
    # In the order of the tests, no matter how they were distributed.
    return [answer for index in range(len(tests)) for answer in answers[index % jobs][index // jobs]]


def _shared(differences: Iterable[tuple[AcceptedSubmission, FoundDifference]]) -> Iterator[SharedDifference]:
    """Yield the differences, grouped by session and reason."""
    groups: dict[object, list[tuple[AcceptedSubmission, FoundDifference]]] = {}
    for accepted, difference in differences:
        diagnosis = difference.result.judgement.diagnosis
        groups.setdefault((difference.session, diagnosis), []).append((accepted, difference))
    for group in groups.values():
        students = tuple(student for accepted, _ in group for student in accepted.students)
        yield SharedDifference(students=students, difference=group[0][1])
