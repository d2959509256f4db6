"""Documents as people follow them: the files in a document are written, its commands run."""

import csv
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from pexpect import EOF, spawn

from tests import ROOT
from tests.sandbox import MISSING, is_missing

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)
EXIT_CODE = re.compile(r"# exit code (\d)")
TYPED = re.compile(r"# type: (.*)")


def run_document(document: Path, folder: Path) -> list[str]:
    """Write the files and run the commands of `document` (`grader`, `pytest`) in `folder`; returns the commands run."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    # Some commands write to the home folder.
    environment = {**os.environ, "HOME": str(folder), "PATH": path, "PYTEST_PLUGINS": "grader.pytest_plugin"}
    commands = []
    for block in BLOCK.finditer(document.read_text()):
        kind, _, file = block["info"].partition(" file=")
        if file:
            write_file(folder / file, block["body"])
        for line in block["body"].splitlines() if kind == "sh" else ():
            needs_a_sandbox = ("grade", "report", "audit", "fuzz", "insight", "export", "serve")
            if line.startswith(tuple(f"grader {command}" for command in needs_a_sandbox)) and is_missing:
                pytest.skip(MISSING)
            if line.startswith(("grader ", "pytest ", "python3 grader.pyz ")):
                run = at_a_terminal if line.startswith(("grader record", "grader serve", "grader watch")) else in_pipes
                code, output = run(line, folder, environment)
                wanted = EXIT_CODE.search(line)
                assert code == int(wanted[1] if wanted else 0), f"{line}\n{output}"
                commands.append(line)
    return commands


def copy_parts(folder: Path, *parts: str) -> None:
    """Copy folders of the repository, such as `test_specs/cse231-lab10a`, to the same places in `folder`."""
    for part in parts:
        shutil.copytree(ROOT / part, folder / part)


def write_files(document: Path, folder: Path) -> None:
    """Write the files of a document in `folder`."""
    for block in BLOCK.finditer(document.read_text()):
        _, _, file = block["info"].partition(" file=")
        if file:
            write_file(folder / file, block["body"])


def write_file(file: Path, content: str) -> None:
    """Write a file and the folders that it needs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)


def in_pipes(line: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command; returns its exit code and what it printed."""
    command = ["bash", "-c", line]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


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
