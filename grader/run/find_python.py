"""Finds an installed Python with the version that an assignment requests, without ever downloading one.

The search starts with the Python that runs the grader, continues with names such as `python3.13` on PATH, and ends with
the installations of version managers (uv, pyenv, asdf, rye, and the system folders of macOS) that the findpython
package knows.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import SessionError, plain_reason
from grader.model.python_request import PythonInUse, minor_version

OWN_VERSION = sys.version.split()[0]
"""The version as in platform.python_version(), without the cost of importing that module."""
_OWN_EXECUTABLE = Path(getattr(sys, "_base_executable", sys.executable))


_SECONDS_TO_ANSWER = 60
_MANAGERS = ("uv", "pyenv", "asdf", "rye", "macos")
_IDENTIFY = (
    "import json, platform, sys;"
    "print(json.dumps([getattr(sys, '_base_executable', sys.executable), platform.python_version(), sys.base_prefix]))"
)


@dataclass(frozen=True)
class InstalledPackages:
    """The packages available to programs: their folder, and each package as `name==version`."""

    folder: Path
    versions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StudentPython:
    """The Python that runs programs: its executable, version and folder, and the packages that programs can import.

    By default, it is the Python that runs the grader, without packages.
    """

    executable: Path = _OWN_EXECUTABLE
    version: str = OWN_VERSION
    installation: Path = Path(sys.base_prefix)
    packages: InstalledPackages | None = None

    @property
    def is_own(self) -> bool:
        """Return whether this is the Python that runs the grader."""
        return self.executable == _OWN_EXECUTABLE

    @property
    def in_use(self) -> PythonInUse:
        """The description shown in reports."""
        return PythonInUse(self.version, self.packages.versions if self.packages else ())

    def identity(self) -> tuple[object, ...]:
        """The parts of the description that can affect outcomes; empty for the Python that runs the grader."""
        versions = self.packages.versions if self.packages else ()
        return (*(() if self.is_own else executable_identity(self.executable)), *versions)


def executable_identity(executable: Path) -> tuple[str | int, ...]:
    """Return the path, size and modification time of the executable, which identify it."""
    real = executable.resolve()
    status = real.stat()
    return str(real), status.st_size, status.st_mtime_ns


@dataclass
class PythonSearch:
    """A search for a version such as "3.13". `looked_at` lists the places for the error message if nothing matches."""

    version: str
    looked_at: list[str] = field(default_factory=list)

    def find(self) -> StudentPython | None:
        """Return the first match, or None."""
        for candidate in self._candidates():
            if minor_version(candidate.version) == self.version:
                return candidate
        return None

    def _candidates(self) -> Iterator[StudentPython]:
        self.looked_at.append(f"the Python that runs the grader ({OWN_VERSION})")
        yield StudentPython()
        name = f"python{self.version}"
        self.looked_at.append(f"{name} on PATH")
        on_path = shutil.which(name)
        yield from _identified(Path(on_path)) if on_path else ()
        try:
            # The package is not included in bundles.
            from findpython.providers import ALL_PROVIDERS
        except ImportError:
            return
        self.looked_at.append("what uv, pyenv, asdf and rye have installed")
        managers = filter(None, (ALL_PROVIDERS[name].create() for name in _MANAGERS))
        # All of them use this name for the executable, so no others need to be started.
        executables = [
            installation.executable
            for manager in managers
            for installation in manager.find_pythons()
            if installation.executable.name == name
        ]
        installed = [python for executable in executables for python in _identified(executable)]
        yield from sorted(installed, key=lambda python: _version_key(python.version), reverse=True)


def _version_key(version: str) -> list[int]:
    """Return the numbers of a version as a sort key."""
    return [int(number) for number in re.findall(r"[0-9]+", version)]


def _identified(executable: Path) -> Iterator[StudentPython]:
    """Yield the Python at this path, but nothing for a version manager's script if its version is not selected."""
    try:
        yield python_at(executable)
    except SessionError:
        return


def python_at(python: Path) -> StudentPython:
    """Return the installation behind a path, or behind a name on PATH.

    Version managers' scripts and virtual environments are followed. Raises SessionError if the path does not lead to a
    Python.
    """
    path = shutil.which(python)
    if path is None:
        raise SessionError(f"there is no Python interpreter {str(python)!r}")
    try:
        base, version, installation = json.loads(run_command([path, "-I", "-c", _IDENTIFY]))
    except ValueError as error:
        raise SessionError(f"{path!r} is not a Python interpreter") from error
    return StudentPython(executable=Path(base), version=str(version), installation=Path(installation))


def run_command(command: list[str], seconds: float = _SECONDS_TO_ANSWER) -> str:
    """Run a command without the environment variables that affect Python, and return its output.

    Raises SessionError if it fails.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        completed = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=seconds
        )
    except subprocess.CalledProcessError as error:
        raise SessionError(f"{command[0]!r} failed: {(error.stderr or error.stdout).strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SessionError(f"{command[0]!r} cannot be run: {plain_reason(error)}") from error
    return completed.stdout
