"""`grader serve` as a command: how it starts, what it refuses, how it ends, and what a kill leaves behind."""

import getpass
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from grader.installation import install_command
from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Client, entries, marked_course, wait_until_graded
from tests.prepared_grader import PreparedGrader
from tests.sandbox import is_missing

SANDBOX = ["--sandbox", "none"] if is_missing else []
COMMAND = [sys.executable, "-m", "grader", "serve", "submissions/doubles", *SANDBOX]
STUDENTS = ("ann",)
WITHOUT = "import sys; sys.modules['{}'] = None; sys.argv[0] = 'grader'; from grader.__main__ import main; main()"


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    return marked_course(tmp_path, STUDENTS)


@contextmanager
def started(
    course: SmallCourse, *arguments: str, folder: str = "submissions/doubles"
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server as a process, and the address that it prints."""
    command = [*COMMAND[:4], folder, *SANDBOX, "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=course.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
            assert found
            yield process, found[0]
        finally:
            process.kill()


def refused(prepared: PreparedGrader, course: SmallCourse, *arguments: str) -> str:
    """What standard error says of a server that does not start."""
    run = prepared.run(*COMMAND[3:], *arguments, folder=course.folder)
    assert (run.returncode, run.stdout) == (2, "")
    assert "Traceback" not in run.stderr
    return run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "graded"),
    [
        (signal.SIGINT, 0, True),
        (signal.SIGTERM, 143, False),
        pytest.param(signal.SIGINT, 0, False, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, 143, True, marks=pytest.mark.slow),
    ],
)
def test_it_ends_cleanly(number: signal.Signals, code: int, graded: bool, course: SmallCourse) -> None:
    with started(course) as (process, address):
        marker = Client(address).enter("Eve")
        if graded:
            wait_until_graded(marker)
        process.send_signal(number)
        _, errors = process.communicate()
        assert process.returncode == code
        assert "Traceback" not in errors
    with pytest.raises(ConnectionRefusedError):
        marker.get("/index.html")


@pytest.mark.slow
def test_a_port_that_is_taken(prepared: PreparedGrader, course: SmallCourse) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refused(prepared, course, "--port", str(port))
    assert said == (
        f"Port {port} cannot be used (Address already in use): "
        "name another one with --port, or any free one with --port 0.\n"
    )


@pytest.mark.slow
def test_a_second_server_on_the_same_class(prepared: PreparedGrader, course: SmallCourse) -> None:
    with started(course) as (process, _):
        said = refused(prepared, course, "--port", "0")
    holder = f"process {process.pid} of {getpass.getuser()}"
    assert f"Another `grader serve` ({holder}) has submissions/doubles open" in said


def test_an_error_of_the_store_is_printed(course: SmallCourse) -> None:
    with started(course) as (process, address):
        wait_until_graded(Client(address).enter("Eve"))
    with sqlite3.connect(course.folder / ".grader" / "store.sqlite3") as store:
        store.execute("DROP TABLE outcomes")
    with started(course) as (process, _):
        assert process.stderr
        assert process.stderr.readline().startswith("The grading has ended: The store ")


@pytest.mark.slow
def test_a_student_is_not_forgotten_while_a_server_has_the_class(prepared: PreparedGrader, tmp_path: Path) -> None:
    course = marked_course(tmp_path, ("ann", "bob"))
    forget = ("forget", "ann", "--submissions", "--delete")
    with started(course) as (_, address):
        marker = Client(address).enter("Eve")
        wait_until_graded(marker)
        done = prepared.run(*forget, folder=course.folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert "end it first. Nothing is deleted." in done.stderr
        assert "ann" in marker.get("/index.html").text
        assert (course.students / "ann").is_dir()
    done = prepared.run(*forget, folder=course.folder)
    assert done.returncode == 0, done.stderr
    with started(course) as (_, address):
        marker = Client(address).enter("Eve")
        wait_until_graded(marker)
        page = marker.get("/index.html").text
        assert ("ann" in page, "bob" in page) == (False, True)


@pytest.mark.slow
def test_a_server_elsewhere_in_the_course_keeps_data_too(prepared: PreparedGrader, course: SmallCourse) -> None:
    other = course.folder / "elsewhere" / "doubles"
    shutil.copytree(course.students, other)
    with started(course, folder="elsewhere/doubles"):
        done = prepared.run("forget", "ann", "--submissions", "--delete", folder=course.folder)
        assert (done.returncode, "end it first" in done.stderr) == (2, True), done.stderr


@pytest.mark.slow
def test_a_second_server_on_a_class_that_shares_a_file(prepared: PreparedGrader, course: SmallCourse) -> None:
    other = course.folder / "submissions" / "other" / "doubles"
    other.mkdir(parents=True)
    (other / "marks.yaml").symlink_to(course.students / "marks.yaml")
    (other / "ann").symlink_to(course.students / "ann")
    with started(course):
        command = ["serve", "submissions/other/doubles", "--sandbox", "none", "--port", "0"]
        done = prepared.run(*command, folder=course.folder)
        assert (done.returncode, "Another `grader serve` (process " in done.stderr) == (2, True), done.stderr
    with started(course):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["starlette", *(pytest.param(one, marks=pytest.mark.slow) for one in ("uvicorn", "itsdangerous"))]
)
def test_without_the_extra(module: str, course: SmallCourse) -> None:
    command = [sys.executable, "-c", WITHOUT.format(module), *COMMAND[3:]]
    run = subprocess.run(command, cwd=course.folder, capture_output=True, text=True, check=False)
    message = f"`grader serve` needs Starlette and uvicorn; install them with: {install_command('serve')}\n"
    assert (run.returncode, run.stderr) == (2, message)


def test_a_faulty_file_about_the_class(prepared: PreparedGrader, course: SmallCourse) -> None:
    (course.students / "marks.yaml").write_text("format: 1\nmarks: {}\n")
    assert refused(prepared, course, "--port", "0").endswith("marks.yaml:2:8: found a mapping; expected a list\n")


def test_more_than_one_class(prepared: PreparedGrader, course: SmallCourse) -> None:
    for name in ("doubles", "others"):
        (course.folder / "test_specs" / "others").mkdir(exist_ok=True)
        (course.folder / "submissions" / name).mkdir(exist_ok=True)
    text = (course.folder / "test_specs" / "doubles" / "assignment.yaml").read_text()
    folder = course.folder / "test_specs" / "others"
    (folder / "assignment.yaml").write_text(text.replace("id: doubles\ntitle", "id: others\ntitle"))
    for part in ("tests", "expected"):
        os.symlink(course.folder / "test_specs" / "doubles" / part, folder / part)
    run = prepared.run("serve", "submissions", *SANDBOX, "--port", "0", folder=course.folder)
    assert (run.returncode, run.stderr) == (
        2,
        "submissions holds more than one class (doubles, others); name the folder of one.\n",
    )


@pytest.mark.slow
def test_history_shows_decisions_between_marks(prepared: PreparedGrader, course: SmallCourse) -> None:
    with started(course) as (_, address):
        marker = Client(address).enter("Eve")
        wait_until_graded(marker)
        page = marker.student("ann")
        marker.decide("points", page, 'id="item-names"', student="ann", item="names", points="0.5")
    log = course.folder / "reports" / "audit.jsonl"
    log.write_text(log.read_text() + '{"half')
    run = prepared.run("history", "ann", folder=course.folder)
    assert run.returncode == 0
    assert re.fullmatch(
        r"2\S+ \S+ AE[DS]T  doubles: points names: nothing → 0.5; decided by Eve, marks.yaml\n", run.stdout
    ), run.stdout


def record_until_it_ends(client: Client, name: str, told: "Queue[str]") -> None:
    """Record one request after the other; `told` gets those that the server says are written."""
    with suppress(OSError, HTTPException):
        key = client.student("ann").value("form_key")
        for number in range(1_000):
            text = f"{name}-{number}"
            if client.post("/decide/request", form_key=key, seen="", student="ann", text=text).status == 303:
                told.put(text)


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_that_was_said_to_be_written(course: SmallCourse) -> None:
    file = course.students / "requests.yaml"
    file.write_text("# Ours.\nformat: 1\nrequests: []  # none yet\n")
    told: set[str] = set()
    for round_, wanted in enumerate((1, 2, 4, 7)):
        with started(course) as (process, address):
            first = Client(address).enter("first")
            wait_until_graded(first)
            queue: Queue[str] = Queue()
            names = [f"{who}{round_}" for who in ("Eve", "Dan")]
            markers = [
                Thread(target=record_until_it_ends, args=(Client(address).enter(name), name, queue)) for name in names
            ]
            for marker in markers:
                marker.start()
            told |= {queue.get(timeout=60) for _ in range(wanted)}
            process.kill()
            for marker in markers:
                marker.join()
            told |= {queue.get() for _ in range(queue.qsize())}
        found = [str(entry["request"]) for entry in entries(course, "requests.yaml")]
        assert told <= set(found)
        assert len(found) == len(set(found))
        assert len(found) <= len(told) + 2 * (round_ + 1), "what was under way"
        log = [json.loads(line) for line in (course.folder / "reports" / "audit.jsonl").read_text().splitlines()]
        # A change that a kill interrupted is taken back, and then nothing stands after it.
        assert set(found) <= {line["after"]["request"] for line in log if line["after"]}
    assert file.read_text().startswith("# Ours.\nformat: 1\nrequests:  # none yet\n")
