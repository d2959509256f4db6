"""Shorter sessions for the terminal."""

from collections.abc import Iterator
from itertools import islice

from rich.text import Text

from grader.api.request import Progress
from grader.model.results import GradedSubmission, ShorterSession
from grader.plugins.searching.fuzzing.shortest.api import shorter_failures
from grader.reports.terminal.test_result import failure_text
from grader.reports.theme import TerminalStyle
from grader.selfcheck.check import SelfCheck
from grader.text.escape import escape_controls
from grader.text.language import told


def shorter_lines(shorter: ShorterSession) -> Iterator[Text]:
    """Yield a session of fewer lines than a test, in which a program fails in the same way."""
    yield Text()
    words = told(
        "{test}, of {all} lines, fails in the same way with {lines}",
        test=shorter.test.id,
        lines=len(shorter.lines),
        all=len(shorter.all_lines),
    )
    yield Text(escape_controls(words), TerminalStyle.HEADING)
    for line in shorter.lines:
        shown = line if line and line == line.strip() else repr(line)
        yield Text(escape_controls(told("  type  {line}", line=shown)))
    yield from islice(failure_text(shorter.result), 2, None)


def failure_lines(check: SelfCheck, graded: GradedSubmission, progress: Progress) -> Iterator[Text]:
    """Yield the shortest session for the first failed test of each program."""
    for shorter in shorter_failures(check, graded, progress):
        yield from shorter_lines(shorter)
