"""Programs without a terminal: real ones, fed by a file."""

import sys
from pathlib import Path
from threading import Event, Timer

import pytest

from grader.errors import SessionError
from grader.model.interaction import StdinRun
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.stdin_session import run_stdin
from tests.run.test_standard_devices import ran
from tests.sandbox import needs_sandbox


def fed(program: str, folder: Path, text: str = "", limits: Limits | None = None, stop: Event | None = None) -> Outcome:
    launch = Launch(argv=(sys.executable, "-c", program), workdir=folder, environment={"PYTHONUTF8": "1"})
    return run_stdin(launch, text, limits=limits or Limits(wall_seconds=20), cancelled=stop)


def test_output_and_errors_are_apart(tmp_path: Path) -> None:
    program = (
        "import sys; text = sys.stdin.read(); print(text[::-1]); print(sys.stdin.isatty(), file=sys.stderr); exit(3)"
    )
    outcome = fed(program, tmp_path, "abc\u2660")
    assert (outcome.transcript, outcome.errors) == ("\u2660cba\n", "False\n")
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Termination.EXITED, 3, None)
    assert 0 < outcome.cpu_seconds < 20


def test_every_byte_survives(tmp_path: Path) -> None:
    program = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    text = "".join(map(chr, range(128))) + "\udcff\udc80" + "x" * 300_000
    assert fed(program, tmp_path, text).transcript == text


def test_the_private_folder_is_not_shown(tmp_path: Path) -> None:
    assert fed("import os; print(os.getcwd() + '/x.py')", tmp_path).transcript == "x.py\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "ending"),
    [("import os; os.abort()", Termination.SIGNALLED), ("while True: pass", Termination.TIMED_OUT)],
)
def test_endings(tmp_path: Path, program: str, ending: Termination) -> None:
    outcome = fed("print('before', flush=True)\n" + program, tmp_path, limits=Limits(wall_seconds=1))
    assert (outcome.ending, outcome.transcript, outcome.exit_code) == (ending, "before\n", None)


def test_too_much_output(tmp_path: Path) -> None:
    program = "import sys\nwhile True: print('x' * 1000); print('y' * 1000, file=sys.stderr)"
    outcome = fed(program, tmp_path, limits=Limits(output_bytes=5000))
    assert outcome.ending is Termination.OUTPUT_LIMIT
    assert len(outcome.transcript) + len(outcome.errors) == 5000


def test_an_interruption(tmp_path: Path) -> None:
    stop = Event()
    Timer(0.2, stop.set).start()
    assert fed("while True: pass", tmp_path, stop=stop).ending is Termination.CANCELLED


def test_what_it_left_behind_does_not_hold_us_up(tmp_path: Path) -> None:
    program = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'while True: pass']); print('done')"
    outcome = fed(program, tmp_path, limits=Limits(wall_seconds=15))
    assert (outcome.ending, outcome.transcript) == (Termination.EXITED, "done\n")


FORKS = """
import os
os.fork()
os.fork()
print("hello")
"""
INTERPRETER = """
import subprocess, sys
print("hello", flush=True)
subprocess.Popen([sys.executable, "-c", "for _ in range(3): print('hello')"])
"""
PAUSE = """
import subprocess
print("hello", flush=True)
subprocess.Popen("sleep 0.1; echo hello; echo hello; echo hello", shell=True)
"""


@pytest.mark.parametrize("inside", [pytest.param(True, marks=needs_sandbox), False])
@pytest.mark.parametrize("program", [FORKS, INTERPRETER, PAUSE], ids=["forks", "another interpreter", "a pause"])
def test_what_it_left_behind_may_print_on(program: str, inside: bool, tmp_path: Path) -> None:
    for _ in range(5):
        outcome = ran(program, StdinRun(None, ""), tmp_path, inside=inside)
        assert (outcome.ending, outcome.transcript.split()) == (Termination.EXITED, ["hello"] * 4)


@pytest.mark.parametrize("inside", [pytest.param(True, marks=needs_sandbox), False])
def test_what_it_left_behind_is_killed_in_the_end(inside: bool, tmp_path: Path) -> None:
    program = "import subprocess\nsubprocess.Popen('while echo again; do sleep 0.05; done', shell=True)\nprint('done')"
    outcome = ran(program, StdinRun(None, ""), tmp_path, inside=inside)
    assert (outcome.ending, outcome.exit_code) == (Termination.EXITED, 0)
    assert outcome.transcript.count("again") > 3


def test_closed_outputs_do_not_end_a_program(tmp_path: Path) -> None:
    program = "import os, time; os.close(1); os.close(2); time.sleep(0.1); os._exit(7)"
    assert fed(program, tmp_path).exit_code == 7


def test_limits_of_the_kernel(tmp_path: Path) -> None:
    outcome = fed(
        "import time; time.sleep(0.2); x = bytearray(10**9)", tmp_path, limits=Limits(memory_bytes=200_000_000)
    )
    assert outcome.errors.endswith("MemoryError\n")


def test_what_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="no executable program"):
        run_stdin(Launch(argv=("/no/such/program",), workdir=tmp_path, environment={}), "")
