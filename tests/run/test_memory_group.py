"""Control groups for memory, of both versions, where a made-up /proc says that this process may make them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from grader.errors import KilledForMemoryError
from grader.model.program import Limits
from grader.run.process import memory, tree
from grader.run.process.memory import MemoryGroup, MemoryGroups, MemoryWatch
from tests.run.conftest import needs_compiler, without_first_thread

MEGABYTE = 1 << 20


def made(monkeypatch: pytest.MonkeyPatch, groups: str, mounts: str) -> MemoryGroup | None:
    """The group that is made when the kernel tells this of groups and mounts."""
    told = {"self/cgroup": groups.encode(), "self/mountinfo": mounts.encode()}
    monkeypatch.setattr(memory, "read", lambda path: told.get(path, b""))
    with MemoryGroups().group() as group:
        return group


def mount(root: str, folder: Path, kind: str, options: str) -> str:
    return f"35 31 0:32 {root} {folder} rw,relatime - {kind} {kind} {options}\n"


def test_of_version_1_it_is_below_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "memory" / "session"
    own.mkdir(parents=True)
    mounts = mount("/", tmp_path / "cpu", "cgroup", "rw,cpu") + mount("/", tmp_path / "memory", "cgroup", "rw,memory")
    group = made(monkeypatch, "8:cpu:/session\n4:memory:/session\n0::/\n", mounts)
    assert group is not None
    assert group.folder.parent == own
    group.allow(100 * MEGABYTE, MEGABYTE)
    assert (group.folder / "memory.limit_in_bytes").read_text() == str(400 * MEGABYTE)


def test_of_version_2_it_is_where_memory_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "groups"
    (top / "app" / "own").mkdir(parents=True)
    (top / "app" / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (top / "app" / "own" / "cgroup.subtree_control").write_text("\n")
    group = made(monkeypatch, "0::/user/app/own\n", mount("/user", top, "cgroup2", "rw"))
    assert group is not None
    assert group.folder.parent == top / "app"
    group.allow(100 * MEGABYTE, MEGABYTE)
    assert (group.folder / "memory.max").read_text() == str(400 * MEGABYTE)
    for used, cached, is_over in ((150, 0, False), (250, 10, True), (250, 60, False)):
        (group.folder / "memory.current").write_text(f"{used * MEGABYTE}\n")
        (group.folder / "memory.stat").write_text(f"anon 1\nactive_file {cached * MEGABYTE}\ninactive_file 4096\n")
        assert group.is_over() is is_over


@pytest.mark.parametrize("controllers", ["cpu pids", None])
def test_where_memory_is_not_counted_there_is_none(
    controllers: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").mkdir()
    if controllers is not None:
        (tmp_path / "cgroup.subtree_control").write_text(controllers)
    assert made(monkeypatch, "0::/own\n", mount("/", tmp_path, "cgroup2", "rw")) is None
    assert made(monkeypatch, "0::/../other\n", mount("/", tmp_path, "cgroup2", "rw")) is None
    assert made(monkeypatch, "", "") is None


def test_a_group_is_used_again_and_removed_at_the_end() -> None:
    with closing(MemoryGroups()) as groups:
        with groups.group() as first:
            if first is None:
                pytest.skip("needs a control group of memory, which this user may not make here")
            assert not first.is_over()
        with groups.group() as second:
            assert second is first
            assert first.folder.is_dir()
        left = first.folder.with_name("grader-999999999-left")
        left.mkdir()
    with closing(MemoryGroups()) as groups, groups.group():
        pass
    assert not first.folder.exists()
    assert not left.exists()


def test_what_the_kernel_kills_for_want_of_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("memory\n")
    group = made(monkeypatch, "0::/\n", mount("/", tmp_path, "cgroup2", "rw"))
    assert group is not None
    events = group.folder / "memory.events"
    events.write_text("oom 2\noom_kill 2\noom_group_kill 5\n")
    watch = MemoryWatch(os.getpid(), Limits(memory_bytes=1), group)
    assert not watch.is_what_killed(signal.SIGKILL)
    events.write_text("oom 3\noom_kill 3\noom_group_kill 5\n")
    assert watch.is_what_killed(signal.SIGKILL)
    assert not watch.is_what_killed(signal.SIGTERM)
    assert not watch.is_what_killed(1 << 8)
    assert not MemoryWatch(os.getpid(), Limits(memory_bytes=1), None).is_what_killed(signal.SIGKILL)


def test_a_kill_because_the_machine_has_no_memory_is_no_fault_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    kills = iter((b"4", b"4", b"5", b"5", b"6"))
    monkeypatch.setattr(memory, "read", lambda _: b"pgmigrate 3\noom_kill " + next(kills) + b"\nnuma 4\n")
    unharmed, killed = (MemoryWatch(os.getpid(), Limits(memory_bytes=1), None) for _ in range(2))
    with pytest.raises(KilledForMemoryError):
        killed.is_what_killed(signal.SIGKILL)
    assert not MemoryWatch(os.getpid(), Limits(memory_bytes=1), None).is_what_killed(signal.SIGTERM)
    with pytest.raises(KilledForMemoryError):
        unharmed.is_what_killed(signal.SIGKILL)


def test_the_kernel_tells_how_many_it_killed() -> None:
    assert b"\noom_kill " in tree.read("vmstat")


SHARED = """
import os, signal
hoard = b"x" * (40 << 20)
for _ in range(3):
    if not os.fork():
        signal.pause()
print("ready", flush=True)
os.wait()
signal.pause()
"""


def test_what_is_shared_is_not_too_much_when_some_end_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of it is counted for those that end, and then a larger one for each that is left."""
    limits = Limits(memory_bytes=70 * MEGABYTE, data_bytes=1 << 40)
    with subprocess.Popen([sys.executable, "-c", SHARED], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        program.stdout.readline()
        children = list(tree.descendants(program.pid))[1:]
        own_share, counted = memory._own_share, []  # noqa: SLF001 - the sum is made in one go

        def share_while_all_end(processes: Iterable[int]) -> int:
            parts = [own_share([one]) for one in processes if one != program.pid]
            for child in children:
                os.kill(child, signal.SIGKILL)
            while any(b"VmRSS" in tree.read(f"{child}/status") for child in children):
                os.sched_yield()
            # Their pages are given back a little after they have lost them.
            while own_share([program.pid]) < 40 * MEGABYTE:
                os.sched_yield()
            counted.append(sum(parts) + own_share([program.pid]))
            return counted[-1]

        monkeypatch.setattr(memory, "_own_share", share_while_all_end)
        monkeypatch.setattr(memory, "_SECONDS_BETWEEN_LOOKS", 0.0)
        is_over = MemoryWatch(program.pid, limits, None).is_over()
        program.kill()
    assert not is_over
    assert counted[0] > limits.memory_bytes


HOLDS = """
    size_t size = 200 << 20;
    memset(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, size);
    puts("held");
    fflush(stdout);
    pause();
"""


@needs_compiler
def test_what_threads_hold_is_counted_when_the_first_one_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_SECONDS_BETWEEN_LOOKS", 0)
    with subprocess.Popen([without_first_thread(tmp_path, HOLDS)], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        try:
            assert program.stdout.readline() == b"held\n"
            assert MemoryWatch(
                program.pid, Limits(memory_bytes=100 * MEGABYTE, data_bytes=500 * MEGABYTE), None
            ).is_over()
            assert not MemoryWatch(
                program.pid, Limits(memory_bytes=400 * MEGABYTE, data_bytes=500 * MEGABYTE), None
            ).is_over()
        finally:
            program.kill()
