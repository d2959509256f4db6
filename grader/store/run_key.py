"""Everything that a whole run of `grader grade` depends on, as one key.

It is taken from the files themselves, all of them: a run that meets the same key would print the same and write the
same reports, down to the last byte.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.files.digest import digest, file_digest, folder_digest
from grader.store.provenance import installed_packages, interpreter_identity

_TERMINAL_VARIABLES = (
    "COLORTERM",
    "COLUMNS",
    "FORCE_COLOR",
    "LINES",
    "NO_COLOR",
    "PYTHONTZPATH",
    "TERM",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
)


_ZONES = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")


def run_key(request: object, submissions: Path, course: Sequence[Path], files: Sequence[Path | None]) -> str:
    """The key of a run that was asked for by `request`.

    It reads `submissions` (a folder or an archive), the folders of the course, and these files.

    Raises UntraceableError.
    """
    return digest(
        [
            request,
            str(Path.cwd()),
            _grader_identity(),
            _terminal_settings(),
            os.path.realpath(submissions),
            _submissions_content(submissions),
            [(os.path.realpath(folder), folder_digest(folder)) for folder in course],
            [_file_content(file) for file in files],
        ]
    )


def _submissions_content(path: Path) -> object:
    """What lies in a folder of submissions, or is in an archive of them, and its time."""
    if path.is_dir():
        return folder_digest(path, times=True)
    return [_file_content(path), path.stat().st_mtime_ns if path.exists() else None]


def _grader_identity() -> list[object]:
    """What does the work: source of the grader, installed packages, interpreter, time zones and user."""
    zones = [Path(folder).stat().st_mtime_ns for folder in _ZONES if os.path.isdir(folder)]
    source = folder_digest(Path(__file__).parents[1])
    return [source, installed_packages(), interpreter_identity(), zones, os.geteuid()]


def _terminal_settings() -> list[object]:
    """What decides how the result is shown."""
    sizes = [_terminal_size(descriptor) for descriptor in range(3)]
    variables = [os.environ.get(name) for name in _TERMINAL_VARIABLES]
    return [sys.stdout.isatty(), sys.stdout.encoding, sizes, variables]


def _terminal_size(descriptor: int) -> tuple[int, ...] | None:
    try:
        return tuple(os.get_terminal_size(descriptor))
    except OSError:
        return None


def _file_content(file: Path | None) -> str | None:
    try:
        return file_digest(os.path.realpath(file)) if file else None
    except OSError as error:
        return f"error {error.errno}"
