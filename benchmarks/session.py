"""What a session in a terminal costs, against the same program fed by a pipe.

Every figure comes from one run of this script, kinds alternating, the same clean interpreter throughout. Printed as
JSON; times are in seconds. Run as `python -m benchmarks.session`.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.run.interpreter import Interpreter, student_environment
from grader.run.launch import Launch
from grader.run.session import converse

_PROGRAM = """\
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


def main() -> None:
    """Measure and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        interpreter = student_environment(folder / "interpreter")
        workdir = folder / "work"
        workdir.mkdir()
        (workdir / "adder.py").write_text(_PROGRAM, encoding="utf-8")
        launch = interpreter.program("adder.py", workdir)
        result = {
            "dialogue_10": _compare(launch, 10, options.repetitions),
            "dialogue_1000": _compare(launch, 1000, max(1, options.repetitions // 4)),
            "identical_quiet": _identical(launch, options.identical),
            "identical_busy": _identical_beside_busy_loops(interpreter, launch, options.identical),
        }
    print(json.dumps(result, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100, help="of the short dialogue (long: a quarter)")
    parser.add_argument("--identical", type=int, default=200, help="runs whose transcripts are compared")
    return parser.parse_args()


def _lines(count: int) -> list[str]:
    return [str(n) for n in range(count)]


def _by_terminal(launch: Launch, count: int) -> None:
    outcome = converse(launch, _lines(count))
    if outcome.exit_code != 0 or outcome.unsent:
        raise SystemExit(f"the dialogue failed: {outcome}")


def _by_pipe(launch: Launch, count: int) -> None:
    text = "".join(f"{line}\n" for line in _lines(count))
    subprocess.run(
        launch.argv,
        cwd=launch.workdir,
        env=dict(launch.environment),
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )


def _compare(launch: Launch, count: int, repetitions: int) -> dict[str, object]:
    kinds: dict[str, Callable[[Launch, int], None]] = {"pipe": _by_pipe, "terminal": _by_terminal}
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for kind, run in kinds.items():
        run(launch, count)
        times[kind].clear()
    for _ in range(repetitions):
        for kind, run in kinds.items():
            started = time.perf_counter()
            run(launch, count)
            times[kind].append(time.perf_counter() - started)
    ratios = [mine / floor for mine, floor in zip(times["terminal"], times["pipe"], strict=True)]
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    return {
        "inputs": count,
        "repetitions": repetitions,
        "pipe": _spread(times["pipe"]),
        "terminal": _spread(times["terminal"]),
        "ratio_of_medians": round(medians["terminal"] / medians["pipe"], 3),
        "ratio_of_pairs": _spread(ratios),
        "microseconds_per_input": round((medians["terminal"] - medians["pipe"]) / count * 1e6, 1),
    }


def _spread(values: list[float]) -> dict[str, float]:
    """Return quartiles, which a single disturbed run does not move."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {"first_quartile": round(low, 5), "median": round(middle, 5), "third_quartile": round(high, 5)}


def _identical(launch: Launch, runs: int) -> dict[str, int]:
    transcripts = {converse(launch, _lines(10)).transcript for _ in range(runs)}
    return {"runs": runs, "distinct_transcripts": len(transcripts)}


def _identical_beside_busy_loops(interpreter: Interpreter, launch: Launch, runs: int) -> dict[str, int]:
    with _busy_loops(interpreter, 2):
        return _identical(launch, runs)


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
