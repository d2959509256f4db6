"""A program behaves in a fork of the prepared interpreter as in a process of its own, and in a sandbox as outside."""

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, FunctionCall
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Visibility
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.interface import SubmissionFiles
from grader.run.sandbox.sandboxes import SandboxStart
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST
from tests.run.faithful import PROGRAMS
from tests.sandbox import STARTS, needs_sandbox

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

_VARYING = re.compile(r"0x[0-9a-f]+|in \d+\.\d+s\b|object refcount : \d+|(child|request)-[0-9a-f]{8}")
"""Addresses, durations, names that are new for each call, and what the interpreter tells when it cannot complain."""

_DEPTH = "two levels of recursion less are left; a program that fails is run again as a process"
IN_A_FORK = {
    "a deep recursion": _DEPTH,
    "a mutual recursion": _DEPTH,
    "an exit function exits": "the traceback of the ignored exit shows a frame of the server",
}
if sys.version_info >= (3, 14):
    IN_A_FORK |= {"a circle": "Python is not told of the program's folder, so it cannot advise to rename a file in it"}
if (3, 12) <= sys.version_info < (3, 12, 2):
    IN_A_FORK |= {"an exit function that starts a thread": "this version forbids it in the main thread's last steps"}
if (3, 12) <= sys.version_info < (3, 12, 8) or (3, 13) <= sys.version_info < (3, 13, 1):
    _FAULT = "this version complains of an error that it has dealt with"
    IN_A_FORK |= dict.fromkeys(("exit with a huge number", "exit with an object that cannot be shown"), _FAULT)
_OWN_LINES = "the program breaks what makes the calls, whose traceback shows lines of a file elsewhere"
IN_A_CALL = dict.fromkeys(
    ("exit with a huge number", "builtins are changed", "stdout deleted", "descriptor 1 closed"), _OWN_LINES
)
IN_A_SANDBOX = {
    "the name of the terminal": "the terminal is not in the sandbox's /dev, only open",
}
if find_spec("sitecustomize"):
    _CUSTOMIZED = "Debian's sitecustomize is a link to /etc, which is not in the sandbox"
    IN_A_SANDBOX |= {name: _CUSTOMIZED for name in PROGRAMS if name.startswith("everything that ")}
    IN_A_SANDBOX |= {"a file named sitecustomize": _CUSTOMIZED}


# A call does not wait for processes that its program has started, so it is chance whether they get to print.
LEFT_TO_CHANCE_IN_A_CALL = {"multiprocessing that is not joined"}


# What a program prints while it is imported is shown where no call is reached.
_IMPORT = FunctionCall(
    calls=("None",),
    variables={},
    setup=("raise LookupError('no call')",),
    checks=frozenset(USUAL_CHECKS),
    cards=None,
    lines=LINES,
)


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


