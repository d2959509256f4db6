"""`grader init` and `grader new`: first files, to go on from."""

from datetime import date, timedelta
from pathlib import Path

from grader.authoring.scaffold import make_assignment, make_course
from grader.cli.find import course_for
from grader.cli.generate import write_expected
from grader.reports.terminal.console import output_console

_TIME_TO_HAND_IN = timedelta(days=14)


def run_init(folder: Path) -> int:
    """Make a course folder and say what to do next; returns the exit code."""
    console = output_console()
    for path in make_course(folder):
        console.print(f"made: {path}", soft_wrap=True)
    place = "" if folder.resolve() == Path.cwd() else f"cd {folder}; "
    console.print(f"Next, the first assignment: {place}grader new assignment ID", soft_wrap=True)
    return 0


def run_new_assignment(assignment_id: str, program: str | None, course: Path | None) -> int:
    """Make an assignment with its expected transcripts, and say what to do next; returns the exit code."""
    console = output_console()
    folder = course_for(course, Path.cwd()).folder
    made = make_assignment(folder, assignment_id, program, date.today() + _TIME_TO_HAND_IN)
    for path in made:
        console.print(f"made: {path}", soft_wrap=True)
    code = write_expected([assignment_id], folder, python=None, jobs=None)
    reference = made[0]
    console.print("Next: put your own solution into the first of these files and your tests into the second; then")
    console.print(f"  grader generate {assignment_id}", soft_wrap=True)
    console.print(f"or play a test: grader record {reference.name} --assignment {assignment_id}", soft_wrap=True)
    return code
