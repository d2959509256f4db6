"""Measures the cost of a session in a terminal, against the same program fed by a pipe or writing to a file.

Every figure comes from one run of this script, which alternates between the kinds and uses the same clean interpreter
throughout: `pipe` and `file` are the bare runs, `process` is a session with a separate process and no sandbox (as in
`grader check`), and `prepared` is a session in a sandbox with a prepared interpreter (as in `grader grade`). Prints
JSON, with times in seconds. Run as `python -m benchmarks.session`.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path

from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test, Visibility
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.interface import TestRunner
from grader.run.interpreter import Interpreter

_DIALOGUE = """\
total = 0
while True:
    try:
        line = input('Number? ')
    except EOFError:
        break
    total += int(line)
    print('Total so far:', total)
print('Done.')
"""
_OUTPUT = """\
for number in range(100_000):
    print(f'{number:06} ' + 92 * '*')
"""
_LIMITS = Limits(output_bytes=20_000_000)
_PROGRAMS = {"dialogue.py": _DIALOGUE, "output.py": _OUTPUT}
_ISOLATIONS = {"process": Isolation.FRESH_PROCESS, "prepared": Isolation.FORK}

Kinds = dict[str, Callable[[], object]]


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, source in _PROGRAMS.items():
            (folder / name).write_text(source, encoding="utf-8")
        bare_environment = stack.enter_context(open_environment())
        runners = _open_runners(stack, bare_environment, folder)
        bare = _Bare(bare_environment.interpreter, folder)
        result = {
            "dialogue_10": _dialogue(bare, runners, 10, options.repetitions),
            "dialogue_1000": _dialogue(bare, runners, 1000, max(1, options.repetitions // 4)),
            "output_10_megabytes": _output(bare, runners, max(1, options.repetitions // 10)),
            "identical_quiet": _identical(runners, options.identical),
            "identical_busy": _identical_beside_busy_loops(bare_environment.interpreter, runners, options.identical),
        }
    print(json.dumps(result, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100, help="of the short dialogue (others: less)")
    parser.add_argument("--identical", type=int, default=200, help="runs whose transcripts are compared")
    return parser.parse_args()


class _Runners:
    """The runners of sessions, with and without a sandbox."""

    def __init__(self, process: TestRunner, prepared: TestRunner) -> None:
        self._runners = {Isolation.FRESH_PROCESS: process, Isolation.FORK: prepared}

    def run(self, isolation: Isolation, program: str, lines: Sequence[str]) -> Outcome:
        test = Test(
            id="t",
            title="",
            program=program,
            part="p",
            visibility=Visibility.PUBLIC,
            points=Decimal(1),
            interaction=Dialogue(tuple(lines)),
            ending=SUCCESS,
        )
        outcome = self._runners[isolation].run(test, _LIMITS, isolation, {})
        if outcome.exit_code != 0 or outcome.unsent:
            raise SystemExit(f"the session failed: {outcome}")
        return outcome


def _open_runners(stack: ExitStack, bare_environment: RunEnvironment, folder: Path) -> _Runners:
    files = [(folder / name, name) for name in _PROGRAMS]
    sandboxed = stack.enter_context(sandboxed_environment(()))
    return _Runners(stack.enter_context(bare_environment.runner(files)), stack.enter_context(sandboxed.runner(files)))


class _Bare:
    """Bare runs without the grader."""

    def __init__(self, interpreter: Interpreter, folder: Path) -> None:
        self._command = partial(interpreter.program, workdir=folder)
        self._folder = folder

    def pipe(self, lines: Sequence[str]) -> None:
        launch = self._command("dialogue.py")
        text = "".join(f"{line}\n" for line in lines)
        subprocess.run(
            launch.argv,
            cwd=launch.workdir,
            env=dict(launch.environment),
            input=text,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )

    def file(self) -> None:
        launch = self._command("output.py")
        with (self._folder / "output.txt").open("wb") as output:
            subprocess.run(launch.argv, cwd=launch.workdir, env=dict(launch.environment), stdout=output, check=True)


def _lines(count: int) -> list[str]:
    return [str(n) for n in range(count)]


def _dialogue(bare: _Bare, runners: _Runners, count: int, repetitions: int) -> dict[str, object]:
    lines = _lines(count)
    kinds: Kinds = {"pipe": partial(bare.pipe, lines)}
    kinds |= {kind: partial(runners.run, isolation, "dialogue.py", lines) for kind, isolation in _ISOLATIONS.items()}
    return {"inputs": count, **_compare(kinds, "pipe", repetitions)}


def _output(bare: _Bare, runners: _Runners, repetitions: int) -> dict[str, object]:
    kinds: Kinds = {"file": bare.file}
    kinds |= {kind: partial(runners.run, isolation, "output.py", ()) for kind, isolation in _ISOLATIONS.items()}
    return _compare(kinds, "file", repetitions)


def _compare(kinds: Kinds, floor: str, repetitions: int) -> dict[str, object]:
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for run in kinds.values():
        run()
    for _ in range(repetitions):
        for kind, run in kinds.items():
            started = time.perf_counter()
            run()
            times[kind].append(time.perf_counter() - started)
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    return {
        "repetitions": repetitions,
        **{kind: _spread(values) for kind, values in times.items()},
        **{f"ratio_{kind}": round(medians[kind] / medians[floor], 3) for kind in kinds if kind != floor},
    }


def _spread(values: list[float]) -> dict[str, float]:
    """Return the quartiles, which a single disturbed run does not affect."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {"first_quartile": round(low, 5), "median": round(middle, 5), "third_quartile": round(high, 5)}


def _identical(runners: _Runners, runs: int) -> dict[str, int]:
    lines = _lines(10)
    transcripts = {
        runners.run(isolation, "dialogue.py", lines).transcript for _ in range(runs) for isolation in Isolation
    }
    return {"runs": runs * len(Isolation), "distinct_transcripts": len(transcripts)}


def _identical_beside_busy_loops(interpreter: Interpreter, runners: _Runners, runs: int) -> dict[str, int]:
    with _busy_loops(interpreter, 2):
        return _identical(runners, runs)


@contextmanager
def _busy_loops(interpreter: Interpreter, count: int) -> Iterator[None]:
    loops = [subprocess.Popen([interpreter.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    main()
