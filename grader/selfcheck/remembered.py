"""A cache between self-checks in the user's cache folder.

It stores the last results, and loaded assignments, because loading an assignment takes half the time of a short check.
If the folder is not writable, nothing is cached.
"""

import json
import os
import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from grader.extensions import is_other_plugin_loaded
from grader.files.digest import UntraceableError, content_digest, digest, folder_digest
from grader.files.user_cache import user_cache, write_whole
from grader.grading.result_changes import failure_sign
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import TestResult

_MAX_PROGRAMS = 200
_MAX_ASSIGNMENTS = 50
_WRITABLE_BY_OTHERS = 0o022


def last_signs(program: str) -> dict[str, str]:
    """Return the signs of the last results of `program`, by test; none if unknown. See `failure_sign`."""
    return _signs().get(program, {})


def remember_signs(program: str, results: Iterable[TestResult]) -> None:
    """Remember the results of the tests that were run, and keep the previous results of the others."""
    run = {result.test.id: failure_sign(result) for result in results if result.verdict is not Verdict.MISSING_FILE}
    remembered = _signs()
    before = remembered.pop(program, {})
    programs = [*remembered.items(), (program, {**before, **run})][-_MAX_PROGRAMS:]
    with suppress(OSError, RuntimeError):
        write_whole(user_cache() / "last-failed.json", json.dumps(dict(programs)).encode())


def _signs() -> dict[str, dict[str, str]]:
    try:
        content = json.loads((user_cache() / "last-failed.json").read_text(encoding="utf-8"))
        return {str(key): {str(test): str(sign) for test, sign in signs.items()} for key, signs in content.items()}
    except (OSError, RuntimeError, ValueError, AttributeError, TypeError):
        return {}


def remembered_assignment(folder: Path, other_folders: Sequence[Path], load: Callable[[], Assignment]) -> Assignment:
    """Return the assignment in `folder`, calling `load` only if something has changed.

    Changes are detected in all files in `folder` and `other_folders`, and in the grader's source. An assignment that
    needs a third-party plugin is always loaded, because the plugin may change too.
    """
    try:
        file = user_cache() / "assignments" / f"{digest(folder)}.pickle"
        key = digest([folder_digest(each) for each in (Path(__file__).parents[1], folder, *other_folders)]).encode()
    except (UntraceableError, RuntimeError):
        return load()
    cached = _unpickled(file, key)
    if cached is not None:
        return cached
    assignment = load()
    if is_other_plugin_loaded():
        return assignment
    content = pickle.dumps(assignment)
    with suppress(OSError):
        write_whole(file, b"\n".join((key, content_digest(content).encode(), content)))
        _keep_newest(file.parent)
    return assignment


def _unpickled(file: Path, key: bytes) -> Assignment | None:
    """Return the assignment cached under `key`, if only this user can have written the file."""
    try:
        with file.open("rb") as stream:
            status = os.fstat(stream.fileno())
            if status.st_mode & _WRITABLE_BY_OTHERS or status.st_uid != os.geteuid():
                return None
            written_for, checksum, content = stream.read().split(b"\n", 2)
    except (OSError, ValueError):
        return None
    if written_for != key or checksum != content_digest(content).encode():
        return None
    value = pickle.loads(content)
    return value if isinstance(value, Assignment) else None


def _keep_newest(folder: Path) -> None:
    files = sorted(folder.glob("*.pickle"), key=lambda file: file.stat().st_mtime_ns)
    for file in files[:-_MAX_ASSIGNMENTS]:
        file.unlink(missing_ok=True)
