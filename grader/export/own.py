"""Our own results.csv, safe to open in a spreadsheet."""

import csv
from io import StringIO

from grader.export.exported import Export
from grader.export.sheet import number_in
from grader.export.spreadsheet import csv_text, no_formula
from grader.report.graded_class import GradedClass
from grader.report.results_csv import results_csv


def own_csv(graded: GradedClass) -> Export:
    """results.csv; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    rows = csv.reader(StringIO(results_csv(graded), newline=""))
    safe = [[cell if number_in(cell) is not None else no_formula(cell) for cell in row] for row in rows]
    return Export({"results.csv": csv_text(safe).encode("utf-8", "surrogateescape")})
