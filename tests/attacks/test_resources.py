"""Programs that use more than there is."""

import os
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.process import tree
from grader.run.process.memory import MemoryGroup, MemoryGroups
from grader.run.sandbox.sandbox import SandboxError
from grader.run.sandbox.sandboxes import SandboxStart
from grader.time_limit import TimeLimit
from tests.attacks.arena import Arena
from tests.building import TEST
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

DEVOURERS = {
    "a fork bomb": (
        """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
""",
        # The kernel gives back only after a while what forks needed that it refused.
        {Verdict.TIMEOUT, Verdict.MEMORY_LIMIT},
    ),
    "a bomb of threads": (
        """
import threading
while True:
    threading.Thread(target=threading.Event().wait).start()
""",
        Verdict.TIMEOUT,
    ),
    "all memory in one process": (
        """
hoard = []
while True:
    hoard.append(bytearray(1 << 20))
""",
        Verdict.MEMORY_LIMIT,
    ),
    "all memory in many processes": (
        """
import os
for _ in range(8):
    if not os.fork():
        break
hoard = []
while True:
    try:
        hoard.append(b"x" * (1 << 20))
    except MemoryError:
        pass
""",
        Verdict.MEMORY_LIMIT,
    ),
    "memory that is shared": (
        """
import mmap
hoard = []
while True:
    hoard.append(mmap.mmap(-1, 10 << 20))
    hoard[-1].write(bytes(10 << 20))
""",
        Verdict.MEMORY_LIMIT,
    ),
    "a flood of output": ("while True: print('more ' * 100)", Verdict.OUTPUT_LIMIT),
    "a line without an end": (
        """
import sys
while True: sys.stdout.write('x' * 1000)
""",
        Verdict.OUTPUT_LIMIT,
    ),
    "a huge line": ("print('x' * 10_000_000)", Verdict.OUTPUT_LIMIT),
    "a flood from a child": (
        """
import subprocess
subprocess.run(["yes"])
""",
        Verdict.OUTPUT_LIMIT,
    ),
    "a full disk": (
        """
for top in "/work", "/tmp", "/dev/shm":
    try:
        for number in range(100):
            with open(f"{top}/{number}", "wb") as file:
                file.write(bytes(1_000_000))
    except OSError as error:
        print(error)
""",
        Verdict.FILE_LIMIT,
    ),
    "a disk full of empty files": (
        """
for top in "/work", "/tmp", "/dev/shm":
    try:
        for number in range(5000):
            open(f"{top}/{number}", "w").close()
    except OSError as error:
        print(error)
""",
        Verdict.WRONG_OUTPUT,
    ),
    "a flood of folders, deep and wide": (
        """
import os
for top in "/work", "/tmp", "/dev/shm":
    try:
        os.chdir(top)
        while True:
            for name in "abcde":
                os.mkdir(name)
            os.chdir("a")
    except OSError as error:
        print(error)
""",
        {Verdict.FILE_LIMIT, Verdict.TIMEOUT},
    ),
    "extended attributes": (
        """
import os
for number in range(1000):
    open(f"/tmp/{number}", "w").close()
    for name in range(1000):
        os.setxattr(f"/tmp/{number}", f"user.{name}", bytes(60_000))
""",
        {Verdict.FILE_LIMIT, Verdict.CRASH},
    ),
    "a file too large": (
        """
with open("large", "wb") as file:
    while True:
        file.write(bytes(1_000_000))
""",
        Verdict.FILE_LIMIT,
    ),
    "all descriptors": (
        """
import os
while True: os.open("/dev/null", 0)
""",
        Verdict.OPEN_FILES_LIMIT,
    ),
    "an endless loop": ("while True: pass", Verdict.TIMEOUT),
    "a deep recursion": (
        """
import sys
sys.setrecursionlimit(10**9)
def deeper(): deeper()
deeper()
""",
        {Verdict.CRASH, Verdict.TIMEOUT, Verdict.MEMORY_LIMIT},
    ),
    "a traceback bomb": (
        """
class Bomb(Exception):
    def __str__(self): return "boom\\n" * 1_000_000
raise Bomb
""",
        Verdict.OUTPUT_LIMIT,
    ),
    "a chain of exceptions": (
        """
def burst(depth):
    try:
        if depth: burst(depth - 1)
        1 / 0
    except Exception as error:
        raise ValueError("x" * 1000) from error
burst(300)
""",
        Verdict.OUTPUT_LIMIT,
    ),
    "memory left in System V objects": (
        """
import ctypes
libc = ctypes.CDLL(None)
for key in range(1, 9):
    libc.shmget(key, 1 << 20, 0o1666)
    libc.msgget(key, 0o1666)
    libc.semget(key, 3, 0o1666)
""",
        Verdict.WRONG_OUTPUT,
    ),
}


