"""For no platform: pages for students, results.csv, and JUnit XML (the family that pytest calls xunit2)."""

from collections.abc import Callable
from xml.etree import ElementTree

from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult, TestResult
from grader.platforms.platform import ClassWriter, ExportedFiles, ExportOptions, StudentRenderer
from grader.platforms.shared.output_text import result_name, result_text, visible_text
from grader.platforms.shared.student_view import for_students
from grader.reports.html.feedback_page import feedback_page_writer
from grader.reports.results_csv import results_csv
from grader.store.provenance import Provenance
from grader.text.words import format_decimal


def page_renderer(_: ExportOptions) -> StudentRenderer:
    """What writes a web page for a student."""
    writers: dict[str, Callable[[StudentResult], str]] = {}

    def render(assignment: Assignment, row: StudentResult, _: Provenance) -> str:
        if assignment.id not in writers:
            writers[assignment.id] = feedback_page_writer(assignment)
        return writers[assignment.id](row)

    return render


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
    for row in shown.rows:
        root.append(_suite(shown.assignment, row, origin))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    content = f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()
    return ExportedFiles({"junit.xml": content}, students=frozenset(row.student for row in graded.rows))


def _suite(assignment: Assignment, row: StudentResult, origin: Provenance) -> ElementTree.Element:
    verdicts = [result.verdict for result in row.graded.results]
    errors = verdicts.count(Verdict.INTERNAL_ERROR)
    failures = len(verdicts) - errors - verdicts.count(Verdict.PASSED)
    suite = ElementTree.Element(
        "testsuite",
        name=visible_text(row.student),
        tests=str(len(verdicts)),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
        time=f"{sum(map(_seconds, row.graded.results)):.3f}",
    )
    properties = ElementTree.SubElement(suite, "properties")
    said = {"points": format_decimal(row.points), "mark": format_decimal(row.mark.adjusted) if row.mark else ""}
    said |= {"submission": row.graded.digest, "spec": origin.spec or "", "harness": origin.harness}
    if row.granted.excused:
        said["excused"] = "true"
    for name, value in said.items():
        ElementTree.SubElement(properties, "property", name=name, value=value)
    suite.extend(_case(assignment, row, result) for result in row.graded.results)
    return suite


def _case(assignment: Assignment, row: StudentResult, result: TestResult) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        classname=f"{assignment.id}.{result.test.part}",
        name=result_name(result),
        time=f"{_seconds(result):.3f}",
    )
    output = result_text(result, row.graded.results)
    if result.verdict is Verdict.PASSED:
        if output:
            ElementTree.SubElement(case, "system-out").text = output
        return case
    kind = "error" if result.verdict is Verdict.INTERNAL_ERROR else "failure"
    found = result.judgement.diagnosis
    message = visible_text(found.sentence) if found else str(result.verdict)
    ElementTree.SubElement(case, kind, type=str(result.verdict), message=message).text = output
    return case


def _seconds(result: TestResult) -> float:
    return result.outcome.wall_seconds if result.outcome else 0.0


def own_csv(graded: ClassResult, _: Provenance) -> ExportedFiles:
    """results.csv; a text that a spreadsheet would take for a formula has an apostrophe before it."""
    content = results_csv(graded).encode("utf-8", "surrogateescape")
    return ExportedFiles({"results.csv": content}, students=frozenset(row.student for row in graded.rows))
