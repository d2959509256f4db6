"""Files for no platform in particular: results.csv, and JUnit XML (the family that pytest calls xunit2)."""

from xml.etree import ElementTree

from grader.model.results import ClassResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions
from grader.platforms.shared.junit_suite import junit_suite, junit_text
from grader.platforms.shared.output_text import visible_text
from grader.platforms.shared.student_view import for_students
from grader.reports.results_csv import results_csv
from grader.store.provenance import Provenance


def csv_writer(_: ExportOptions) -> ClassWriter:
    """What writes results.csv."""
    return own_csv


def junit_writer(_: ExportOptions) -> ClassWriter:
    """What writes JUnit XML."""
    return junit_xml


def junit_xml(graded: ClassResult, origin: Provenance) -> ExportedFiles:
    """The class as JUnit XML. A test that has to be run again is an error, any other that is not passed a failure."""
    shown = for_students(graded)
    root = ElementTree.Element("testsuites", name=visible_text(shown.assignment.id))
    root.extend(junit_suite(shown.assignment, row, origin) for row in shown.rows)
    content = junit_text(root).encode()
    return ExportedFiles({"junit.xml": content}, students=frozenset(row.student for row in graded.rows))


def own_csv(graded: ClassResult, _: Provenance) -> ExportedFiles:
    """results.csv; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    content = results_csv(graded).encode("utf-8", "surrogateescape")
    return ExportedFiles({"results.csv": content}, students=frozenset(row.student for row in graded.rows))
