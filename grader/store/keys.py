"""What an outcome depends on, as a key.

The key covers everything that reaches the program or decides how long it may run: the submitted files, what is
started, what is typed, the limits, the interpreter and the code that holds the session. It leaves out what only the
judge looks at, so a change of points, titles or expected transcripts runs nothing again.
"""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from grader.spec.assignment import Test
from grader.spec.limits import Limits
from grader.store.digest import digest, folder_digest

JUDGED_ONLY = frozenset({"id", "title", "part", "visibility", "points", "exit_status"})
"""The fields of a test that its session knows nothing of. A field that is not named here makes a new key."""

_PACKAGES_IN_SESSIONS = ("pexpect-", "ptyprocess-")


@dataclass(frozen=True)
class FileContent:
    """A submitted file as the program sees it: its name in the assignment and the digest of what is in it."""

    name: str
    digest: str


def outcome_key(harness: str, files: Iterable[FileContent], test: Test, limits: Limits) -> str:
    """The key of the outcome of `test` on a submission that is `files`; `harness` is from `harness_identity`."""
    session = {field.name: getattr(test, field.name) for field in fields(test) if field.name not in JUDGED_ONLY}
    return digest([harness, sorted((file.name, file.digest) for file in files), session, limits])


def harness_identity(*settings: str) -> str:
    """Identifies what runs the programs: the source of stage `run`, its packages, the interpreter, and `settings`."""
    source = folder_digest(Path(__file__).parents[1] / "run")
    packages = [name for name in installed_packages() if name.startswith(_PACKAGES_IN_SESSIONS)]
    return digest([source, packages, interpreter_identity(), settings])


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
