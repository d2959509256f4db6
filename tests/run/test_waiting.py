"""The ways to notice that a program waits: each alone must give the same transcripts, as far as it can tell."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from grader.model.outcome import Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.process.process import Process
from grader.run.terminal import waiting
from grader.run.terminal.session import BEST_PROBES, SessionDrivers, run_dialogue, wait_readable
from grader.run.terminal.waiting import FirstToKnow, ProbeMaker, QuietProbe, WaitState, WchanProbe
from grader.run.terminal.waiting_syscall import (
    CallKind,
    InputWait,
    SyscallProbe,
    parse_system_call,
    waits_of_this_machine,
)
from tests.run.conftest import Session, needs_compiler, without_first_thread
from tests.run.test_readers import PROGRAMS


def with_probes(probes: tuple[ProbeMaker, ...]) -> SessionDrivers:
    return SessionDrivers(probes, Process)


ALONE: list[tuple[ProbeMaker, ...]] = [(SyscallProbe,), (WchanProbe,), (QuietProbe,)]
NAMES = ["system call", "wchan", "quiet"]

READING = ["input", "lines of stdin", "os.read", "computing first", "a thread that reads", "a child process that reads"]
MANY = ["select", "poll", "epoll"]


@pytest.mark.parametrize("probes", ALONE, ids=NAMES)
@pytest.mark.parametrize("name", READING)
def test_each_probe_sees_programs_that_read(session: Session, name: str, probes: tuple[ProbeMaker, ...]) -> None:
    outcome = session(PROGRAMS[name], ["1", "2"], drivers=with_probes(probes))

    assert outcome.transcript == "A? 1\ngot 1\nB? 2\ngot 2\n"


@pytest.mark.parametrize("probes", [(SyscallProbe,), (WchanProbe, QuietProbe)], ids=["system call", "without"])
@pytest.mark.parametrize("name", MANY)
def test_waiting_on_several_descriptors(session: Session, name: str, probes: tuple[ProbeMaker, ...]) -> None:
    outcome = session(PROGRAMS[name], ["1", "2"], drivers=with_probes(probes))

    assert outcome.transcript == "A? 1\ngot 1\nB? 2\ngot 2\n"


@pytest.mark.parametrize("probes", [(SyscallProbe,), (WchanProbe,)], ids=NAMES[:2])
def test_a_sleeping_program_is_not_waiting(session: Session, probes: tuple[ProbeMaker, ...]) -> None:
    outcome = session(PROGRAMS["sleeping first"], ["1", "2"], drivers=with_probes(probes))

    assert outcome.transcript == "A? 1\ngot 1\nB? 2\ngot 2\n"


@pytest.mark.parametrize("probes", ALONE, ids=NAMES)
def test_the_end_of_input(session: Session, probes: tuple[ProbeMaker, ...]) -> None:
    source = "while True:\n    try: input('? ')\n    except EOFError: pass\n"
    outcome = session(source, ["1"], drivers=with_probes(probes))

    assert (outcome.transcript, outcome.ending) == ("? 1\n? ? ? ? ", Termination.KEEPS_READING)


@pytest.mark.parametrize("probes", ALONE, ids=NAMES)
def test_long_lines(session: Session, probes: tuple[ProbeMaker, ...]) -> None:
    outcome = session("print(len(input('? ')))", ["x" * 5000], drivers=with_probes(probes))

    assert outcome.transcript == f"? {'x' * 5000}\n5000\n"


def test_reading_from_a_pipe_is_not_waiting_for_us(session: Session) -> None:
    source = "import os; os.read(os.pipe()[0], 1)"
    outcome = session(source, ["1"], drivers=with_probes((SyscallProbe,)), limits=Limits(wall_seconds=0.5))

    assert (outcome.transcript, outcome.unsent) == ("", 1)


@pytest.mark.skipif(shutil.which("ps") is None, reason="needs the command ps")
def test_the_quiet_probe_of_other_systems(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.run.terminal.waiting.sys.platform", "another")

    outcome = session(PROGRAMS["input"], ["1", "2"], drivers=with_probes((QuietProbe,)))

    assert outcome.transcript == "A? 1\ngot 1\nB? 2\ngot 2\n"


def test_the_time_that_a_probe_takes_to_be_sure_is_not_the_programs(session: Session) -> None:
    source = "for turn in range(8): input('? ')"
    slow = partial(QuietProbe, seconds=0.15)
    outcome = session(source, ["1"] * 8, drivers=with_probes((slow,)), limits=Limits(wall_seconds=1))

    assert (outcome.ending, outcome.unsent) == (Termination.EXITED, 0)
    assert outcome.wall_seconds > 1


@pytest.mark.parametrize(
    "probes", [(SyscallProbe,), (partial(QuietProbe, seconds=0.15),)], ids=["system call", "quiet"]
)
def test_a_program_that_computes_has_no_more_time_for_it(session: Session, probes: tuple[ProbeMaker, ...]) -> None:
    source = """
        import time
        for turn in range(1, 6):
            while time.process_time() < turn / 4: pass
            input('? ')
        """
    outcome = session(source, ["1"] * 5, drivers=with_probes(probes), limits=Limits(wall_seconds=0.5))

    assert outcome.ending is Termination.TIMED_OUT
    assert outcome.unsent >= 3


def test_a_listing_that_does_not_come_tells_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "ps").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "ps").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("grader.run.terminal.waiting._MAX_SECONDS_OF_PS", 0.2)
    assert waiting.times_by_ps(os.getpid()) is None


def test_descriptors_with_high_numbers_can_be_watched() -> None:
    try:
        high = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 1500)
    except OSError:
        pytest.skip("so many files may not be open here")
    os.close(high)
    ours, theirs = os.pipe()
    os.dup2(ours, high, inheritable=False)
    try:
        assert wait_readable([high, ours], 0.001) == []
        os.write(theirs, b"x")
        assert wait_readable([high, ours], 60) == [high, ours]
    finally:
        for descriptor in (ours, theirs, high):
            os.close(descriptor)


def test_processor_use_grows_with_work_and_else_stands_still() -> None:
    code = "import sys\nwhile sys.stdin.readline(): sum(range(3_000_000))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        before = waiting.processor_use(program.pid)
        program.stdin.write("go\n")
        program.stdin.flush()
        deadline = time.monotonic() + 20
        while waiting.processor_use(program.pid) == before:
            assert time.monotonic() < deadline


class _Fixed:
    def __init__(self, answer: WaitState) -> None:
        self.answer = answer
        self.closed = False

    def look(self, idle_seconds: float) -> WaitState:
        assert idle_seconds == 1.5
        return self.answer

    def hesitation(self) -> float:
        return 0.25 if self.answer is WaitState.BUSY else 0.5

    def close(self) -> None:
        self.closed = True


def test_the_first_probe_that_can_tell_is_believed() -> None:
    probes = [_Fixed(WaitState.UNKNOWN), _Fixed(WaitState.BUSY), _Fixed(WaitState.WAITING)]
    chain = FirstToKnow(probes)

    assert chain.hesitation() == 0
    assert chain.look(1.5) is WaitState.BUSY
    assert chain.hesitation() == 0.25
    chain.close()
    assert all(probe.closed for probe in probes)
    assert FirstToKnow([_Fixed(WaitState.UNKNOWN)]).look(1.5) is WaitState.UNKNOWN


@pytest.mark.parametrize(
    ("line", "wait", "arguments"),
    [
        (b"7 0x1 0x2 0x3 0x4 0x5 0x6 0x7ffc 0x7f12\n", InputWait.LIST, [1, 2, 3, 4, 5, 6]),
        (b"0 0x0 0x7ffd10 0x400 0x4 0x5 0x6 0x7ffc 0x7f12\n", InputWait.ONE, [0, 0x7FFD10, 0x400, 4, 5, 6]),
    ],
)
def test_parsing_of_system_calls(line: bytes, wait: InputWait, arguments: list[int]) -> None:
    call = parse_system_call(line, {b"0": CallKind(InputWait.ONE), b"7": CallKind(InputWait.LIST)})
    assert call is not None
    assert (call.kind.wait, [call.argument(index) for index in range(6)]) == (wait, arguments)


@pytest.mark.parametrize(
    "line", [b"running\n", b"-1 0x7ffc 0x7f12\n", b"35 0x0 0x7ffd10 0x400 0x4 0x5 0x6 0x7ffc 0x7f12\n"]
)
def test_other_system_calls_wait_for_nothing(line: bytes) -> None:
    assert parse_system_call(line, {b"0": CallKind(InputWait.ONE)}) is None


def test_the_calls_of_this_machine_are_known() -> None:
    assert set(InputWait) == {kind.wait for kind in waits_of_this_machine().values()}


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


DIALOGUE = """
    import sys
    total = 0
    for n in range(5):
        sys.stdout.write(f'Number {n}? ')
        total += int(input())
        print('so far', total)
    print(sys.stdin.readline())
    """


@pytest.mark.slow
@pytest.mark.parametrize("probes", [BEST_PROBES, (WchanProbe,)], ids=["best", "wchan"])
def test_transcripts_are_the_same_beside_busy_loops(session: Session, probes: tuple[ProbeMaker, ...]) -> None:
    inputs = ["1", "2", "3", "4", "5", "end"]
    expected = "".join(f"Number {n}? {n + 1}\nso far {(n + 1) * (n + 2) // 2}\n" for n in range(5)) + "end\nend\n\n"
    with busy_loops(2):
        transcripts = {session(DIALOGUE, inputs, drivers=with_probes(probes)).transcript for _ in range(200)}

    assert transcripts == {expected}


WORKER = """
import queue, threading, time
asked = queue.Queue()
def answer():
    while (line := asked.get()) is not None:
        WORK
