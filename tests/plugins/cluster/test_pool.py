"""A real cluster of two worker processes gives what this process gives, and survives the death of workers."""

import os
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from distributed import Client, Worker

from grader.errors import ClusterError
from grader.expected.transcripts import load_transcripts
from grader.files.digest import file_digest
from grader.grading.backend import GradeAll, LocalBackend, grade_batch
from grader.grading.grade_submission import as_handed_in, files_of_runs
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.grading.submission_step import Steps, SubmissionStep
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment, Isolation
from grader.model.finding import Finding, FindingView
from grader.model.judgement import Verdict
from grader.model.program import SandboxKind
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.model.test import Test
from grader.plugins.cluster.address import LocalWorkers
from grader.plugins.cluster.client import connected
from grader.plugins.cluster.pool import ClusterPool, Pace, batch_size, window
from grader.plugins.locating.line_record import LineWatch
from grader.run.environment import open_environment
from grader.spec.course import Course
from grader.store.database import open_store
from tests.conftest import RIGHT, SmallCourse
from tests.intake.taking import take_in
from tests.sandbox import needs_sandbox

WRONG = RIGHT.replace("2 *", "3 *")
STUDENTS_WHO_TRAVEL_TOGETHER = 100
TESTS = 4
OPEN = partial(LocalBackend, SandboxKind.NONE, hidden=())
BOXED = partial(LocalBackend, SandboxKind.BWRAP, hidden=())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Client]:
    with connected(LocalWorkers(2)) as client:
        yield client


@pytest.fixture
def small_class(small_course: SmallCourse) -> SmallCourse:
    """Six submissions: right ones and wrong ones, two the same, one without its program."""
    for number in range(2):
        small_course.hand_in(f"right-{number}", f"{RIGHT}# {number}\n")
        small_course.hand_in(f"wrong-{number}", f"{WRONG}# {number}\n")
    small_course.hand_in("same-as-right-0", f"{RIGHT}# 0\n")
    small_course.hand_in("missing", None)
    return small_course


def graded(course: SmallCourse, grade: GradeAll) -> dict[str, GradedSubmission]:
    assignment = Course(course.folder).assignment("doubles")
    intake = take_in(course.students, submission_requirements(assignment))
    ticks = Counter[str]()
    transcripts = load_transcripts(assignment, assignment.tests)
    done = list(grade(assignment, transcripts, intake.submissions, lambda: ticks.update("t")))
    assert ticks["t"] == len(done) * TESTS
    assert len({one.submission.student for one in done}) == len(done) == len(intake.submissions)
    return {one.submission.student: one for one in done}


def on_cluster(course: SmallCourse, client: Client, store_file: Path, steps: Steps = ()) -> dict[str, GradedSubmission]:
    with open_store(store_file) as store:
        archive = ResultCache(store, "harness")
        return graded(course, ClusterPool(client=client, make_backend=OPEN, archive=archive, steps=steps).grade)


def here(course: SmallCourse, store_file: Path, steps: Steps = ()) -> dict[str, GradedSubmission]:
    with open_store(store_file) as store, open_environment() as environment:
        outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
        return graded(course, partial(grade_batch, outcomes=outcomes, jobs=2, steps=steps))


@dataclass(frozen=True)
class LastLine(Finding):
    """The last line that a program runs."""

    line: int

    def view(self, _: Submission) -> FindingView:
        return FindingView()


def recorded(assignment: Assignment, submission: Submission) -> list[Test]:
    test = as_handed_in(assignment, submission, assignment.tests)[0]
    return [replace(test, start=replace(test.start, watch=LineWatch(("double.py",))))] if submission.files else []


def last_line(assignment: Assignment, graded: GradedSubmission, outcomes: OutcomeSource) -> LastLine | None:
    submission = graded.submission
    tests = recorded(assignment, submission)
    with outcomes.of(files_of_runs(assignment, submission), tests, assignment.limits) as ask:
        lines = [line.line for test in tests for line in ask(test, Isolation.FRESH_PROCESS).executed]
    return LastLine(max(lines)) if lines else None


STEP = SubmissionStep(about="Find the last line.", tests=recorded, find=last_line)


