"""Finds a version of Python that can parse a program when the current version cannot.

Ruff knows the grammar of every version since 3.7, and when each piece of syntax was added. Without Ruff, newer
interpreters on PATH parse the program. Python 2 is tried as well, if it is installed.
"""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

_SECONDS_TO_ANSWER = 10
_NEWEST = 15
"""The newest version of Python 3 to try, and the newest that Ruff knows."""


_MAX_BYTES = 200_000
_PARSE = "import ast, sys; ast.parse(getattr(sys.stdin, 'buffer', sys.stdin).read())"


def find_newer_python(source: bytes, version: str) -> str | None:
    """Return the oldest Python after `version` ("3.11") that parses `source`, such as "3.12", or None.

    Also returns None if the tool parses the source as `version`, because the syntax is then not the problem.
    """
    minor = int(version.split(".")[1])
    if len(source) > _MAX_BYTES or _parses(source, minor):
        return None
    return next((f"3.{candidate}" for candidate in range(minor + 1, _NEWEST + 1) if _parses(source, candidate)), None)


def parses_as_python_2(source: bytes) -> bool:
    """Return whether an installed Python 2 parses `source`."""
    python_2 = shutil.which("python2.7") or shutil.which("python2")
    return python_2 is not None and len(source) <= _MAX_BYTES and _ends_well([python_2, "-E", "-c", _PARSE], source)


def _parses(source: bytes, minor: int) -> bool:
    ruff = _ruff()
    if ruff is not None:
        options = ("--isolated", "--quiet", "--no-cache", "--select", "F821", "--ignore", "ALL")
        command = [ruff, "check", *options, "--target-version", f"py3{minor}", "--stdin-filename", "program.py", "-"]
        return _ends_well(command, source)
    interpreter = sys.executable if minor == sys.version_info.minor else shutil.which(f"python3.{minor}")
    return interpreter is not None and _ends_well([interpreter, "-I", "-c", _PARSE], source)


def _ruff() -> str | None:
    """Return the path of the package's command, which may be next to an interpreter that is not on PATH."""
    script = Path(sysconfig.get_path("scripts"), "ruff")
    return str(script) if script.is_file() else shutil.which("ruff")


def _ends_well(command: Sequence[str], source: bytes) -> bool:
    try:
        done = subprocess.run(command, input=source, capture_output=True, check=False, timeout=_SECONDS_TO_ANSWER)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
