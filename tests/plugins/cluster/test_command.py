"""`grader grade --cluster`: the same reports, and what happens when it is interrupted, killed or misdirected."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest

from tests import ROOT
from tests.conftest import RIGHT, WRONG, Grader, SmallCourse, timeless_reports, without_progress
from tests.sandbox import needs_sandbox

GRADE = [sys.executable, "-m", "grader", "grade", "submissions"]
ON_CLUSTER = [*GRADE, "--cluster", "local:2", "--sandbox", "none"]


def rows(course: SmallCourse) -> int:
    with closing(sqlite3.connect(course.folder / ".grader" / "store.sqlite3")) as connection:
        return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])


@pytest.mark.slow
@needs_sandbox
def test_the_same_reports(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    small_course.hand_in("missing", None)
    there = grader("grade", "submissions", "--cluster", "local:2")
    assert (there.returncode, without_progress(there.stderr)) == (0, "")
    reports = timeless_reports(small_course)
    count = rows(small_course)
    shutil.rmtree(small_course.reports)
    again = grader("grade", "submissions")
    assert (again.returncode, again.stdout) == (0, there.stdout)
    assert rows(small_course) == count
    shutil.rmtree(small_course.folder / ".grader")
    here = grader("grade", "submissions", "--no-cache")
    assert (here.returncode, here.stdout) == (0, there.stdout)
    assert timeless_reports(small_course) == reports


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--cluster", "nowhere"],
            "No plugin for --cluster 'nowhere' is installed; installed in grader.clusters: local,",
        ),
        (["--cluster", "local:2", "--jobs", "2"], "--jobs is for this machine"),
    ],
)
def test_what_cannot_be_meant(options: list[str], said: str, grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    run = grader("grade", "submissions", "--sandbox", "none", *options)
    assert run.returncode == 2
    assert run.stderr.startswith(said)


@pytest.mark.slow
def test_no_scheduler_there(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    run = grader("grade", "submissions", "--sandbox", "none", "--cluster", "tcp://127.0.0.1:1")
    assert run.returncode == 2
    assert run.stderr.startswith("There is no Dask scheduler to be reached at tcp://127.0.0.1:1: ")


@pytest.mark.slow
def test_dask_is_imported_for_a_cluster_only() -> None:
    script = "import sys, grader.cli.main, grader.api.grade; assert 'dask' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.slow
def test_an_interrupt_ends_the_sessions_on_the_workers(small_course: SmallCourse) -> None:
    for number in range(2):
        os.mkfifo(small_course.folder / f"started-{number}")
        started = small_course.folder / f"started-{number}"
        small_course.hand_in(f"loops-{number}", f"open({str(started)!r}, 'w').close()\nwhile True: pass\n")
    with subprocess.Popen(
        ON_CLUSTER, cwd=small_course.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        for number in range(2):
            (small_course.folder / f"started-{number}").read_text()
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) > 2
        os.killpg(process.pid, signal.SIGINT)
        said, errors = process.communicate()
    assert process.returncode == 130
    assert b"Interrupted; 2 of 2 not graded: loops-0, loops-1" in said
    assert errors == b""
    assert psutil.wait_procs(children, timeout=10)[1] == []
    assert rows(small_course) == 0


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_an_interrupt_while_the_cluster_starts_is_quiet(small_course: SmallCourse, processes: int) -> None:
    """One process after the other: Python's resource tracker, the one that workers are forked from, two workers."""
    small_course.hand_in("right", RIGHT)
    with subprocess.Popen(
        ON_CLUSTER, cwd=small_course.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        coordinator = psutil.Process(process.pid)
        while len(children := coordinator.children(recursive=True)) < processes:
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"")
    assert psutil.wait_procs(children, timeout=10)[1] == []


