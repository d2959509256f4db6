"""The report on a class for the terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.verdict import Verdict
from grader.marks.exact import exact
from grader.pipeline.results import GradedSubmission
from grader.report.graded_class import GradedClass, Row, lateness_words


def print_class(console: Console, graded: GradedClass) -> None:
    """Print a row per student, then what the instructor should know."""
    console.print(_table(graded))
    for row in graded.rows:
        for note in notes_of(row.graded, graded):
            console.print(Text(f"{row.student}: {harmless(note)}", "yellow"), soft_wrap=True)
    for note in graded.notes:
        console.print(Text(harmless(note), "yellow"), soft_wrap=True)
    if graded.not_graded:
        console.print(Text(f"Interrupted; not graded: {', '.join(graded.not_graded)}", "bold red"), soft_wrap=True)


def notes_of(submission: GradedSubmission, graded: GradedClass) -> list[str]:
    """What is odd about a submission: intake notes, variants, tests that must be rerun."""
    notes = list(submission.submission.notes)
    for program, variant in submission.variants.items():
        if variant != graded.assignment.program_of[program].variants[0]:
            notes.append(f"{program} read as {variant}")
    reruns = [result.test.id for result in submission.results if result.verdict is Verdict.INTERNAL_ERROR]
    if reruns:
        notes.append(f"no mark yet, these tests must be rerun (internal-error): {', '.join(reruns)}")
    elif submission.submission.submitted is None and submission.raw:
        notes.append("no mark yet, the time of the submission is not known")
    return notes


def _table(graded: GradedClass) -> Table:
    assignment = graded.assignment
    table = Table(title=harmless(assignment.title), title_justify="left")
    table.add_column("student", overflow="fold")
    for part in assignment.parts:
        table.add_column(f"{part.id}\n/ {exact(part.marks)}", justify="right")
    table.add_column("tests", justify="right")
    table.add_column(f"raw\n/ {exact(assignment.marks)}", justify="right")
    table.add_column("lateness")
    table.add_column("cap", justify="right")
    table.add_column("mark", justify="right", style="bold")
    for row in graded.rows:
        table.add_row(*_cells(graded, row))
    return table


def _cells(graded: GradedClass, row: Row) -> list[Text]:
    submission = row.graded
    passed = sum(result.verdict is Verdict.PASSED for result in submission.results)
    cells = [Text(harmless(row.student))]
    for part in graded.assignment.parts:
        points = submission.part_points(part.id)
        cells.append(Text(exact(points), "" if points == part.marks else "red"))
    cells.append(Text(f"{passed}/{len(submission.results)}"))
    if row.mark is None:
        return [*cells, Text("?"), Text("?"), Text("?"), Text("?", "magenta")]
    mark = row.mark
    late = lateness_words(mark.late) if submission.submission.submitted else "nothing handed in"
    return [
        *cells,
        Text(exact(mark.raw)),
        Text(late),
        Text(exact(mark.cap)),
        Text(exact(mark.adjusted)),
    ]
