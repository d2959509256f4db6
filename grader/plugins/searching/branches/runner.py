"""Runs a Python reference with one input after another, and reports the branches it takes."""

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.authoring.reference_files import reference_files
from grader.errors import GraderError
from grader.model.assignment import Assignment
from grader.model.interaction import program_input, shows_typing
from grader.model.program import Program
from grader.model.test import Test
from grader.run.interpreter import Interpreter
from grader.run.workspace import workspace

_CHILD = Path(__file__).with_name("child.py")


class BranchRunError(GraderError):
    """A reference cannot be run for its branches."""


class BranchRunner:
    """A process that runs the reference with one input after another; not thread-safe.

    `branches` are all branches of the reference.
    """

    def __init__(self, setup: dict[str, Any], process: "subprocess.Popen[str]", errors: Path, reference: Path) -> None:
        if process.stdin is None or process.stdout is None:
            raise BranchRunError("A process that runs the reference was started without pipes.")
        self._process = process
        self._requests = process.stdin
        self._answers = process.stdout
        self._errors = errors
        self._reference = reference
        self.branches: list[tuple[int, int]] = self._ask(setup)

    def run(self, test: Test, variant: str) -> dict[str, Any]:
        """Run the reference as `variant` and return the answer of child.py. Raises BranchRunError."""
        environment = replace(test.provision, variant=variant).environment
        lines, echo = program_input(test.interaction).split("\n")[:-1], shows_typing(test.interaction)
        answer: dict[str, Any] = self._ask({"lines": lines, "echo": echo, "environment": environment})
        return answer

    def kill(self) -> None:
        """End the process and its forks."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _ask(self, request: dict[str, Any]) -> Any:
        with suppress(BrokenPipeError):
            self._requests.write(f"{json.dumps(request)}\n")
            self._requests.flush()
        answer = self._answers.readline()
        if not answer:
            last_line = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise BranchRunError(f"The reference {self._reference} cannot be run: {''.join(last_line)}")
        return json.loads(answer)


@contextmanager
def open_branch_runner(assignment: Assignment, program: Program, events: Mapping[str, str]) -> Iterator[BranchRunner]:
    """Open a runner of a program's reference; `events` maps names to regular expressions to look for in the output.

    Raises BranchRunError if the reference cannot be run.
    """
    if not program.reference.is_file():
        raise BranchRunError(f"The reference {program.reference} is missing.")
    interpreter = Interpreter(Path(sys.prefix), platform.python_version(), Path(sys.base_prefix))
    files = reference_files(assignment, program, program.reference)
    with tempfile.TemporaryDirectory(prefix="grader-branches-") as scratch, workspace(files, Path(scratch)) as folder:
        errors = Path(scratch) / "errors"
        with errors.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, str(_CHILD)],
                cwd=folder,
                env=interpreter.environment(folder, {}),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        setup = {"program": program.file, "seconds": assignment.limits.wall_seconds, "events": dict(events)}
        with process:
            try:
                yield BranchRunner(setup, process, errors, program.reference)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
