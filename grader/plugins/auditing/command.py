"""The command `grader audit`, which shows how good tests are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from grader.api.request import GradeOptions
from grader.cli.options import PATH, ExitCode, Number, WholeNumber, assignments, course, jobs, sandbox
from grader.cli.output import Messages
from grader.model.program import SandboxKind


@click.command()
@click.argument("assignment", metavar="ID", shell_complete=assignments, help="The assignment whose tests are audited.")
@click.argument(
    "submissions",
    type=PATH,
    required=False,
    help="A class, as for `grade`. Its programs that pass all tests also get mistakes.",
)
@course
@click.option(
    "--sample", type=WholeNumber(min=0), metavar="N", help="Only try this many mutants, and those in audit.yaml."
)
@click.option(
    "--seed", type=click.INT, metavar="N", default=1, help="The seed for the sample and for pairs of mistakes."
)
@click.option(
    "--order",
    type=WholeNumber(min=1, max=2),
    metavar="N",
    default=1,
    help="The number of mistakes in each mutant: 1 or 2.",
)
@click.option("--matrix", is_flag=True, help="Try every test on each mutant, to see what each test contributes.")
@click.option(
    "--learn",
    type=PATH,
    metavar="FOLDER",
    multiple=True,
    help="First, keep faulty programs of this earlier class as samples; may be repeated.",
)
@click.option(
    "--min-percent",
    type=Number(min=0, max=100),
    metavar="N",
    default=95.0,
    help="The exit code is 1 if a smaller percentage of mutants is caught.",
)
@jobs
@sandbox
@click.pass_obj
def audit(
    messages: Messages,
    /,
    *,
    assignment: str,
    submissions: Path | None,
    course: Path | None,
    learn: tuple[Path, ...],
    min_percent: float,
    jobs: int | None,
    sandbox: SandboxKind,
    **chosen: Any,
) -> ExitCode:
    """Measure how good the tests are. Mistakes are put into correct programs, to see which tests notice."""
    from rich.console import Console

    from grader.plugins.auditing.api import AuditOptions
    from grader.plugins.auditing.api import audit as audit_tests
    from grader.plugins.auditing.terminal import audit_lines

    if learn:
        _learn(messages, assignment, learn, course, GradeOptions(sandbox=sandbox, jobs=jobs))
    options = AuditOptions(jobs=jobs, sandbox=sandbox, **chosen)
    audited = audit_tests(assignment, submissions, course=course, options=options, progress=messages.progress(""))
    messages.notes(audited.assignment, audited.notes)
    console = Console(highlight=False)
    for line in audit_lines(audited.assignment, audited.report, audited.settings.equivalent, audited.faults):
        console.print(line, soft_wrap=True)
    return 0 if audited.is_good(min_percent) else 1


def _learn(
    messages: Messages, assignment: str, folders: Sequence[Path], course: Path | None, options: GradeOptions
) -> None:
    from grader.plugins.auditing.learn import learn as learn_from
    from grader.reports.terminal.console import output_console
    from grader.text.words import pluralize

    console = output_console()
    learned = learn_from(assignment, folders, course=course, options=options, progress=messages.progress(""))
    for sample in learned.written:
        console.print(f"written: {sample}", soft_wrap=True)
    if learned.left_out:
        count = pluralize(len(learned.left_out), "mistake")
        why = "no program that makes it is in Python, names no student and fails as before without its comments"
        console.print(f"{count} left out ({', '.join(learned.left_out)}): {why}", soft_wrap=True)