@pytest.fixture(scope="module", params=STARTS)
def sandboxed(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    with sandboxed_environment((), start=request.param) as environment:
        yield environment


@pytest.fixture(scope="module")
def unprotected() -> Iterator[RunEnvironment]:
    with open_environment() as environment:
        yield environment


# Three runs of each take long: every third is looked at whenever tests are run. A program is run and imported by the
# same few lines, and so is one in a sandbox that starts by itself, so that not all need to be tried in these ways.
_AT_ANY_TIME = {*tuple(PROGRAMS)[::3], *IN_A_FORK, *IN_A_SANDBOX}
_IMPORTED = [
    name
    for number, name in enumerate(PROGRAMS)
    if (number % 3 == 1 or name in IN_A_CALL) and name not in LEFT_TO_CHANCE_IN_A_CALL
]
_IMPORTED_AT_ANY_TIME = {*_IMPORTED[::3], *IN_A_CALL}


def cases(names: Sequence[str], at_any_time: Collection[str]) -> list[ParameterSet]:
    """Each program where sandboxes start as usual, and every ninth one where each starts by itself."""
    usual = [
        pytest.param(SandboxStart.FORK, name, marks=() if name in at_any_time else pytest.mark.slow) for name in names
    ]
    return usual + [pytest.param(SandboxStart.OWN, name, marks=pytest.mark.slow) for name in names[2::9]]


@pytest.mark.parametrize(("sandboxed", "name"), cases([*PROGRAMS], _AT_ANY_TIME), indirect=["sandboxed"])
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


@pytest.mark.parametrize(
    ("sandboxed", "name"),
    cases(_IMPORTED, _IMPORTED_AT_ANY_TIME),
    indirect=["sandboxed"],
)
def test_a_program_that_is_imported_behaves_in_a_fork_in_the_same_way(
    name: str, sandboxed: RunEnvironment, tmp_path: Path
) -> None:
    test = replace(TEST, interaction=_IMPORT)
    with sandboxed.runner(files_of(name, tmp_path)) as runner:
        in_a_fork, alone = (
            runner.run(test, LIMITS, isolation, {}) for isolation in (Isolation.FORK, Isolation.FRESH_PROCESS)
        )
    assert in_a_fork.call == alone.call
    if name in IN_A_CALL:
        assert behaviour(in_a_fork) != behaviour(alone), "this difference is no more"
    else:
        assert behaviour(in_a_fork) == behaviour(alone)


VARIABLES = {"TZ": "JST-9", "PYTHONHASHSEED": "7", "PYTHONOPTIMIZE": "1", "PYTHONIOENCODING": "latin-1", "COLUMNS": "7"}
SHOWS_VARIABLES = """
import os, shutil, sys, time
print(time.localtime(0).tm_hour, hash("card"), __debug__, sys.stdout.encoding, shutil.get_terminal_size().columns)
print(sorted(os.environ.items()))
"""


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_has_the_same_effect_in_a_fork(name: str, sandboxed: RunEnvironment, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(SHOWS_VARIABLES if name == "PYTHONHASHSEED" else SHOWS_VARIABLES.replace('hash("card"), ', ""))
    with sandboxed.runner(((file, "program.py"),)) as runner:
        in_a_fork, alone = (
            behaviour(runner.run(TEST, LIMITS, isolation, {name: VARIABLES[name]}))
            for isolation in (Isolation.FORK, Isolation.FRESH_PROCESS)
        )
    assert in_a_fork == alone


GAME = r"""
import random
import json as own_json
from math import *

cache = []
def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
def levels():
    try:
        return 1 + levels()
    except Exception as error:
        return 0
def ask(prompt):
    print("asked", end=" ")
    return input(prompt)
def keep(value):
    cache.append(value)
    return cache
def shuffled():
    cards = list(range(9))
    random.seed(3)
    random.shuffle(cards)
    return cards
def write():
    global file
    file = open("written.txt", "w")
    file.write("kept")
    print("no newline", end="")
def child():
    import subprocess
    return subprocess.run(["cat", "/proc/self/status"], capture_output=True).stdout.decode().count("Cap")
def divide(a, b):
    return a / b
class Card:
    def __init__(self, rank):
        self.rank = rank
"""

CALLS = {
    "a recursion": ["levels()"],
    "a deep recursion that the program names": ["depth()"],
    "input": ["ask('? ')", "ask('?? ')"],
    "several calls": ["keep(1)", "keep(2)", "divide(1, 0)", "keep(3)"],
    "an exception": ["divide(1, 0)"],
    "a chance that is fixed": ["shuffled()", "random.random()"],
    "what is not flushed": ["write()"],
    "an end": ["exit(3)"],
    "processes": ["child()"],
    "objects": ["Card(3)", "Card"],
    "names of the program": ["own_json.dumps({1: (2,)})", "floor(2.5)", "sorted(dir(own_json))"],
    "modules": ["sorted(__import__('sys').modules)"],
    "what is collected": ["__import__('gc').get_count() < (1_000_000,)", "__import__('gc').get_freeze_count()"],
    "a module in part": ["hasattr(__import__('importlib'), 'util')", "__name__"],
    "the main module": ["vars(__import__('__main__')).keys()", "__import__('sys').argv", "__import__('os').listdir()"],
    "the command": ["[one.split('-')[0] for one in __import__('sys').orig_argv]", "__import__('sys').path"],
    "open files": ["sorted(map(int, __import__('os').listdir('/proc/self/fd')))[:3]"],
    "the environment": ["sorted(__import__('os').environ.items())", "__import__('os').getcwd()"],
    "signals": ["[__import__('signal').getsignal(number) for number in range(1, 32)]"],
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_comes_to_the_same_in_a_fork(name: str, sandboxed: RunEnvironment, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    # With the name of what cannot be told apart, all is executed.
    file.write_text(GAME if "names" in name else GAME.replace("RecursionError", "Exception"), encoding="utf-8")
    call = replace(_IMPORT, calls=tuple(CALLS[name]), setup=())
    test = replace(TEST, interaction=call)
    with sandboxed.runner(((file, "program.py"),)) as runner:
        outcomes = [
            runner.run(test, LIMITS, isolation, {}) for isolation in (Isolation.FORK, Isolation.FRESH_PROCESS) * 2
        ]
    assert outcomes[0].call is not None
    assert outcomes[0].call.reached
    assert {repr((behaviour(outcome), outcome.call)) for outcome in outcomes} == {
        repr((behaviour(outcomes[1]), outcomes[1].call))
    }
