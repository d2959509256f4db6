"""The `grader` command. Exit codes: 0 all well, 1 something failed, 2 the tool could not do its work."""

import sys
import traceback
import warnings
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from grader.cli import INTERRUPTED
from grader.cli.complete import assignment_ids, files, program_names
from grader.cli.formats import ComparisonFormat, Format, HiddenTests, Platform
from grader.cli.request import OutputFormat, SandboxKind
from grader.errors import GraderError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Grade programs that talk in a terminal, and check your own before you hand it in.",
)

Course = Annotated[
    Path | None,
    typer.Option(help="Course folder (has test_specs/); default: found from here upward.", autocompletion=files),
]
AssignmentId = Annotated[
    str | None, typer.Option(help="Assignment; default: found from the file names.", autocompletion=assignment_ids)
]
Overrides = Annotated[
    Path | None,
    typer.Option(
        help="What a person decided; default: overrides.yaml or .csv beside the submissions.", autocompletion=files
    ),
]
Output = Annotated[
    OutputFormat,
    typer.Option("--format", help="json: one line per class, as in results.json; github: workflow commands."),
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Sessions at a time; default: one per core.")]


@app.callback()
def _root() -> None:
    """Grade programs that talk in a terminal, and check your own before you hand it in."""


@app.command()
def check(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="Your program, or the folder it is in.", autocompletion=files)
    ],
    assignment: AssignmentId = None,
    course: Course = None,
    show: Annotated[int, typer.Option(min=0, help="Failing tests to show in detail.")] = 3,
    save: Annotated[
        Path | None, typer.Option(help="Write what your program printed, a .txt file per test.", autocompletion=files)
    ] = None,
    output: Output = OutputFormat.TEXT,
) -> None:
    """Run the public tests on your own program."""
    from grader.cli.check import run_check

    raise typer.Exit(run_check(path, assignment, course, show=show, save=save, output=output))


@app.command()
def watch(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="Your program, or the folder it is in.", autocompletion=files)
    ],
    assignment: AssignmentId = None,
    course: Course = None,
    show: Annotated[int, typer.Option(min=0, help="Failing tests to show in detail.")] = 3,
) -> None:
    """Run the public tests again whenever you save, and show what has changed. Ctrl-C ends."""
    from grader.cli.watch import run_watch

    raise typer.Exit(run_watch(path, assignment, course, show=show))


@app.command()
def grade(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.", autocompletion=files)],
    assignment: AssignmentId = None,
    course: Course = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Default: extensions.yaml or .csv beside the submissions.")
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.", autocompletion=files)
    ] = None,
    overrides: Overrides = None,
    reports: Annotated[
        Path | None, typer.Option(help="Default: reports/ in the course folder.", autocompletion=files)
    ] = None,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[
        Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.", autocompletion=files)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run every test again, whatever the store holds.")] = False,
    output: Output = OutputFormat.TEXT,
) -> None:
    """Grade a class: all tests, lateness, marks, reports. What was run before is not run again."""
    from grader.cli.grade import run_grade
    from grader.cli.request import Request

    request = Request(folder, assignment, course, extensions, marks, reports, sandbox, overrides, output)
    raise typer.Exit(run_grade(request, jobs=jobs, store_file=store, fresh=fresh))


@app.command()
def compare(
    first: Annotated[
        Path, typer.Argument(metavar="RUN1", help="The earlier results.json, or its folder.", autocompletion=files)
    ],
    second: Annotated[Path, typer.Argument(metavar="RUN2", help="The later one.", autocompletion=files)],
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
    reports: Annotated[
        Path | None, typer.Option(help="Default: reports/ in the course folder.", autocompletion=files)
    ] = None,
) -> None:
    """Show the marks that a student was given: when, from which submission and by which tests."""
    from grader.cli.history import run_history

    raise typer.Exit(run_history(student, assignment, course, reports))


@app.command()
def insight(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.", autocompletion=files)],
    assignment: AssignmentId = None,
    course: Course = None,
    show: Annotated[int, typer.Option(min=0, help="Groups to show with one failure in full.")] = 0,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[
        Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.", autocompletion=files)
    ] = None,
) -> None:
    """Group a class by the mistakes that students share, and say how well each test works."""
    from grader.cli.insight import run_insight
    from grader.cli.request import Request

    request = Request(folder, assignment, course, None, None, None, sandbox)
    raise typer.Exit(run_insight(request, jobs=jobs, store_file=store, show=show))


