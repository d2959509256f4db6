"""The results of one student as a suite of JUnit XML (the family that pytest calls xunit2)."""

from xml.etree import ElementTree

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.plugins.platforms.shared.output_text import result_name, result_text, visible_text
from grader.store.origin import Provenance
from grader.text.words import format_decimal

_KINDS = {Verdict.INTERNAL_ERROR: "error", Verdict.NOT_RUN: "skipped"}


def junit_text(root: ElementTree.Element) -> str:
    """Return the document with this root."""
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def junit_suite(assignment: Assignment, row: StudentView, origin: Provenance) -> ElementTree.Element:
    """Return the tests of a `row` that students may see.

    A test that has to be run again is an error, a test that was not run after others timed out is skipped, and any
    other test that did not pass is a failure.
    """
    verdicts = [result.verdict for result in row.graded.results]
    errors = verdicts.count(Verdict.INTERNAL_ERROR)
    skipped = verdicts.count(Verdict.NOT_RUN)
    failures = len(verdicts) - errors - skipped - verdicts.count(Verdict.PASSED)
    suite = ElementTree.Element(
        "testsuite",
        name=visible_text(row.student),
        tests=str(len(verdicts)),
        failures=str(failures),
        errors=str(errors),
        skipped=str(skipped),
        time=f"{sum(map(_seconds, row.graded.results)):.3f}",
    )
    properties = ElementTree.SubElement(suite, "properties")
    facts = {"points": format_decimal(row.points), "mark": format_decimal(row.mark.adjusted) if row.mark else ""}
    facts |= {"submission": row.graded.digest, "spec": origin.spec or "", "harness": origin.harness}
    if row.granted.excused:
        facts["excused"] = "true"
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=value)
    suite.extend(_case(assignment, row, result) for result in row.graded.results)
    return suite


def _case(assignment: Assignment, row: StudentView, result: TestResult) -> ElementTree.Element:
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
    kind = _KINDS.get(result.verdict, "failure")
    diagnosis = result.judgement.diagnosis
    message = visible_text(diagnosis.sentence) if diagnosis else str(result.verdict)
    ElementTree.SubElement(case, kind, type=str(result.verdict), message=message).text = output
    return case


def _seconds(result: TestResult) -> float:
    return result.outcome.wall_seconds if result.outcome else 0.0
