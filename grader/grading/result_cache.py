"""Provides outcomes and checker answers from the store, or runs the tests and checkers and stores the results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from typing import TYPE_CHECKING, TypeAlias

from grader.checkers import ActualOutput, CheckResult
from grader.checkers.ask import ask
from grader.files.digest import digest, file_digest
from grader.model.assignment import Isolation
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.submission import SubmittedFile
from grader.model.test import CheckerSettings, Test
from grader.run.find_python import StudentPython
from grader.run.interface import RunnerFactory, TestRunner
from grader.store.outcome_key import FileContent, KeyMaker
from grader.store.provenance import checker_identity, run_identity

if TYPE_CHECKING:
    from grader.store.database import ResultStore

Ask: TypeAlias = Callable[[Test, Isolation], Outcome]
"""A function that returns the outcome of a test with the given isolation. Raises GraderError or OSError."""


@dataclass(frozen=True)
class ResultCache:
    """A store, and the identity (`harness_identity`) of the code that runs programs.

    With `fresh`, results are stored but never reused.
    """

    store: "ResultStore"
    harness: str
    fresh: bool = False
    maker: KeyMaker = field(default_factory=KeyMaker, compare=False)

    def of(self, python: StudentPython) -> "ResultCache":
        """Return the cache of the outcomes of programs that run with `python`."""
        return replace(self, harness=run_identity(self.harness, python.identity()))

    def keys(
        self, contents: Sequence[FileContent], tests: Sequence[Test], limits: Limits
    ) -> dict[tuple[str, Isolation], str]:
        """Return the keys of the outcomes of `tests` for a submission with these contents, by test and isolation."""
        return self.maker.keys(self.harness, contents, tests, limits)

    def find(self, keys: Sequence[str]) -> Mapping[str, Outcome]:
        """Return the outcomes that can be reused."""
        return {} if self.fresh else self.store.outcomes(keys)

    def find_encoded(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the outcomes that can be reused, in their stored form."""
        return {} if self.fresh else self.store.encoded_outcomes(keys)

    def answer(self, key: str) -> CheckResult | None:
        """Return the answer if it can be reused."""
        return None if self.fresh else self.store.answer(key)


@dataclass(frozen=True)
class OutcomeSource:
    """The outcomes of tests on submissions, from `archive` if it has them, and otherwise from `environment`."""

    environment: RunnerFactory
    archive: ResultCache | None = None

    @contextmanager
    def of(self, files: Sequence[SubmittedFile], tests: Sequence[Test], limits: Limits) -> Iterator[Ask]:
        """Yield a function that returns the outcomes of `tests` on the submitted `files`, which must be readable.

        Raises OSError if a file turns out to be unreadable, and StoreError if the archive is.
        """
        with ExitStack() as stack:
            # It is opened for the first test that has to run.
            runners: list[TestRunner] = []
            opening = Lock()

            def run(test: Test, isolation: Isolation) -> Outcome:
                with opening:
                    if not runners:
                        paths = [(file.path, file.name) for file in files]
                        runners.append(stack.enter_context(self.environment.runner(paths, tests)))
                return runners[0].run(test, test.limits or limits, isolation, test.environment)

            yield run if self.archive is None else _cached(self.archive, files, tests, limits, run)

    def stored(self, files: Sequence[SubmittedFile], tests: Sequence[Test], limits: Limits) -> frozenset[str]:
        """Return the ids of the `tests` whose outcomes on the submitted `files` are in the archive."""
        if self.archive is None:
            return frozenset()
        keys = self.archive.keys(_file_contents(files), tests, limits)
        outcomes = self.archive.find(list(keys.values()))
        return frozenset(test for (test, _), key in keys.items() if key in outcomes)

    @property
    def has_forks(self) -> bool:
        """Return whether tests can run in forks of a prepared interpreter instead of separate processes."""
        return self.environment.has_forks

    @property
    def python(self) -> StudentPython:
        """Return the Python that programs run with."""
        return self.environment.python

    @property
    def cancelled(self) -> Event:
        """Return the event that ends the current work once it is set."""
        return self.environment.cancelled

    def cancel(self) -> None:
        """End the current sessions."""
        self.environment.cancelled.set()


def _cached(
    archive: ResultCache, files: Sequence[SubmittedFile], tests: Sequence[Test], limits: Limits, run: Ask
) -> Ask:
    """Wrap `run` so that it reuses outcomes from the archive and stores new ones there."""
    contents = _file_contents(files)
    keys = archive.keys(contents, tests, limits)
    outcomes = archive.find(list(keys.values()))

    def ask(test: Test, isolation: Isolation) -> Outcome:
        key = keys[test.id, isolation]
        if key in outcomes:
            return outcomes[key]
        outcome = run(test, isolation)
        # A file that has changed in the meantime may not be the file that ran.
        if outcome.ending is not Termination.CANCELLED and _file_contents(files) == contents:
            archive.store.keep(key, outcome)
        return outcome

    return ask


def _file_contents(files: Sequence[SubmittedFile]) -> list[FileContent]:
    return [FileContent(file.name, file_digest(file.path)) for file in files]


@dataclass(frozen=True)
class CheckerAnswers:
    """The answers of checkers; any checker that is not in `identities` is asked every time."""

    archive: ResultCache | None
    cancelled: Event
    identities: Mapping[CheckerSettings, str | None]

    def of(self, checker: CheckerSettings, question: str, expected: str, actual: ActualOutput) -> CheckResult:
        """Ask `checker` about `actual`, given the input `question`. Raises CheckerError, StoreError."""
        identity = self.identities.get(checker)
        if self.archive is None or identity is None:
            return ask(checker, question, expected, actual, cancelled=self.cancelled)
        key = digest([identity, question, expected, actual])
        answer = self.archive.answer(key)
        if answer is None:
            answer = ask(checker, question, expected, actual, cancelled=self.cancelled)
            self.archive.store.keep_answer(key, answer)
        return answer


def answers_for(tests: Iterable[Test], outcomes: OutcomeSource) -> CheckerAnswers:
    """Return the answers of the checkers of `tests`."""
    checkers = {test.checker for test in tests if test.checker}
    identities = {checker: checker_identity(checker) for checker in checkers} if outcomes.archive else {}
    return CheckerAnswers(outcomes.archive, outcomes.cancelled, identities)
