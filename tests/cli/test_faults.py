"""What the command line says when grader itself is at fault, lacks something, or is told to end."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.cli import main as command_line
from grader.errors import GraderError
from grader.run.process import tree
from tests.conftest import SmallCourse
from tests.sandbox import needs_sandbox

RIGHT = 'print("Double:", 2 * int(input("Number: ")))\n'


def test_a_fault_of_grader_is_not_blamed_on_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(command_line, "app", fail)
    with pytest.raises(SystemExit) as end:
        command_line.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert said.endswith("This is a fault in grader, not in the graded program; please report it.\n")


GONE = "The folder that you are in is not there any more (No such file or directory): go to it again with `cd`.\n"


@pytest.mark.parametrize("command", ["check double.py", "grade submissions", "generate", "doctor"])
def test_a_working_folder_that_is_gone_is_one_line(command: str, tmp_path: Path) -> None:
    (gone := tmp_path / "gone").mkdir()
    anew = f'rmdir "$1" && mkdir "$1" && exec "$2" -m grader {command}'
    run = subprocess.run(
        ["/bin/sh", "-c", anew, "sh", gone, sys.executable], cwd=gone, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", GONE)


def grade_command(*options: str) -> list[str]:
    return [sys.executable, "-m", "grader", "grade", "submissions", "--jobs", "1", *options]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "options"),
    [
        pytest.param(signal.SIGTERM, [], marks=needs_sandbox),
        (signal.SIGHUP, ["--sandbox", "none"]),
        pytest.param(signal.SIGHUP, [], marks=[needs_sandbox, pytest.mark.slow]),
        pytest.param(signal.SIGTERM, ["--sandbox", "none"], marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_grading_and_leaves_nothing(
    number: signal.Signals, options: list[str], small_course: SmallCourse, tmp_path: Path
) -> None:
    small_course.hand_in("waits", "import time\ntime.sleep(1000)\n")
    (scratch := tmp_path / "scratch").mkdir()
    with subprocess.Popen(
        grade_command(*options),
        cwd=small_course.folder,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # What is tried out first, in a folder of its own, is over, and the program runs.
        while list(scratch.glob("tmp*")) or not list(scratch.glob("grader-*/**/session-*")):
            assert process.poll() is None
            time.sleep(0.01)
        while len(found := list(tree.descendants(process.pid))) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        started = [os.pidfd_open(pid) for pid in found[1:] if tree.read(f"{pid}/stat")]
        process.send_signal(number)
        _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (128 + number, f"Ended by {number.name}."), said
    assert list(scratch.iterdir()) == []
    for descriptor in started:
        assert select.select([descriptor], [], [])[0]
        os.close(descriptor)


@pytest.mark.slow
def test_a_signal_ends_a_check_and_leaves_nothing(small_course: SmallCourse, tmp_path: Path) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    os.mkfifo(started := tmp_path / "started")
    waiting = f"import time\nopen({str(started)!r}, 'w').close()\ntime.sleep(1000)\n"
    folder = small_course.hand_in("waits", waiting)
    command = [sys.executable, "-m", "grader", "check", str(folder), "--test", "small"]
    with subprocess.Popen(
        command, cwd=small_course.folder, env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.PIPE, text=True
    ) as process:
        started.read_text()
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (143, "Ended by SIGTERM.")
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_a_signal_that_is_ignored_is_no_end(small_course: SmallCourse) -> None:
    """As under nohup."""
    small_course.hand_in("right", RIGHT)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with subprocess.Popen(
            grade_command("--sandbox", "none"), cwd=small_course.folder, stdout=subprocess.DEVNULL
        ) as process:
            while process.poll() is None:
                process.send_signal(signal.SIGHUP)
                time.sleep(0.01)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert process.returncode == 0


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    ("lacking", "options", "said"),
    [
        (["--size", "16384", "--tmpfs", "{scratch}"], ["--sandbox", "none"], "No space left on device"),
        (["--size", "32768", "--tmpfs", "{scratch}"], ["--sandbox", "none"], "cannot be made in {scratch}: No space"),
        (["--tmpfs", "/dev/pts"], [], "no pseudo-terminal is available"),
    ],
)
def test_what_a_machine_lacks_is_one_line(
    lacking: list[str], options: list[str], said: str, small_course: SmallCourse, tmp_path: Path
) -> None:
    small_course.hand_in("right", RIGHT)
    (scratch := tmp_path / "scratch").mkdir()
    within = ["bwrap", "--dev-bind", "/", "/", *(word.format(scratch=scratch) for word in lacking)]
    run = subprocess.run(
        [*within, *grade_command(*options)],
        cwd=small_course.folder,
        env={**os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    lines = [line for line in run.stderr.splitlines() if "grader doctor" not in line]
    assert len(lines) == 1, run.stderr
    assert said.format(scratch=scratch) in lines[0]


@pytest.mark.parametrize("later", [OSError("not empty"), GraderError("cannot remove")])
def test_what_fails_after_a_signal_is_not_reported(
    later: Exception, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def ended(**_: object) -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            raise later

    monkeypatch.setattr(command_line, "app", ended)
    with pytest.raises(SystemExit) as end:
        command_line.main()

    assert end.value.code == 128 + signal.SIGTERM
    assert capfd.readouterr().err == "Ended by SIGTERM.\n"


def test_a_locale_without_utf_8_is_refused(small_course: SmallCourse, tmp_path: Path) -> None:
    """In it `Jörg` is another student than the one in extensions.csv."""
    if not __file__.isascii():
        pytest.skip("Python does not find itself there")
    locales = tmp_path / "locales"
    locales.mkdir()
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", locales / "de_DE.ISO-8859-1"], capture_output=True, check=False
    )
    if not (locales / "de_DE.ISO-8859-1").exists():
        pytest.skip(f"no such locale can be made: {made.stderr.decode(errors='replace')}")
    environment = {**os.environ, "LOCPATH": str(locales), "LC_ALL": "de_DE.ISO-8859-1"}
    command = [sys.executable, "-m", "grader", "grade", "submissions/doubles"]
    refused = subprocess.run(command, cwd=small_course.folder, env=environment, capture_output=True, check=False)
    assert refused.returncode == 2
    assert b"The locale here is one for iso8859-1" in refused.stderr
