"""Steps of plugins that examine a graded class as a whole, before web pages are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.api.request import GradeRequest, Progress
from grader.grading.submission_step import GradingStep
from grader.model.finding import Finding
from grader.model.results import ClassResult


@dataclass(frozen=True, kw_only=True)
class ClassStep(GradingStep):
    """A step that `grader report` takes; `find` returns findings by student."""

    find: Callable[[ClassResult, GradeRequest, Progress], Mapping[str, Finding]]
