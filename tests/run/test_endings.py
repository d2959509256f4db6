"""How sessions end: by the program itself, by a limit, at the end of input, or because it is cancelled."""

import os
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.process import tree
from grader.run.terminal.session import run_dialogue
from tests.run.conftest import Session


@pytest.mark.parametrize(
    ("source", "code"),
    [("", 0), ("raise SystemExit(3)", 3), ("import os; os._exit(200)", 200), ("1 / 0", 1)],
)
def test_exit_codes(session: Session, source: str, code: int) -> None:
    outcome = session(source)

    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Termination.EXITED, code, None)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGINT, signal.SIGPIPE, signal.SIGHUP])
def test_signals(session: Session, number: signal.Signals) -> None:
    source = f"""
        import os, signal
        print('before', flush=True)
        if {int(number)} in (signal.SIGINT, signal.SIGPIPE):
            signal.signal({int(number)}, signal.SIG_DFL)
        os.kill(os.getpid(), {int(number)})
        """
    outcome = session(source)

    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Termination.SIGNALLED, None, number)
    assert outcome.transcript == "before\n"


def test_a_program_that_stops_early_leaves_inputs_unsent(session: Session) -> None:
    outcome = session("input('A? ')\nraise SystemExit('bye')", ["1", "2", "3"])

    assert outcome.transcript == "A? 1\nbye\n"
    assert (outcome.unsent, outcome.exit_code) == (2, 1)


def test_asking_for_more_than_there_is_meets_the_end_of_input(session: Session) -> None:
    outcome = session("input('A? ')\ntry:\n    input('B? ')\nexcept EOFError:\n    print('end')", ["1"])

    assert outcome.transcript == "A? 1\nB? end\n"
    assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0)


def test_an_uncaught_end_of_input_shows_a_traceback_without_our_folder(session: Session, tmp_path: Path) -> None:
    outcome = session("input('A? ')")

    marks = "    ~~~~~^^^^^^^\n" if sys.version_info >= (3, 13) else ""
    assert outcome.transcript == (
        "A? Traceback (most recent call last):\n"
        '  File "program.py", line 1, in <module>\n'
        "    input('A? ')\n"
        f"{marks}"
        "EOFError\n"
    )
    assert str(tmp_path) not in outcome.transcript


def test_a_program_that_swallows_the_end_of_input_is_stopped(session: Session) -> None:
    outcome = session(
        """
        while True:
            try:
                input('Number? ')
            except EOFError:
                print('Try again.')
        """,
        ["x"],
    )

    assert outcome.transcript == "Number? x\n" + "Number? Try again.\n" * 3 + "Number? "
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Termination.KEEPS_READING, None, None)
    assert outcome.wall_seconds < 5


@pytest.mark.parametrize(
    "source", ["while True: pass", "import time; time.sleep(60)", "import os; os.close(0)\nwhile 1: 1"]
)
def test_the_wall_limit(session: Session, source: str) -> None:
    outcome = session("print('start')\n" + source, ["never asked for"], limits=Limits(wall_seconds=0.4))

    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Termination.TIMED_OUT, None, None)
    assert outcome.transcript == "start\n"
    assert outcome.unsent == 1
    assert 0.4 <= outcome.wall_seconds < 5


def test_a_program_that_ignores_signals_is_killed_all_the_same(session: Session) -> None:
    source = """
        import signal
        for number in signal.SIGHUP, signal.SIGTERM, signal.SIGINT:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
        """
    assert session(source, limits=Limits(wall_seconds=0.3)).ending is Termination.TIMED_OUT


def test_cpu_time_is_measured(session: Session) -> None:
    outcome = session("import time\nwhile time.process_time() < 0.3: pass")

    assert 0.29 < outcome.cpu_seconds < 2
    assert outcome.wall_seconds > 0.29


def test_endless_output_is_cut_at_the_limit(session: Session) -> None:
    outcome = session("while True: print('spam')", limits=Limits(output_bytes=100_003))

    assert outcome.ending is Termination.OUTPUT_LIMIT
    assert outcome.transcript == ("spam\n" * 20_001)[:100_003]


def test_endless_prompts_between_reads_meet_the_output_limit(session: Session) -> None:
    outcome = session("while True: input('12345678 ')", [""] * 100, limits=Limits(output_bytes=95))

    assert outcome.ending is Termination.OUTPUT_LIMIT
    assert outcome.transcript == ("12345678 \n" * 10)[:95]


@pytest.mark.parametrize(("size", "ending"), [(50_000, Termination.EXITED), (50_001, Termination.OUTPUT_LIMIT)])
def test_the_output_limit_is_exact(session: Session, size: int, ending: Termination) -> None:
    outcome = session(f"print('x' * {size}, end='')", limits=Limits(output_bytes=50_000))

    assert outcome.ending is ending
    assert outcome.transcript == "x" * 50_000


def test_memory_and_file_size_are_limited(session: Session) -> None:
    outcome = session(
        """
        try:
            bytearray(300 << 20)
        except MemoryError:
            print('no memory')
        try:
            with open('large', 'wb') as file:
                file.write(bytes(2 << 20))
        except OSError:
            print('no room')
        """,
        limits=Limits(memory_bytes=200 << 20, file_bytes=1 << 20),
    )

    assert outcome.transcript == "no memory\nno room\n"


