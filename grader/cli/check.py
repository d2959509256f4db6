"""`grader check`: a student's self-check with the public tests of a course."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.cli.find import assignment_for_files, course_for
from grader.cli.notes import print_notes
from grader.cli.step_summary import add_step_summary
from grader.expected.transcripts import load_transcripts
from grader.intake.download_format import submission_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, TimeSource
from grader.model.test import Visibility
from grader.reports.output_formats import output_format
from grader.reports.printed_report import CheckedProgram, OutputFormat
from grader.reports.terminal.diff import DiffText, first_screenful
from grader.run.system import THIS_SYSTEM, SystemKind
from grader.selfcheck.check import (
    PUBLIC_ONLY,
    SelfCheck,
    names_at,
    run_self_check,
    self_check,
    submission_at,
)


def run_check(
    path: Path,
    assignment_id: str | None,
    course: Path | None,
    *,
    show: int,
    save: Path | None,
    output: str,
    system: SystemKind,
    diff_text: DiffText = first_screenful,
) -> int:
    """Check the program or folder at `path`; returns the exit code."""
    written = output_format(output)
    check = check_in_course(path, assignment_id, course, system=system)
    print_notes(check.assignment)
    return run_self_check(check, partial(_print, check, written, show=show, diff_text=diff_text), save=save)


def check_in_course(
    path: Path,
    assignment_id: str | None,
    course: Path | None,
    *,
    visibilities: Collection[Visibility] = PUBLIC_ONLY,
    system: SystemKind = THIS_SYSTEM,
) -> SelfCheck:
    """What a course has to check at `path` with the tests of these visibilities.

    Raises CheckError or another GraderError when there is nothing.
    """
    assignment = assignment_for_files(course_for(course, path), assignment_id, names_at(path), path)
    check = self_check(assignment, path, partial(load_transcripts, assignment), visibilities, system)
    return replace(check, take_in=_as_handed_in)


@contextmanager
def _as_handed_in(assignment: Assignment, path: Path) -> Iterator[Submission]:
    """Give what is at `path` as it would be taken in, archives opened. When it was written is of no matter here."""
    if not path.is_dir():
        yield submission_at(assignment, path)
        return
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        submission = submission_in(path, submission_requirements(assignment), Path(unpacked))
        yield replace(submission, submitted=None, time_source=TimeSource.NONE)


def _print(
    check: SelfCheck, written: OutputFormat, graded: GradedSubmission, *, show: int, diff_text: DiffText
) -> None:
    checked = CheckedProgram(
        assignment=check.assignment,
        graded=graded,
        show=show,
        diff_text=diff_text,
        lacks=check.lacks,
        left_out=check.left_out,
    )
    report = written.of_check(checked)
    sys.stdout.write(report.printed)
    add_step_summary(report.summary)
