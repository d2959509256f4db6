"""How a command prints results: what an output format gives, for a class and for a self-check."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.model.assignment import Assignment
from grader.model.results import ClassResult, GradedSubmission
from grader.reports.terminal.diff import DiffText, first_screenful


@dataclass(frozen=True)
class PrintedReport:
    """What is printed, terminal control sequences included, and the Markdown that is added to a job summary."""

    printed: str
    summary: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckedProgram:
    """What a self-check found; the first `show` failures are shown in detail, with `diff_text` of their transcripts.

    `lacks` says what this system cannot do, `left_out` names the tests that were therefore not run.
    """

    assignment: Assignment
    graded: GradedSubmission
    show: int
    diff_text: DiffText = first_screenful
    lacks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class OutputFormat:
    """What writes the results of a class, whose reports are in a folder, and what writes those of a self-check."""

    of_class: Callable[[ClassResult, Path], PrintedReport]
    of_check: Callable[[CheckedProgram], PrintedReport]
