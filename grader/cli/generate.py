"""`grader generate`: write the expected transcripts, or check that they are fresh."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from rich.text import Text

from grader.authoring.generate import TranscriptFinding, findings, generate, repair
from grader.cli.find import course_for
from grader.cli.notes import print_notes
from grader.cli.progress import progress_bar
from grader.expected.transcripts import wanted
from grader.model.assignment import Assignment
from grader.reports.terminal.console import output_console
from grader.reports.theme import TERMINAL
from grader.run.core_slots import cores
from grader.run.environment import open_environment
from grader.text.escape import escape_controls


def write_expected(names: Sequence[str] | None, course: Path | None, *, python: Path | None, jobs: int | None) -> int:
    """Bring the expected files up to date and say what changed; returns the exit code."""
    console = output_console()
    for assignment, found in _findings(names, course, python, jobs or cores()):
        for finding in found:
            repair(finding)
            done = "removed" if finding.new is None else "written"
            console.print(f"{done}: {finding.file}", soft_wrap=True)
        console.print(f"{assignment.id}: {_count(assignment)} expected files are up to date.", soft_wrap=True)
    return 0


def check_expected(names: Sequence[str] | None, course: Path | None, *, python: Path | None, jobs: int | None) -> int:
    """Change nothing; print a diff for each file that is stale, missing or orphaned. Returns the exit code."""
    console = output_console()
    wrong = 0
    for assignment, found in _findings(names, course, python, jobs or cores()):
        for finding in found:
            console.print(
                Text(f"{finding.state}: {finding.file}", f"{TERMINAL.heading} {TERMINAL.failed}"), soft_wrap=True
            )
            for line in finding.diff().splitlines():
                console.print(Text(escape_controls(line)), soft_wrap=True)
        wrong += len(found)
        if not found:
            console.print(f"{assignment.id}: all {_count(assignment)} expected files are fresh.", soft_wrap=True)
    if wrong:
        console.print(Text(f"{wrong} expected files are not as they should be; `grader generate` repairs them."))
    return 1 if wrong else 0


def _findings(
    names: Sequence[str] | None, course_folder: Path | None, python: Path | None, jobs: int
) -> Iterator[tuple[Assignment, list[TranscriptFinding]]]:
    course = course_for(course_folder, Path.cwd())
    assignments = [course.assignment(name) for name in names] if names else course.assignments()
    with open_environment(python) as bench:
        for assignment in assignments:
            print_notes(assignment)
            with progress_bar() as progress:
                task = progress.add_task(assignment.id, total=_count(assignment))
                tick = partial(progress.advance, task)
                generated = generate(assignment, assignment.tests, bench, jobs=jobs, tick=tick)
            yield assignment, list(findings(assignment.folder / "expected", generated))


def _count(assignment: Assignment) -> int:
    return len(list(wanted(assignment, assignment.tests)))
