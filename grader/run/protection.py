"""Detects by trial which protections this machine offers against submissions, and why any are missing."""

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.errors import GraderError
from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test, Visibility
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.sandbox.sandboxes import SandboxStart
from grader.run.terminal.waiting_syscall import waits_of_this_machine

_PROGRAM = "attempts.py"
# Each line of output contains the name of a protection and the result of the attempt to break it.
_ATTEMPTS = """\
import os, signal, socket, sys

def attempt(name, act):
    try:
        print(name, 'failed:', act())
    except Exception as error:
        print(name, 'holds: refused:', getattr(error, 'strerror', None) or error)

def processes():
    children = []
    try:
        for _ in range(2 * int(sys.stdin.readline())):
            child = os.fork()
            if not child:
                signal.pause()
            children.append(child)
    finally:
        for child in children:
            os.kill(child, 9)
    return 'twice as many processes as allowed were started'

def memory():
    with open('/proc/self/cgroup') as file:
        if 'grader-' in file.read():
            raise OSError('counted')
    return 'not counted'

def inodes():
    if os.statvfs('/tmp').f_files < 1_000_000:
        raise OSError('few')
    return 'any number'

attempt('network', lambda: socket.create_connection(('192.0.2.1', 9), 1))
attempt('files', lambda: os.listdir(os.fsdecode(bytes.fromhex(sys.stdin.readline()))))
attempt('writing', lambda: open('/usr/attempt', 'w'))
attempt('processes', processes)
attempt('memory', memory)
attempt('inodes', inodes)
"""

_NAMES = {
    "network": "no network",
    "files": "no view of the course",
    "writing": "no writing outside",
    "processes": "limit on processes",
}
"""The protections without which a sandbox is not used."""


_FURTHER = {
    "memory": (
        "all memory counted",
        "the kernel counts it, in a control group",
        "each process is looked at, so what the kernel keeps for it (buffers of sockets), or memory that is shared and "
        "mapped by none, is not counted; a control group can be had as root, or by `systemd-run --user --scope grader`",
    ),
    "inodes": (
        "limit on the number of files",
        "a test gets folders of its own, which take no more",
        "this system lets no sandbox mount folders, so they are emptied after each test and take any number of files",
    ),
}
"""The optional protections: the name of each, and descriptions of its presence and its absence."""


_WORKS = "holds"
_STARTS: Mapping[SandboxStart | None, str] = {
    SandboxStart.FORK: "all are forks of one interpreter",
    SandboxStart.OWN: "each has an interpreter of its own, as this system lets no sandbox make others",
}


@dataclass(frozen=True)
class ProtectionCheck:
    """A kind of protection: whether it is available, the result in words, and whether grading requires it."""

    name: str
    available: bool
    found: str
    needed: bool = True


def protections() -> tuple[ProtectionCheck, ...]:
    """Try every protection in a test sandbox; return the results, starting with the sandbox."""
    probe = ProtectionCheck(
        "sees programs wait",
        bool(waits_of_this_machine()),
        "the kernel tells what a program is blocked in"
        if waits_of_this_machine()
        else "this kernel does not tell; programs that are quiet for a while are taken as waiting",
        needed=False,
    )
    try:
        with tempfile.TemporaryDirectory() as name, sandboxed_environment((Path(name),)) as environment:
            return *_tried_protections(environment, Path(name)), probe
    except GraderError as error:
        return _no_sandbox(error), probe


def is_protected(checks: Iterable[ProtectionCheck]) -> bool:
    """Return whether every protection required for grading is available."""
    return all(check.available for check in checks if check.needed)


def _no_sandbox(error: GraderError) -> ProtectionCheck:
    return ProtectionCheck("sandbox", available=False, found=str(error))


def _tried_protections(environment: RunEnvironment, hidden: Path) -> tuple[ProtectionCheck, ...]:
    try:
        outcome = _run_attempts(environment, hidden)
    except GraderError as error:
        return (_no_sandbox(error),)
    lines = [line.split(" ", 2) for line in outcome.transcript.splitlines()]
    tried = {line[0]: (line[1] == f"{_WORKS}:", line[2]) for line in lines if len(line) == 3}
    if not {*_NAMES, *_FURTHER} <= set(tried):
        early = f"the trial run ended early: {outcome.transcript[-200:]!r}"
        return (ProtectionCheck("sandbox", available=False, found=early),)
    who = "root, dropped to an ordinary user inside" if os.getuid() == 0 else "an ordinary user"
    return (
        ProtectionCheck(
            "sandbox", available=True, found=f"bubblewrap, started by {who}; {_STARTS[environment.sandbox_start]}"
        ),
        *(ProtectionCheck(title, *tried[name]) for name, title in _NAMES.items()),
        *(
            ProtectionCheck(title, tried[name][0], present if tried[name][0] else missing, needed=False)
            for name, (title, present, missing) in _FURTHER.items()
        ),
    )


def sandbox_fault(environment: RunEnvironment, hidden: Path) -> str | None:
    """Return the reason why submissions cannot run in a sandbox of `environment`, or None.

    `hidden` is a folder that submissions must not see.
    """
    missing = [check for check in _tried_protections(environment, hidden) if check.needed and not check.available]
    return "; ".join(f"{check.name}: {check.found}" for check in missing) or None


def _run_attempts(environment: RunEnvironment, hidden: Path) -> Outcome:
    """Run a program that attempts forbidden operations. Raises SandboxError."""
    if sys.platform != "linux":
        raise GraderError(f"sandboxes are made by the Linux kernel; this is {sys.platform}")
    limits = Limits(wall_seconds=20, processes=8)
    test = Test(
        id="attempts",
        title="",
        program=_PROGRAM,
        part="",
        visibility=Visibility.PUBLIC,
        points=Decimal(0),
        interaction=Dialogue((os.fsencode(hidden.resolve()).hex(), str(limits.processes)), echo=False),
        ending=SUCCESS,
    )
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / _PROGRAM
        program.write_text(_ATTEMPTS, encoding="utf-8")
        with environment.runner(((program, _PROGRAM),)) as runner:
            return runner.run(test, limits, Isolation.FORK, {})
