"""Grades programs that talk in a terminal; docs/reference/python.md shows how to use it from Python.

Names are imported on first use, so that `import grader` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.api.check import check
    from grader.api.course import load
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
    from grader.plugins.scaffolding.author import GeneratedTranscripts, find_stale, generate

__version__ = "1.0.0"

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
    "SandboxKind",
    "StudentResult",
    "Test",
    "TestResult",
    "Verdict",
    "check",
    "find_stale",
    "generate",
    "grade",
    "grade_classes",
    "load",
    "report",
    "save_results",
]

_NAMES = {
    "grader.plugins.scaffolding.author": ("GeneratedTranscripts", "find_stale", "generate"),
    "grader.api.check": ("check",),
    "grader.api.course": ("load",),
    "grader.api.grade": ("grade", "grade_classes"),
    "grader.api.report": ("report", "save_results"),
    "grader.api.request": ("GradeOptions", "GradeRequest"),
    "grader.errors": ("GraderError",),
    "grader.model.assignment": ("Assignment",),
    "grader.model.judgement": ("Verdict",),
    "grader.model.mark": ("Mark",),
    "grader.model.program": ("SandboxKind",),
    "grader.model.results": ("ClassResult", "GradedSubmission", "StudentResult", "TestResult"),
    "grader.model.test": ("Test",),
    "grader.platforms.platform": ("ExportOptions", "ExportedFiles"),
}
"""The names imported from each module."""


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *__all__})


# Type checkers see the imports above, so they reject unknown names.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name on first use."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(next(module for module, names in _NAMES.items() if name in names)), name)
        globals()[name] = value
        return value
