"""The formats in which `grader grade` and `grader check` print results."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from grader.errors import known_name
from grader.grading.student_result import self_check_result
from grader.model.results import ClassResult
from grader.reports.github import github_check, github_class
from grader.reports.printed_report import CheckedProgram, OutputFormat, PrintedReport, ReportAtEnd
from grader.reports.results_json import results_line
from grader.reports.terminal.class_report import class_text
from grader.reports.terminal.self_check import check_text, skipped_words


def data_format(write: Callable[[ClassResult], str]) -> OutputFormat:
    """A format for other programs: it holds a class and nothing else, and a self-check as a class of one."""

    def of_class(graded: ClassResult, _: Path) -> PrintedReport:
        return PrintedReport(write(graded))

    def of_check(check: CheckedProgram) -> PrintedReport:
        submission = check.graded.submission
        notes = (*submission.notes, *check.settings.lacks, *map(skipped_words, check.skipped))
        graded = replace(check.graded, submission=replace(submission, notes=notes))
        return PrintedReport(write(self_check_result(check.settings.assignment, graded)))

    return OutputFormat(of_class, lambda _: ReportAtEnd(of_check))


OUTPUT_FORMATS: Mapping[str, OutputFormat] = {
    "text": OutputFormat(class_text, check_text),
    "json": data_format(results_line),
    "github": OutputFormat(github_class, lambda _: ReportAtEnd(github_check)),
}
"""What `grader grade` and `grader check` can print, by name: for people, for other programs, for a workflow."""


def output_format(name: str) -> OutputFormat:
    """The output format of this name. Raises GraderError when there is none."""
    return known_name(name, OUTPUT_FORMATS, "output format")
