"""`grader check`: a student's self-check with the public tests of a course."""

from pathlib import Path

from grader.cli.self_check import names_at, self_check, tests_to_check
from grader.expected.transcripts import load_transcripts
from grader.report.diff_text import DiffText, first_screenful
from grader.run.system import System


def run_check(
    path: Path,
    assignment_id: str | None,
    course: Path | None,
    *,
    show: int,
    save: Path | None,
    system: System,
    diff_text: DiffText = first_screenful,
) -> int:
    """Check the program or folder at `path`; returns the exit code."""
    # A bundle has no course to look for, and not the packages that read one.
    from grader.cli.find import assignment_for_files, course_for

    names = names_at(path)
    assignment = assignment_for_files(course_for(course, path), assignment_id, names, path)
    tests = tests_to_check(assignment, path)
    transcripts = load_transcripts(assignment, tests)
    return self_check(assignment, tests, transcripts, path, show=show, save=save, system=system, diff_text=diff_text)
