"""Measures a newcomer's first minute: `make demo` in a fresh copy of the project, in a folder called `a b's ü`.

The requirements of the command are installed first and measured separately. With `--commands demo test`, `make test` is
measured in the same way. Prints JSON: elapsed seconds, the number of printed lines, and the exit status; the output of
a failed command goes to standard error. Run as `python -m benchmarks.first_minute`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent
_NAME = "a b's ü"
_VARIABLES_OF_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
_INSTALLATIONS = {"demo": ".venv/grader", "test": ".venv/ready"}


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="first-minute-") as name:
        project = fresh_copy(Path(name))
        _make_repository(project)
        if options.lend:
            lend_libraries(project)
        print(json.dumps({command: measure(project, command) for command in options.commands}, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", nargs="+", choices=[*_INSTALLATIONS], default=["demo"], help="default: demo")
    parser.add_argument("--lend", action="store_true", help="take the libraries of this environment, install nothing")
    return parser.parse_args()


def fresh_copy(folder: Path) -> Path:
    """Copy the project like a clone: the files that Git tracks or would add, with all uncommitted changes."""
    project = folder / _NAME
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=_PROJECT, capture_output=True, text=True, check=True).stdout
    for name in listed.rstrip("\0").split("\0"):
        if (_PROJECT / name).exists():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(_PROJECT / name, project / name)
    return project


def _make_repository(project: Path) -> None:
    """Make a Git repository of the files, because some tests ask Git for them."""
    for command in ["git", "init", "--quiet"], ["git", "add", "--all"]:
        subprocess.run(command, cwd=project, check=True)


def lend_libraries(project: Path) -> None:
    """Give a copy of the project an environment with the libraries of this one, so that nothing is installed."""
    environment = project / ".venv"
    venv.create(environment, symlinks=True)
    folders = {name: str(environment) for name in ("base", "platbase")}
    packages = Path(sysconfig.get_path("purelib", "venv", folders))
    (packages / "lent.pth").write_text(f"{project}\n{sysconfig.get_path('purelib')}\n")
    for stamp in _INSTALLATIONS.values():
        (project / stamp).touch()


@dataclass(frozen=True)
class MakeRun:
    """The output of a command on both streams, and the seconds that it took."""

    output: str
    exit_status: int
    seconds: float

    @property
    def figures(self) -> dict[str, float]:
        """Return the figures to print."""
        return {
            "seconds": round(self.seconds, 1),
            "lines": len(self.output.splitlines()),
            "exit_status": self.exit_status,
        }


def run_make(project: Path, *arguments: str) -> MakeRun:
    """Run `make` in a copy of the project as from a shell, not as part of another `make`."""
    environment = {name: value for name, value in os.environ.items() if name not in _VARIABLES_OF_MAKE}
    started = time.perf_counter()
    command = ["make", *arguments]
    run = subprocess.run(
        command,
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return MakeRun(run.stdout, run.returncode, time.perf_counter() - started)


def measure(project: Path, command: str) -> dict[str, dict[str, float]]:
    """Return the figures of a `make` command, and separately the figures of the installation that it needs."""
    steps: Sequence[tuple[str, str]] = (("installation", _INSTALLATIONS[command]), ("command", command))
    runs = {step: run_make(project, target) for step, target in steps}
    for run in runs.values():
        if run.exit_status != 0:
            print(run.output, file=sys.stderr)
    return {step: run.figures for step, run in runs.items()}


if __name__ == "__main__":
    main()
