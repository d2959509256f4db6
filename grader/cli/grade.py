"""`grader grade`: repeat what is known, grade what is not.

When nothing has changed since a run that left nothing open, its reports are still in place and its words are printed
again. Only otherwise are the modules of the other stages imported, which takes longer than the whole of that.
"""

import sys
from pathlib import Path

from grader.cli.request import GradeRequest
from grader.cli.step_summary import add_step_summary
from grader.errors import GraderError
from grader.files.digest import UntraceableError, folder_digest
from grader.spec.course_folder import course_folder_for
from grader.store.database import PastRun, ResultStore, default_store, open_store
from grader.store.run_key import run_key

# What grading reads of a course: the tests, the modules it provides, its own checkers.
_COURSE_FOLDERS = ("test_specs", "reference", "checkers")


_INSTRUCTORS_FILES = (
    "comments.yaml",
    *(f"{name}.{end}" for name in ("extensions", "marks", "overrides", "roster") for end in ("yaml", "csv")),
)


def run_grade(
    request: GradeRequest, *, jobs: int | None, cluster: str | None, store_file: Path | None, fresh: bool
) -> int:
    """Grade a class; returns the exit code: 1 when a mark could not be told, 130 on Ctrl-C."""
    course = course_folder_for(request.course, request.folder)
    with open_store(store_file or default_store(course)) as store:
        key = _key(request, course)
        past = None if key is None or fresh else store.past_run(key)
        if past and _reports_are_in_place(past):
            sys.stdout.write(past.printed)
            add_step_summary(past.summary)
            return past.exit_code
        return _grade(request, course, store, key, jobs=jobs, cluster=cluster, fresh=fresh)


def _grade(
    request: GradeRequest,
    course_folder: Path,
    store: ResultStore,
    key: str | None,
    *,
    jobs: int | None,
    cluster: str | None,
    fresh: bool,
) -> int:
    from grader.cli.grade_class import grade_classes
    from grader.cli.grading import cluster_context, grading_context

    if cluster is None:
        run = grade_classes(request, *grading_context(request, course_folder, store, jobs=jobs, fresh=fresh))
    elif jobs is not None:
        raise GraderError("--jobs is for this machine; with --cluster the threads of the workers say how many sessions")
    else:
        with cluster_context(request, course_folder, store, cluster=cluster, fresh=fresh) as found:
            run = grade_classes(request, *found)
    # A run during which something was changed has perhaps seen neither the old state nor the new one.
    if isinstance(run, PastRun) and key is not None and _key(request, course_folder) == key:
        store.keep_run(key, run)
    return run.exit_code


def _key(request: GradeRequest, course: Path) -> str | None:
    try:
        parts = [course / name for name in _COURSE_FOLDERS]
        return run_key(request, request.folder, parts, [*_named(request), *_beside_an_archive(request.folder)])
    except UntraceableError:
        return None


def _named(request: GradeRequest) -> list[Path | None]:
    """The files that were named."""
    return [request.extensions, request.marks, request.overrides, request.roster]


def _beside_an_archive(path: Path) -> list[Path]:
    """The instructor's files about the submissions in an archive; those in a folder are part of it."""
    return [] if path.is_dir() else [path.parent / name for name in _INSTRUCTORS_FILES]


def _reports_are_in_place(past: PastRun) -> bool:
    try:
        return all(folder_digest(folder) == digest for folder, digest in past.reports.items())
    except UntraceableError:
        return False
