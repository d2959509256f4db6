"""The commands for authors of assignments: init, new, generate, bundle, schema, and record, seeds, audit for tests."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AssignmentId, Course, Jobs, Sandbox, files, programs
from grader.cli.options import assignments as assignment_ids
from grader.cli.output import INTERRUPTED, Messages, messages_of
from grader.model.program import SandboxKind

if TYPE_CHECKING:
    from rich.console import Console

    from grader.api.author import GeneratedTranscripts

app = typer.Typer()


new = typer.Typer(no_args_is_help=True, help="Make something new in a course.")


app.add_typer(new, name="new")

_BUNDLE_FILE, _BUNDLE_FOLDER = Path("grader.pyz"), Path("grader-check")


@app.command()
def init(
    folder: Annotated[
        Path, typer.Argument(help="The new course folder; default: this one.", autocompletion=files)
    ] = Path(),
) -> None:
    """Make a course folder: test_specs/, reference/, submissions/."""
    from grader.api.author import new_course
    from grader.reports.terminal.console import output_console

    console = output_console()
    for path in new_course(folder):
        console.print(f"made: {path}", soft_wrap=True)
    place = "" if folder.resolve() == Path.cwd() else f"cd {folder}; "
    console.print(f"Next, the first assignment: {place}grader new assignment ID", soft_wrap=True)


@new.callback()
def _new() -> None:
    """Make something new in a course."""


@new.command("assignment")
def new_assignment(
    context: typer.Context,
    assignment: Annotated[str, typer.Argument(metavar="ID", help="Its name, such as a1-nim.")],
    program: Annotated[str | None, typer.Option(help="What students hand in; default: ID.py.")] = None,
    course: Course = None,
) -> None:
    """Make an assignment with a small program and tests that work at once, for you to replace."""
    from grader.api.author import generate as generate_expected
    from grader.api.author import new_assignment as make
    from grader.reports.terminal.console import output_console

    messages = messages_of(context)
    console = output_console()
    made = make(assignment, program=program, course=course)
    for path in made:
        console.print(f"made: {path}", soft_wrap=True)
    generate_expected(
        [assignment],
        course=course,
        progress=messages.progress("tests"),
        report=partial(_print_written, console, messages),
    )
    console.print("Next: put your own solution into the first of these files and your tests into the second; then")
    console.print(f"  grader generate {assignment}", soft_wrap=True)
    console.print(f"or play a test: grader record {made[0].name} --assignment {assignment}", soft_wrap=True)


@app.command()
def generate(
    context: typer.Context,
    assignments: Annotated[
        list[str] | None, typer.Argument(help="Assignments; default: all.", autocompletion=assignment_ids)
    ] = None,
    *,
    course: Course = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 when a file is not fresh.")] = False,
    python: Annotated[
        Path | None, typer.Option(help="Run the references with this Python.", autocompletion=files)
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Write the expected transcripts by running the references."""
    from grader.api.author import find_stale
    from grader.api.author import generate as generate_expected
    from grader.reports.terminal.console import output_console

    messages = messages_of(context)
    console = output_console()
    work, report = (find_stale, _print_stale) if check else (generate_expected, _print_written)
    done = work(
        assignments,
        course=course,
        python=python,
        jobs=jobs,
        progress=messages.progress("tests"),
        report=partial(report, console, messages),
    )
    wrong = sum(len(one.findings) for one in done) if check else 0
    if wrong:
        console.print(f"{wrong} expected files are not as they should be; `grader generate` repairs them.")
        raise typer.Exit(1)


