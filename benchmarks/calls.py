"""Measures the processor time of a function test: our own, and the time of all processes in the sandbox.

A single run alternates between the kinds: `bare` is `python3 FILE` with a file that imports the program and makes the
call, `process` is a call in a new process of the sandbox, `fork` a call in a fork of its prepared interpreter, and
`dialogue` a small program in a fork. Prints JSON, with times in milliseconds per run. Run as `python -m
benchmarks.calls`.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from pathlib import Path

from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue, FunctionCall, Interaction
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test, Visibility
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.interface import TestRunner
from grader.run.process import tree
from grader.spec.tests_file import USUAL_CHECKS

_PROGRAM = """\
def search(number, values):
    for place, value in enumerate(values):
        if number <= value:
            return place
    return len(values)


if __name__ == "__main__":
    print(search(5, [1, 3, 6]))
"""
_BARE = "import program\nassert program.search(5, [1, 3, 6]) == 2\n"
_LIMITS = Limits(wall_seconds=20)
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class _Kind:
    """A way to run a test; `seconds` is the processor time it has used so far."""

    name: str
    run: Callable[[], object]
    seconds: Callable[[], float]


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=40, help="of each kind in a round")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "program.py").write_text(_PROGRAM, encoding="utf-8")
        (folder / "bare.py").write_text(_BARE, encoding="utf-8")
        environment = stack.enter_context(sandboxed_environment(()))
        kinds = [_bare(environment, folder), *_sandboxed(environment, folder, stack)]
        spent = {kind.name: [_measured(kind, options.runs)] for kind in kinds}
        for _ in range(options.rounds - 1):
            for kind in kinds:
                spent[kind.name].append(_measured(kind, options.runs))
    medians = {name: statistics.median(times) for name, times in spent.items()}
    result: dict[str, object] = {
        "rounds": options.rounds,
        "runs": options.runs,
        **{name: _spread(times) for name, times in spent.items()},
        "process_to_fork": round(medians["process"] / medians["fork"], 2),
    }
    print(json.dumps(result, indent=2))


def _measured(kind: _Kind, runs: int) -> float:
    """Return the milliseconds of one run."""
    kind.run()
    before = kind.seconds()
    for _ in range(runs):
        kind.run()
    return 1000 * (kind.seconds() - before) / runs


def _spread(times: Sequence[float]) -> dict[str, float]:
    lowest, middle, highest = min(times), statistics.median(times), max(times)
    return {"lowest": round(lowest, 2), "median": round(middle, 2), "highest": round(highest, 2)}


def _bare(environment: RunEnvironment, folder: Path) -> _Kind:
    launch = environment.interpreter.program("bare.py", folder)

    def run() -> None:
        subprocess.run(launch.argv, cwd=folder, env=dict(launch.environment), check=True)

    def seconds() -> float:
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    return _Kind("bare", run, seconds)


def _sandboxed(environment: RunEnvironment, folder: Path, stack: ExitStack) -> list[_Kind]:
    runner = stack.enter_context(environment.runner(((folder / "program.py", "program.py"),)))
    calls = ("search(5, [1, 3, 6])",)
    call = FunctionCall(calls=calls, variables={}, setup=(), checks=frozenset(USUAL_CHECKS), cards=None)
    return [
        _Kind("process", partial(_run, runner, call, Isolation.FRESH_PROCESS), _seconds_with_sandbox),
        _Kind("fork", partial(_run, runner, call, Isolation.FORK), _seconds_with_sandbox),
        _Kind("dialogue", partial(_run, runner, Dialogue(()), Isolation.FORK), _seconds_with_sandbox),
    ]


def _run(runner: TestRunner, interaction: Interaction, isolation: Isolation) -> Outcome:
    test = replace(_TEST, interaction=interaction)
    outcome = runner.run(test, _LIMITS, isolation, {})
    if outcome.exit_code != 0:
        raise SystemExit(f"the run failed: {outcome}")
    return outcome


def _seconds_with_sandbox() -> float:
    """Return the seconds used by this process and its descendants, including finished processes in the sandbox."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    for pid in tree.descendants(os.getpid()):
        fields = tree.read(f"{pid}/stat").rpartition(b") ")[2].split()
        if fields and pid != os.getpid():
            used += sum(map(int, fields[11:15])) / _TICKS
    return used


_TEST = Test(
    id="t",
    title="",
    program="program.py",
    part="p",
    visibility=Visibility.PUBLIC,
    points=Decimal(1),
    interaction=Dialogue(()),
    ending=SUCCESS,
)


if __name__ == "__main__":
    main()
