"""Opens the outcomes of programs, which are read from the store or saved there."""

from collections.abc import Iterator
from contextlib import contextmanager

from grader.api.request import Progress
from grader.grading.backend import LocalBackend
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.run.environment import RunEnvironment
from grader.run.student_python import student_python
from grader.store.database import ResultStore
from grader.store.provenance import harness_identity


@contextmanager
def open_outcomes(
    assignment: Assignment, backend: LocalBackend, store: ResultStore, progress: Progress
) -> Iterator[tuple[RunEnvironment, OutcomeSource]]:
    """Open the environment for the assignment's programs, and their outcomes, from the store if possible."""
    python = student_python(assignment.python, lambda task: progress(task, 0))
    cache = ResultCache(store, harness_identity(backend.sandbox)).of(python)
    with backend.open_environment(python) as environment:
        yield environment, OutcomeSource(environment, cache)
