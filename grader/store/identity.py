"""What does the work: our own source, packages and the interpreter."""

import os
import sys
from pathlib import Path

from grader.spec.assignment import Checker
from grader.store.digest import UntraceableError, digest, folder_digest

_PACKAGES_IN_SESSIONS = ("pexpect-", "ptyprocess-")


def harness_identity(*settings: str) -> str:
    """Identifies what runs the programs: the source of stage `run`, its packages, the interpreter, and `settings`."""
    source = folder_digest(Path(__file__).parents[1] / "run")
    packages = [name for name in installed_packages() if name.startswith(_PACKAGES_IN_SESSIONS)]
    return digest([source, packages, interpreter_identity(), settings])


def checker_identity(checker: Checker) -> str | None:
    """Identifies what answers as `checker`: its source, all that lies beside it, and the interpreter.

    None when there are links, so that what it stands for cannot be told.
    """
    built_in = Path(__file__).parents[1] / "checkers"
    try:
        source = folder_digest(built_in)
        own = folder_digest(checker.file.parent) if checker.file else None
    except UntraceableError:
        return None
    return digest([source, own, checker.name, checker.options, interpreter_identity()])


def interpreter_identity() -> list[str | int]:
    """Identifies the Python that runs the grader, and the programs unless another one is asked for."""
    executable = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    status = os.stat(executable)
    return [executable, sys.version, status.st_size, status.st_mtime_ns]


def installed_packages() -> list[str]:
    """Name and version of every installed package, such as `rich-15.0.0.dist-info`, sorted."""
    names: set[str] = set()
    for folder in sys.path:
        if os.path.basename(folder) in ("site-packages", "dist-packages") and os.path.isdir(folder):
            names.update(name for name in os.listdir(folder) if name.endswith(".dist-info"))
    return sorted(names)
