"""The command line of a bundle: `python3 grader.pyz FILE`, or without a file in its folder."""

import argparse
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from importlib.resources.abc import Traversable
from itertools import chain, repeat
from pathlib import Path
from threading import Event

from grader.errors import GraderError
from grader.files.working_folder import check_working_folder
from grader.plugins.bundling.content import read_bundle
from grader.plugins.bundling.explain import explained
from grader.reports.terminal.console import output_console, progress_bar
from grader.reports.terminal.self_check import check_text
from grader.run.system import SystemKind, this_system
from grader.selfcheck.check import names_at, save_outputs, self_check
from grader.selfcheck.choose_tests import chosen_tests, last_results, only_named, remember_run
from grader.selfcheck.running import INTERRUPTED, write_check
from grader.selfcheck.watch_screen import WatchScreen
from grader.selfcheck.watching import watch_saves
from grader.text.language import LANGUAGES, language_of, speaking, told

_COMMANDS = ("check", "watch", "explain")
_PIPE_CLOSED = 141
"""The exit code if the output is not read to its end, as in shells."""

_SECONDS = 0.5


def main(data: Traversable, arguments: Sequence[str], system: SystemKind = this_system()) -> int:
    """Run the command line of the bundle whose content is in `data`, and return the exit code.

    It is 0 if all tests passed, 1 if some failed, 2 if the check was not possible.
    """
    try:
        try:
            return _run_command(data, arguments, system)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Buffered text would fail again when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED


def _run_command(data: Traversable, arguments: Sequence[str], system: SystemKind) -> int:
    has_command = bool(arguments) and (arguments[0] in _COMMANDS or arguments[0] in ("-h", "--help"))
    parser = _parser()
    if arguments and not has_command and not Path(arguments[0]).exists():
        for command in get_close_matches(arguments[0], _COMMANDS, n=1):
            parser.error(f"`{arguments[0]}` is no command; did you mean `{command}`?")
    asked = parser.parse_args(arguments if has_command else ["check", *arguments])
    # A console may have another encoding, which lacks cards.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        check_working_folder()
        with (
            speaking(asked.language or language_of(os.environ)),
            tempfile.TemporaryDirectory(prefix="grader-bundle-") as name,
        ):
            return _run_in_folder(data, Path(name), asked, system)
    except GraderError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED


def _run_in_folder(data: Traversable, folder: Path, asked: argparse.Namespace, system: SystemKind) -> int:
    _unpack(data, folder)
    # Imported to register the plugins of the bundle.
    sys.path.insert(0, str(folder))
    assignment, transcripts = read_bundle(folder)
    if asked.command == "explain":
        print(explained(asked.word, assignment, _own_command()))
        return 0
    names_at(asked.path)
    prepared = self_check(assignment, asked.path, lambda _: transcripts, system=system)
    explain = f"{_own_command()} explain"
    if asked.command == "watch":
        watched = only_named(prepared, asked.test)
        screen = WatchScreen(output_console(), replace(watched.settings(asked.show), explain=explain))
        with suppress(KeyboardInterrupt):
            watch_saves(watched, screen.show_run, _poll())
        return screen.end()
    check = chosen_tests(
        prepared,
        names=asked.test,
        last_failed=asked.last_failed,
        fail_fast=asked.fail_fast,
        run_all=asked.run_all,
    )
    settings = replace(check.settings(asked.show, full=asked.full), explain=explain, before=last_results(check))
    run, _ = write_check(check, settings, check_text(settings), sys.stdout, partial(progress_bar, told("tests")))
    remember_run(check, run.graded.results)
    if asked.save is not None:
        save_outputs(run.graded, asked.save)
    return run.exit_code


def _unpack(source: Traversable, folder: Path) -> None:
    """Copy a folder that may be in an archive, because programs need real files."""
    for entry in source.iterdir():
        if entry.is_dir():
            (folder / entry.name).mkdir()
            _unpack(entry, folder / entry.name)
        else:
            (folder / entry.name).write_bytes(entry.read_bytes())


def _own_command() -> str:
    """Return the command that runs the bundle: `python3 grader.pyz`, or the name of an installed command."""
    program = Path(sys.argv[0])
    if program.suffix not in (".pyz", ".py"):
        return program.name
    file = program.parent if program.name == "__main__.py" else program
    return f"{'py' if sys.platform == 'win32' else 'python3'} {file.name or '.'}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_own_command(),
        description="Check your program before you hand it in. Name it, or run this in its folder.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="Run the public tests on your own program (the default).")
    watch = commands.add_parser("watch", help="Run the tests again whenever you save; press Ctrl-C to stop.")
    for command in (check, watch):
        _add_common(command)
    explain = commands.add_parser("explain", help="Explain a word used in the report, or a test.")
    explain.add_argument(
        "word",
        nargs="?",
        default="",
        metavar="WORD",
        help="For example wrong-prompt, or a test; default: list them all.",
    )
    explain.set_defaults(language=None)
    check.add_argument(
        "--save", type=Path, metavar="FOLDER", help="Save your program's output, one .txt file per test."
    )
    check.add_argument("--last-failed", action="store_true", help="Run only the tests that failed last time.")
    check.add_argument("--fail-fast", action="store_true", help="Stop after the first test that fails.")
    check.add_argument("--run-all", action="store_true", help="Keep going after two tests reach the time limit.")
    check.add_argument("--full", action="store_true", help="Show every failing test, with all its differences.")
    return parser


def _add_common(command: argparse.ArgumentParser) -> None:
    """Add the options that `check` and `watch` share."""
    about = "Your program, or the folder it is in; default: this folder."
    command.add_argument("path", type=Path, nargs="?", default=Path(), metavar="FILE|FOLDER", help=about)
    command.add_argument(
        "--test", action="append", default=[], metavar="NAME", help="Run only this test; * stands for any characters."
    )
    command.add_argument("--show", type=int, default=3, help="Causes of failure to show in detail (default: 3).")
    command.add_argument(
        "--language",
        metavar="NAME",
        help=f"The language of the report: {', '.join(LANGUAGES)}; default: that of the environment.",
    )


def _poll() -> Iterator[object]:
    """Yield immediately, and then twice a second."""
    wait = Event().wait
    yield from chain([None], (wait(_SECONDS) for _ in repeat(None)))
