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
        Path | None, typer.Option(help="Default: extensions.yaml beside the submissions.", autocompletion=files)
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.", autocompletion=files)
    ] = None,
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

    request = Request(folder, assignment, course, extensions, marks, reports, sandbox, output)
    raise typer.Exit(run_grade(request, jobs=jobs, store_file=store, fresh=fresh))


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
