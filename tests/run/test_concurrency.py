"""Sessions side by side in threads of one process."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.model.outcome import Outcome
from grader.run.interpreter import Interpreter
from grader.run.terminal.session import run_dialogue

PROGRAM = """\
import os
for n in range(5):
    print(os.path.basename(os.getcwd()) or input('? '), input('Line? '), file=open('log', 'a'))
    print(sorted(fd for fd in os.listdir('/proc/self/fd') if int(fd) < 100))
"""


def test_sessions_in_threads_do_not_mix(interpreter: Interpreter, tmp_path: Path) -> None:
    folders = [tmp_path / str(n) for n in range(24)]
    for folder in folders:
        folder.mkdir()
        (folder / "program.py").write_text(PROGRAM)
    here = Path.cwd()

    def hold(folder: Path) -> Outcome:
        return run_dialogue(interpreter.program("program.py", folder), [f"{folder.name}-{n}" for n in range(5)])

    before = sorted(os.listdir("/proc/self/fd"))
    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(hold, folders))

    for folder, outcome in zip(folders, outcomes, strict=True):
        lines = [f"Line? {folder.name}-{n}\n['0', '1', '2', '3']\n" for n in range(5)]
        assert outcome.transcript == "".join(lines)
        assert (folder / "log").read_text() == "".join(f"{folder.name} {folder.name}-{n}\n" for n in range(5))
    assert Path.cwd() == here
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.slow
def test_leftover_processes_of_one_session_do_not_harm_others(interpreter: Interpreter, tmp_path: Path) -> None:
    """Every session here leaves a process behind, so those that hold its terminal are searched for and killed."""
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    os.write(1, b'')\n"
        "    time.sleep(300)\n"
        "print(input('? '))\n"
    )
    (tmp_path / "program.py").write_text(source)

    def hold(n: int) -> str:
        return run_dialogue(interpreter.program("program.py", tmp_path), [str(n)]).transcript

    with ThreadPoolExecutor(6) as pool:
        transcripts = list(pool.map(hold, range(24)))

    assert transcripts == [f"? {n}\n{n}\n" for n in range(24)]
