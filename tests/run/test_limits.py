"""Every limit ends the programs that go beyond it, in a sandbox, and the verdict says which one it was."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, sandboxed_environment
from tests.building import TEST
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

LIMITS = Limits(
    wall_seconds=20,
    cpu_seconds=1,
    output_bytes=1_000_000,
    memory_bytes=200_000_000,
    file_bytes=1_000_000,
    open_files=32,
    processes=20,
    disk_bytes=4_000_000,
)
GAME = replace(
    TEST,
)
MANY = """
import os, signal
for _ in range(8):
    if not os.fork():
        hog = bytearray(60_000_000)
        signal.pause()
signal.pause()
"""
BEYOND = {
    "wall time": ("import time; time.sleep(60)", Limits(wall_seconds=0.5), Verdict.TIMEOUT),
    "processor time": ("while True: pass", LIMITS, Verdict.CPU_LIMIT),
    "output": ("while True: print('So' * 500)", LIMITS, Verdict.OUTPUT_LIMIT),
    "memory": ("hog = bytearray(400_000_000)", LIMITS, Verdict.MEMORY_LIMIT),
    "memory of all processes": (MANY, LIMITS, Verdict.MEMORY_LIMIT),
    "size of a file": ("open('log', 'w').write('So' * 1_000_000)", LIMITS, Verdict.FILE_LIMIT),
    "size of all files": (
        "for n in range(9):\n    with open(f'log{n}', 'w') as log: log.write('S' * 900_000)",
        LIMITS,
        Verdict.FILE_LIMIT,
    ),
    "size of a file, unnoticed": (
        "import os\nprint(os.write(os.open('log', os.O_CREAT | os.O_WRONLY), b'S' * 2_000_000))",
        LIMITS,
        Verdict.FILE_LIMIT,
    ),
    "size of all files, unnoticed": (
        "import os\nfor n in range(5): print(os.write(os.open(f'/tmp/{n}', os.O_CREAT | os.O_WRONLY), b'S' * 900_000))",
        LIMITS,
        Verdict.FILE_LIMIT,
    ),
    "open files": ("files = [open('game.py') for _ in range(40)]", LIMITS, Verdict.OPEN_FILES_LIMIT),
    "processes": (
        "import os, signal\nfor _ in range(40):\n    if not os.fork(): signal.pause()",
        LIMITS,
        Verdict.PROCESS_LIMIT,
    ),
    "threads": (
        "import threading\nfor _ in range(40): threading.Thread(target=threading.Event().wait, daemon=True).start()",
        LIMITS,
        Verdict.PROCESS_LIMIT,
    ),
}


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    with sandboxed_environment(()) as opened:
        yield opened


def run(environment: RunEnvironment, folder: Path, source: str, limits: Limits, isolation: Isolation) -> Outcome:
    (folder / "game.py").write_text(source)
    with environment.runner([(folder / "game.py", "game.py")]) as runner:
        return runner.run(GAME, limits, isolation, {})


@pytest.mark.parametrize("isolation", Isolation)
@pytest.mark.parametrize("name", BEYOND)
def test_beyond_a_limit(name: str, isolation: Isolation, environment: RunEnvironment, tmp_path: Path) -> None:
    source, limits, verdict = BEYOND[name]
    outcome = run(environment, tmp_path, source, limits, isolation)
    assert judge(GAME, "Won\n", outcome).verdict is verdict, outcome.transcript[-500:]


def test_a_flood_is_kept_at_both_ends(environment: RunEnvironment, tmp_path: Path) -> None:
    outcome = run(environment, tmp_path, "print('first')\nwhile True: print('So' * 500)", LIMITS, Isolation.FORK)
    assert outcome.transcript.startswith("first\nSoSo")
    assert re.search(r"\n\[\.\.\. 78\d,\d{3} characters left out \.\.\.\]\n", outcome.transcript)
    assert len(outcome.transcript) < 250_000


def test_files_that_reach_a_limit_are_no_reason_to_fail(environment: RunEnvironment, tmp_path: Path) -> None:
    source = f"open('log', 'w').write('S' * {LIMITS.file_bytes})\nprint('Won')"
    outcome = run(environment, tmp_path, source, LIMITS, Isolation.FORK)
    assert outcome.files_cut
    assert judge(GAME, "Won\n", outcome).verdict is Verdict.PASSED
    lost = judge(GAME, "Lost\n", outcome).diagnosis
    assert lost is not None
    assert (
        lost.sentence
        == "The program writes more to files than a test may, and the rest was cut off: look for a loop that writes."
    )


def test_a_submitted_file_larger_than_a_program_may_write_is_not_cut(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    outcome = run(environment, tmp_path, f"print('Lost')\n#{'S' * LIMITS.file_bytes}", LIMITS, Isolation.FORK)
    assert not outcome.files_cut
    assert judge(GAME, "Won\n", outcome).verdict is Verdict.WRONG_OUTPUT


def test_what_does_not_fit_into_the_sandbox_is_not_run(environment: RunEnvironment, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="No space left"):
        run(environment, tmp_path, f"print('Won')\n#{'S' * 2 * LIMITS.disk_bytes}", LIMITS, Isolation.FORK)
