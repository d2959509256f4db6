"""Opens the backend that runs tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.api.request import GradeOptions
from grader.errors import GraderError
from grader.extensions import CLUSTERS, extension
from grader.grading.backend import Backend, ClusterKind, LocalBackend
from grader.intake.class_folder import beside
from grader.model.assignment import Assignment
from grader.model.program import SandboxKind
from grader.run.language import watch_of
from grader.run.run_slots import TESTS_PER_CORE, cores


@contextmanager
def open_backend(options: GradeOptions, hidden: tuple[Path, ...]) -> Iterator[Backend]:
    """Open the backend that runs the programs of a class; they cannot see the folders in `hidden`.

    Raises GraderError.
    """
    if options.cluster is None:
        yield local_backend(options.sandbox, hidden, options.jobs)
        return
    if options.jobs is not None:
        raise GraderError("--jobs is for this machine; with --cluster the threads of the workers say how many sessions")
    scheme = options.cluster.partition(":")[0]
    kind = extension(CLUSTERS, scheme, f"--cluster {options.cluster!r}").load(ClusterKind)
    with kind.open(options.cluster, options.sandbox, hidden) as backend:
        yield backend


def local_backend(sandbox: SandboxKind, hidden: tuple[Path, ...], jobs: int | None = None) -> LocalBackend:
    """Return this machine as the backend; programs cannot see the folders in `hidden`."""
    return LocalBackend(sandbox, jobs or TESTS_PER_CORE * cores(), hidden)


def hidden_folders(course: Path, folder: Path) -> tuple[Path, Path]:
    """Return the folders that the programs of a class cannot see: the course, and the folder with the class."""
    return course.resolve(), beside(folder).resolve()


def refuse_missing_finders(assignment: Assignment) -> None:
    """Raise GraderError if a program of the assignment needs an error finder that is not installed."""
    own_recipes = (test.recipe for test in assignment.tests)
    others = (alternative.recipe for program in assignment.programs for alternative in program.alternatives)
    for recipe in (*own_recipes, *others):
        fault = watch_of(recipe).missing()
        if fault is not None:
            raise GraderError(f"{assignment.id} cannot be graded here: {fault}")
