"""Checkers are asked once about an output, and again when something changes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from grader.checkers import ActualOutput, passed, wrong
from grader.checkers.ask import CheckerError
from grader.grading.result_cache import CheckerAnswers, OutcomeSource, ResultCache, answers_for
from grader.model.test import CheckerSettings
from grader.run.environment import RunEnvironment, open_environment
from grader.store.database import ResultStore, open_store
from tests.reports.graded_example import GAME

OUTPUT = ActualOutput("said \udc80", "", 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResultStore]:
    with open_store(tmp_path / "store.sqlite3") as one:
        yield one


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as one:
        yield one


class Counting:
    """A checker of the course that counts how often it is asked."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._count = folder.parent / "asked"
        self._file = folder / "counting.py"
        self.says("passed()")

    def says(self, answer: str) -> None:
        self._file.write_text(
            f"from grader.checkers import passed, unknown, wrong\n"
            f"def check(input, expected, actual):\n"
            f"    open({str(self._count)!r}, 'a').write('.')\n"
            f"    return {answer}\n"
        )

    @property
    def checker(self) -> CheckerSettings:
        return CheckerSettings("counting", self._file, ())

    @property
    def asked(self) -> int:
        return len(self._count.read_text()) if self._count.exists() else 0


@pytest.fixture
def counting(tmp_path: Path) -> Counting:
    return Counting(tmp_path / "checkers")


def answers(environment: RunEnvironment, archive: ResultCache | None, checker: CheckerSettings) -> CheckerAnswers:
    return answers_for([GAME, replace(GAME, checker=checker)], OutcomeSource(environment, archive))


def test_an_answer_is_kept(environment: RunEnvironment, store: ResultStore, counting: Counting) -> None:
    counting.says("wrong('no', 0.5)")
    first, second = (
        answers(environment, ResultCache(store, "h"), counting.checker).of(counting.checker, "in", "out", OUTPUT)
        for _ in range(2)
    )
    assert first == second
    assert first == wrong("no", 0.5)
    assert counting.asked == 1


def test_what_a_person_must_decide_is_kept_too(
    environment: RunEnvironment, store: ResultStore, counting: Counting
) -> None:
    counting.says("unknown('hard')")
    for _ in range(2):
        found = answers(environment, ResultCache(store, "h"), counting.checker).of(
            counting.checker, "in", "out", OUTPUT
        )
        assert found.reason == "hard"
    assert counting.asked == 1


@pytest.mark.parametrize(
    ("question", "expected", "actual"),
    [
        ("other", "out", OUTPUT),
        ("in", "other", OUTPUT),
        ("in", "out", replace(OUTPUT, stdout="other")),
        ("in", "out", replace(OUTPUT, stderr="other")),
        ("in", "out", replace(OUTPUT, exit_status=1)),
    ],
)
def test_another_question_is_asked(
    environment: RunEnvironment,
    store: ResultStore,
    counting: Counting,
    question: str,
    expected: str,
    actual: ActualOutput,
) -> None:
    kept = answers(environment, ResultCache(store, "h"), counting.checker)
    kept.of(counting.checker, "in", "out", OUTPUT)
    kept.of(counting.checker, question, expected, actual)
    assert counting.asked == 2


def test_a_changed_checker_is_asked_again(
    environment: RunEnvironment, store: ResultStore, counting: Counting, tmp_path: Path
) -> None:
    def asked_after_a_change() -> int:
        answers(environment, ResultCache(store, "h"), counting.checker).of(counting.checker, "in", "out", OUTPUT)
        return counting.asked

    assert asked_after_a_change() == 1
    counting.says("passed('changed')")
    assert asked_after_a_change() == 2
    (tmp_path / "checkers" / "helper.py").write_text("")
    assert asked_after_a_change() == 3
    (tmp_path / "checkers" / "link.py").symlink_to(tmp_path / "checkers" / "helper.py")
    assert asked_after_a_change() == 4
    assert asked_after_a_change() == 5, "where a link leads may change unseen"


def test_fresh_answers_are_kept_but_none_is_taken(
    environment: RunEnvironment, store: ResultStore, counting: Counting
) -> None:
    for number in (1, 2):
        fresh = answers(environment, ResultCache(store, "h", fresh=True), counting.checker)
        assert fresh.of(counting.checker, "in", "out", OUTPUT) == passed()
        assert counting.asked == number
    answers(environment, ResultCache(store, "h"), counting.checker).of(counting.checker, "in", "out", OUTPUT)
    assert counting.asked == 2


def test_without_an_archive_every_question_is_asked(environment: RunEnvironment, counting: Counting) -> None:
    for _ in range(2):
        answers(environment, None, counting.checker).of(counting.checker, "in", "out", OUTPUT)
    assert counting.asked == 2


def test_a_failure_is_not_kept(environment: RunEnvironment, store: ResultStore, counting: Counting) -> None:
    counting.says("1 / 0")
    for number in (1, 2):
        with pytest.raises(CheckerError):
            answers(environment, ResultCache(store, "h"), counting.checker).of(counting.checker, "in", "out", OUTPUT)
        assert counting.asked == number


def test_an_interrupted_checker_is_not_kept(store: ResultStore, counting: Counting) -> None:
    counting.says("__import__('time').sleep(60)")
    cancelled = Event()
    cancelled.set()
    kept = CheckerAnswers(ResultCache(store, "h"), cancelled, {counting.checker: "identity"})
    with pytest.raises(CheckerError, match="was interrupted"):
        kept.of(counting.checker, "in", "out", OUTPUT)
