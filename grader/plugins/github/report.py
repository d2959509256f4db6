"""Reports for a GitHub workflow: workflow commands for the log, and Markdown for the job summary.

Text that a student could have written is escaped in values, or placed between `stop-commands` and a token that cannot
be guessed, so that it is never taken for a command.
"""

import html
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission, TestResult
from grader.reports.printed_report import CheckedProgram, PrintedReport
from grader.reports.student_notes import notes_of
from grader.reports.terminal.class_report import class_columns, class_pieces
from grader.reports.terminal.self_check import (
    check_conditions,
    check_notes,
    missing_words,
    not_run_notes,
    passed_words,
    summary_line,
)
from grader.reports.terminal.test_result import (
    accepted_variant,
    failure_text,
    rules_section,
    test_heading,
    verdict_line,
)
from grader.reports.words import variant_words, verdict_words
from grader.text.escape import escape_controls
from grader.text.language import in_language, told

_IN_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:])")
_MAX_DETAILS = 50
FileOf = Callable[[str], str | None]
"""A function that maps the name of a submitted file to its path in the repository, or None if it is missing."""

_LOG_WIDTH = 120


def workflow_command(name: str, message: str, **properties: str | int | None) -> str:
    """Return a workflow command with its values escaped; properties that are None are left out."""
    given = ",".join(f"{key}={_escaped_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{name} {given}::{_escaped_data(message)}" if given else f"::{name}::{_escaped_data(message)}"


def github_class(graded: ClassResult, folder: Path) -> PrintedReport:
    """Return a class as workflow commands and a job summary, with the location of its reports."""
    lines = [*class_log(graded, _log_lines(graded)), escape_controls(f"Reports: {folder}")]
    return PrintedReport("".join(f"{line}\n" for line in lines), class_summary(graded))


def github_check(check: CheckedProgram) -> PrintedReport:
    """Return a self-check as workflow commands and a job summary."""
    lines = check_log(check, partial(_path_in_workspace, check.graded))
    return PrintedReport("".join(f"{line}\n" for line in lines), check_summary(check))


def _path_in_workspace(graded: GradedSubmission, name: str) -> str | None:
    """Return the path of a submitted file as a workflow knows it: relative to the folder of the repository."""
    file = graded.submission.file(name)
    if file is None:
        return None
    return os.path.relpath(file.path, os.environ.get("GITHUB_WORKSPACE") or os.curdir)


def check_log(check: CheckedProgram, file_of: FileOf) -> Iterator[str]:
    """Yield the lines of a self-check: an error per failed test, and the first failures in collapsed detail."""
    settings, graded = check.settings, check.graded
    title = escape_controls(settings.assignment.title)
    yield from _log_group(title, (*check_conditions(settings), *_check_lines(check)))
    for program, results in _missing_programs(check).items():
        yield workflow_command(
            "error", in_language(missing_words(program, len(results), settings.folder)), title=escape_controls(program)
        )
    for cause in check.causes:
        result, alike = cause.result, in_language(cause.words) if cause.alike else ""
        heading, file = test_heading(result.test), file_of(result.test.program)
        sentence = escape_controls(f"{_sentence(result)} {alike}".rstrip())
        yield workflow_command("error", sentence, file=file, title=heading)
        if cause in check.detailed:
            yield from _log_group(f"{heading} [{verdict_words(result.verdict)}]", failure_text(result, alike=alike))
    for rule in check.broken_rules:
        title = escape_controls(f"{rule.rule.id}: {rule.rule.title}")
        for finding in rule.findings:
            file = file_of(finding.file)
            yield workflow_command(
                "warning", escape_controls(in_language(finding.message)), file=file, line=finding.line, title=title
            )
    for words in variant_words(settings.assignment, graded):
        yield workflow_command("notice", accepted_variant(words))
    yield summary_line(check).plain


def check_summary(check: CheckedProgram) -> str:
    """Return the job summary of a self-check."""
    graded = check.graded
    lines = [f"## {_markdown(check.settings.assignment.title)}", ""]
    rows = [(test_heading(result.test), verdict_words(result.verdict)) for result in graded.results]
    rows += [(test_heading(test), told("not-run")) for skipped in check.skipped for test in skipped.tests]
    lines += _table((told("test"), told("verdict")), rows)
    lines += ["", in_language(passed_words(check)), ""]
    for cause in check.causes[:_MAX_DETAILS]:
        lines += _details(cause.result, in_language(cause.words) if cause.alike else "")
        for result in cause.alike[:_MAX_DETAILS]:
            lines += _details(result)
    for rule in check.broken_rules:
        findings = "; ".join(str(finding) for finding in rule.findings)
        lines.append(f"- {_markdown(f'{rule.rule.id}: {rule.rule.title}: {findings}')}")
    return "\n".join(lines) + "\n"


def _details(result: TestResult, alike: str = "") -> Iterator[str]:
    """Yield a failure as a collapsible section."""
    text = "\n".join(line.plain for line in failure_text(result, alike=alike))
    yield f"<details><summary>{html.escape(test_heading(result.test))}</summary>"
    yield from ("", f"<pre>{html.escape(text)}</pre>", "", "</details>", "")


def class_log(graded: ClassResult, lines: Iterable[Text]) -> Iterator[str]:
    """Yield the log lines of a class: its collapsed table, and a warning for everything that needs attention."""
    yield from _log_group(escape_controls(graded.assignment.title), lines)
    for row in graded.rows:
        level = "error" if row.graded.needs_rerun else "warning"
        for note in notes_of(row, graded):
            yield workflow_command(level, escape_controls(note), title=escape_controls(row.label))
    for note in graded.notes:
        yield workflow_command("warning", escape_controls(note))
    if graded.not_graded:
        names = escape_controls(", ".join(graded.not_graded))
        yield workflow_command("error", f"Interrupted; not graded: {names}")


def class_summary(graded: ClassResult) -> str:
    """Return the job summary of a class: a row per student, followed by everything that needs attention."""
    columns = list(class_columns(graded))
    lines = [f"## {_markdown(graded.assignment.title)}", ""]
    titles = [column.title for column in columns]
    lines += _table(titles, ([column.cell(row) for column in columns] for row in graded.rows))
    lines.append("")
    lines += (f"- {_markdown(f'{row.label}: {note}')}" for row in graded.rows for note in notes_of(row, graded))
    lines += (f"- {_markdown(note)}" for note in graded.notes)
    if graded.not_graded:
        lines.append(f"- {_markdown('Interrupted; not graded: ' + ', '.join(graded.not_graded))}")
    return "\n".join(lines) + "\n\n"


def _missing_programs(check: CheckedProgram) -> dict[str, tuple[TestResult, ...]]:
    """Return the results of the tests of missing programs, by program."""
    results = [result for result in check.graded.results if result.verdict is Verdict.MISSING_FILE]
    programs = dict.fromkeys(result.test.program for result in results)
    return {name: tuple(result for result in results if result.test.program == name) for name in programs}


def _check_lines(check: CheckedProgram) -> Iterator[Text]:
    for result in check.graded.results:
        yield verdict_line(result.verdict, test_heading(result.test))
    yield from not_run_notes(check)
    yield from check_notes(check)
    yield from rules_section(check.graded.rules)


def _log_group(title: str, lines: Iterable[Text]) -> Iterator[str]:
    """Yield a group of lines that are shown verbatim and never act as commands."""
    token = secrets.token_hex(16)
    yield workflow_command("group", title)
    yield f"::stop-commands::{token}"
    yield from (line.plain for line in lines)
    yield f"::{token}::"
    yield "::endgroup::"


def _sentence(result: TestResult) -> str:
    diagnosis = result.judgement.diagnosis
    return in_language(diagnosis.sentence) if diagnosis else verdict_words(result.verdict)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(_markdown(title) for title in titles)} |"
    yield f"|{' --- |' * len(titles)}"
    for row in rows:
        yield f"| {' | '.join(_markdown(cell) for cell in row)} |"


def _markdown(text: str) -> str:
    """Escape `text` so that nothing in it acts as Markdown or HTML."""
    return _IN_MARKDOWN.sub(r"\\\1", html.escape(escape_controls(text), quote=False))


def _escaped_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped_data(text).replace(":", "%3A").replace(",", "%2C")


def _log_lines(graded: ClassResult) -> Sequence[Text]:
    """Return the report on a class for a log: wide, and without colours, even if the environment requests colours."""
    console = Console(
        file=StringIO(), width=_LOG_WIDTH, force_terminal=False, color_system=None, markup=False, emoji=False
    )
    return list(Text("".join(class_pieces(console, graded))).split())