@pytest.mark.slow
def test_a_coordinator_that_is_killed_loses_only_what_was_running(grader: Grader, small_course: SmallCourse) -> None:
    for number in range(12):
        small_course.hand_in(f"student-{number}", f"{WRONG if number % 2 else RIGHT}# {number}\n")
    with subprocess.Popen(ON_CLUSTER, cwd=small_course.folder, start_new_session=True) as process:
        store = small_course.folder / ".grader" / "store.sqlite3"
        while not (store.exists() and rows(small_course) > 8):
            assert process.poll() is None
            time.sleep(0.02)
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert psutil.wait_procs(children, timeout=30)[1] == []
    kept = rows(small_course)
    assert kept > 8
    assert subprocess.run(ON_CLUSTER, cwd=small_course.folder, check=False).returncode == 0
    reports = timeless_reports(small_course)
    total = rows(small_course)
    shutil.rmtree(small_course.folder / ".grader")
    assert grader("grade", "submissions", "--sandbox", "none", "--no-cache").returncode == 0
    assert timeless_reports(small_course) == reports
    assert rows(small_course) == total


def worker_of(coordinator: psutil.Process, known: set[int]) -> psutil.Process:
    """A worker process that is not known yet: it is forked from a child of the coordinator."""
    while True:
        workers = [one for child in coordinator.children() for one in child.children() if one.pid not in known]
        if workers:
            return workers[0]


@pytest.mark.slow
def test_reports_do_not_tell_of_a_cluster_or_of_workers_that_were_killed(
    grader: Grader, small_course: SmallCourse
) -> None:
    programs = [RIGHT, WRONG, "print('\\udc80'", None, RIGHT.replace("Double", "Twice")]
    for number in range(24):
        program = programs[number % 5]
        small_course.hand_in(f"student-{number}", program and f"{program}# {number}\n", f"2025-10-2{number % 10} 11:00")
    assert grader("grade", "submissions", "--sandbox", "none").returncode == 0
    here = timeless_reports(small_course)
    assert len(here) > 24
    found = []
    for kills in (0, 2):
        shutil.rmtree(small_course.folder / ".grader")
        shutil.rmtree(small_course.reports)
        with subprocess.Popen(ON_CLUSTER, cwd=small_course.folder, stdout=subprocess.DEVNULL) as process:
            store = small_course.folder / ".grader" / "store.sqlite3"
            killed: set[int] = set()
            while len(killed) < kills:
                while not (store.exists() and rows(small_course) > 8 + 20 * len(killed)):
                    assert process.poll() is None
                    time.sleep(0.01)
                victim = worker_of(psutil.Process(process.pid), killed)
                victim.kill()
                killed.add(victim.pid)
        assert process.returncode == 0
        found.append(timeless_reports(small_course))
    assert found == [here, here]


@pytest.fixture
def by_hand() -> Iterator[str]:
    """The commands of docs/reference/clusters.md that set up a cluster by hand, at a free port; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = (ROOT / "docs" / "reference" / "clusters.md").read_text()
    commands = re.findall(r"^(dask (?:scheduler|worker) .*) &$", text, re.M)
    assert [command.split()[1] for command in commands] == ["scheduler", "worker"]
    with ExitStack() as stack:
        for command in commands:
            words = command.replace("8786", str(port)).split()
            process = subprocess.Popen(
                [str(Path(sys.executable).with_name(words[0])), *words[1:]],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield f"tcp://127.0.0.1:{port}"


@pytest.mark.slow
def test_a_cluster_set_up_by_hand(by_hand: str, grader: Grader, small_course: SmallCourse) -> None:
    for number in range(6):
        small_course.hand_in(f"student-{number}", f"{WRONG if number % 2 else RIGHT}# {number}\n")
    command = ["grade", "submissions", "--sandbox", "none"]
    there = grader(*command, "--cluster", by_hand)
    assert (there.returncode, without_progress(there.stderr)) == (0, "")
    shutil.rmtree(small_course.folder / ".grader")
    assert grader(*command).stdout == there.stdout
