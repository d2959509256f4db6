"""Checks a submission again after every save.

Only the content of the files matters, however an editor saves them: a run begins when the content differs from the last
run's, and is abandoned if the content changes again in the meantime.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeAlias

from grader.files.digest import file_digest
from grader.model.results import GradedSubmission, TestResult
from grader.run.interface import RunnerFactory
from grader.run.run_slots import thread_pool
from grader.selfcheck.check import CheckError, SelfCheck, open_runners, submission_at
from grader.selfcheck.running import hold_check, ignore_verdict

_Content: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class WatchedRun:
    """A finished run: its number from 1, its results, and the previous run's results (None for the first run)."""

    number: int
    graded: GradedSubmission
    previous: Sequence[TestResult]


def watch_saves(prepared: SelfCheck, report: Callable[[WatchedRun], None], saves: Iterator[object]) -> None:
    """Check now and whenever `saves` yields something; see `grader.plugins.watching.api.watch`."""
    if _content(prepared) is None:
        raise CheckError(f"{prepared.path} cannot be read, or is a link; expected a file or a folder with files.")
    with open_runners(prepared.system, prepared.python) as runners:
        WatchSession(check=prepared, runners=runners, report=report).follow(saves)


@dataclass(kw_only=True)
class WatchSession:
    """A session that runs the tests after every save. `results` belong to the last finished run."""

    check: SelfCheck
    runners: RunnerFactory
    report: Callable[[WatchedRun], None]
    runs: int = 0
    results: Sequence[TestResult] = ()

    def follow(self, saves: Iterator[object]) -> None:
        """Run the tests now, and again whenever `saves` yields something and the content has changed."""
        under_way: Future[bool] | None = None
        seen: _Content | None = None
        with thread_pool(1, self.runners.cancelled.set) as pool:
            for _ in saves:
                content = _content(self.check)
                if content is not None and content != seen:
                    self._give_up(under_way)
                    seen = content
                    under_way = pool.submit(self._run, content)
                elif under_way is not None and under_way.done():
                    seen = seen if under_way.result() else None
                    under_way = None
            self.runners.cancelled.set()

    def _give_up(self, under_way: Future[bool] | None) -> None:
        if under_way is not None:
            self.runners.cancelled.set()
            under_way.result()
            self.runners.cancelled.clear()

    def _run(self, content: _Content) -> bool:
        """Run the tests; return whether the results count, which they do not if the files changed during the run."""
        try:
            graded = hold_check(self.check, self.runners, ignore_verdict).graded
        except CheckError:
            return False
        if self.runners.cancelled.is_set() or _content(self.check) != content:
            return False
        self.runs += 1
        self.report(WatchedRun(self.runs, graded, self.results))
        self.results = graded.results
        return True


def _content(check: SelfCheck) -> _Content | None:
    """Return the content that the tests would run on, or None while an editor is replacing a file."""
    if not check.path.exists():
        return None
    try:
        files = submission_at(check.assignment, check.path).files
        return tuple((file.name, file_digest(file.path)) for file in files)
    except (OSError, CheckError):
        return None