@app.command()
def similar(
    folder: Annotated[Path, typer.Argument(help="Submissions: a folder or a file per student.", autocompletion=files)],
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
    assignment: Annotated[
        str, typer.Argument(help="The assignment whose tests are audited.", autocompletion=assignment_ids)
    ],
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
def doctor() -> None:
    """Say how well this machine can keep submissions from doing harm."""
    from grader.cli.doctor import run_doctor

    raise typer.Exit(run_doctor())


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
    from grader.cli.record import Recording, run_record

    raise typer.Exit(run_record(Recording(program, assignment, course, test_id, title, points, public, output)))


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
def export(
    kind: Annotated[Format, typer.Argument(metavar="FORMAT", help="What to write: " + ", ".join(Format) + ".")],
    what: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS|ASSIGNMENT", help="For an autograder: the assignment.", autocompletion=files
        ),
    ],
    assignment: AssignmentId = None,
    course: Course = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Default: extensions.yaml or .csv beside them.", autocompletion=files)
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.", autocompletion=files)
    ] = None,
    overrides: Overrides = None,
    sheet: Annotated[
        Path | None, typer.Option(help="The sheet downloaded from Moodle or Canvas.", autocompletion=files)
    ] = None,
    encoding: Annotated[str | None, typer.Option(help="How the sheet is encoded; default: UTF-8.")] = None,
    column: Annotated[str | None, typer.Option(help="The column on Canvas; default: the assignment's title.")] = None,
    hidden_tests: Annotated[HiddenTests | None, typer.Option(help="When Gradescope shows hidden tests.")] = None,
    output: Annotated[
        Path | None, typer.Option(help="File or folder; default: in exports/ of the course.", autocompletion=files)
    ] = None,
    jobs: Jobs = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    store: Annotated[
        Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.", autocompletion=files)
    ] = None,
) -> None:
    """Write the marks of a class for a learning platform, or an autograder for one."""
    from grader.cli.export import Choices, export_autograder, export_class
    from grader.cli.request import Request

    if kind.is_autograder:
        raise typer.Exit(export_autograder(str(what), kind, course, sandbox, output))
    request = Request(what, assignment, course, extensions, marks, None, sandbox, overrides)
    choices = Choices(sheet, encoding, column, hidden_tests)
    raise typer.Exit(export_class(request, kind, choices, jobs=jobs, store_file=store, output=output))


@app.command()
def autograde(
    platform: Annotated[Platform, typer.Argument(help="Who runs this: " + ", ".join(Platform) + ".")],
    folder: Annotated[Path, typer.Argument(help="The submission.", autocompletion=files)],
    assignment: Annotated[str, typer.Option(help="The assignment.", autocompletion=assignment_ids)],
    course: Annotated[Path, typer.Option(help="The course folder.", autocompletion=files)],
    metadata: Annotated[
        Path | None, typer.Option(help="Gradescope's submission_metadata.json.", autocompletion=files)
    ] = None,
    sandbox: Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")] = SandboxKind.BWRAP,
    output: Annotated[
        Path | None, typer.Option(help="Where the platform looks; default: standard output.", autocompletion=files)
    ] = None,
) -> None:
    """Grade one submission where a platform runs an autograder, and write what the platform reads."""
    from grader.cli.autograde import run_autograde

    code = run_autograde(platform, folder, assignment, course, sandbox=sandbox, metadata=metadata, output=output)
    raise typer.Exit(code)


def _harmless(message: str) -> str:
    """The message without what a terminal would act on: it may quote names of files that students chose."""
    from grader.judge.characters import harmless

    return "\n".join(map(harmless, message.split("\n")))


def main() -> None:
    """Run the command line; errors of ours become messages and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Reading students' code must not print what Python thinks of it.
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        app()
    except GraderError as error:
        print(_harmless(str(error)), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except Exception:
        traceback.print_exc()
        print("This is a fault in grader, not in the graded program; please report it.", file=sys.stderr)
        sys.exit(2)
