"""A run for which nothing has changed since an earlier one: what that printed is known, and its reports are in place.

Only the store is opened and files are compared. The modules of the other stages are not imported, which would take
longer than all of that.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.api.request import GradeRequest
from grader.files.digest import UntraceableError, folder_digest
from grader.spec.course import course_folder_for
from grader.store.database import ResultStore, default_store, open_store
from grader.store.run_key import run_key
from grader.store.stored_rows import PastRun

# What grading reads of a course: the tests, the modules it provides, its own checkers and interactors.
_COURSE_FOLDERS = ("test_specs", "reference", "checkers", "interactors")


_INSTRUCTORS_FILES = (
    "comments.yaml",
    "requests.yaml",
    *(f"{name}.{end}" for name in ("extensions", "marks", "overrides", "roster") for end in ("yaml", "csv")),
)


@dataclass(frozen=True, kw_only=True)
class ClassRun:
    """A run that was asked for in a course, and the store that knows the earlier ones.

    `report_options` are the caller's, and decide what is printed and written. `key` stands for everything that the run
    depends on; None when that cannot be told.
    """

    request: GradeRequest
    report_options: tuple[object, ...]
    course: Path
    store: ResultStore
    key: str | None

    def unchanged(self) -> PastRun | None:
        """The earlier run that this one would only repeat, if there is one."""
        past = None if self.key is None or self.request.options.no_cache else self.store.past_run(self.key)
        return past if past and _reports_are_in_place(past) else None

    def keep(self, exit_code: int, printed: str, summary: str, reports: dict[str, str]) -> None:
        """Remember what this run printed, and the digests of its `reports` by folder.

        Nothing is kept if something was changed meanwhile.
        """
        # It has then perhaps seen neither the old state nor the new one.
        if self.key is not None and _key(self.request, self.report_options, self.course) == self.key:
            self.store.keep_run(self.key, PastRun(exit_code, printed, reports, summary))


@contextmanager
def open_run(request: GradeRequest, *report_options: object) -> Iterator[ClassRun]:
    """Open the store of the course for a run. Raises CourseError, StoreError."""
    course = course_folder_for(request.course, request.folder)
    with open_store(request.options.store or default_store(course)) as store:
        key = _key(request, report_options, course)
        yield ClassRun(request=request, report_options=report_options, course=course, store=store, key=key)


def _key(request: GradeRequest, report_options: tuple[object, ...], course: Path) -> str | None:
    options = request.options
    # How many sessions are held at a time, and where, changes nothing.
    same = replace(options, jobs=None, cluster=None, store=None, no_cache=False)
    named = [options.extensions, options.marks, options.overrides, options.roster]
    parts = [course / name for name in _COURSE_FOLDERS]
    try:
        asked = [replace(request, options=same), report_options]
        return run_key(asked, request.folder, parts, [*named, *_beside_an_archive(request.folder)])
    except UntraceableError:
        return None


def _beside_an_archive(path: Path) -> list[Path]:
    """The instructor's files about the submissions in an archive; those in a folder are part of it."""
    return [] if path.is_dir() else [path.parent / name for name in _INSTRUCTORS_FILES]


def _reports_are_in_place(past: PastRun) -> bool:
    try:
        return all(folder_digest(folder) == digest for folder, digest in past.reports.items())
    except UntraceableError:
        return False
