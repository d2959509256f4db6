"""Plugin steps that examine a whole graded class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Event

from grader.api.request import GradeRequest, Progress
from grader.extensions import CLASS_STEPS, extension
from grader.grading.submission_step import GradingStep
from grader.model.finding import Finding
from grader.model.results import ClassResult, StudentResult


@dataclass(frozen=True, kw_only=True)
class ClassStep(GradingStep):
    """A step that `grader grade` and `grader report` take; `find` returns findings by student.

    It ends early if the event, its last argument, is set.
    """

    find: Callable[[ClassResult, GradeRequest, Progress, Event], Mapping[str, Finding]]


def take_class_steps(graded: ClassResult, request: GradeRequest, progress: Progress, cancelled: Event) -> ClassResult:
    """Return the class with the findings of the steps. Raises ExtensionError, and any GraderError of the steps."""
    for name in request.options.class_steps:
        findings = extension(CLASS_STEPS, name, f"--{name}").load(ClassStep).find(graded, request, progress, cancelled)
        rows = tuple(
            _with_finding(row, findings[row.student]) if row.student in findings else row for row in graded.rows
        )
        notes = dict.fromkeys(filter(None, (finding.note() for finding in findings.values())))
        graded = replace(graded, rows=rows, notes=(*graded.notes, *notes))
    return graded


def _with_finding(row: StudentResult, finding: Finding) -> StudentResult:
    return replace(row, graded=replace(row.graded, findings=(*row.graded.findings, finding)))
