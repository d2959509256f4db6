"""The Pythons at hand, of those that the package is made for."""

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
        """Such as 3.12."""
        return ".".join(map(str, self.version[:2]))

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.version))}  {self.path}"


def find_pythons(series: list[str]) -> list[Python]:
    """The newest interpreter of each series, where there is one: the running one, from PATH, usual places and uv."""
    newest: dict[str, Python] = {}
    for path in dict.fromkeys(_candidates(series)):
        python = identify(path)
        if python and python.version > newest.get(python.series, Python((), path)).version:
            newest[python.series] = python
    return [newest[name] for name in series if name in newest]


def _candidates(series: list[str]) -> Iterator[Path]:
    # Where an environment runs this, what it was made from.
    yield Path(sys.base_prefix) / "bin" / "python3"
    folders = [Path(folder) for folder in os.get_exec_path()]
    for place in _PLACES:
        first, _, pattern = place.replace("~", str(Path.home())).partition("*")
        folders += sorted(Path(first).glob(f"*{pattern}")) if pattern else [Path(first)]
    for folder in folders:
        for name in ("python3", *(f"python{one}" for one in series)):
            if (folder / name).exists() and not (folder.parent / "pyvenv.cfg").exists():
                yield folder / name
    yield from _from_uv(series)


def _from_uv(series: list[str]) -> Iterator[Path]:
    uv = shutil.which("uv")
    for one in series if uv else ():
        command = [str(uv), "python", "find", "--no-python-downloads", one]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.returncode == 0:
            yield Path(found.stdout.strip())


def identify(path: Path) -> Python | None:
    """What interpreter this is; None where it is none, is not finished or cannot make environments."""
    try:
        said = subprocess.run([path, "-I", "-c", _IDENTIFY], capture_output=True, text=True, check=False)
    except OSError:
        return None
    numbers = said.stdout.split()
    return Python(tuple(map(int, numbers)), path) if said.returncode == 0 and numbers else None
