"""The `grader` command. Exit codes: 0 all well, 1 something failed, 2 the tool could not do its work."""

import sys
import traceback
import warnings
from pathlib import Path
from typing import Annotated

import typer

from grader.cli import INTERRUPTED
from grader.cli.formats import ComparisonFormat, Format, HiddenTests, Platform
from grader.cli.request import SandboxKind
from grader.errors import GraderError
from grader.intake.kinds.kind import IntakeKind

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Grade programs that talk in a terminal, and check your own before you hand it in.",
)

Course = Annotated[Path | None, typer.Option(help="Course folder (has test_specs/); default: found from here upward.")]
AssignmentId = Annotated[str | None, typer.Option(help="Assignment; default: found from the file names.")]
Intake = Annotated[IntakeKind | None, typer.Option(help="Shape of the submissions; default: found by itself.")]
RosterFile = Annotated[Path | None, typer.Option(help="Who is in the class; default: roster.csv or .yaml beside them.")]
Overrides = Annotated[
    Path | None, typer.Option(help="What a person decided; default: overrides.yaml or .csv beside the submissions.")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Sessions at a time; default: one per core.")]


@app.callback()
def _root() -> None:
    """Grade programs that talk in a terminal, and check your own before you hand it in."""


@app.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="Your program, or the folder it is in.")],
    assignment: AssignmentId = None,
    course: Course = None,
    show: Annotated[int, typer.Option(min=0, help="Failing tests to show in detail.")] = 3,
    save: Annotated[Path | None, typer.Option(help="Write what your program printed, a .txt file per test.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every difference, not a screenful per test.")] = False,
) -> None:
    """Run the public tests on your own program."""
    from grader.cli.check import run_check
    from grader.report.diff_text import all_differences, first_screenful
    from grader.run.system import THIS_SYSTEM

    diff_text = all_differences if full else first_screenful
    code = run_check(path, assignment, course, show=show, save=save, system=THIS_SYSTEM, diff_text=diff_text)
    raise typer.Exit(code)


@app.command()
def grade(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER|ARCHIVE", help="Submissions, in any shape.")],
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Default: extensions.yaml or .csv beside the submissions.")
    ] = None,
    marks: Annotated[Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.")] = None,
    overrides: Overrides = None,
    reports: Annotated[Path | None, typer.Option(help="Default: reports/ in the course folder.")] = None,
    jobs: Jobs = None,
    cluster: Annotated[str | None, typer.Option(help="tcp://HOST:PORT of a Dask scheduler, or local:N.")] = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run every test again, whatever the store holds.")] = False,
) -> None:
    """Grade a class: all tests, lateness, marks, reports. What was run before is not run again."""
    from grader.cli.grade import run_grade
    from grader.cli.request import Request

    request = Request(folder, assignment, course, extensions, marks, reports, sandbox, overrides, intake, roster)
    raise typer.Exit(run_grade(request, jobs=jobs, cluster=cluster, store_file=store, fresh=fresh))


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.")],
    assignment: AssignmentId = None,
    course: Course = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Default: extensions.yaml or .csv beside the submissions.")
    ] = None,
    marks: Annotated[Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.")] = None,
    overrides: Overrides = None,
    reports: Annotated[Path | None, typer.Option(help="Default: reports/ in the course folder.")] = None,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.")] = None,
) -> None:
    """Make web pages about a class: an overview, a page per student and per test. Runs only what was never run."""
    from grader.cli.report import run_report
    from grader.cli.request import Request

    request = Request(folder, assignment, course, extensions, marks, reports, sandbox, overrides)
    raise typer.Exit(run_report(request, jobs=jobs, store_file=store))


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN1", help="The earlier results.json, or its folder.")],
    second: Annotated[Path, typer.Argument(metavar="RUN2", help="The later one.")],
    written: Annotated[ComparisonFormat, typer.Option("--format", help="How it is written.")] = ComparisonFormat.TEXT,
) -> None:
    """Say who has another mark in the second run, by how much and why; exit 1 when somebody has."""
    from grader.cli.compare import run_compare

    raise typer.Exit(run_compare(first, second, written))


@app.command()
def history(
    student: Annotated[str, typer.Argument(help="The student's name, as in the reports.")],
    assignment: Annotated[str | None, typer.Option(help="Assignment; default: all.")] = None,
    course: Course = None,
    reports: Annotated[Path | None, typer.Option(help="Default: reports/ in the course folder.")] = None,
) -> None:
    """Show the marks that a student was given: when, from which submission and by which tests."""
    from grader.cli.history import run_history

    raise typer.Exit(run_history(student, assignment, course, reports))


@app.command()
def bundle(
    assignment: Annotated[str, typer.Argument(help="Assignment.")],
    course: Course = None,
    output: Annotated[Path | None, typer.Option(help="Default: grader.pyz; of a folder, grader-check.")] = None,
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
    output: Annotated[Path, typer.Option(help="Without KIND: the folder to write all schemas to.")] = Path("schemas"),
) -> None:
    """Print the JSON Schema of a kind of YAML file, or write all of them, for editors."""
    from grader.cli.schema import print_schema, write_schemas

    raise typer.Exit(write_schemas(output) if kind is None else print_schema(kind))


@app.command()
def insight(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.")],
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    show: Annotated[int, typer.Option(min=0, help="Groups to show with one failure in full.")] = 0,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.")] = None,
) -> None:
    """Group a class by the mistakes that students share, and say how well each test works."""
    from grader.cli.insight import run_insight
    from grader.cli.request import Request

    request = Request(folder, assignment, course, None, None, None, sandbox, None, intake, roster)
    raise typer.Exit(run_insight(request, jobs=jobs, store_file=store, show=show))


