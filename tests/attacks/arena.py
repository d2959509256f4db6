"""Where hostile programs are graded, in the sandbox, with an eye on what they leave behind."""

import os
import select
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Isolation
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test
from grader.run.environment import RunEnvironment, RunnerMaker
from grader.run.interface import SubmissionFiles, TestRunner
from grader.run.process import tree
from grader.spec.course import Course

SECRET = "the treasure lies below the third palm tree"
"""What the tests of a hostile program expect: it stands in expected files and in the reference, and nowhere else."""

_ASSIGNMENT = """\
format: 1
id: heist
title: A heist
programs:
  - {file: attack.py}
  - {file: peace.py}
parts:
  - {id: booty, title: What the hostile program wins, marks: 10}
  - {id: peace, title: What an innocent one gets in the same sandbox, marks: 1}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits:
  wall_seconds: 2
  memory_bytes: 100000000
  output_bytes: 100000
  file_bytes: 2000000
  open_files: 32
  processes: 12
  disk_bytes: 4000000
"""

_ATTACK_TESTS = """\
format: 1
program: attack.py
part: booty
points: 5
tests:
  - {id: session, input: [attack]}
  - {id: call, call: double(4)}
"""

_PEACE_TESTS = """\
format: 1
program: peace.py
part: peace
points: 1
tests:
  - {id: peace, visibility: public, input: [peace]}
"""

PEACE = """\
import os, resource, sys

print("Hello", input("Who comes? "))
others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
print("processes:", others)
for top in "/tmp", "/dev/shm", "/work":
    found = [(path, folders, files) for path, folders, files in os.walk(top)]
    print("files:", sum(len(files) for _, _, files in found) if top == "/work" else found[1:] + found[0][2])
for kind in "shm", "msg", "sem":
    with open(f"/proc/sysvipc/{kind}") as file:
        print(kind, len(file.readlines()) - 1)
print("open:", sorted(int(name) for name in os.listdir("/proc/self/fd"))[:3])
print("nice:", os.nice(0))
print(sum(number * number for number in range(10)), max(map(abs, (-3, 2))), sys.argv)
"""

_PEACE_EXPECTED = """\
Who comes? peace
Hello peace
processes: []
files: []
files: []
files: {files}
shm 0
msg 0
sem 0
open: [0, 1, 2]
nice: {nice}
285 3 ['peace.py']
"""


@dataclass(frozen=True)
class Spoils:
    """What came of grading a hostile submission."""

    graded: GradedSubmission
    outcomes: Mapping[tuple[str, Isolation], Outcome]
    """Of each test, and of each way it was run in."""

    def result(self, test: str) -> TestResult:
        """The result of one test."""
        return next(result for result in self.graded.results if result.test.id == test)

    def transcript(self, test: str) -> str:
        """What a program showed."""
        outcome = self.result(test).outcome
        assert outcome is not None
        return outcome.transcript


