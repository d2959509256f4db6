"""Finds the programs that commands use, which belong to the system or are compilers installed elsewhere by a user.

Tools such as `rustup` install Rust and Node in a home folder, which sandboxes do not show. A program there is followed
to the real executable, and only the files that it needs are shown.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""The system folders with programs."""


_ELSEWHERE = ("node", "rustc")
"""The tools that may be installed elsewhere. Names from students are never looked up on the path of the person who runs
the grader.
"""


_SECONDS_TO_ANSWER = 60


def find_tool(name: str) -> str | None:
    """Return the path of the program that a command names, or None if it does not exist."""
    return shutil.which(name, path=SYSTEM_PATH) or _elsewhere(name, os.environ.get("PATH", os.defpath))


def shown_outside_system() -> tuple[Path, ...]:
    """Return the files and folders outside the system folders that its tools need, without starting any tool."""
    return tuple(path for name in _ELSEWHERE if shutil.which(name, path=SYSTEM_PATH) is None for path in _parts(name))


def _parts(name: str) -> Iterator[Path]:
    path = shutil.which(name)
    if path is None:
        return
    real = Path(path).resolve()
    if name == "rustc":
        yield from _parts_of_rust(real)
    else:
        yield real


def _parts_of_rust(compiler: Path) -> Iterator[Path]:
    """Yield the toolchains from which rustup's command chooses, or the compiler and its libraries."""
    if _is_rustup(compiler):
        home = os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup"
        yield from (folder for folder in [Path(home, "toolchains").resolve()] if folder.is_dir())
    else:
        yield compiler
        yield compiler.parent.parent / "lib"


def _is_rustup(compiler: Path) -> bool:
    return compiler.name.startswith("rustup")


@cache
def _elsewhere(name: str, path: str) -> str | None:
    tool = shutil.which(name, path=path) if name in _ELSEWHERE else None
    if tool is None:
        return None
    real = Path(tool).resolve()
    if not _is_rustup(real):
        return str(real)
    compiler = Path(answer_of([tool, "--print", "sysroot"]).strip(), "bin", name)
    return str(compiler.resolve()) if compiler.is_file() else None


def answer_of(command: list[str]) -> str:
    """Return a tool's output, or an empty string if it fails, as rustup does without a toolchain."""
    try:
        completed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS_TO_ANSWER)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return completed.stdout if completed.returncode == 0 else ""
