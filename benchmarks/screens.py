"""Counts frames that differ between runs of programs that draw, beside busy loops.

Games from the package index and two programs in C and Rust, installed in a temporary environment, get random keys
chosen by a seed. Text, colours and the cursor are compared. It goes on with further seeds until there are enough frames
or the time is over. Prints JSON: frames, how many differ from the first run, and the time of a frame and of a line in a
dialogue. Run as `python -m benchmarks.screens`.
"""

import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from threading import Lock

from benchmarks.drawing_programs import KEYS, PROGRAMS, install
from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits, StartSettings
from grader.model.test import Test, Visibility
from grader.plugins.screens.interaction import ScreenDialogue
from grader.plugins.screens.settings import ScreenPart, ScreenSettings, Span
from grader.plugins.screens.written_frames import WrittenFrame, frames_in
from grader.run.environment import open_environment
from grader.run.interface import TestRunner

_DIALOGUE = """\
while True:
    print("Got", input("Line? "))
"""
_SIZE = (24, 80)
_LIMITS = Limits(wall_seconds=3600, cpu_seconds=3600, output_bytes=1 << 30)
_TEST = Test(
    id="t",
    title="",
    program="game.py",
    part="p",
    visibility=Visibility.PUBLIC,
    points=Decimal(1),
    interaction=Dialogue(()),
    ending=SUCCESS,
)


@dataclass(frozen=True)
class Comparison:
    """The runs of a program with a seed: all frames, and the numbers of the frames unlike the first run's."""

    program: str
    seed: int
    frames: int
    differing: tuple[int, ...]
    seconds: float
    load: float
    """The load of the machine at the end."""


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        launcher = install(folder)
        (folder / "dialogue.py").write_text(_DIALOGUE, encoding="utf-8")
        environment = stack.enter_context(open_environment(tests_at_a_time=options.jobs))
        files = [(launcher, launcher.name), (folder / "dialogue.py", "dialogue.py")]
        runner = stack.enter_context(environment.runner(files))
        stack.enter_context(busy_loops(options.busy))
        print(json.dumps(_measure(runner, folder, options), indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", nargs="*", choices=PROGRAMS, default=PROGRAMS)
    parser.add_argument("--keys", type=int, default=100, help="for each program and seed")
    parser.add_argument("--frames", type=int, default=1, help="to compare at least, after all programs with one seed")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which no session starts")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--runs", type=int, default=4, help="of each seed, compared with the first")
    parser.add_argument("--jobs", type=int, default=1, help="sessions at a time")
    parser.add_argument("--busy", type=int, default=8, help="busy loops beside the runs")
    parser.add_argument("--wait", type=int, default=-1, help="milliseconds that a game waits for a key; -1: no timeout")
    return parser.parse_args()


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep the machine busy with this many endless programs."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _measure(runner: TestRunner, folder: Path, options: argparse.Namespace) -> dict[str, object]:
    done: list[Comparison] = []
    rounds = ((program, seed) for seed in itertools.count(options.seed) for program in options.programs)
    begun, lock = time.monotonic(), Lock()

    def work() -> None:
        while True:
            with lock:
                program, seed = next(rounds)
                is_enough = seed > options.seed and _totals(done)[0] >= options.frames
                if is_enough or time.monotonic() - begun > options.seconds:
                    return
            comparison = _compare(runner, folder, program, seed, options)
            with lock:
                done.append(comparison)
                total = sum(comparison.frames for comparison in done)
                print(
                    f"{total} frames, {sum(len(comparison.differing) for comparison in done)} differ", file=sys.stderr
                )

    used = _processor_seconds()
    with ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(work) for _ in range(options.jobs)]:
            future.result()
    frames, differing = _totals(done)
    return {
        "programs": len({comparison.program for comparison in done}),
        "sessions": options.runs * len(done),
        "frames": frames,
        "differing": differing,
        "differences": [vars(comparison) for comparison in done if comparison.differing],
        "seconds": round(time.monotonic() - begun),
        "load": sorted(round(comparison.load, 1) for comparison in done)[:: max(1, len(done) // 4)],
        "ms per frame": round(1000 * sum(comparison.seconds for comparison in done) / frames, 2),
        "processor ms per frame": round(1000 * (_processor_seconds() - used) / frames, 2),
        "ms per line of a dialogue": round(1000 * _line_seconds(runner, options.keys), 2),
    }


def _totals(done: Sequence[Comparison]) -> tuple[int, int]:
    """Return the number of frames, and how many differ."""
    return sum(comparison.frames for comparison in done), sum(len(comparison.differing) for comparison in done)


def _processor_seconds() -> float:
    """Return the processor time of this process and of all programs that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def _compare(runner: TestRunner, folder: Path, program: str, seed: int, options: argparse.Namespace) -> Comparison:
    keys = random.Random(f"{program} {seed}").choices(KEYS, k=options.keys)
    arguments = (str(folder), program, str(seed), str(options.wait))
    test = replace(_TEST, interaction=_dialogue_of(keys), start=StartSettings(arguments=arguments))
    begun = time.monotonic()
    first, *others = (_frames(_run(runner, test)) for _ in range(options.runs))
    return Comparison(
        program,
        seed,
        frames=len(first) + sum(map(len, others)),
        differing=tuple(
            number
            for shown in others
            for number, (a, b) in enumerate(itertools.zip_longest(first, shown), start=1)
            if a != b
        ),
        seconds=time.monotonic() - begun,
        load=os.getloadavg()[0],
    )


def _line_seconds(runner: TestRunner, count: int) -> float:
    begun = time.monotonic()
    _run(runner, replace(_TEST, program="dialogue.py", interaction=Dialogue(("x",) * count, echo=True)))
    return (time.monotonic() - begun) / count


def _dialogue_of(keys: Sequence[str]) -> ScreenDialogue:
    rows, columns = _SIZE
    settings = ScreenSettings(
        rows=rows,
        columns=columns,
        parts=frozenset(ScreenPart),
        shown_rows=Span(1, rows),
        shown_columns=Span(1, columns),
    )
    return ScreenDialogue(tuple(keys), screen=settings)


def _run(runner: TestRunner, test: Test) -> Outcome:
    return runner.run(test, _LIMITS, Isolation.FRESH_PROCESS, {})


def _frames(outcome: Outcome) -> list[WrittenFrame]:
    if len(outcome.typed) < 2:
        raise SystemExit(f"the game has not started: {outcome.errors or outcome.transcript}")
    return frames_in(outcome.transcript.splitlines())


if __name__ == "__main__":
    main()
