"""Steps with a graded class add findings of students to what is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest

from grader.api.class_step import ClassStep, take_class_steps
from grader.api.request import GradeOptions, GradeRequest, Progress, no_progress
from grader.extensions import Extension, ExtensionError
from grader.model.finding import Finding, FindingView
from grader.model.results import ClassResult
from grader.model.submission import Submission
from tests.reports.graded_example import CLASS


@dataclass(frozen=True)
class ClassSize(Finding):
    """How many students there are."""

    students: int

    def view(self, _: Submission) -> FindingView:
        return FindingView()


def find(graded: ClassResult, _request: GradeRequest, _progress: Progress, _cancelled: Event) -> Mapping[str, Finding]:
    return {graded.rows[0].student: ClassSize(len(graded.rows))}


def request(*steps: str) -> GradeRequest:
    return GradeRequest(folder=Path("submissions"), options=GradeOptions(class_steps=steps))


STEP = ClassStep(about="Count the students.", find=find)


def test_findings_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Extension(group="", name="size", place=f"{__name__}:STEP", distribution="", version="")
    monkeypatch.setattr("grader.api.class_step.extension", lambda *_: step)
    graded = take_class_steps(CLASS, request("size", "size"), no_progress, Event())
    size = ClassSize(len(CLASS.rows))
    assert [row.graded.findings for row in graded.rows] == [(size, size), *[()] * (len(CLASS.rows) - 1)]


def test_a_step_that_is_not_installed() -> None:
    with pytest.raises(ExtensionError, match="No plugin for --similer is installed"):
        take_class_steps(CLASS, request("similer"), no_progress, Event())
