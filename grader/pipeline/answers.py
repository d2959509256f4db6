"""Where answers of checkers come from: the store, or else the checker is asked now and its answer kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Event

from grader.checkers import Actual, Answer
from grader.checkers.ask import ask
from grader.pipeline.outcomes import Archive, Outcomes
from grader.spec.assignment import Checker, Test
from grader.store.digest import digest
from grader.store.identity import checker_identity


@dataclass(frozen=True)
class Answers:
    """The answers of the checkers in `identities`; those without an identity are asked every time."""

    archive: Archive | None
    cancelled: Event
    identities: Mapping[Checker, str | None]

    def of(self, checker: Checker, question: str, expected: str, actual: Actual) -> Answer:
        """What `checker` says of `actual`, given the input `question`. Raises CheckerError, StoreError."""
        identity = self.identities.get(checker)
        if self.archive is None or identity is None:
            return ask(checker, question, expected, actual, cancelled=self.cancelled)
        key = digest([identity, question, expected, actual])
        answer = self.archive.answer(key)
        if answer is None:
            answer = ask(checker, question, expected, actual, cancelled=self.cancelled)
            self.archive.store.keep_answer(key, answer)
        return answer


def answers_for(tests: Iterable[Test], outcomes: Outcomes) -> Answers:
    """The answers of the checkers of `tests`."""
    checkers = {test.checker for test in tests if test.checker}
    identities = {checker: checker_identity(checker) for checker in checkers} if outcomes.archive else {}
    return Answers(outcomes.archive, outcomes.cancelled, identities)
