"""The commands for those who write assignments and tests."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.complete import assignment_ids, files, program_names
from grader.cli.options import AssignmentId, Course, Jobs, Sandbox
from grader.model.limits import SandboxKind

app = typer.Typer()


@app.command()
def init(
    folder: Annotated[
        Path, typer.Argument(help="The new course folder; default: this one.", autocompletion=files)
    ] = Path(),
) -> None:
    """Make a course folder: test_specs/, reference/, submissions/."""
    from grader.cli.scaffold import run_init

    raise typer.Exit(run_init(folder))


new = typer.Typer(no_args_is_help=True, help="Make something new in a course.")


app.add_typer(new, name="new")


@new.callback()
def _new() -> None:
    """Make something new in a course."""


@new.command("assignment")
def new_assignment(
    assignment: Annotated[str, typer.Argument(metavar="ID", help="Its name, such as a1-nim.")],
    program: Annotated[str | None, typer.Option(help="What students hand in; default: ID.py.")] = None,
    course: Course = None,
) -> None:
    """Make an assignment with a small program and tests that work at once, for you to replace."""
    from grader.cli.scaffold import run_new_assignment

    raise typer.Exit(run_new_assignment(assignment, program, course))


@app.command()
def generate(
    assignments: Annotated[
        list[str] | None, typer.Argument(help="Assignments; default: all.", autocompletion=assignment_ids)
    ] = None,
    course: Course = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 when a file is not fresh.")] = False,
    python: Annotated[
        Path | None, typer.Option(help="Run the references with this Python.", autocompletion=files)
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Write the expected transcripts by running the references."""
    from grader.cli.generate import check_expected, write_expected

    work = check_expected if check else write_expected
    raise typer.Exit(work(assignments, course, python=python, jobs=jobs))


@app.command()
def record(
    program: Annotated[
        Path,
        typer.Argument(help="The program whose reference you will play, such as nim.py.", autocompletion=program_names),
    ],
    assignment: AssignmentId = None,
    course: Course = None,
    test_id: Annotated[str | None, typer.Option("--id", help="Default: recorded-1 and so on.")] = None,
    title: Annotated[str, typer.Option(help="What students read about the test.")] = "",
    points: Annotated[str, typer.Option(help="What it is worth.")] = "0",
    public: Annotated[bool, typer.Option("--public", help="Students may see it; default: as the file says.")] = False,
    output: Annotated[
        Path | None, typer.Option(help="Default: the file that has the tests of the program.", autocompletion=files)
    ] = None,
) -> None:
    """Play a reference in this terminal; what you type becomes a test with its expected transcript."""
    from grader.cli.record import RecordRequest, run_record

    raise typer.Exit(
        run_record(
            RecordRequest(
                program=program,
                assignment=assignment,
                course=course,
                id=test_id,
                title=title,
                points=points,
                public=public,
                output=output,
            )
        )
    )


@app.command()
def bundle(
    assignment: Annotated[str, typer.Argument(help="Assignment.", autocompletion=assignment_ids)],
    course: Course = None,
    output: Annotated[
        Path | None, typer.Option(help="Default: grader.pyz; of a folder, grader-check.", autocompletion=files)
    ] = None,
    folder: Annotated[bool, typer.Option("--folder", help="Make a folder, which pip can install.")] = False,
    checkers: Annotated[bool, typer.Option("--checkers", help="Hand out checkers too, and tests with them.")] = False,
) -> None:
    """Make a self-check to hand out: the public tests and all it takes to run them, no reference, no hidden test."""
    from grader.cli.bundle import write_bundle

    raise typer.Exit(write_bundle(assignment, course, output=output, as_folder=folder, checkers=checkers))


@app.command()
def schema(
    kind: Annotated[
        str | None, typer.Argument(help="assignment, tests, audit, extensions, marks, overrides and so on.")
    ] = None,
    output: Annotated[
        Path, typer.Option(help="Without KIND: the folder to write all schemas to.", autocompletion=files)
    ] = Path("schemas"),
) -> None:
    """Print the JSON Schema of a kind of YAML file, or write all of them, for editors."""
    from grader.cli.schema import print_schema, write_schemas

    raise typer.Exit(write_schemas(output) if kind is None else print_schema(kind))


@app.command()
def audit(
    assignment: Annotated[
        str, typer.Argument(help="The assignment whose tests are audited.", autocompletion=assignment_ids)
    ],
    course: Course = None,
    sample: Annotated[int | None, typer.Option(min=0, help="Try so many mutants only, besides the catalogue.")] = None,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 1,
    least: Annotated[float, typer.Option(help="Exit 1 when fewer of 100 mutants are caught.")] = 95.0,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxKind.BWRAP,
) -> None:
    """Say how good the tests are: put mistakes into the references and see which test notices."""
    from grader.cli.audit import run_audit

    raise typer.Exit(run_audit(assignment, course, sample=sample, seed=seed, least=least, jobs=jobs, sandbox=sandbox))


@app.command()
def seeds(
    assignment: Annotated[
        str, typer.Argument(help="The assignment; its seeds.yaml says what to vary.", autocompletion=assignment_ids)
    ],
    course: Course = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the tests and write nothing.")] = False,
    jobs: Jobs = None,
) -> None:
    """Find few seeds or decks that reach what a game can do, and write them as tests."""
    from grader.cli.seeds import run_seeds

    raise typer.Exit(run_seeds(assignment, course, dry_run=dry_run, jobs=jobs))
