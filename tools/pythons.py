"""Finds the installed Pythons among the versions that the package supports."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PLACES = (
    "/usr/bin",
    "/usr/local/bin",
    "/opt/*/bin",
    "~/.pyenv/versions/*/bin",
    "~/.local/share/uv/python/*/bin",
    "~/miniforge3/envs/*/bin",
)
_IDENTIFY = (
    "import ensurepip, sys, venv; print(*sys.version_info[:3]) if sys.version_info[3] == 'final' else sys.exit(1)"
)


@dataclass(frozen=True)
class Python:
    """An interpreter that can make environments; `version` has three parts."""

    version: tuple[int, ...]
    path: Path

    @property
    def series(self) -> str:
        """The series, such as 3.12."""
        return ".".join(map(str, self.version[:2]))

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.version))}  {self.path}"


def find_pythons(series: list[str]) -> list[Python]:
    """Return the newest interpreter available for each series: the running one, or from PATH, usual places and uv."""
    newest: dict[str, Python] = {}
    for path in dict.fromkeys(_candidates(series)):
        python = identify(path)
        if python and python.version > newest.get(python.series, Python((), path)).version:
            newest[python.series] = python
    return [newest[name] for name in series if name in newest]


def _candidates(series: list[str]) -> Iterator[Path]:
    # If this runs in an environment, use the Python from which the environment was made.
    yield Path(sys.base_prefix) / "bin" / "python3"
    folders = [Path(folder) for folder in os.get_exec_path()]
    for place in _PLACES:
        first, _, pattern = place.replace("~", str(Path.home())).partition("*")
        folders += sorted(Path(first).glob(f"*{pattern}")) if pattern else [Path(first)]
    for folder in folders:
        for name in ("python3", *(f"python{version}" for version in series)):
            if (folder / name).exists() and not (folder.parent / "pyvenv.cfg").exists():
                yield folder / name
    yield from _from_uv(series)


def _from_uv(series: list[str]) -> Iterator[Path]:
    uv = shutil.which("uv")
    for version in series if uv else ():
        command = [str(uv), "python", "find", "--no-python-downloads", version]
        finding = subprocess.run(command, capture_output=True, text=True, check=False)
        if finding.returncode == 0:
            yield Path(finding.stdout.strip())


def identify(path: Path) -> Python | None:
    """Return the interpreter at a path, or None if it is missing, a pre-release, or unable to make environments."""
    try:
        run = subprocess.run([path, "-I", "-c", _IDENTIFY], capture_output=True, text=True, check=False)
    except OSError:
        return None
    numbers = run.stdout.split()
    return Python(tuple(map(int, numbers)), path) if run.returncode == 0 and numbers else None
