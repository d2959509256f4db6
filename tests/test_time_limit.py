"""The clock of time limits stands still while the grader is stopped, in every kind of session."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.time_limit import TimeLimit

LIMIT = 4


class SetClock:
    """A clock that is put forward by hand."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        patch.setattr("grader.time_limit.time.monotonic", lambda: self.now)

    def look_after(self, limit: TimeLimit, seconds: float) -> float:
        self.now += seconds
        return limit.passed()


def test_it_counts_what_passes_between_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock(monkeypatch)
    limit = TimeLimit(LIMIT)
    assert [clock.look_after(limit, gap) for gap in (0.25, 0, 0.5, 1)] == [0.25, 0.25, 0.75, 1.75]


def test_a_long_gap_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock(monkeypatch)
    limit = TimeLimit(LIMIT)
    assert [clock.look_after(limit, gap) for gap in (0.25, 3600, 0.5, 8, 0.25)] == [0.25, 0.25, 0.75, 0.75, 1.0]


def test_a_machine_on_which_every_look_is_late_reaches_a_limit_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock(monkeypatch)
    limit = TimeLimit(LIMIT)
    assert any(clock.look_after(limit, 2) and limit.is_over() for _ in range(1000))


def test_a_limit_can_be_extended(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock(monkeypatch)
    limit = TimeLimit(0.75)
    clock.look_after(limit, 1)
    over = limit.is_over()
    limit.extend(0.5)
    assert (over, limit.is_over()) == (True, False)


WATCHED = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from grader.checkers import ActualOutput
from grader.checkers.ask import ask
from grader.model.program import Limits
from grader.model.test import CheckerSettings
from grader.run.interface import Launch
from grader.run.portable.session import run_dialogue_by_pipes, run_stdin_by_pipes
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import run_dialogue

PATIENT = '''
import time
from pathlib import Path

def wait(name):
    Path(name).touch()
    while not Path("go").exists():
        time.sleep(0.01)
'''
folder = Path.cwd()
Path("checker.py").write_text(
    PATIENT
    + "def check(input, expected, actual):\\n    wait('checker')\\n"
    + "    from grader.checkers import passed\\n    return passed()"
)
limits = Limits(wall_seconds={LIMIT})
launch = lambda name: Launch(
    argv=(sys.executable, "-c", PATIENT + f"wait({{name!r}})"), workdir=folder, environment={{}}
)
work = (
    lambda: run_dialogue(launch("dialogue"), (), limits=limits),
    lambda: run_stdin(launch("stdin"), "", limits=limits),
    lambda: run_stdin_by_pipes(launch("pipes"), "", limits=limits, cancelled=Event()),
    lambda: run_dialogue_by_pipes(launch("dialogue-by-pipes"), (), echo=True, limits=limits, cancelled=Event()),
)
with ThreadPoolExecutor() as pool:
    settings = CheckerSettings("checker", folder / "checker.py", ())
    asked = pool.submit(ask, settings, "", "", ActualOutput("", "", 0), seconds={LIMIT})
    for outcome in [future.result() for future in [pool.submit(one) for one in work]]:
        print(outcome.ending.value, outcome.wall_seconds <= {LIMIT})
    print(asked.result().status.value)
"""


NAMES = ("dialogue", "stdin", "pipes", "dialogue-by-pipes", "checker")


@pytest.mark.slow
def test_no_limit_is_over_because_the_grader_was_stopped(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WATCHED], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as watched:
        while watched.poll() is None and not all((tmp_path / name).exists() for name in NAMES):
            time.sleep(0.01)
        os.kill(watched.pid, signal.SIGSTOP)
        time.sleep(LIMIT + 1)
        (tmp_path / "go").touch()
        os.kill(watched.pid, signal.SIGCONT)
        said = watched.communicate()[0]
    assert said.splitlines() == ["exited True"] * (len(NAMES) - 1) + ["passed"]


ENDLESS = """
import sys
from pathlib import Path

from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.terminal.session import run_dialogue

program = "from pathlib import Path\\nPath('runs').touch()\\nwhile True: pass"
launch = Launch(argv=(sys.executable, "-c", program), workdir=Path.cwd(), environment={})
print(run_dialogue(launch, (), limits=Limits(wall_seconds=1)).ending.value)
"""


@pytest.mark.slow
def test_an_endless_program_times_out_even_if_the_grader_was_stopped(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as grading:
        while grading.poll() is None and not (tmp_path / "runs").exists():
            time.sleep(0.01)
        os.kill(grading.pid, signal.SIGSTOP)
        # More than the second and one of grace that the kernel would have given.
        time.sleep(2.5)
        os.kill(grading.pid, signal.SIGCONT)
        said = grading.communicate()[0]
    assert said.split() == ["timed-out"]
