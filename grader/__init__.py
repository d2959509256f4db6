"""Grades programs that talk in a terminal; docs/api.md shows how to use it from Python.

Each name of the interface is imported when it is first asked for, so that `import grader` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.api.author import GeneratedTranscripts, find_stale, generate
    from grader.api.check import check
    from grader.api.course import load
    from grader.api.export import PlatformResult, autograde, export, save_export
    from grader.api.grade import grade, grade_classes
    from grader.api.report import report, save_results
    from grader.api.request import GradeOptions, GradeRequest
    from grader.errors import GraderError
    from grader.model.assignment import Assignment
    from grader.model.judgement import Verdict
    from grader.model.mark import Mark
    from grader.model.program import SandboxKind
    from grader.model.results import ClassResult, GradedSubmission, StudentResult, TestResult
    from grader.model.test import Test
    from grader.platforms.platform import ExportedFiles, ExportOptions

__version__ = "0.1.0"

__all__ = [
    "Assignment",
    "ClassResult",
    "ExportOptions",
    "ExportedFiles",
    "GeneratedTranscripts",
    "GradeOptions",
    "GradeRequest",
    "GradedSubmission",
    "GraderError",
    "Mark",
    "PlatformResult",
    "SandboxKind",
    "StudentResult",
    "Test",
    "TestResult",
    "Verdict",
    "autograde",
    "check",
    "export",
    "find_stale",
    "generate",
    "grade",
    "grade_classes",
    "load",
    "report",
    "save_export",
    "save_results",
]

_HOMES = {
    "Assignment": "grader.model.assignment",
    "ClassResult": "grader.model.results",
    "ExportOptions": "grader.platforms.platform",
    "ExportedFiles": "grader.platforms.platform",
    "GeneratedTranscripts": "grader.api.author",
    "GradeOptions": "grader.api.request",
    "GradeRequest": "grader.api.request",
    "GradedSubmission": "grader.model.results",
    "GraderError": "grader.errors",
    "Mark": "grader.model.mark",
    "PlatformResult": "grader.api.export",
    "SandboxKind": "grader.model.program",
    "StudentResult": "grader.model.results",
    "Test": "grader.model.test",
    "TestResult": "grader.model.results",
    "Verdict": "grader.model.judgement",
    "autograde": "grader.api.export",
    "check": "grader.api.check",
    "export": "grader.api.export",
    "find_stale": "grader.api.author",
    "generate": "grader.api.author",
    "grade": "grader.api.grade",
    "grade_classes": "grader.api.grade",
    "load": "grader.api.course",
    "report": "grader.api.report",
    "save_export": "grader.api.export",
    "save_results": "grader.api.report",
}
"""The module that each name is imported from."""


def __dir__() -> list[str]:
    """Return the names of the interface."""
    return sorted({*globals(), *__all__})


# Type checkers see the imports above, and so refuse other names.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name of the interface."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found
