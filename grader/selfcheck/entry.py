"""The command line of a bundle: `python3 grader.pyz check FILE`."""

import argparse
import io
import sys
import tempfile
import warnings
from collections.abc import Sequence
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from grader.errors import GraderError
from grader.reports.terminal.console import progress_bar
from grader.reports.terminal.diff import all_differences, first_screenful
from grader.reports.terminal.self_check import check_text
from grader.run.system import THIS_SYSTEM, SystemKind
from grader.selfcheck.check import checked_program, exit_code, names_at, run_check, save_outputs, self_check
from grader.selfcheck.content import read_bundle

_INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells give it."""


def main(data: Traversable, arguments: Sequence[str], system: SystemKind = THIS_SYSTEM) -> int:
    """Do what the command line asks for with the bundle whose content is in `data`; returns the exit code.

    It is 0 when all tests passed, 1 when some failed, 2 when the check could not be done.
    """
    asked = _parser().parse_args(arguments)
    # A console may have another encoding, in which cards cannot be written.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        with tempfile.TemporaryDirectory(prefix="grader-bundle-") as name:
            return _check(data, Path(name), asked, system)
    except GraderError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return _INTERRUPTED


def _check(data: Traversable, folder: Path, asked: argparse.Namespace, system: SystemKind) -> int:
    _unpack(data, folder)
    assignment, transcripts = read_bundle(folder)
    names_at(asked.path)
    check = self_check(assignment, asked.path, lambda _: transcripts, system=system)
    diff_text = all_differences if asked.full else first_screenful
    graded = run_check(check, partial(progress_bar, "tests"))
    sys.stdout.write(check_text(checked_program(check, graded, show=asked.show, diff_text=diff_text)).printed)
    if asked.save is not None:
        save_outputs(graded, asked.save)
    return exit_code(graded.results)


def _unpack(source: Traversable, folder: Path) -> None:
    """Copy a folder that may be in an archive: programs are given real files."""
    for entry in source.iterdir():
        if entry.is_dir():
            (folder / entry.name).mkdir()
            _unpack(entry, folder / entry.name)
        else:
            (folder / entry.name).write_bytes(entry.read_bytes())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grader", description="Check your program before you hand it in.")
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser("check", help="Run the public tests on your own program.")
    check.add_argument("path", type=Path, metavar="FILE|FOLDER", help="Your program, or the folder it is in.")
    check.add_argument("--show", type=int, default=3, help="Failing tests to show in detail (default: 3).")
    check.add_argument(
        "--save", type=Path, metavar="FOLDER", help="Write what your program printed, a .txt file per test."
    )
    check.add_argument("--full", action="store_true", help="Show every difference, not a screenful per test.")
    return parser