worker = threading.Thread(target=answer)
worker.start()
try:
    while True: asked.put(input())
except EOFError:
    asked.put(None)
worker.join()
"""
COMPUTES = """\
begun = time.thread_time()
        while time.thread_time() - begun < 0.03: pass
        print("got", line, flush=True)"""
THREADS = WORKER.replace("WORK", COMPUTES)
PIPELINE = "import subprocess\nsubprocess.run(['sh', '-c', \"cat | sed -u 's/^/got /'\"])\n"


@pytest.mark.parametrize("source", [THREADS, PIPELINE], ids=["threads", "processes"])
def test_a_line_is_not_typed_while_another_thread_is_about_to_print(session: Session, source: str) -> None:
    outcome = session(source, ["1", "2", "3"])
    assert outcome.transcript == "1\ngot 1\n2\ngot 2\n3\ngot 3\n"


FULL_TERMINAL = WORKER.replace("WORK", r'print("\n".join(f"{line} {n}" for n in range(8000)), flush=True)')


def test_a_line_is_not_typed_while_another_thread_waits_until_it_can_print_on(session: Session) -> None:
    lines = ["a", "b", "c"]
    outcome = session(FULL_TERMINAL, lines)
    assert outcome.transcript == "".join(f"{line}\n" + "".join(f"{line} {n}\n" for n in range(8000)) for line in lines)


WITH_A_PAUSE = """
import asyncio, sys
async def main():
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    for n in range(3):
        print(f"{n}?", flush=True)
        line = await reader.readline()
        print("thinking", flush=True)
        await asyncio.sleep(PAUSE)
        print("got", line.decode().strip(), flush=True)
