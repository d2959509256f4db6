"""Documents as people follow them: the files in a document are written, its commands run."""

import atexit
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from pexpect import EOF, spawn

from tests import ROOT
from tests.prepared_grader import PreparedGrader
from tests.sandbox import MISSING, is_missing
from tools.document_steps import File, steps

NEEDS_A_SANDBOX = ("grade", "report", "audit", "fuzz", "insight", "export", "serve")
ENDED_BY_A_KEY = ("grader record", "grader serve", "grader watch")
# What only a shell understands.
_OF_A_SHELL = re.compile(r"[|&;<>$*?`()~{}\[\]\n]")
TYPED = re.compile(r"# type: (.*)")


def run_document(document: Path, folder: Path) -> list[str]:
    """Write the files and run the commands of `document` (`grader`, `pytest`) in `folder`; returns the commands run."""
    commands = []
    for step in steps(document):
        if isinstance(step, File):
            step.write(folder)
            continue
        code, output = run_command(step.line, folder)
        assert code == step.exit_code, f"{step.line}\n{output}"
        commands.append(step.line)
    return commands


def run_command(line: str, folder: Path) -> tuple[int | None, str]:
    """Run a command, at a terminal if a key ends it; returns its exit code and what it printed."""
    if line.startswith(tuple(f"grader {command}" for command in NEEDS_A_SANDBOX)) and is_missing:
        pytest.skip(MISSING)
    run = at_a_terminal if line.startswith(ENDED_BY_A_KEY) else in_pipes
    return run(line, folder, environment(folder))


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of commands that find this program, with a home and a cache of their own."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder.with_name(f"{folder.name}.cache"))}
    return {**os.environ, **own, "PATH": path, "PYTEST_PLUGINS": "grader.plugins.pytest.options"}


def copy_parts(folder: Path, *parts: str) -> None:
    """Copy folders of the repository, such as `test_specs/cse231-lab10a`, to the same places in `folder`."""
    for part in parts:
        shutil.copytree(ROOT / part, folder / part)


def write_files(document: Path, folder: Path) -> None:
    """Write the files of a document in `folder`."""
    for step in steps(document):
        if isinstance(step, File):
            step.write(folder)


def in_pipes(line: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command; returns its exit code and what it printed."""
    program, *arguments = shlex.split(line, comments=True)
    if program == "grader" and not _OF_A_SHELL.search(shlex.join(arguments)):
        run = prepared().run(*arguments, folder=folder, environment=environment)
    else:
        command = ["bash", "-c", line]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


@cache
def prepared() -> PreparedGrader:
    """The command line without its imports, for all documents."""
    started = PreparedGrader()
    atexit.register(started.__exit__, None, None, None)
    return started


def at_a_terminal(line: str, folder: Path, environment: dict[str, str]) -> tuple[int | None, str]:
    """The same at a terminal: what the comment says is typed, and one that waits for changes is ended."""
    terminal: spawn[str] = spawn(
        "bash", ["-c", line], cwd=folder, env=environment, encoding="utf-8", timeout=120, dimensions=(24, 120)
    )
    with StringIO() as screen, closing(terminal):
        terminal.logfile_read = screen
        typed = TYPED.search(line)
        if typed:
            terminal.expect_exact("To give up: Ctrl-C.")
            terminal.send("".join(f"{word}\r" for word in typed[1].split()))
        else:
            terminal.expect_exact(["Waiting for changes; Ctrl-C ends.", "Ctrl-C ends it"])
            terminal.sendintr()
        terminal.expect(EOF)
        terminal.wait()
        return terminal.exitstatus, screen.getvalue()


def csv_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, by the names of the columns."""
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