def timeless(all_graded: dict[str, GradedSubmission]) -> dict[str, GradedSubmission]:
    def still(one: GradedSubmission) -> GradedSubmission:
        return replace(
            one,
            results=tuple(
                replace(
                    result,
                    outcome=result.outcome
                    and replace(result.outcome, wall_seconds=0.0, cpu_seconds=0.0, starved_seconds=0.0),
                )
                for result in one.results
            ),
        )

    return {student: still(one) for student, one in all_graded.items()}


def kept(store_file: Path) -> Counter[str]:
    with closing(sqlite3.connect(store_file)) as connection:
        return Counter(key for (key,) in connection.execute("SELECT key FROM outcomes"))


@pytest.mark.slow
def test_answers_of_checkers_are_kept(small_class: SmallCourse, cluster: Client, tmp_path: Path) -> None:
    small_class.judge_by("wrong('never', 0.25)")
    on_cluster(small_class, cluster, tmp_path / "there")
    here(small_class, tmp_path / "there")
    with closing(sqlite3.connect(tmp_path / "there")) as connection:
        said = Counter(connection.execute("SELECT key, value FROM answers"))
    # Two outputs, each beside what two variants print: the same questions wherever they are asked.
    assert len(said) == 4
    assert {answer for _, answer in said} == {b'["wrong", "never", "0.2500"]'}
    before = said.total()
    here(small_class, tmp_path / "there")
    with closing(sqlite3.connect(tmp_path / "there")) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (before,)


@pytest.mark.slow
def test_the_same_results_and_the_same_store(small_class: SmallCourse, cluster: Client, tmp_path: Path) -> None:
    there = on_cluster(small_class, cluster, tmp_path / "there")
    local = here(small_class, tmp_path / "local")
    assert timeless(there) == timeless(local)
    assert set(kept(tmp_path / "there")) == set(kept(tmp_path / "local"))
    before = kept(tmp_path / "there")
    assert timeless(on_cluster(small_class, cluster, tmp_path / "there")) == timeless(there)
    assert timeless(here(small_class, tmp_path / "there")) == timeless(there)
    assert kept(tmp_path / "there") == before


@pytest.mark.slow
def test_steps_after_grading_are_taken_there_too_and_kept(
    small_class: SmallCourse, cluster: Client, tmp_path: Path
) -> None:
    there = on_cluster(small_class, cluster, tmp_path / "there", (STEP,))
    assert there["right-0"].findings == (LastLine(1),)
    assert timeless(there) == timeless(here(small_class, tmp_path / "local", (STEP,)))
    before = kept(tmp_path / "there")
    assert timeless(on_cluster(small_class, cluster, tmp_path / "there", (STEP,))) == timeless(there)
    assert kept(tmp_path / "there") == before


@pytest.mark.slow
def test_a_content_is_made_once_and_brought_to_a_worker_once(
    small_class: SmallCourse, cluster: Client, tmp_path: Path
) -> None:
    for folder in small_class.students.iterdir():
        with (folder / "triple.py").open("a") as file:
            file.write("# the same for all\n")
    key = f"grader-file-{file_digest(folder / 'triple.py')}"
    on_cluster(small_class, cluster, tmp_path / "store")

    def arrivals(key: str, dask_worker: Worker) -> list[str]:
        """How it came into the memory of a worker: made there, or brought from another worker."""
        return [event[1] for event in dask_worker.state.log if event[0] == key and event[3] == "memory"]

    found = [how for ways in cluster.run(arrivals, key).values() for how in ways]
    assert Counter(found) in ({"executing": 1}, {"executing": 1, "flight": 1})


@pytest.mark.slow
def test_nothing_is_left_on_the_workers(small_class: SmallCourse, cluster: Client, tmp_path: Path) -> None:
    def plugins(dask_worker: Worker) -> list[str]:
        return [name for name in dask_worker.plugins if name.startswith("grader-")]

    on_cluster(small_class, cluster, tmp_path / "store")
    assert set(map(tuple, cluster.run(plugins).values())) == {()}


