"""Asks a checker of the course in a separate process within a time limit. No student code runs in that process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from threading import Event

import grader
from grader.checkers import ActualOutput, CheckResult, CheckStatus
from grader.errors import GraderError
from grader.model.test import CheckerSettings
from grader.time_limit import TimeLimit

CHECKER_SECONDS = 120.0
_SECONDS_TO_NOTICE = 0.1
PACKAGE_FOLDER = str(Path(grader.__file__).parents[1])
"""The folder of this package, which may be in an archive; it is the first argument of a child process."""


_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); from grader.checkers.child import main; main()"


class CheckerError(GraderError):
    """A checker failed or took too long, which says nothing about the student's answer."""


def ask(
    checker: CheckerSettings,
    question: str,
    expected: str,
    actual: ActualOutput,
    *,
    seconds: float = CHECKER_SECONDS,
    cancelled: Event | None = None,
) -> CheckResult:
    """Ask `checker` about `actual`, given the input `question`. Raises CheckerError."""
    request = {
        "checker": checker.name,
        "file": str(checker.file),
        "options": dict(checker.options),
        "input": question,
        "expected": expected,
        "kind": type(actual).__name__,
        "actual": vars(actual),
    }
    with _started_child(json.dumps(request, default=vars)) as process:
        try:
            reply, errors = _wait_for_texts(process, TimeLimit(seconds), cancelled or Event())
        except TimeoutError as error:
            raise CheckerError(f"The checker {checker.name} {error}.") from None
        finally:
            kill_group(process)
    if process.returncode != 0:
        last = errors.strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
        raise CheckerError(f"The checker {checker.name} failed: {last[0]}")
    return _read_reply(checker, reply)


def kill_group(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    """Kill the process, which leads a session, and everything it started; harmless if it has already ended."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _started_child(request: str) -> "subprocess.Popen[str]":
    """Start a process whose standard input is a file with the request, because a pipe only holds 64 kB."""
    with tempfile.TemporaryFile("w+", encoding="ascii") as stdin:
        stdin.write(request)
        stdin.seek(0)
        return subprocess.Popen(
            [sys.executable, "-c", _CHILD, PACKAGE_FOLDER],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def _wait_for_texts(process: "subprocess.Popen[str]", limit: TimeLimit, cancelled: Event) -> tuple[str, str]:
    """Return the checker's answer and any other output. Raises TimeoutError."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_SECONDS_TO_NOTICE)
        if cancelled.is_set():
            raise TimeoutError("was interrupted")
        if limit.is_over():
            raise TimeoutError("took too long")


def _read_reply(checker: CheckerSettings, reply: str) -> CheckResult:
    try:
        content = json.loads(reply)
        score = None if content["score"] is None else Decimal(content["score"])
        return CheckResult(CheckStatus(content["status"]), str(content["reason"]), score)
    except (ValueError, KeyError, TypeError) as error:
        raise CheckerError(f"The checker {checker.name} gave no answer: {error}") from None


def checker_file(course_folder: Path, name: str) -> Path:
    """Return the path of the checker with this name, or None if the course has none."""
    return course_folder / "checkers" / f"{name}.py"


def files_beside(file: Path) -> dict[Path, Path]:
    """Return all files in the folder of a checker or interactor, which it may import or read, by relative path."""
    folder = file.parent
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder): path for path in files}


def checker_names(course_folder: Path) -> tuple[str, ...]:
    """Return the names of the course's checkers, sorted."""
    return tuple(sorted(file.stem for file in (course_folder / "checkers").glob("*.py")))
