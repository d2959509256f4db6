"""Steps of plugins that look at a graded class as a whole, before web pages are made of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.api.request import Progress
from grader.extensions import CLASS_STEPS, extension
from grader.grading.submission_step import GradingStep
from grader.model.finding import Finding
from grader.model.results import ClassResult


@dataclass(frozen=True, kw_only=True)
class ClassStep(GradingStep):
    """A step that `grader report` takes; `find` returns findings by student."""

    find: Callable[[ClassResult, Progress], Mapping[str, Finding]]


def take_class_steps(graded: ClassResult, names: Sequence[str], progress: Progress) -> ClassResult:
    """Return the class with the findings of these steps. Raises ExtensionError, and GraderError as the steps do."""
    for name in names:
        findings = extension(CLASS_STEPS, name, f"--{name}").load(ClassStep).find(graded, progress)
        rows = [
            replace(row, graded=replace(row.graded, findings=(*row.graded.findings, findings[row.student])))
            if row.student in findings
            else row
            for row in graded.rows
        ]
        graded = replace(graded, rows=tuple(rows))
    return graded
