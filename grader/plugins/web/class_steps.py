"""Runs the steps of plugins that examine a graded class before web pages are made."""

from collections.abc import Sequence
from dataclasses import replace

from grader.api.class_step import ClassStep
from grader.api.request import GradeRequest, Progress
from grader.extensions import CLASS_STEPS, extension
from grader.model.results import ClassResult


def take_class_steps(
    graded: ClassResult, request: GradeRequest, names: Sequence[str], progress: Progress
) -> ClassResult:
    """Return the class with the findings of these steps. Raises ExtensionError, and any GraderError of the steps."""
    for name in names:
        findings = extension(CLASS_STEPS, name, f"--{name}").load(ClassStep).find(graded, request, progress)
        rows = [
            replace(row, graded=replace(row.graded, findings=(*row.graded.findings, findings[row.student])))
            if row.student in findings
            else row
            for row in graded.rows
        ]
        graded = replace(graded, rows=tuple(rows))
    return graded