@pytest.mark.slow
@needs_sandbox
def test_a_worker_without_a_sandbox_refuses(small_class: SmallCourse, cluster: Client, tmp_path: Path) -> None:
    bare, _ = cluster.scheduler_info()["workers"]

    def set_path(path: str) -> str:
        before, os.environ["PATH"] = os.environ["PATH"], path
        return before

    before = cluster.run(set_path, "", workers=[bare])[bare]
    try:
        with open_store(tmp_path / "store") as store:
            pool = ClusterPool(client=cluster, make_backend=BOXED, archive=ResultCache(store, "harness"))
            with pytest.raises(ClusterError, match=f"(?s)The worker {bare} .* cannot grade: .*--sandbox none"):
                graded(small_class, pool.grade)
    finally:
        cluster.run(set_path, before, workers=[bare])
    assert not kept(tmp_path / "store")
    assert all(one.raw for one in on_cluster(small_class, cluster, tmp_path / "store").values())


def test_bundles_are_small_at_the_end() -> None:
    assert [batch_size(waiting, threads=4, seconds=1.25) for waiting in (1000, 48, 47, 24, 23, 1)] == [
        4,
        4,
        3,
        2,
        1,
        1,
    ]
    assert batch_size(1000, threads=1000, seconds=0.001) == 1
    assert batch_size(0, threads=0, seconds=0.001) == 1


def test_bundles_are_larger_when_each_submission_is_quick() -> None:
    assert [batch_size(10_000, threads=4, seconds=one) for one in (6.0, 3.0, 1.0, 0.1, 0.0)] == [1, 1, 5, 50, 833]


def test_few_are_sent_until_the_first_has_come_back() -> None:
    pace = Pace()
    assert window(100, pace) == 100
    pace.learn(3.0, 6)
    assert pace.seconds == 0.5
    assert (window(100, pace), window(1, pace)) == (400, 16)
    pace.learn(1.5, 1)
    assert pace.seconds == pytest.approx(0.7)


def worker_ids(client: Client) -> list[int]:
    return list(client.run(os.getpid, on_error="ignore").values())


@pytest.mark.slow
def test_workers_are_killed_while_they_grade(small_course: SmallCourse, tmp_path: Path) -> None:
    for number in range(STUDENTS_WHO_TRAVEL_TOGETHER):
        small_course.hand_in(f"student-{number}", f"{RIGHT if number % 2 else WRONG}# {number}\n")
    seen = threading.Event()
    killed: list[int] = []

    with connected(LocalWorkers(2)) as client:

        def kill() -> None:
            for _ in range(3):
                seen.wait()
                seen.clear()
                victim = worker_ids(client)[0]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        killer = threading.Thread(target=kill)
        with open_store(tmp_path / "there") as store:
            assignment = Course(small_course.folder).assignment("doubles")
            intake = take_in(small_course.students, submission_requirements(assignment))
            pool = ClusterPool(client=client, make_backend=OPEN, archive=ResultCache(store, "harness"))
            killer.start()
            done = []
            transcripts = load_transcripts(assignment, assignment.tests)
            for count, one in enumerate(pool.grade(assignment, transcripts, intake.submissions, lambda: None)):
                done.append(one)
                if count % 16 == 4:
                    seen.set()
            killer.join()
    assert len(set(killed)) == 3
    assert len({one.submission.student for one in done}) == len(done) == STUDENTS_WHO_TRAVEL_TOGETHER
    assert timeless({one.submission.student: one for one in done}) == timeless(here(small_course, tmp_path / "local"))
    assert kept(tmp_path / "there") == kept(tmp_path / "local")


@pytest.mark.slow
@pytest.mark.parametrize("others", [4, STUDENTS_WHO_TRAVEL_TOGETHER])
def test_a_submission_that_kills_its_workers_is_not_marked_and_harms_no_other(
    small_course: SmallCourse, tmp_path: Path, others: int
) -> None:
    small_course.hand_in("killer", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    for number in range(others):
        small_course.hand_in(f"{'early' if number % 4 == 0 else 'late'}-{number}", f"{RIGHT}# {number}\n")
    with connected(LocalWorkers(2)) as client:
        found = on_cluster(small_course, client, tmp_path / "store")
    killer = found.pop("killer")
    assert {result.verdict for result in killer.results} == {Verdict.INTERNAL_ERROR}
    assert killer.needs_rerun
    assert {str(one.raw) for one in found.values()} == {"12"}
