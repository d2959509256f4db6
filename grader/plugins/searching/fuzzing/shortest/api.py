"""Finds the shortest session that shows a failure: for a checked program, or for each shared mistake in a class."""

from collections.abc import Iterator

from grader.analysis.failure_groups import example_of, groups_of, shared_groups
from grader.api.course import course_for
from grader.api.environment import hidden_folders, local_backend
from grader.api.request import GradeRequest, Progress, no_progress
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission, ShorterSession, TestResult
from grader.plugins.searching.fuzzing.shortest.search import can_be_shortened, shorter_session
from grader.run.environment import open_environment
from grader.run.student_python import student_python
from grader.run.system import SystemKind
from grader.selfcheck.check import CheckError, SelfCheck


def shorter_failures(
    prepared: SelfCheck, graded: GradedSubmission, progress: Progress = no_progress
) -> Iterator[ShorterSession]:
    """Yield the shortest session for the first failed test of each program, if it is shorter than the test.

    The reference determines the correct output. Raises CheckError on systems without terminals, and SessionError if
    nothing can be run.
    """
    if prepared.system is SystemKind.PIPES:
        raise CheckError("Shorter sessions are looked for in a terminal, which this system does not have.")
    first: dict[str, TestResult] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED and can_be_shortened(prepared.assignment, result):
            first.setdefault(result.test.program, result)
    if not first:
        return
    with (
        open_environment(prepared.python) as environment,
        prepared.take_in(prepared.assignment, prepared.path) as submission,
    ):
        for program, result in first.items():
            with progress(f"Looking for a shorter session than that of {result.test.id}", 0):
                variant = graded.variants[program]
                shorter = shorter_session(prepared.assignment, result, submission, environment, variant=variant)
            if shorter is not None:
                yield shorter


def shorter_in_groups(
    graded: ClassResult, request: GradeRequest, progress: Progress = no_progress
) -> dict[str, ShorterSession]:
    """Return the shortest session for the example failure of each group in a class, by group, if there is one.

    The files of the class must still exist, as they do until the next class is requested. Raises SessionError if
    nothing can be run.
    """
    assignment = graded.assignment
    submissions = {row.student: row.graded for row in graded.rows}
    examples = {}
    for group in shared_groups(groups_of([*submissions.values()])):
        result = example_of(group, submissions)
        if can_be_shortened(assignment, result):
            examples[group.id] = (submissions[group.showings[0].students[0]], result)
    if not examples:
        return {}
    course = course_for(request.course, request.folder)
    hidden = hidden_folders(course.folder, request.folder)
    backend = local_backend(request.options.sandbox, hidden, request.options.jobs)
    python = student_python(assignment.python, lambda task: progress(task, 0))
    by_group = {}
    with (
        backend.open_environment(python) as environment,
        progress(f"Looking for shorter sessions of {assignment.id}", len(examples)) as tick,
    ):
        for group_id, (student, result) in examples.items():
            variant = student.variants[result.test.program]
            shorter = shorter_session(assignment, result, student.submission, environment, variant=variant)
            if shorter is not None:
                by_group[group_id] = shorter
            tick()
    return by_group
