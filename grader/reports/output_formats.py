"""The formats in which `grader grade` and `grader check` print results, each imported on demand."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.errors import known_name
from grader.extensions import REPORT_FORMATS, Extension, extensions
from grader.model.option import LateFunction
from grader.model.results import ClassResult
from grader.reports.printed_report import CheckedProgram, OutputFormat, PrintedReport, ReportAtEnd


def data_format(writer: str) -> OutputFormat:
    """Return a format in which the function `writer` (`package.module:function`) converts a class to text.

    A self-check is passed to it as a class with one student.
    """
    write = LateFunction(writer)

    def of_class(graded: ClassResult, _: Path) -> PrintedReport:
        return PrintedReport(write(graded))

    def of_check(check: CheckedProgram) -> PrintedReport:
        # Imported as late as the writer, because other formats do not need it.
        from grader.grading.student_result import self_check_result
        from grader.reports.terminal.self_check import skipped_words

        submission = check.graded.submission
        notes = (*submission.notes, *check.settings.lacks, *map(skipped_words, check.skipped))
        graded = replace(check.graded, submission=replace(submission, notes=notes))
        return PrintedReport(write(self_check_result(check.settings.assignment, graded)))

    return OutputFormat(of_class, lambda _: ReportAtEnd(of_check))


def core_formats() -> Mapping[str, OutputFormat]:
    """Return the core's formats by name, first the one for people, then those for other programs."""
    text = OutputFormat(
        LateFunction("grader.reports.terminal.class_report:class_text"),
        LateFunction("grader.reports.terminal.self_check:check_text"),
    )
    return {"text": text, "json": data_format("grader.reports.results_json:results_line")}


def output_names() -> list[str]:
    """Return the names of the formats, first the core's, then the plugins'."""
    return list(_installed())


def output_format(name: str) -> OutputFormat:
    """Return the format with this name. Raises GraderError if it does not exist or its plugin is broken."""
    core = core_formats()
    item = known_name(name, core if name in core else _installed(), "output format")
    return item.load(OutputFormat) if isinstance(item, Extension) else item


def _installed() -> Mapping[str, OutputFormat | Extension]:
    core = core_formats()
    return {**core, **extensions(REPORT_FORMATS), **core}