asyncio.run(main())
"""


@pytest.mark.parametrize("pause", [0.001, 0.05, 0.3])
def test_a_line_is_not_typed_while_an_event_loop_waits_for_a_timer_too(session: Session, pause: float) -> None:
    outcome = session(WITH_A_PAUSE.replace("PAUSE", str(pause)), ["a", "b", "c"])
    assert outcome.transcript == "".join(f"{n}?\n{line}\nthinking\ngot {line}\n" for n, line in enumerate("abc"))


ASKING_AGAIN = {
    "select": "while not select.select([0], [], [], 0.05)[0]: pass",
    "poll": "while not poll.poll(50): pass",
    "epoll": "while not epoll.poll(0.05): pass",
    "for a long time": "select.select([0], [], [], 60)",
}


@pytest.mark.parametrize("name", ASKING_AGAIN)
def test_a_program_that_waits_for_a_short_time_again_and_again_gets_its_lines(session: Session, name: str) -> None:
    source = f"""
        import select
        poll, epoll = select.poll(), select.epoll()
        poll.register(0, select.POLLIN)
        epoll.register(0, select.EPOLLIN)
        for n in range(2):
            print(f"{{n}}?", flush=True)
            {ASKING_AGAIN[name]}
            print("got", input())
        """
    outcome = session(source, ["a", "b"], limits=Limits(wall_seconds=1))
    assert outcome.transcript == "0?\na\ngot a\n1?\nb\ngot b\n"


ASKS = r"""
    int n;
    printf("n? ");
    fflush(stdout);
    if (scanf("%d", &n) == 1) printf("%d\n", n * n);
"""


@needs_compiler
def test_a_thread_reads_after_the_first_one_has_ended(tmp_path: Path) -> None:
    program = without_first_thread(tmp_path, ASKS)
    outcome = run_dialogue(Launch(argv=(str(program),), workdir=tmp_path, environment={}), ["12"])
    assert (outcome.transcript, outcome.ending) == ("n? 12\n144\n", Termination.EXITED)


@pytest.mark.slow
def test_a_thread_that_never_rests_is_not_waited_for(session: Session) -> None:
    source = """
    import threading
    def spin():
        while True: pass
    threading.Thread(target=spin, daemon=True).start()
    for n in range(20): input(f"{n}? ")
    print("done")
    """
    outcome = session(source, ["x"] * 20, limits=Limits(wall_seconds=60))
    assert outcome.transcript == "".join(f"{n}? x\n" for n in range(20)) + "done\n"
