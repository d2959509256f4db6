"""What grading needs besides a request: the course, the store of what was run before, and the machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.cli.grade_class import graded_classes
from grader.cli.request import GradeRequest
from grader.cluster.address import LocalWorkers, parse_address, prepare_to_fork
from grader.errors import GraderError
from grader.grading.backend import Backend, LocalBackend
from grader.grading.result_cache import ResultCache
from grader.intake.class_folder import beside
from grader.model.student_result import ClassResult
from grader.run.core_slots import cores
from grader.spec.course import Course
from grader.spec.course_folder import course_folder_for
from grader.store.database import ResultStore, default_store, open_store
from grader.store.provenance import harness_identity

GradingContext = tuple[Course, ResultCache, Backend]


def grading_context(
    request: GradeRequest, course: Path, store: ResultStore, *, jobs: int | None, fresh: bool
) -> GradingContext:
    """What is needed to grade; raises a GraderError when the machine cannot."""
    machine = LocalBackend(request.sandbox, jobs or cores(), (course.resolve(), beside(request.folder).resolve()))
    machine.check()
    return Course(course), ResultCache(store, harness_identity(request.sandbox), fresh), machine


@contextmanager
def cluster_context(
    request: GradeRequest, course: Path, store: ResultStore, *, cluster: str, fresh: bool
) -> Iterator[GradingContext]:
    """What is needed to grade on the cluster of this address; raises a GraderError when there is none.

    Dask, which takes long to import, is not imported before.
    """
    where = parse_address(cluster)
    if isinstance(where, LocalWorkers):
        prepare_to_fork()
    try:
        from grader.cli.cluster import open_cluster
    except ImportError:
        raise GraderError("--cluster needs Dask distributed: install grader with its extra `cluster`.") from None

    with open_cluster(where, request.sandbox, (course.resolve(), beside(request.folder).resolve())) as grounds:
        yield Course(course), ResultCache(store, harness_identity(request.sandbox), fresh), grounds


@contextmanager
def known_classes(
    request: GradeRequest, *, jobs: int | None, store_file: Path | None
) -> Iterator[Iterator[ClassResult]]:
    """Give the classes of a request with their marks, for reports other than those of `grader grade`.

    What was run before is taken from the store; only what is missing there is run.
    """
    course = course_folder_for(request.course, request.folder)
    with open_store(store_file or default_store(course)) as store:
        yield graded_classes(request, *grading_context(request, course, store, jobs=jobs, fresh=False))
