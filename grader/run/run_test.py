"""Runs a test the way it asks for: in a terminal, or with standard input from a file."""

from collections.abc import Mapping
from pathlib import Path

from grader.run.bench import Bench
from grader.run.outcome import Outcome
from grader.run.stdin_session import feed
from grader.run.workspace import workspace
from grader.spec.assignment import Test
from grader.spec.limits import Limits


def run_test(
    bench: Bench,
    test: Test,
    files: tuple[tuple[Path, str], ...],
    limits: Limits,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run `test` in a fresh folder with copies of `files` (path and name).

    Raises SessionError when the program could not be run, OSError when a file cannot be copied.
    """
    if test.stdin is None:
        return bench.run(test, files, limits, environment)
    with workspace(files, bench.scratch) as folder:
        launch = bench.interpreter.program(test.program, folder, environment or {})
        return feed(launch, test.stdin.text, limits=limits, cancelled=bench.cancelled).outcome()
