"""The command `grader demo`."""

import shlex
import subprocess
import sys
from pathlib import Path

import click

from grader.cli.options import PATH, ExitCode

_NEXT = "Next: `grader init` in a new folder starts a course of your own; `grader doctor` says what this machine has."


@click.command()
@click.argument("folder", type=PATH, default=Path("grader-demo"), help="The new folder; default: grader-demo.")
def demo(*, folder: Path) -> ExitCode:
    """Grade a sample class in a new folder."""
    from grader.plugins.demo.sample_course import STUDENTS, lay_out

    lay_out(folder)
    print(
        f"A course with a class of {len(STUDENTS)} students is in {folder}/. The demo runs these commands there:",
        flush=True,
    )
    code = run_commands(folder)
    print(f"\n{_NEXT}")
    return code


def run_commands(folder: Path) -> ExitCode:
    """Show and run the commands of the demo in a folder with the sample course."""
    from grader.plugins.demo.sample_course import ASSIGNMENT

    students = f"submissions/{ASSIGNMENT}"
    program = f"{students}/prompt-and-capital-letter/solitaire_1.py"
    sandbox = _sandbox_arguments()
    codes = (
        _run(folder, "grade", students, *sandbox),
        _run(folder, "report", students, *sandbox),
        _run(folder, "check", program, "--test", "s1-lost"),
    )
    # The student's program fails its test.
    return 0 if codes == (0, 0, 1) else 2


def _run(folder: Path, *arguments: str) -> int:
    """Show a command of this program, run it in the folder, and return its exit code."""
    print(f"\n$ grader {shlex.join(arguments)}", flush=True)
    return subprocess.run([sys.executable, "-m", "grader", *arguments], cwd=folder, check=False).returncode


def _sandbox_arguments() -> tuple[str, ...]:
    """Return the options for running the samples, and print a note if this machine has no sandbox."""
    from grader.run.protection import is_protected, protections

    if is_protected(protections()):
        return ()
    print("This machine has no sandbox (`grader doctor` says why), so these known samples run with limits only.")
    return ("--sandbox", "none")
