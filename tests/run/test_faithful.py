"""A program behaves in a fork of the prepared interpreter as in a process of its own, and in a sandbox as outside."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Visibility
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.interface import SubmissionFiles
from tests.building import TEST
from tests.run.faithful import PROGRAMS
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox

LIMITS = Limits(wall_seconds=20)
LINES = ("Ann", "21")
TEST = replace(
    TEST,
    program="program.py",
    part="",
    visibility=Visibility.HIDDEN,
    interaction=Dialogue(LINES),
)

_VARYING = re.compile(r"0x[0-9a-f]+|in \d+\.\d+s\b|object refcount : \d+")
"""Addresses, durations, and what the interpreter itself tells when it has nowhere else to complain."""

_DEPTH = "two levels of recursion less are left; a program that fails is run again as a process"
IN_A_FORK = {
    "a deep recursion": _DEPTH,
    "a mutual recursion": _DEPTH,
    "an exit function exits": "the traceback of the ignored exit shows a frame of the server",
}
if sys.version_info >= (3, 13):
    _ADVICE = "Python is not told of the program's folder, so it cannot advise to rename a file in it"
    IN_A_FORK |= dict.fromkeys(("a module named like one that Python needs", "a file named threading"), _ADVICE)
if sys.version_info >= (3, 14):
    IN_A_FORK |= {"a circle": _ADVICE}
if (3, 12) <= sys.version_info < (3, 12, 2):
    IN_A_FORK |= {"an exit function that starts a thread": "this version forbids it in the main thread's last steps"}
if (3, 12) <= sys.version_info < (3, 12, 8) or (3, 13) <= sys.version_info < (3, 13, 1):
    _FAULT = "this version complains of an error that it has dealt with"
    IN_A_FORK |= dict.fromkeys(("exit with a huge number", "exit with an object that cannot be shown"), _FAULT)
IN_A_SANDBOX = {
    "the name of the terminal": "the terminal is not in the sandbox's /dev, only open",
}
if find_spec("sitecustomize"):
    _CUSTOMIZED = "Debian's sitecustomize is a link to /etc, which is not in the sandbox"
    IN_A_SANDBOX |= {name: _CUSTOMIZED for name in PROGRAMS if name.startswith("everything that ")}
    IN_A_SANDBOX |= {"a file named sitecustomize": _CUSTOMIZED}


@dataclass(frozen=True)
class Behaviour:
    """What of an outcome a test can depend on."""

    transcript: str
    ending: str
    exit_code: int | None
    signal: int | None
    unsent: int


def behaviour(outcome: Outcome) -> Behaviour:
    return Behaviour(
        _VARYING.sub("...", outcome.transcript), outcome.ending, outcome.exit_code, outcome.signal, outcome.unsent
    )


def files_of(name: str, folder: Path) -> SubmissionFiles:
    files = []
    for part in f"program.py\n{PROGRAMS[name]}".split("\n# file: "):
        file, _, source = part.partition("\n")
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(source.encode("utf-8", "surrogateescape"))
        files.append((path, file))
    return tuple(files)


@pytest.fixture(scope="module")
def sandboxed() -> Iterator[RunEnvironment]:
    with sandboxed_environment(()) as environment:
        yield environment


@pytest.fixture(scope="module")
def unprotected() -> Iterator[RunEnvironment]:
    with open_environment() as environment:
        yield environment


# Three runs of each take long: every third is looked at whenever tests are run.
_AT_ANY_TIME = {*tuple(PROGRAMS)[::3], *IN_A_FORK, *IN_A_SANDBOX}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in _AT_ANY_TIME else pytest.mark.slow) for name in PROGRAMS],
)
def test_a_program_behaves_everywhere_in_the_same_way(
    name: str, sandboxed: RunEnvironment, unprotected: RunEnvironment, tmp_path: Path
) -> None:
    files = files_of(name, tmp_path)
    with sandboxed.runner(files) as runner:
        in_a_fork = behaviour(runner.run(TEST, LIMITS, Isolation.FORK, {}))
        in_a_sandbox = behaviour(runner.run(TEST, LIMITS, Isolation.FRESH_PROCESS, {}))
    plain = behaviour(unprotected.run(TEST, files, LIMITS, {}))
    if name in IN_A_FORK:
        assert in_a_fork != in_a_sandbox, "this difference is no more"
    else:
        assert in_a_fork == in_a_sandbox
    if name in IN_A_SANDBOX:
        assert in_a_sandbox != plain, "this difference is no more"
    else:
        assert in_a_sandbox == plain