def test_limits_hold_from_the_first_instruction(session: Session) -> None:
    outcome = session(
        """
        import resource as r
        print([r.getrlimit(kind) for kind in (r.RLIMIT_CORE, r.RLIMIT_CPU, r.RLIMIT_DATA, r.RLIMIT_FSIZE)])
        print(r.getrlimit(r.RLIMIT_STACK)[0])
        """,
        limits=Limits(wall_seconds=7.5, memory_bytes=1 << 29, file_bytes=1 << 20, stack_bytes=5 << 20),
    )

    assert outcome.transcript == f"{[(0, 0), (26, 27), (1 << 29, 1 << 29), (1 << 20, 1 << 20)]}\n{5 << 20}\n"


def test_what_a_dying_program_prints_last_is_kept(session: Session) -> None:
    outcome = session("import os; os.write(1, b'y' * 60_000 + b'end'); os._exit(0)")

    assert outcome.transcript == "y" * 60_000 + "end"


def test_cancelling_ends_the_session(session: Session, tmp_path: Path) -> None:
    cancelled = threading.Event()
    started = tmp_path / "work" / "started"

    def cancel_when_started() -> None:
        while not started.exists():
            cancelled.wait(0.005)
        cancelled.set()

    watcher = threading.Thread(target=cancel_when_started)
    watcher.start()
    before = time.monotonic()
    outcome = session("open('started', 'w').close()\nwhile True: pass", cancelled=cancelled)
    watcher.join()

    assert outcome.ending is Termination.CANCELLED
    assert time.monotonic() - before < 10


def test_a_grandchild_in_its_own_session_does_not_keep_us_waiting(session: Session, tmp_path: Path) -> None:
    outcome = session(
        """
        import os, time
        ours, theirs = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                with open('pid', 'w') as file:
                    file.write(str(os.getpid()))
                os.write(theirs, b'x')
                time.sleep(300)
            os._exit(0)
        os.read(ours, 1)
        print('bye')
        """
    )

    assert outcome.transcript == "bye\n"
    assert outcome.wall_seconds < 20
    assert _disappears(int((tmp_path / "work" / "pid").read_text()))


def test_children_are_gone_after_a_time_limit(session: Session, tmp_path: Path) -> None:
    outcome = session(
        """
        import os, signal, subprocess, sys, time
        code = 'import time; time.sleep(300)'
        child = subprocess.Popen([sys.executable, '-c', code], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
        with open('pid', 'w') as file:
            file.write(str(child.pid))
        time.sleep(300)
        """,
        limits=Limits(wall_seconds=1.0),
    )

    assert outcome.ending is Termination.TIMED_OUT
    assert _disappears(int((tmp_path / "work" / "pid").read_text()))


def _disappears(pid: int) -> bool:
    """Wait until a killed process has ended: gone, or a zombie that its new parent has not yet noticed."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        except OSError:
            return True
        if state in "ZX":
            return True
        os.sched_yield()
    return False


def children() -> set[int]:
    """Our child processes, those included that have ended and not been waited for."""
    threads = tree.threads(os.getpid())
    return {int(pid) for thread in threads for pid in tree.read(f"self/task/{thread}/children").split()}


@pytest.mark.slow
def test_nothing_is_left_behind(session: Session) -> None:
    session("input()", ["1"])
    before = sorted(os.listdir("/proc/self/fd"))
    # Other tests may have some of their own.
    known = children()
    for n in range(50):
        session("input('? ')" if n % 2 else "while True: input()", ["1"])

    assert sorted(os.listdir("/proc/self/fd")) == before
    assert children() <= known


def test_descriptors_that_we_inherited_are_not_passed_on(session: Session) -> None:
    ours, theirs = os.pipe()
    try:
        os.set_inheritable(ours, True)
        os.set_inheritable(theirs, True)
        outcome = session("import os; print(len(os.listdir('/proc/self/fd')))")
    finally:
        os.close(ours)
        os.close(theirs)

    assert outcome.transcript == "4\n", "the three standard ones, and the folder being listed"


@pytest.mark.parametrize("source", ["print(input('? '))", "while True: input('? ')", "input('? ')\nwhile True: pass"])
def test_where_processes_have_no_descriptors(session: Session, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    limits = Limits(wall_seconds=1.0)
    known = children()
    usual = session(source, ["1"], limits=limits)
    monkeypatch.delattr(os, "pidfd_open")

    outcome = session(source, ["1"], limits=limits)

    assert timeless(outcome) == timeless(usual)
    assert children() <= known


def test_a_missing_interpreter_is_our_failure(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="no executable"):
        run_dialogue(Launch(argv=(str(tmp_path / "python9"), "x.py"), workdir=tmp_path, environment={}), [])


def test_a_missing_folder_is_our_failure(interpreter: Interpreter, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="no folder"):
        run_dialogue(interpreter.program("x.py", tmp_path / "missing"), [])


def test_a_missing_program_is_not(interpreter: Interpreter, tmp_path: Path) -> None:
    outcome = run_dialogue(interpreter.program("x.py", tmp_path), [])

    assert outcome.exit_code == 2
    assert outcome.transcript.endswith("can't open file 'x.py': [Errno 2] No such file or directory\n")


def test_an_input_of_two_lines_is_refused(session: Session) -> None:
    with pytest.raises(SessionError, match="one line"):
        session("input()", ["a\nb"])


def timeless(outcome: Outcome) -> Outcome:
    return replace(outcome, wall_seconds=0, cpu_seconds=0, starved_seconds=0)
