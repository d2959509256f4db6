"""Measures the seconds from nothing to a graded class by each way to install: installation, `grader demo`, a course.

The wheel is built from this checkout; its libraries are downloaded from the package index into empty caches. uv and
pipx are downloaded beforehand and not counted. The course is minimal: `init`, `new`, `generate`, one student with the
reference's program, and `grade`. Run as `python -m benchmarks.ways_in`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent
_COURSE = (
    "grader init && grader new assignment sums && grader generate"
    " && mkdir -p submissions/sums/ada && cp reference/sums.py submissions/sums/ada"
)


@dataclass(frozen=True)
class WayIn:
    """Shell commands that install the wheel `$WHEEL`, and the folder inside the home folder where `grader` is then."""

    name: str
    install: str
    programs: str


_WAYS = (
    WayIn("pip", 'python3 -m venv venv && venv/bin/python -m pip install --quiet "$WHEEL[all]"', "venv/bin"),
    WayIn("pipx", 'pipx install --quiet "$WHEEL[all]"', ".local/bin"),
    WayIn("uv tool", 'uv tool install --quiet "$WHEEL[all]"', ".local/bin"),
    WayIn("uvx", "true", "uvx"),
)


def main() -> None:
    """Measure each way, and print a row of a table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("| way | installation, s | `grader demo`, s | a course made and graded, s |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="ways-in-") as name:
        folder = Path(name)
        tools = _fetch_tools(folder / "tools")
        _run(f'"{sys.executable}" -m build --wheel --outdir "{folder}" "{_PROJECT}"', folder, os.environ)
        wheel = next(folder.glob("*.whl"))
        for way in _WAYS:
            print(_measured(way, folder / way.name, wheel, tools), flush=True)


def _fetch_tools(folder: Path) -> Path:
    """Install uv and pipx, and return the folder of their commands."""
    _run(f'"{sys.executable}" -m venv "{folder}" && "{folder}/bin/pip" install --quiet uv pipx', _PROJECT, os.environ)
    return folder / "bin"


def _measured(way: WayIn, home: Path, wheel: Path, tools: Path) -> str:
    (home / "uvx").mkdir(parents=True)
    (home / "uvx" / "grader").write_text('#!/bin/sh\nexec uvx --quiet --from "$WHEEL" grader "$@"\n')
    (home / "uvx" / "grader").chmod(0o755)
    base = Path(sys.base_prefix) / "bin"
    path = f"{home / way.programs}:{base}:{tools}:{os.defpath}"
    # A new user has no Python settings, such as a setting that disables compiled modules.
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables = {**ours, "HOME": str(home), "PATH": path, "WHEEL": str(wheel), "LANG": "C.UTF-8"}
    commands = (way.install, "grader demo", f"mkdir course && cd course && {_COURSE} && grader grade submissions/sums")
    seconds = [f"{_run(command, home, variables):.0f}" for command in commands]
    return f"| {way.name} | {' | '.join(seconds)} |"


def _run(command: str, folder: Path, variables: Mapping[str, str]) -> float:
    """Run a shell command and return its seconds. If it fails, print its output and end the benchmark."""
    start = time.monotonic()
    run = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(f"{command}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    return time.monotonic() - start


if __name__ == "__main__":
    main()
