"""Our own results.csv, safe to open in a spreadsheet."""

from grader.export.exported import Export
from grader.report.graded_class import GradedClass
from grader.report.results_csv import results_csv


def own_csv(graded: GradedClass) -> Export:
    """results.csv; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    content = results_csv(graded).encode("utf-8", "surrogateescape")
    return Export({"results.csv": content}, students=frozenset(row.student for row in graded.rows))
