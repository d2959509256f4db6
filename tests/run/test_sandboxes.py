"""Sandboxes that are forks of one interpreter keep programs as far apart as those that have one each."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.process import tree
from grader.run.sandbox.sandboxes import SandboxStart
from grader.run.sandbox.starting import SERVER
from tests import ROOT
from tests.building import TEST
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

LIMITS = Limits(wall_seconds=20)
# Where these are among the fields of a process, see `tree.stat_fields`.
PARENT, START_TIME = 1, 19
TEST = replace(TEST, program="program.py", interaction=Dialogue(()))


@pytest.fixture
def environment() -> Iterator[RunEnvironment]:
    with sandboxed_environment(()) as opened:
        yield opened


def run(environment: RunEnvironment, source: str, folder: Path, limits: Limits = LIMITS) -> Outcome:
    (folder / "program.py").write_text(source, encoding="utf-8")
    with environment.runner([(folder / "program.py", "program.py")]) as runner:
        return runner.run(TEST, limits, Isolation.FORK, {})


_VIEW = """
import os
for name in "status", "limits", "mountinfo":
    with open(f"/proc/self/{name}") as file:
        print(file.read())
for name in sorted(os.listdir("/proc/self/ns")):
    print("namespace", name, os.stat(f"/proc/self/ns/{name}").st_ino)
print(sorted(os.environ.items()), os.getuid(), os.getgid(), os.getgroups(), os.umask(0), os.nice(0))
print(os.listdir("/"), os.listdir("/dev"), os.listdir("/dev/pts"), os.listdir("/work"), os.listdir("/submission"))
print(len([number for number in os.listdir("/proc") if number.isdigit()]))
print(os.get_terminal_size(), os.isatty(0))
"""

_OF_ONE_RUN = re.compile(r"(Tgid|Pid|PPid|NStgid|NSpid|NSpgid|NSsid|Vm\w+|Rss\w+|\w+ctxt_switches):.*")


def properties(view: str) -> list[str]:
    lines = view.splitlines()
    return [
        line for line in lines if line and " - " not in line and not _OF_ONE_RUN.match(line) and line[:9] != "namespace"
    ]


def mounted(view: str) -> dict[str, tuple[str, ...]]:
    """Return the topmost mount at each place: its rights, and the kind of file system."""
    mounts = {}
    for line in view.splitlines():
        before, divider, after = line.partition(" - ")
        if divider:
            fields = before.split()
            mounts[fields[4]] = (*fields[5].split(","), after.split()[0])
    return mounts


def namespaces(view: str) -> dict[str, str]:
    return dict(line.split()[1:] for line in view.splitlines() if line.startswith("namespace"))


def test_a_program_sees_the_same_in_both_ways_of_starting(environment: RunEnvironment, tmp_path: Path) -> None:
    fork = run(environment, _VIEW, tmp_path).transcript
    assert environment.sandbox_start is SandboxStart.FORK
    with sandboxed_environment((), start=SandboxStart.OWN) as other:
        own = run(other, _VIEW, tmp_path).transcript
    assert len(properties(fork)) > 40
    assert properties(fork) == properties(own)
    assert mounted(fork) == mounted(own)


def test_all_namespaces_are_its_own(environment: RunEnvironment, tmp_path: Path) -> None:
    first = namespaces(run(environment, _VIEW, tmp_path).transcript)
    outside = {name: str(os.stat(f"/proc/self/ns/{name}").st_ino) for name in first}
    own = {"cgroup", "ipc", "mnt", "net", "pid", "user", "uts"}
    assert own <= {name for name in first if first[name] != outside[name]}


_LEAVE = """
import os, signal, socket
screen, terminal = os.openpty()
for folder in "/tmp", "/dev/shm", "/work":
    with open(f"{folder}/left", "w"):
        pass
hidden = socket.socket(socket.AF_UNIX)
print("ready", flush=True)
hidden.bind("\\0left")
signal.pause()
"""
_FIND = """
import os, socket
print([folder for folder in ("/tmp", "/dev/shm", "/work") if os.path.exists(f"{folder}/left")], os.listdir("/dev/pts"))
try:
    socket.socket(socket.AF_UNIX).connect("\\0left")
except OSError as error:
    print(error.strerror)
print(len([number for number in os.listdir("/proc") if number.isdigit()]))
"""


_TAKE_TERMINALS = """
import os
found = []
try:
    while True:
        found.append(os.openpty())
except OSError:
    print(len(found))
