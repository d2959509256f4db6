"""Grades the classes of a request: reads the submissions, runs the tests, and computes the marks."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event

from grader.analysis.failure_groups import with_comments
from grader.api.class_grading import ClassGrading, ReportGraded, open_grading
from grader.api.class_step import take_class_steps
from grader.api.course import ClassPlace, classes_in, course_for, only_class
from grader.api.request import FilePath, GradeOptions, GradeRequest, Progress, no_progress
from grader.files.scratch import scratch_folder
from grader.grading.class_result import class_of, result_in_class
from grader.grading.nameless_class import nameless_class
from grader.model.results import ClassResult, GradedSubmission
from grader.spec.course import course_folder_for
from grader.store.database import ResultStore, default_store, open_store
from grader.text.words import pluralize

_DEFAULT_OPTIONS = GradeOptions()


def _ignore(_graded: GradedSubmission) -> None:
    pass


def grade(
    folder: FilePath,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    options: GradeOptions = _DEFAULT_OPTIONS,
    progress: Progress = no_progress,
    report: ReportGraded = _ignore,
    cancelled: Event | None = None,
) -> ClassResult:
    """Grade the submissions of one class in a folder or an archive.

    By default, `course` is the folder around the working directory or around `folder`, and `assignment` is the one
    whose programs match the file names. Earlier outcomes come from the course's store. Setting `cancelled` stops the
    work, and `not_graded` then lists the remaining students. Raises SeveralClassesError if `folder` contains more than
    one class, and another GraderError if the class cannot be read or graded.
    """
    where = Path(folder)
    request = GradeRequest(
        folder=where, assignment=assignment, course=Path(course) if course is not None else None, options=options
    )
    only_class(course_for(request.course, where), assignment, where)
    (graded,) = grade_classes(request, progress=progress, report=report, cancelled=cancelled)
    return graded


def grade_classes(
    request: GradeRequest,
    *,
    store: ResultStore | None = None,
    progress: Progress = no_progress,
    report: ReportGraded = _ignore,
    cancelled: Event | None = None,
) -> Iterator[ClassResult]:
    """Grade the classes of the request one after the other, each on demand.

    `store` is an open store, by default the store of the request. Files from an archive or a repository exist until the
    last class has been requested. Raises GraderError.
    """
    course = course_folder_for(request.course, request.folder)
    with (
        nullcontext(store) if store else open_store(request.options.store or default_store(course)) as opened,
        open_grading(request, course, opened, progress=progress, cancelled=cancelled or Event()) as grading,
    ):
        for place in classes_in(grading.course, request.assignment, request.folder, progress):
            graded = _grade_class(grading, place, report)
            graded = replace(graded, notes=(*_about_store(opened), *graded.notes))
            with scratch_folder("grader-names-") as copies:
                named = nameless_class(graded, Path(copies)) if request.options.hide_names else graded
                yield take_class_steps(named, request, progress, grading.cancelled)
            if graded.not_graded:
                return


def _grade_class(grading: ClassGrading, place: ClassPlace, report: ReportGraded) -> ClassResult:
    assignment, opened = place.assignment, grading.opened(place)
    done, faults = grading.graded(opened, report)
    results = (result_in_class(assignment, graded_submission, opened.files) for graded_submission in done)
    graded = with_comments(
        class_of(assignment, opened.submissions, opened.files, results), opened.files.comments.groups
    )
    return replace(graded, notes=(*faults.warnings, *faults.notes, *graded.notes), warnings=faults.warnings)


def _about_store(store: ResultStore) -> tuple[str, ...]:
    """Return a note about damaged rows in the store, if there are any."""
    damaged = len(store.damaged_keys)
    store.damaged_keys.clear()
    if not damaged:
        return ()
    return (f"the store is damaged: {pluralize(damaged, 'row')} could not be read; what they held was made anew",)
