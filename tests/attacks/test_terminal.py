"""Programs that will not let go, and those that play tricks with their terminal."""

import pytest

from grader.model.judgement import Verdict
from grader.model.outcome import Termination
from tests.attacks.arena import Arena

CLINGING = {
    "a sleeper": ("import time; time.sleep(1000)", Verdict.TIMEOUT),
    "a daemon that holds the terminal": (
        """
import os, time
if not os.fork():
    os.setsid()
    if not os.fork():
        time.sleep(1000)
    os._exit(0)
""",
        Verdict.WRONG_OUTPUT,
    ),
    "a daemon that goes on printing": (
        """
import os, time
if not os.fork():
    os.setsid()
    while True:
        print("more")
""",
        Verdict.WRONG_OUTPUT,
    ),
    "a child that leaves children": (
        """
import subprocess
for _ in range(5):
    subprocess.Popen(["setsid", "sleep", "1000"])
""",
        Verdict.WRONG_OUTPUT,
    ),
    "deaf to signals": (
        """
import signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True: time.sleep(1)
""",
        Verdict.TIMEOUT,
    ),
    "stops itself": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", Verdict.TIMEOUT),
    "stops in the background": (
        """
import os, signal, time
if os.fork():
    time.sleep(1000)
else:
    os.setpgid(0, 0)
    input("Word: ")
""",
        Verdict.TIMEOUT,
    ),
    "closes its terminal": (
        """
import os, time
for number in range(3):
    os.close(number)
time.sleep(1000)
""",
        Verdict.TIMEOUT,
    ),
    "closes its streams": (
        """
import sys
sys.stdin.close(); sys.stdout.close(); sys.stderr.close()
""",
        Verdict.WRONG_OUTPUT,
    ),
    "gives the terminal away": (
        """
import fcntl, os, termios
fcntl.ioctl(0, termios.TIOCEXCL)
fcntl.ioctl(0, termios.TIOCNOTTY)
""",
        Verdict.CRASH,
    ),
    "types its own input": (
        """
import fcntl, termios
for character in b"attack\\n":
    fcntl.ioctl(0, termios.TIOCSTI, bytes([character]))
print(input("Word: "))
""",
        {Verdict.WRONG_OUTPUT, Verdict.CRASH},
    ),
    "a terminal without signals, echo and end of input": (
        """
import termios
mode = termios.tcgetattr(0)
mode[3] = 0
mode[6] = [0] * len(mode[6])
termios.tcsetattr(0, termios.TCSANOW, mode)
while True: input("Word: ")
""",
        Verdict.CRASH,
    ),
    "freezes its screen": (
        """
import termios
termios.tcflow(1, termios.TCOOFF)
print("x" * 10000)
""",
        Verdict.TIMEOUT,
    ),
    "sequences for the terminal": (
        r"print('\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\x1b[6n')",
        Verdict.WRONG_OUTPUT,
    ),
    "bytes that are no characters": (
        "import sys; sys.stdout.buffer.write(bytes(range(256)) * 40)",
        Verdict.WRONG_OUTPUT,
    ),
}


@pytest.mark.parametrize("name", CLINGING)
@pytest.mark.slow
def test_a_program_that_does_not_let_go(name: str, arena: Arena) -> None:
    source, verdicts = CLINGING[name]
    spoils = arena.grade({"attack.py": source}, "session")
    wanted = verdicts if isinstance(verdicts, set) else {verdicts}
    assert spoils.result("session").verdict in wanted, spoils.transcript("session")[-500:]


def test_endless_prompts_after_the_end_of_input(arena: Arena) -> None:
    source = """
while True:
    try:
        input("Again? ")
    except EOFError:
        pass
"""
    spoils = arena.grade({"attack.py": source}, "session")
    outcome = spoils.result("session").outcome
    assert outcome is not None
    assert outcome.ending is Termination.KEEPS_READING
    assert spoils.result("session").verdict is Verdict.WRONG_OUTPUT
    assert outcome.wall_seconds < 1