"""


def test_no_sandbox_takes_the_terminals_that_others_need(environment: RunEnvironment, tmp_path: Path) -> None:
    limits = Limits(wall_seconds=20, open_files=1000)
    assert run(environment, _TAKE_TERMINALS, tmp_path, limits).transcript == "64\n"


def has_left_all() -> bool:
    """Whether the last thing that is left somewhere below this process is there."""
    return any(b"@left" in tree.read(f"{pid}/net/unix") for pid in tree.descendants(os.getpid()))


def test_sandboxes_do_not_see_each_other(environment: RunEnvironment, tmp_path: Path) -> None:
    """One waits with all that it left while the other looks."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(run, environment, _LEAVE, one)
        while not has_left_all():
            assert not waiting.done(), waiting.result().transcript
        found = run(environment, _FIND, other).transcript.splitlines()
        assert not waiting.done()
        environment.cancelled.set()
    assert waiting.result().transcript == "ready\n"
    assert found == ["[] ['ptmx']", "Connection refused", "2"]


def template_of_this_process() -> int:
    """Return the newest interpreter that sandboxes are forks of; other environments of this process have older ones."""
    commands = {pid: tree.read(f"{pid}/cmdline").split(b"\0")[:-1] for pid in tree.descendants(os.getpid())}
    servers = {pid for pid, words in commands.items() if len(words) == 4 and words[1].endswith(b"/server/__main__.py")}
    status = {pid: tree.stat_fields(str(pid)) for pid in servers}
    templates = [pid for pid, fields in status.items() if fields and int(fields[PARENT]) not in servers]
    return max(templates, key=lambda pid: int(status[pid][START_TIME]))


def has_ended(pidfd: int) -> bool:
    """Wait for the end of a process."""
    return bool(select.select([pidfd], [], [], 20)[0])


def test_without_a_template_each_sandbox_gets_its_own_interpreter(environment: RunEnvironment, tmp_path: Path) -> None:
    assert run(environment, "print(1)", tmp_path).transcript == "1\n"
    os.kill(template_of_this_process(), signal.SIGKILL)
    assert run(environment, "print(2)", tmp_path).transcript == "2\n"
    assert environment.sandbox_start is SandboxStart.OWN


def waiting_process() -> int | None:
    """The process that waits for a test in the only sandbox below this one, if it is there already."""
    first = list(tree.descendants(template_of_this_process()))[1]
    return next((pid for pid in tree.descendants(first) if pid != first), None)


def test_a_process_that_ended_while_it_waited_for_its_test_costs_no_test(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text("print(1)", encoding="utf-8")
    with environment.runner([(tmp_path / "program.py", "program.py")]) as runner:
        assert runner.run(TEST, LIMITS, Isolation.FORK, {}).transcript == "1\n"
        while (waiting := waiting_process()) is None:
            pass
        os.kill(waiting, signal.SIGKILL)
        while tree.stat_fields(str(waiting))[:1] not in ([], [b"Z"]):
            pass
        assert runner.run(TEST, LIMITS, Isolation.FORK, {}).transcript == "1\n"


def test_a_template_ends_with_its_environment(tmp_path: Path) -> None:
    with sandboxed_environment(()) as environment:
        run(environment, "print(1)", tmp_path)
        template = os.pidfd_open(template_of_this_process())
        assert not select.select([template], [], [], 0)[0]
    assert has_ended(template)
    os.close(template)


_KILLED = """
import os, signal, sys
from pathlib import Path
from tests.run.test_sandboxes import run, sandboxed_environment, template_of_this_process
with sandboxed_environment(()) as environment:
    run(environment, "print(1)", Path(sys.argv[1]))
    print(template_of_this_process(), flush=True)
    sys.stdin.readline()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_template_ends_when_the_grader_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _KILLED, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        template = os.pidfd_open(int(grader.stdout.readline()))
        grader.communicate("now\n")
    assert grader.returncode == -signal.SIGKILL
    assert has_ended(template)
    os.close(template)


_GIVEN = """
import sys
at_start = frozenset(sys.modules)
sys.path.insert(0, sys.argv[1])
from module_shelf import PRELOADED, ModuleShelf
sys.path.pop(0)
shelf = ModuleShelf(at_start)
if sys.argv[2:] == ["all"]:
    shelf.load(sorted(PRELOADED))
shelf.show_fresh_interpreter()
import os
for name in sorted(PRELOADED):
    if os.fork() == 0:
        if sys.argv[2:] == ["none"]:
            __import__(name)
        else:
            shelf.give(name)
        parts = {
            f"{module}.{part}" for module, inside in sys.modules.items()
            for part, value in vars(inside).items() if value is sys.modules.get(f"{module}.{part}", 0)
        }
        print(name, sorted(set(sys.modules) - at_start), sorted(parts), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["all", "one by one"])
def test_modules_bring_with_them_what_they_bring_in_a_fresh_interpreter(how: str) -> None:
    def given(how: str) -> str:
        command = [sys.executable, "-I", "-S", "-c", _GIVEN, str(SERVER), how]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    fresh = given("none")
    assert len(fresh.splitlines()) > 30
    assert given(how) == fresh
