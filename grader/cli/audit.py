"""The command that says how good tests are."""

from pathlib import Path

import click

from grader.cli.options import PATH, ExitCode, Number, WholeNumber, assignments, course, jobs, sandbox
from grader.cli.output import Messages
from grader.model.program import SandboxKind


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="The assignment whose tests are audited.")
@click.argument(
    "submissions",
    type=PATH,
    required=False,
    help="A class, as `grade` takes it: those of its programs that pass all tests get mistakes too.",
)
@course
@click.option(
    "--sample", type=WholeNumber(min=0), metavar="N", help="Try so many mutants only, and those in audit.yaml."
)
@click.option(
    "--seed", type=click.INT, metavar="N", default=1, help="Chooses the sample, and which mistakes go together."
)
@click.option(
    "--order", type=WholeNumber(min=1, max=2), metavar="N", default=1, help="Mistakes in each mutant: 1 or 2."
)
@click.option("--matrix", is_flag=True, help="Try every test on each mutant, to see what single tests are for.")
@click.option(
    "--min-percent",
    type=Number(min=0, max=100),
    metavar="N",
    default=95.0,
    help="Exit 1 when fewer of 100 mutants are caught.",
)
@jobs
@sandbox
@click.pass_obj
def audit(
    messages: Messages,
    *,
    assignment: str,
    submissions: Path | None,
    course: Path | None,
    sample: int | None,
    seed: int,
    order: int,
    matrix: bool,
    min_percent: float,
    jobs: int | None,
    sandbox: SandboxKind,
) -> ExitCode:
    """Say how good the tests are. It puts mistakes into right programs and sees which test notices."""
    from rich.console import Console

    from grader.api.audit import AuditOptions
    from grader.api.audit import audit as audit_tests
    from grader.reports.terminal.audit import audit_lines

    options = AuditOptions(sample=sample, seed=seed, order=order, matrix=matrix, jobs=jobs, sandbox=sandbox)
    found = audit_tests(assignment, submissions, course=course, options=options, progress=messages.progress(""))
    messages.notes(found.assignment, found.notes)
    console = Console(highlight=False)
    for line in audit_lines(found.assignment, found.report, found.settings.equivalent, found.faults):
        console.print(line, soft_wrap=True)
    return 0 if found.is_good(min_percent) else 1
