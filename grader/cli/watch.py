"""`grader watch`: the public tests again after every save, with what has changed since the last run.

What counts is the content of the files, whatever an editor did to save them: a run begins when the content is another
one than that of the last run, and a run during which it became another one again is given up.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from watchfiles import watch

from grader.cli import INTERRUPTED
from grader.cli.check import check_in_course
from grader.files.digest import file_digest
from grader.model.results import TestResult
from grader.reports.terminal.console import output_console
from grader.reports.terminal.self_check import count_words, print_changes
from grader.reports.theme import TERMINAL
from grader.run.interface import RunnerFactory
from grader.selfcheck.check import (
    CheckError,
    SelfCheck,
    check_places,
    exit_code,
    hold_check,
    print_report,
    submission_at,
)

# A file system that tells nothing, such as one of a network, is looked at this often.
_MILLISECONDS_TO_LOOK = 1000


Content: TypeAlias = tuple[tuple[str, str], ...]


def run_watch(path: Path, assignment_id: str | None, course: Path | None, *, show: int) -> int:
    """Check the program or folder at `path` after every save until Ctrl-C; returns the exit code, as of a check."""
    check = check_in_course(path, assignment_id, course)
    if _content(check) is None:
        raise CheckError(f"{path} cannot be read, or is a link; expected a file or a folder with files.")
    console = output_console()
    with check_places(check.system) as places:
        watching = WatchSession(check, places, console, show)
        with suppress(KeyboardInterrupt):
            watching.follow(_saves(path))
    return watching.end()


@dataclass
class WatchSession:
    """The runs so far: the results of the first finished one and of the last."""

    check: SelfCheck
    places: RunnerFactory
    console: Console
    show: int
    runs: int = 0
    first: tuple[TestResult, ...] = ()
    last: tuple[TestResult, ...] = ()

    def follow(self, saves: Iterator[object]) -> None:
        """Run the tests now, and again whenever `saves` gives something and the content is another one."""
        under_way: Future[bool] | None = None
        seen: Content | None = None
        with ThreadPoolExecutor(1) as pool:
            try:
                for _ in saves:
                    content = _content(self.check)
                    if content is not None and content != seen:
                        self._give_up(under_way)
                        seen = content
                        under_way = pool.submit(self._run, content)
                    elif under_way is not None and under_way.done():
                        seen = seen if under_way.result() else None
                        under_way = None
            finally:
                self.places.cancelled.set()

    def end(self) -> int:
        """Sum up; returns the exit code."""
        if not self.runs:
            return INTERRUPTED
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        self.console.print(
            f"\n{runs}. At first {count_words(self.first)}, now {count_words(self.last)}.", style=TERMINAL.heading
        )
        return exit_code(self.last)

    def _give_up(self, under_way: Future[bool] | None) -> None:
        if under_way is not None:
            self.places.cancelled.set()
            under_way.result()
            self.places.cancelled.clear()

    def _run(self, content: Content) -> bool:
        """Run the tests and say whether that counts: not if the files were changed meanwhile."""
        try:
            graded = hold_check(self.check, self.places, lambda: None)
        except CheckError:
            return False
        if self.places.cancelled.is_set() or _content(self.check) != content:
            return False
        self.runs += 1
        if self.runs == 1:
            print_report(self.console, self.check, graded, show=self.show)
            self.console.print("Waiting for changes; Ctrl-C ends.", style=TERMINAL.muted)
            self.first = graded.results
        else:
            print_changes(self.console, self.runs, self.last, graded.results, show=self.show)
        self.last = graded.results
        return True


def _saves(path: Path) -> Iterator[object]:
    """Something at once, after every change in the folder, and from time to time."""
    yield None
    folder = path if path.is_dir() else path.parent
    yield from watch(
        folder, watch_filter=None, recursive=False, rust_timeout=_MILLISECONDS_TO_LOOK, yield_on_timeout=True
    )


def _content(check: SelfCheck) -> Content | None:
    """What the tests would run; None while it cannot be read, as when an editor puts another file in its place."""
    if not check.path.exists():
        return None
    try:
        files = submission_at(check.assignment, check.path).files
        return tuple((file.name, file_digest(file.path)) for file in files)
    except (OSError, CheckError):
        return None
