"""Exports for no particular platform: results.csv, and JUnit XML (the family that pytest calls xunit2)."""

from xml.etree import ElementTree

from grader.grading.student_view import student_views
from grader.model.results import ClassResult
from grader.platforms.platform import ExportedFiles
from grader.plugins.platforms.shared.junit_suite import junit_suite, junit_text
from grader.plugins.platforms.shared.output_text import visible_text
from grader.reports.results_csv import results_csv
from grader.store.origin import Provenance
from grader.text.words import pluralize


def junit_xml(graded: ClassResult, origin: Provenance) -> ExportedFiles:
    """Return a class as JUnit XML. A test to be run again is an error; any other test that did not pass, a failure."""
    root = ElementTree.Element("testsuites", name=visible_text(graded.assignment.id))
    views = map(student_views(graded.assignment), graded.rows)
    root.extend(junit_suite(graded.assignment, view, origin) for view in views)
    content = junit_text(root).encode()
    return ExportedFiles({"junit.xml": content}, students=frozenset(row.student for row in graded.rows))


def own_csv(graded: ClassResult, _: Provenance) -> ExportedFiles:
    """Write results.csv; a text that a spreadsheet would take for a formula begins with an apostrophe."""
    content = results_csv(graded).encode("utf-8", "surrogateescape")
    unmarked = sum(row.mark is None and not row.granted.excused for row in graded.rows)
    notes = (f"{pluralize(unmarked, 'student')} without a mark yet",) if unmarked else ()
    students = frozenset(row.student for row in graded.rows)
    return ExportedFiles({"results.csv": content}, students=students, notes=notes)
