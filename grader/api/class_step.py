"""Plugin steps that examine a whole graded class before the web pages are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.api.request import Progress
from grader.grading.submission_step import GradingStep
from grader.model.finding import Finding
from grader.model.results import ClassResult


@dataclass(frozen=True, kw_only=True)
class ClassStep(GradingStep):
    """A step of `grader report`; `find` returns findings by student."""

    find: Callable[[ClassResult, Progress], Mapping[str, Finding]]
