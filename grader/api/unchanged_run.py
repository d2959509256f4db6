"""Recognises a run that would only repeat an earlier one, whose output and reports still exist.

The key of a run covers everything it depends on, including the content of all files. A run with the same key would
print the same output and write the same reports, byte for byte. This module only opens the store and compares files. It
does not import the other stages, which would take longer.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.api.request import GradeRequest
from grader.extensions import CLASS_EXTENSIONS, CLASS_FILES, extensions, is_other_plugin_loaded
from grader.files.digest import UntraceableError, digest, file_digest, folder_digest
from grader.spec.course import course_folder_for
from grader.store.database import ResultStore, default_store, open_store
from grader.store.provenance import grader_source, installed_packages, interpreter_identity
from grader.store.stored_values import PastRun

# The folders of a course that grading reads: tests, provided modules, checkers and interactors.
_COURSE_FOLDERS = ("test_specs", "reference", "checkers", "interactors")
_LISTS = "comments.yaml", "requests.yaml"
_LISTS_OR_TABLES = "extensions", "marks", "overrides", "roster"

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


@dataclass(frozen=True, kw_only=True)
class ClassRun:
    """A requested run in a course, and the store with earlier runs.

    `report_options` come from the caller and determine what is printed and written. `key` covers everything the run
    depends on, and is None if that cannot be determined.
    """

    request: GradeRequest
    report_options: tuple[object, ...]
    course: Path
    store: ResultStore
    key: str | None

    def unchanged(self) -> PastRun | None:
        """Return the earlier run that this one would repeat, if there is one."""
        past = None if self.key is None or self.request.options.no_cache else self.store.past_run(self.key)
        return past if past and _reports_are_in_place(past) else None

    def keep(self, exit_code: int, printed: str, summary: str, reports: dict[str, str]) -> None:
        """Store the output of this run and the digests of its `reports` by folder.

        Nothing is stored if something has changed in the meantime, or if a third-party plugin took part.
        """
        # A third-party plugin may change without a new version number.
        if self.key is None or is_other_plugin_loaded():
            return
        # A run during a change may have seen a mixture of the old and new states.
        if _key(self.request, self.report_options, self.course) == self.key:
            self.store.keep_run(self.key, PastRun(exit_code, printed, reports, summary))


@contextmanager
def open_run(request: GradeRequest, *report_options: object) -> Iterator[ClassRun]:
    """Open the store of the course for a run. Raises CourseError, StoreError."""
    course = course_folder_for(request.course, request.folder)
    with open_store(request.options.store or default_store(course)) as store:
        key = _key(request, report_options, course)
        yield ClassRun(request=request, report_options=report_options, course=course, store=store, key=key)


def _key(request: GradeRequest, report_options: tuple[object, ...], course: Path) -> str | None:
    # With this file, a plugin may read files that no digest here covers, such as the reports of other assignments.
    if any((course / f"{name}.yaml").exists() for name in extensions(CLASS_EXTENSIONS)):
        return None
    options = request.options
    # The number and location of the sessions do not affect the result.
    same = replace(options, jobs=None, cluster=None, store=None, no_cache=False)
    named = [options.extensions, options.marks, options.overrides, options.roster]
    parts = [course / name for name in _COURSE_FOLDERS]
    try:
        return digest(
            [
                [replace(request, options=same), report_options],
                str(Path.cwd()),
                _grader_identity(),
                _terminal_settings(),
                os.path.realpath(request.folder),
                _submissions_content(request.folder),
                [(os.path.realpath(folder), folder_digest(folder)) for folder in parts],
                [_file_content(file) for file in (*named, *_beside_an_archive(request.folder))],
            ]
        )
    except UntraceableError:
        return None


def _beside_an_archive(path: Path) -> list[Path]:
    """Return the instructor's files next to an archive of submissions; a folder already contains them."""
    if path.is_dir():
        return []
    names = (f"{name}.{end}" for name in (*_LISTS_OR_TABLES, *extensions(CLASS_FILES)) for end in ("yaml", "csv"))
    return [path.parent / name for name in (*_LISTS, *names)]


def _reports_are_in_place(past: PastRun) -> bool:
    try:
        return all(folder_digest(folder) == digest for folder, digest in past.reports.items())
    except UntraceableError:
        return False


def _submissions_content(path: Path) -> object:
    """Return the content of a folder of submissions, or of an archive and its modification time."""
    if path.is_dir():
        return folder_digest(path, times=True)
    return [_file_content(path), path.stat().st_mtime_ns if path.exists() else None]


def _grader_identity() -> list[object]:
    """Return what identifies the grader: source, installed packages, interpreter, time zones and user."""
    zones = [Path(folder).stat().st_mtime_ns for folder in _ZONES if os.path.isdir(folder)]
    return [grader_source(), installed_packages(), interpreter_identity(), zones, os.geteuid()]


def _terminal_settings() -> list[object]:
    """Return the settings that affect how results are displayed."""
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
