"""Finds out, by trying, what keeps submissions away from this machine, and why not more."""

import os
import sys
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.errors import GraderError
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test, Visibility
from grader.run.environment import sandboxed_environment
from grader.run.terminal.waiting_syscall import waits_of_this_machine

_PROGRAM = "attempts.py"


# Each line of output is a protection's name and what came of the attempt to break it.
_ATTEMPTS = """\
import os, signal, socket, sys

def attempt(name, act):
    try:
        print(name, 'failed:', act())
    except Exception as error:
        print(name, 'holds:', error)

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

attempt('network', lambda: socket.create_connection(('192.0.2.1', 9), 1))
attempt('files', lambda: os.listdir(sys.stdin.readline().rstrip()))
attempt('writing', lambda: open('/usr/attempt', 'w'))
attempt('processes', processes)
"""


_NAMES = {
    "network": "no network",
    "files": "no view of the course",
    "writing": "no writing outside",
    "processes": "limit on processes",
}


_WORKS = "holds"


@dataclass(frozen=True)
class ProtectionCheck:
    """One kind of protection: whether it is there, and what was found."""

    name: str
    available: bool
    found: str


def protections() -> tuple[ProtectionCheck, ...]:
    """Try out every protection; returns them with the sandbox first."""
    probe = ProtectionCheck(
        "sees programs wait",
        bool(waits_of_this_machine()),
        "the kernel tells what a program is blocked in"
        if waits_of_this_machine()
        else "this kernel does not tell; programs that are quiet for a while are taken as waiting",
    )
    try:
        outcome = _run_attempts()
    except GraderError as error:
        return (ProtectionCheck("sandbox", available=False, found=str(error)), probe)
    lines = [line.split(" ", 2) for line in outcome.transcript.splitlines() if line.split(" ")[0] in _NAMES]
    tried = [ProtectionCheck(_NAMES[name], result == f"{_WORKS}:", reason) for name, result, reason in lines]
    if len(tried) != len(_NAMES):
        return (
            ProtectionCheck(
                "sandbox", available=False, found=f"the trial run ended early: {outcome.transcript[-200:]!r}"
            ),
            probe,
        )
    who = "root, dropped to an ordinary user inside" if os.getuid() == 0 else "an ordinary user"
    return (ProtectionCheck("sandbox", available=True, found=f"bubblewrap, started by {who}"), *tried, probe)


def sandbox_fault() -> str | None:
    """Return why submissions cannot be kept in a sandbox here, None if they can."""
    missing = [protection for protection in protections()[:-1] if not protection.available]
    return "; ".join(f"{protection.name}: {protection.found}" for protection in missing) or None


def _run_attempts() -> Outcome:
    """Run a program that tries to do what it must not. Raises SandboxError."""
    if sys.platform != "linux":
        raise GraderError(f"sandboxes are made by the Linux kernel; this is {sys.platform}")
    limits = Limits(wall_seconds=20, processes=8)
    with tempfile.TemporaryDirectory() as name, sandboxed_environment((Path(name),)) as environment:
        program = Path(name) / _PROGRAM
        program.write_text(_ATTEMPTS, encoding="utf-8")
        lines = (str(Path(name).resolve()), str(limits.processes))
        test = Test(
            id="attempts",
            title="",
            program=_PROGRAM,
            part="",
            visibility=Visibility.PUBLIC,
            points=Decimal(0),
            interaction=Dialogue(lines, echo=False),
            exit_status=0,
        )
        with environment.runner(((program, _PROGRAM),)) as runner:
            return runner.run(test, limits, Isolation.FORK, {})
