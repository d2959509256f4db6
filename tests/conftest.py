"""Fixtures for tests that need a course: a small one, made on the spot, whose program doubles a number."""

import gc
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from tests.prepared_grader import PreparedGrader
from tests.sandbox import MISSING, is_missing, needs_sandbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Thousands of tests and all that they import stay: to look for garbage among them again and again takes long.
_OBJECTS_BETWEEN_COLLECTIONS = 100_000
gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


# A slow test is marked in its file, or uses what is named here.
_SLOW = re.compile(r"\b(slow|everywhere|arena|sandboxes|IN_EACH_SANDBOX)\b")


def _has_slow_tests(file: Path) -> bool:
    return _SLOW.search(file.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file without slow tests where only these are wanted: to import all takes long, in every worker."""
    wanted = config.option.markexpr != "slow" or collection_path.suffix != ".py"
    return None if wanted or _has_slow_tests(collection_path) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest, so that nothing waits for it in the end; see that no slow test would be missed."""
    missed = [
        file for file in {item.path for item in items if item.get_closest_marker("slow")} if not _has_slow_tests(file)
    ]
    if missed:
        raise pytest.UsageError(f"add what makes tests of these files slow to tests/conftest.py: {missed}")
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


def pytest_collection_finish() -> None:
    """Leave them out of the collections that there are: in what tests fork, each would be looked at, and so copied."""
    gc.freeze()


# A busy machine is no reason to fail.
settings.register_profile("unhurried", deadline=None, max_examples=30)
settings.load_profile("unhurried")

# A suite in the background of a shell starts with Ctrl-C ignored, under nohup with SIGHUP, and so would what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what checks remember out of the home of the user who runs the suite."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
        yield


@pytest.fixture(autouse=True, scope="session")
def english() -> Iterator[None]:
    """Run every test in English, also on a machine that is set to another language."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        yield


REFERENCE = """\
import os

number = int(input("Number: "))
word = "Twice" if os.environ.get("REFERENCE_VARIANT") == "wordy" else "Double"
print(f"{word}: {2 * number}")


def show(number):
    print(3 * number)
"""

ASSIGNMENT = """\
format: 1
id: doubles
title: Doubling numbers
programs:
  - {file: double.py, variants: [canonical, wordy]}
  - {file: triple.py}
parts:
  - {id: doubles, title: Doubling, marks: 10}
  - {id: triples, title: Tripling, marks: 2}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
late: {policy: falling-cap, percent_per_day: 10, max_days_late: 3}
limits: {wall_seconds: 20}
"""

DOUBLE_TESTS = """\
format: 1
program: double.py
part: doubles
tests:
  - {id: small, title: a small number, visibility: public, points: 4, input: [4]}
  - id: hidden-$n
    for: {n: [11, 12]}
    points: 3
    input: [$n]
"""

TRIPLE_TESTS = """\
format: 1
program: triple.py
part: triples
tests:
  - {id: at-the-prompt, visibility: public, points: 2, repl: [from triple import show, show(5)]}
"""

TRIPLE = "def show(number):\n    print(3 * number)\n"

RIGHT = 'print("Double:", 2 * int(input("Number: ")))\n'
WRONG = RIGHT.replace("2 *", "3 *")


@dataclass(frozen=True)
class SmallCourse:
    """A course folder; `students` is where submissions go."""

    folder: Path

    @property
    def students(self) -> Path:
        return self.folder / "submissions" / "doubles"

    @property
    def reports(self) -> Path:
        return self.folder / "reports" / "doubles"

    @property
    def expected(self) -> Path:
        return self.folder / "test_specs" / "doubles" / "expected"

    def hand_in(self, student: str, double: str | None, submitted: str = "2025-10-27 11:00") -> Path:
        """Make a submission with a right triple.py; None leaves double.py out."""
        folder = self.students / student
        folder.mkdir(parents=True)
        (folder / "triple.py").write_text(TRIPLE)
        (folder / "submission.yaml").write_text(f"submitted: {submitted}\n")
        if double is not None:
            (folder / "double.py").write_text(double)
        return folder

    def judge_by(self, answer: str) -> None:
        """Have the test `small` judged by a checker of the course that always gives this answer, such as `passed()`."""
        (self.folder / "checkers").mkdir()
        (self.folder / "checkers" / "own.py").write_text(
            f"from grader.checkers import passed, unknown, wrong\n\n\n"
            f"def check(input, expected, actual):\n    return {answer}\n"
        )
        tests = self.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
        tests.write_text(tests.read_text().replace("points: 4,", "points: 4, checker: own,"))


def timeless_reports(course: SmallCourse) -> dict[str, bytes]:
    """Return the content of each report of a course, without the seconds that tests took."""
    return {
        str(file.relative_to(course.reports)): re.sub(rb'(_seconds": )[\d.e-]+', rb"\1", file.read_bytes())
        for file in course.reports.rglob("*")
        if file.is_file()
    }


@pytest.fixture
def small_course(tmp_path: Path) -> SmallCourse:
    """See write_small_course."""
    return write_small_course(tmp_path)


def write_small_course(parent: Path) -> SmallCourse:
    """Make a course with expected transcripts in place, in a folder with spaces in its name."""
    folder = parent / "my course"
    files = {
        "reference/double.py": REFERENCE,
        "reference/triple.py": TRIPLE,
        "test_specs/doubles/assignment.yaml": ASSIGNMENT,
        "test_specs/doubles/tests/double.yaml": DOUBLE_TESTS,
        "test_specs/doubles/tests/triple.yaml": TRIPLE_TESTS,
        "test_specs/doubles/expected/at-the-prompt.canonical.txt": (
            ">>> from triple import show\n>>> show(5)\n15\n>>> \n"
        ),
    }
    for test, number in (("small", 4), ("hidden-11", 11), ("hidden-12", 12)):
        for variant, word in (("canonical", "Double"), ("wordy", "Twice")):
            text = f"Number: {number}\n{word}: {2 * number}\n"
            files[f"test_specs/doubles/expected/{test}.{variant}.txt"] = text
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return SmallCourse(folder)


Grader = Callable[..., subprocess.CompletedProcess[str]]


def without_progress(messages: str) -> str:
    """Standard error without the lines on how far a task is, which there are when the machine is busy."""
    return re.sub(r"^.+: (\d+ of \d+( \w+)?, )?\d+ s\n", "", messages, flags=re.M)


@pytest.fixture(scope="session")
def prepared() -> Iterator[PreparedGrader]:
    """The command line without its imports, for tests that look only at what a command prints and leaves behind."""
    with PreparedGrader() as started:
        yield started


@pytest.fixture
def grader(prepared: PreparedGrader, small_course: SmallCourse) -> Grader:
    """Runs the command line in the course folder."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        if is_missing and arguments[0] in ("grade", "report") and "--sandbox" not in arguments:
            pytest.skip(MISSING)
        return prepared.run(*arguments, folder=small_course.folder)

    return run


@pytest.fixture(
    scope="module",
    params=[pytest.param("open", marks=pytest.mark.slow), pytest.param("sandboxed", marks=needs_sandbox)],
)
def everywhere(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    """Where submissions run: with the rights of the user, and in a sandbox."""
    with open_environment() if request.param == "open" else sandboxed_environment(()) as opened:
        yield opened


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    """A sandbox where there can be one, for what holds in one and outside for the same reason."""
    with open_environment() if is_missing else sandboxed_environment(()) as opened:
        yield opened


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Debian's Chromium, one for all tests of web pages."""
    # Most tests do without, and it takes long to import.
    from tests.browser import open_browser

    yield from open_browser()


def bare_python() -> list[str]:
    """The Python behind the one that runs the tests, without any package or start-up file."""
    return [getattr(sys, "_base_executable", sys.executable), "-I", "-S"]