@app.command()
def similar(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.")],
    assignment: AssignmentId = None,
    course: Course = None,
    earlier: Annotated[
        list[Path] | None, typer.Option(help="Submissions of an earlier class; may be repeated.")
    ] = None,
    base: Annotated[list[Path] | None, typer.Option(help="A file that all students got; may be repeated.")] = None,
    least: Annotated[float, typer.Option(min=0, max=100, help="Percent of one program to be found in another.")] = 60,
    common: Annotated[int, typer.Option(min=1, help="What stands in more programs than this does not count.")] = 10,
    show: Annotated[int, typer.Option(min=0, help="Pairs whose passages are shown side by side.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """List programs of a class that have much in common. It shows similarity, not guilt."""
    from grader.cli.similar import run_similar

    code = run_similar(
        folder,
        assignment,
        course,
        earlier=earlier or [],
        base=base or [],
        least=least,
        common=common,
        show=show,
        as_json=as_json,
    )
    raise typer.Exit(code)


@app.command()
def audit(
    assignment: Annotated[str, typer.Argument(help="The assignment whose tests are audited.")],
    course: Course = None,
    sample: Annotated[int | None, typer.Option(min=0, help="Try so many mutants only, besides the catalogue.")] = None,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 1,
    least: Annotated[float, typer.Option(help="Exit 1 when fewer of 100 mutants are caught.")] = 95.0,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the mutants with limits only.")] = SandboxKind.BWRAP,
) -> None:
    """Say how good the tests are: put mistakes into the references and see which test notices."""
    from grader.cli.audit import run_audit

    raise typer.Exit(run_audit(assignment, course, sample=sample, seed=seed, least=least, jobs=jobs, sandbox=sandbox))


@app.command()
def seeds(
    assignment: Annotated[str, typer.Argument(help="The assignment; its seeds.yaml says what to vary.")],
    course: Course = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the tests and write nothing.")] = False,
    jobs: Jobs = None,
) -> None:
    """Find few seeds or decks that reach what a game can do, and write them as tests."""
    from grader.cli.seeds import run_seeds

    raise typer.Exit(run_seeds(assignment, course, dry_run=dry_run, jobs=jobs))


@app.command()
def doctor() -> None:
    """Say how well this machine can keep submissions from doing harm."""
    from grader.cli.doctor import run_doctor

    raise typer.Exit(run_doctor())


@app.command()
def generate(
    assignments: Annotated[list[str] | None, typer.Argument(help="Assignments; default: all.")] = None,
    course: Course = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 when a file is not fresh.")] = False,
    python: Annotated[Path | None, typer.Option(help="Run the references with this Python.")] = None,
    jobs: Jobs = None,
) -> None:
    """Write the expected transcripts by running the references."""
    from grader.cli.generate import check_expected, write_expected

    work = check_expected if check else write_expected
    raise typer.Exit(work(assignments, course, python=python, jobs=jobs))


@app.command()
def export(
    kind: Annotated[Format, typer.Argument(metavar="FORMAT", help="What to write: " + ", ".join(Format) + ".")],
    what: Annotated[Path, typer.Argument(metavar="SUBMISSIONS|ASSIGNMENT", help="For an autograder: the assignment.")],
    assignment: AssignmentId = None,
    course: Course = None,
    intake: Intake = None,
    roster: RosterFile = None,
    extensions: Annotated[Path | None, typer.Option(help="Default: extensions.yaml or .csv beside them.")] = None,
    marks: Annotated[Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.")] = None,
    overrides: Overrides = None,
    sheet: Annotated[Path | None, typer.Option(help="The sheet downloaded from Moodle or Canvas.")] = None,
    encoding: Annotated[str | None, typer.Option(help="How the sheet is encoded; default: UTF-8.")] = None,
    column: Annotated[str | None, typer.Option(help="The column on Canvas; default: the assignment's title.")] = None,
    hidden_tests: Annotated[HiddenTests | None, typer.Option(help="When Gradescope shows hidden tests.")] = None,
    output: Annotated[Path | None, typer.Option(help="File or folder; default: in exports/ of the course.")] = None,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.")] = None,
) -> None:
    """Write the marks of a class for a learning platform, or an autograder for one."""
    from grader.cli.export import Choices, export_autograder, export_class
    from grader.cli.request import Request

    if kind.is_autograder:
        raise typer.Exit(export_autograder(str(what), kind, course, sandbox, output))
    request = Request(what, assignment, course, extensions, marks, None, sandbox, overrides, intake, roster)
    choices = Choices(sheet, encoding, column, hidden_tests)
    raise typer.Exit(export_class(request, kind, choices, jobs=jobs, store_file=store, output=output))


@app.command()
def autograde(
    platform: Annotated[Platform, typer.Argument(help="Who runs this: " + ", ".join(Platform) + ".")],
    folder: Annotated[Path, typer.Argument(help="The submission.")],
    assignment: Annotated[str, typer.Option(help="The assignment.")],
    course: Annotated[Path, typer.Option(help="The course folder.")],
    metadata: Annotated[Path | None, typer.Option(help="Gradescope's submission_metadata.json.")] = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    output: Annotated[Path | None, typer.Option(help="Where the platform looks; default: standard output.")] = None,
) -> None:
    """Grade one submission where a platform runs an autograder, and write what the platform reads."""
    from grader.cli.autograde import run_autograde

    code = run_autograde(platform, folder, assignment, course, sandbox=sandbox, metadata=metadata, output=output)
    raise typer.Exit(code)


def main() -> None:
    """Run the command line; errors of ours become messages and exit code 2."""
    # Reading students' code must not print what Python thinks of it.
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        app()
    except GraderError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except Exception:
        traceback.print_exc()
        print("This is a fault in grader, not in the graded program; please report it.", file=sys.stderr)
        sys.exit(2)