@pytest.mark.parametrize("name", DEVOURERS)
@pytest.mark.slow
def test_a_program_that_takes_too_much(name: str, arena: Arena) -> None:
    source, verdicts = DEVOURERS[name]
    spoils = arena.grade({"attack.py": source}, "session")
    wanted = verdicts if isinstance(verdicts, set) else {verdicts}
    assert spoils.result("session").verdict in wanted, spoils.transcript("session")[-500:]


HIDDEN = {
    "shared memory that no process has any more": """
import mmap
memory = mmap.mmap(-1, 600 << 20)
for start in range(0, 600 << 20, 1 << 20):
    memory[start : start + (1 << 20)] = b"x" * (1 << 20)
    memory.madvise(mmap.MADV_DONTNEED)
time.sleep(1000)
""",
    "buffers of sockets": """
import socket
for _ in range(10):
    if not os.fork():
        break
kept = [socket.socketpair() for _ in range(120)]
for pair in kept:
    for one in pair:
        one.setblocking(False)
        try:
            while True:
                one.send(bytes(1 << 16))
        except OSError:
            pass
time.sleep(1000)
""",
}
PAGE_TABLES = """
import mmap
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
memory = mmap.mmap(-1, 400 << 30, flags=flags, prot=mmap.PROT_READ)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for start in range(0, 400 << 30, 2 << 20):
    memory[start]
time.sleep(1000)
"""


def run_hidden(source: str, sandboxes: RunEnvironment, folder: Path) -> Verdict:
    (folder / "game.py").write_text(f"import os, time\n{source}")
    limits = Limits(wall_seconds=100, memory_bytes=100 << 20, disk_bytes=4 << 20)
    with sandboxes.runner([(folder / "game.py", "game.py")]) as runner:
        outcome = runner.run(TEST, limits, Isolation.FORK, {})
    return judge(TEST, "Won", outcome).verdict


def test_page_tables_are_memory_too(sandboxes: RunEnvironment, tmp_path: Path) -> None:
    assert run_hidden(PAGE_TABLES, sandboxes, tmp_path) is Verdict.MEMORY_LIMIT


@pytest.mark.parametrize("name", HIDDEN)
def test_memory_of_no_process_is_counted_by_the_kernel(name: str, sandboxes: RunEnvironment, tmp_path: Path) -> None:
    with closing(MemoryGroups()) as groups, groups.group() as group:
        if group is None:
            pytest.skip("needs a control group of memory, which this user may not make here")
    try:
        verdict = run_hidden(HIDDEN[name], sandboxes, tmp_path)
    except SandboxError:
        # On a busy machine the kernel may kill the first process of the sandbox: an internal error, and no mark.
        return
    assert verdict is Verdict.MEMORY_LIMIT


@pytest.mark.slow
def test_a_process_that_is_forked_before_its_server_is_counted_is_counted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(MemoryGroups()) as groups, groups.group() as group:
        if group is None:
            pytest.skip("needs a control group of memory, which this user may not make here")
    take = MemoryGroup.take

    def take_late(group: MemoryGroup, pid: int) -> None:
        limit = TimeLimit(20)
        while len(list(tree.descendants(pid))) == 1 and not limit.is_over():
            os.sched_yield()
        take(group, pid)
        monkeypatch.setattr(MemoryGroup, "take", take)

    monkeypatch.setattr(MemoryGroup, "take", take_late)
    with sandboxed_environment((), start=SandboxStart.OWN) as environment:
        verdict = run_hidden(HIDDEN["shared memory that no process has any more"], environment, tmp_path)
    assert verdict is Verdict.MEMORY_LIMIT


IN_FLIGHT = """
import array, os, socket, time
kept = []
try:
    while True:
        kept.append(socket.socketpair())
        for _ in range(20):
            rights = array.array("i", [0] * 250)
            kept[-1][0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
except OSError as error:
    print(error)
time.sleep(1000)
"""


@pytest.mark.slow
def test_descriptors_in_flight_harm_no_neighbour(tmp_path: Path) -> None:
    """As many as a process may have open can be on the way, of all processes of a user together."""
    (tmp_path / "hog.py").write_text(IN_FLIGHT)
    (tmp_path / "game.py").write_text("print('Won')")
    limits = Limits(wall_seconds=3, open_files=1024)
    with _few_descriptors(), sandboxed_environment((), tests_at_a_time=2) as environment, ThreadPoolExecutor(1) as pool:

        def run(name: str) -> Outcome:
            with environment.runner([(tmp_path / name, "game.py")]) as runner:
                return runner.run(TEST, limits, Isolation.FORK, {})

        hog = pool.submit(run, "hog.py")
        neighbours = [run("game.py")]
        while not hog.done():
            neighbours.append(run("game.py"))
        assert "cannot splice" in hog.result().transcript
    assert {outcome.transcript for outcome in neighbours} == {"Won\n"}


@contextmanager
def _few_descriptors() -> Iterator[None]:
    """As many descriptors as most systems allow at first."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
