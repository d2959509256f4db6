"""The `grader` command. Exit codes: 0 all well, 1 something failed, 2 the tool could not do its work."""

import sys
import traceback
import warnings
from io import TextIOWrapper
from typing import Annotated

import typer

from grader import __version__
from grader.cli import analyse, author, check, export, grade
from grader.cli.options import current_name
from grader.cli.output import INTERRUPTED, Messages, QuietMessages, VerboseMessages
from grader.errors import GraderError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Boxes would double the time that a help text takes.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": current_name},
    help="Grade programs that talk in a terminal, and check your own before you hand it in.",
)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        print(f"grader {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell on standard error what is run, with times.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Tell nothing but the report and errors: no progress, no notes.")
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Grade programs that talk in a terminal, and check your own before you hand it in."""
    if verbose and quiet:
        raise typer.BadParameter("--verbose and --quiet exclude each other.")
    context.obj = VerboseMessages() if verbose else QuietMessages() if quiet else Messages()


for module in (check, grade, analyse, export, author):
    app.add_typer(module.app)


@app.command()
def explain(
    word: Annotated[
        str | None, typer.Argument(help="A cause of failure, a rule, a file or a key; default: list them all.")
    ] = None,
) -> None:
    """Say what the documents say of a cause, a rule or a key."""
    from rich.console import Console
    from rich.markdown import Markdown

    from grader.api.explain import WordKind, explanations
    from grader.api.explain import explain as explain_word

    console = Console(highlight=False)
    if word is not None:
        for found in explain_word(word):
            gap = "\n\n" if found.kind in (WordKind.CAUSE, WordKind.FILE) else " "
            console.print(Markdown(f"`{found.word}` ({found.sort}):{gap}{found.text}"), "")
        return
    words: dict[str, list[str]] = {}
    for one in explanations():
        words.setdefault(one.sort, []).append(f"`{one.word}`")
    for sort, those in words.items():
        console.print(Markdown(f"{sort}: {', '.join(dict.fromkeys(those))}"), "")


def _harmless(message: str) -> str:
    """The message without what a terminal would act on: it may quote names of files that students chose."""
    from grader.text.escape import escape_controls

    return "\n".join(map(escape_controls, message.split("\n")))


def main() -> None:
    """Run the command line; a GraderError becomes a message and exit code 2."""
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