@dataclass(frozen=True)
class Arena:
    """A course, a environment with sandboxes, and a submission folder."""

    course: Path
    environment: RunEnvironment

    def grade(self, files: Mapping[str, str | bytes], *tests: str) -> Spoils:
        """Grade `tests` on a hostile submission of these files, and the innocent test after them.

        Fails if a mark was won, if the innocent program is harmed, or if something is alive or lies around afterwards.
        """
        folder = self.course / "submissions" / "mallory"
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.grade_folder(folder, *tests)

    def grade_folder(self, folder: Path, *tests: str) -> Spoils:
        """The same for files that lie there."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "peace.py").write_text(PEACE)
        names = [os.path.join(path, name) for path, _, files in os.walk(folder) for name in files]
        found = [SubmittedFile(os.path.relpath(name, folder), Path(name)) for name in names]
        return self.grade_files(found, *tests)

    def grade_files(self, files: list[SubmittedFile], *tests: str) -> Spoils:
        """The same for these files, under the names they claim to have."""
        self._expect_of_peace(len(files))
        assignment = Course(self.course).assignment("heist")
        wanted = [test for test in assignment.tests if test.id in (*tests, "peace")]
        submission = Submission(
            student="mallory", files=tuple(files), submitted=None, time_source=TimeSource.NONE, notes=()
        )
        scratch = set(os.listdir(self.environment.scratch))
        watch = _Watch()
        environment = replace(self.environment, make_runner=watch.runners(self.environment.make_runner))
        graded = grade_submission(
            assignment,
            wanted,
            load_transcripts(assignment, wanted),
            submission,
            OutcomeSource(environment),
            tick=lambda: None,
        )
        watch.expect_nobody()
        assert set(os.listdir(self.environment.scratch)) == scratch, "files of the submission are left"
        spoils = Spoils(graded, watch.outcomes)
        peace = spoils.result("peace")
        assert peace.verdict is Verdict.PASSED, f"{peace.judgement}\n{peace.outcome and peace.outcome.transcript}"
        assert graded.raw == 1, "a mark was won"
        return spoils

    def refused(self, files: list[SubmittedFile], test: Test) -> TestResult:
        """The result of a test on files that must not even be copied."""
        assignment = Course(self.course).assignment("heist")
        submission = Submission(
            student="mallory", files=tuple(files), submitted=None, time_source=TimeSource.NONE, notes=()
        )
        scratch = set(os.listdir(self.environment.scratch))
        graded = grade_submission(
            assignment,
            [test],
            load_transcripts(assignment, [test]),
            submission,
            OutcomeSource(self.environment),
            tick=lambda: None,
        )
        assert set(os.listdir(self.environment.scratch)) == scratch
        return graded.results[0]

    def _expect_of_peace(self, files: int) -> None:
        folder = self.course / "test_specs" / "heist" / "expected"
        (folder / "peace.canonical.txt").write_text(_PEACE_EXPECTED.format(files=files, nice=os.nice(0)))


def make_course(folder: Path) -> None:
    """Make the course of the heist."""
    spec = folder / "test_specs" / "heist"
    files = {
        spec / "assignment.yaml": _ASSIGNMENT,
        spec / "tests" / "attack.yaml": _ATTACK_TESTS,
        spec / "tests" / "peace.yaml": _PEACE_TESTS,
        spec / "expected" / "session.canonical.txt": f"Word: attack\n{SECRET}\n",
        spec / "expected" / "call.canonical.json": f'{{\n "returned": "{SECRET}",\n "printed": ""\n}}\n',
        folder / "reference" / "attack.py": f'print("{SECRET}")\n',
        folder / "reference" / "peace.py": PEACE,
        folder / "submissions" / "alice" / "attack.py": f'print("{SECRET}")\n',
    }
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


class _Watch:
    """Notes which processes there are below this one while submissions are tested."""

    def __init__(self) -> None:
        self._before = set(tree.descendants(os.getpid()))
        self._seen: dict[int, int] = {}
        self.outcomes: dict[tuple[str, Isolation], Outcome] = {}

    def runners(self, make: RunnerMaker) -> RunnerMaker:
        """Make runners whose tests are watched."""

        @contextmanager
        def runner(environment: RunEnvironment, files: SubmissionFiles, tests: Sequence[Test]) -> Iterator[TestRunner]:
            with make(environment, files, tests) as inner:
                yield _WatchedRunner(inner, self)

        return runner

    def look(self) -> None:
        """After a test only bubblewrap, the first process of the sandbox and one that waits for a test may be alive."""
        found = set(tree.descendants(os.getpid())) - self._before
        assert len(found) <= 3, f"more processes than the sandbox: {found}"
        left = [pid for pid in found if _is_program(pid)]
        assert not left, f"processes of programs: {left}"
        for pid in found - set(self._seen):
            self._seen[pid] = os.pidfd_open(pid)

    def expect_nobody(self) -> None:
        """Wait until the sandboxes have ended, and fail if one does not."""
        with ExitStack() as stack:
            for pidfd in self._seen.values():
                stack.callback(os.close, pidfd)
            for pid, pidfd in self._seen.items():
                assert select.select([pidfd], [], [], 10)[0], f"process {pid} of a sandbox is alive"
        assert set(tree.descendants(os.getpid())) <= self._before


def _is_program(pid: int) -> bool:
    """Whether a process in a sandbox has no rights there, as a program of a submission has none; nor has bubblewrap."""
    return b"\nCapEff:\t0000000000000000\n" in tree.read(f"{pid}/status") and b"bwrap" not in tree.read(f"{pid}/comm")


@dataclass(frozen=True)
class _WatchedRunner:
    inner: TestRunner
    watch: _Watch

    def run(self, test: Test, limits: Limits, isolation: Isolation, environment: Mapping[str, str]) -> Outcome:
        try:
            outcome = self.inner.run(test, limits, isolation, environment)
        finally:
            self.watch.look()
        self.watch.outcomes[test.id, isolation] = outcome
        return outcome