def _print_written(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    messages.notes(generated.assignment)
    for finding in generated.findings:
        done = "removed" if finding.new is None else "written"
        console.print(f"{done}: {finding.file}", soft_wrap=True)
    console.print(f"{generated.assignment.id}: {generated.count} expected files are up to date.", soft_wrap=True)


def _print_stale(console: "Console", messages: Messages, generated: "GeneratedTranscripts") -> None:
    from rich.text import Text

    from grader.reports.theme import TERMINAL
    from grader.text.escape import escape_controls

    messages.notes(generated.assignment)
    for finding in generated.findings:
        console.print(Text(f"{finding.state}: {finding.file}", f"{TERMINAL.heading} {TERMINAL.failed}"), soft_wrap=True)
        for line in finding.diff().splitlines():
            console.print(Text(escape_controls(line)), soft_wrap=True)
    if not generated.findings:
        console.print(f"{generated.assignment.id}: all {generated.count} expected files are fresh.", soft_wrap=True)


@app.command()
def bundle(
    assignment: Annotated[str, typer.Argument(help="Assignment.", autocompletion=assignment_ids)],
    *,
    course: Course = None,
    output: Annotated[
        Path | None, typer.Option(help="Default: grader.pyz; of a folder, grader-check.", autocompletion=files)
    ] = None,
    folder: Annotated[bool, typer.Option("--folder", help="Make a folder, which pip can install.")] = False,
    checkers: Annotated[bool, typer.Option("--checkers", help="Hand out checkers too, and tests with them.")] = False,
) -> None:
    """Make a self-check to hand out. It has the public tests and what runs them, no reference and no hidden test."""
    from grader.api.author import bundle_file, bundle_folder
    from grader.reports.terminal.console import output_console

    make, path = (bundle_folder, _BUNDLE_FOLDER) if folder else (bundle_file, _BUNDLE_FILE)
    found, made = make(assignment, output or path, course=course, checkers=checkers)
    sealed = sum(test.sealed for test in made.tests)
    console = output_console()
    words = f"{len(made.tests)} public tests{f', {sealed} of them sealed' if sealed else ''}."
    console.print(f"{made.path}: {words}", soft_wrap=True)
    if made.left_out:
        console.print(
            f"{made.left_out} more are left out: the checker that judges them knows the answers (--checkers).",
            soft_wrap=True,
        )
    console.print(f"Students run: python3 {made.path.name} check {found.programs[0].file}", soft_wrap=True)


@app.command()
def schema(
    kind: Annotated[
        str | None, typer.Argument(help="assignment, tests, audit, extensions, marks, overrides and so on.")
    ] = None,
    *,
    output: Annotated[
        Path, typer.Option(help="Without KIND: the folder to write all schemas to.", autocompletion=files)
    ] = Path("schemas"),
) -> None:
    """Print the JSON Schema of a kind of YAML file. Without a kind, all are written, for editors."""
    from grader.api.author import schema as schema_text
    from grader.api.author import schema_file, write_schemas

    if kind is not None:
        sys.stdout.write(schema_text(kind))
        return
    written = write_schemas(output)
    print(f"{len(written)} schemas are in {output}. The first line of a tests file, for editors:")
    print(f"# yaml-language-server: $schema=../../../{output.name}/{schema_file('tests')}")


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
    """Play a reference here; what you type becomes a test. Its expected transcript is written too."""
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
    context: typer.Context,
    assignment: Annotated[
        str, typer.Argument(help="The assignment whose tests are audited.", autocompletion=assignment_ids)
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
    """Say how good the tests are. It puts mistakes into the references and sees which test notices."""
    from rich.console import Console

    from grader.api.author_search import AuditOptions
    from grader.api.author_search import audit as audit_tests
    from grader.reports.terminal.findings import audit_lines

    options = AuditOptions(sample=sample, seed=seed, jobs=jobs, sandbox=sandbox)
    found = audit_tests(assignment, course=course, options=options, progress=messages_of(context).progress(""))
    console = Console(highlight=False)
    for line in audit_lines(found.assignment, found.report, found.settings.equivalent, found.faults):
        console.print(line, soft_wrap=True)
    raise typer.Exit(0 if found.is_good(min_percent) else 1)


@app.command()
def seeds(
    context: typer.Context,
    assignment: Annotated[
        str, typer.Argument(help="The assignment; its seeds.yaml says what to vary.", autocompletion=assignment_ids)
    ],
    *,
    course: Course = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the tests and write nothing.")] = False,
    jobs: Jobs = None,
) -> None:
    """Find few seeds or decks that reach what a game can do. It writes them as tests."""
    from rich.console import Console
    from rich.text import Text

    from grader.api.author_search import search_seeds
    from grader.reports.terminal.findings import missed_goals, seeds_lines
    from grader.text.escape import escape_controls

    console = Console(highlight=False)
    all_reached = True
    progress = messages_of(context).progress("values")
    for found in search_seeds(assignment, course=course, jobs=jobs, progress=progress):
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
