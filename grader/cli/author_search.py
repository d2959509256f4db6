"""The commands that make and test the tests: record, seeds, audit."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import AssignmentId, Course, Jobs, Sandbox, assignments, files, programs
from grader.cli.output import INTERRUPTED
from grader.model.program import SandboxKind

app = typer.Typer()


PlayedProgram = Annotated[
    Path, typer.Argument(help="The program whose reference you will play, such as nim.py.", autocompletion=programs)
]


TestsFile = Annotated[
    Path | None, typer.Option(help="Default: the file that has the tests of the program.", autocompletion=files)
]


@app.command()
def record(
    program: PlayedProgram,
    *,
    assignment: AssignmentId = None,
    course: Course = None,
    test_id: Annotated[str | None, typer.Option("--id", help="Default: recorded-1 and so on.")] = None,
    title: Annotated[str, typer.Option(help="What students read about the test.")] = "",
    points: Annotated[str, typer.Option(help="What it is worth.")] = "0",
    public: Annotated[bool, typer.Option("--public", help="Students may see it; default: as the file says.")] = False,
    output: TestsFile = None,
) -> None:
    """Play a reference in this terminal; what you type becomes a test with its expected transcript."""
    from grader.api.author_search import RecordRequest
    from grader.api.author_search import record as record_test
    from grader.reports.terminal.console import output_console
    from grader.reports.theme import TERMINAL

    console = output_console()

    def announce(program_file: str, new_id: str) -> None:
        console.print(f"Play {program_file}; what you type becomes the test {new_id}.", style=TERMINAL.muted)
        console.print("End of input: Ctrl-D. To give up: Ctrl-C.", style=TERMINAL.muted)
        sys.stdout.flush()

    request = RecordRequest(
        program=program,
        assignment=assignment,
        course=course,
        id=test_id,
        title=title,
        points=points,
        public=public,
        output=output,
    )
    recorded = record_test(request, announce)
    if recorded is None:
        console.print("\nIt was interrupted; nothing is recorded.", style=TERMINAL.heading)
        raise typer.Exit(INTERRUPTED)
    console.print(f"added: {recorded.id} in {recorded.file}", soft_wrap=True)
    for file in recorded.expected:
        console.print(f"written: {file}", soft_wrap=True)


@app.command()
def audit(
    assignment: Annotated[
        str, typer.Argument(help="The assignment whose tests are audited.", autocompletion=assignments)
    ],
    *,
    course: Course = None,
    sample: Annotated[
        int | None, typer.Option(min=0, help="Try so many mutants only, and those in audit.yaml.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 1,
    min_percent: Annotated[float, typer.Option(help="Exit 1 when fewer of 100 mutants are caught.")] = 95.0,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
) -> None:
    """Say how good the tests are: put mistakes into the references and see which test notices."""
    from rich.console import Console

    from grader.api.author_search import AuditOptions
    from grader.api.author_search import audit as audit_tests
    from grader.reports.terminal.console import progress_bar
    from grader.reports.terminal.findings import audit_lines

    options = AuditOptions(sample=sample, seed=seed, jobs=jobs, sandbox=sandbox)
    found = audit_tests(assignment, course=course, options=options, progress=partial(progress_bar, "mutants"))
    console = Console(highlight=False)
    for line in audit_lines(found.assignment, found.report, found.settings.equivalent, found.faults):
        console.print(line, soft_wrap=True)
    raise typer.Exit(0 if found.is_good(min_percent) else 1)


@app.command()
def seeds(
    assignment: Annotated[
        str, typer.Argument(help="The assignment; its seeds.yaml says what to vary.", autocompletion=assignments)
    ],
    *,
    course: Course = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the tests and write nothing.")] = False,
    jobs: Jobs = None,
) -> None:
    """Find few seeds or decks that reach what a game can do, and write them as tests."""
    from rich.console import Console
    from rich.text import Text

    from grader.api.author_search import search_seeds
    from grader.reports.terminal.console import progress_bar
    from grader.reports.terminal.findings import missed_goals, seeds_lines
    from grader.text.escape import escape_controls

    console = Console(highlight=False)
    all_reached = True
    for found in search_seeds(assignment, course=course, jobs=jobs, progress=partial(progress_bar, "values")):
        for line in seeds_lines(found.explored, found.chosen):
            console.print(line, soft_wrap=True)
        if dry_run:
            for text in found.added.splitlines():
                console.print(Text(escape_controls(text)), soft_wrap=True)
        elif found.added:
            found.write()
            console.print(f"  written: {found.file}; now run `grader generate {assignment}`", soft_wrap=True)
        else:
            console.print("  Every test is there already.", soft_wrap=True)
        all_reached = all_reached and not missed_goals(found.explored, found.chosen)
    raise typer.Exit(0 if all_reached else 1)
