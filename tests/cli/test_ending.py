"""Signals that end a command, whichever thread of it gets them."""

import signal
import subprocess
import sys
import threading

import pytest

from grader.cli.ending import EndedBySignal, ended_by_signals

WAITS = """\
import signal
import threading
from grader.cli.ending import ended_by_signals

def get_signal():
    signal.pthread_kill(threading.get_ident(), {number})

with ended_by_signals():
    threading.Timer(0, get_signal).start()
    threading.Lock().acquire() and threading.Event().wait()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_another_thread_gets_ends_the_main_one(number: signal.Signals) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WAITS.format(number=int(number))], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (128 + number, f"Ended by {number.name}.\n")


def test_ctrl_c_that_another_thread_gets_interrupts_the_main_one() -> None:
    command = [sys.executable, "-c", WAITS.format(number=int(signal.SIGINT))]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")


def test_all_is_as_before_when_nothing_ended(capfd: pytest.CaptureFixture[str]) -> None:
    threads, before = threading.active_count(), signal.set_wakeup_fd(-1)
    with ended_by_signals():
        assert threading.active_count() == threads + 1
    assert threading.active_count() == threads
    assert signal.set_wakeup_fd(before) == before
    with pytest.raises(EndedBySignal), ended_by_signals():
        signal.raise_signal(signal.SIGTERM)
    assert [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGURG)] == [signal.SIG_DFL] * 2
    assert capfd.readouterr().err == "Ended by SIGTERM.\n"


ENDS = """\
import atexit
import sys
import threading
from grader import __main__ as command
from grader.cli import main as command_line

class TakenApart:
    def __del__(self):
        print("taken apart")

kept = TakenApart()

def run():
    atexit.register(print, "put away")
    threading.Thread(target=lambda: (threading.main_thread().join(), print("waited for"))).start()
    print("said ", end="")
    sys.exit({code})

command_line.main = run
command.main()
"""


@pytest.mark.parametrize(("code", "status", "last"), [("3", 3, ""), ("-1", 255, ""), ("None", 0, "taken apart\n")])
def test_a_command_leaves_when_all_is_put_away_and_written(code: str, status: int, last: str) -> None:
    command = [sys.executable, "-c", ENDS.format(code=code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "said waited for\nput away\n" + last, "")
