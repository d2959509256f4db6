"""Looks up exports by name."""

from grader.platforms import exports, look_up, student_exports
from grader.platforms.platform import Export, StudentExport


def export_format(name: str) -> Export:
    """Return the export with this name. Raises GraderError if no plugin has it."""
    return look_up(name, exports(), "format of exports")


def student_export(name: str) -> StudentExport:
    """Return the export about one submission with this name. Raises GraderError if no plugin has it."""
    return look_up(name, student_exports(), "platform with an autograder")
