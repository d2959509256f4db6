"""The `grader` command. Exit codes: 0 if all is well, 1 if something failed, 2 if the tool could not do its work."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from grader import __version__
from grader.cli.ending import ended_by_signals, go_on_ending
from grader.errors import GraderError

_PIPE_CLOSED = 141
"""The exit code of a command whose output was not read to the end, as in shells."""

_Command = TypeVar("_Command", bound=Callable[..., object])

_COMMANDS = "check", "grade"
"""The commands, each imported on demand from the module in `grader.cli` with the same name."""
_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "For students": ("check", "watch", "explain"),
    "Grade a class": (
        *("grade", "report", "serve", "export", "compare", "history", "insight", "similar", "anonymise", "forget"),
        *("requests", "term", "autograde", "doctor", "demo", "docs"),
    ),
    "Write tests": ("init", "new", "import", "record", "generate", "audit", "fuzz", "seeds", "schema"),
    "Hand out": ("bundle",),
}
_SHELLS: Mapping[str, tuple[str, ...]] = {
    "bash": (".bash_completions/grader.sh", ".bashrc", "source ~/.bash_completions/grader.sh"),
    "zsh": (".zfunc/_grader", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/grader.fish",),
}
"""The completion script of each shell, and its startup file with the line that loads the script."""


class LazyCommands(click.Group):
    """The commands of the core and of plugins, each imported on demand.

    The value that a command returns is the exit code.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands: the core's in the order they are used in a term, then the plugins'."""
        from grader.extensions import COMMANDS, extensions

        from_plugins = (name for name in extensions(COMMANDS) if name not in _COMMANDS)
        return [*_COMMANDS, *from_plugins, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name) or _plugin_command(cmd_name)
        command: click.Command = getattr(import_module(f"grader.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under headings, with those of other packages last."""
        listed = self.list_commands(ctx)
        named = {name for names in _HEADINGS.values() for name in names}
        headings = {**_HEADINGS, "Others": tuple(name for name in listed if name not in named)}
        for heading, names in headings.items():
            commands = [(name, self.get_command(ctx, name)) for name in names if name in listed]
            rows = [(name, command.get_short_help_str(formatter.width)) for name, command in commands if command]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. The error message for an unknown name suggests similar names."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    def invoke(self, ctx: click.Context) -> NoReturn:
        """Run the command and exit with its exit code. Ctrl-C ends it silently."""
        try:
            code = super().invoke(ctx)
        except KeyboardInterrupt:
            from grader.cli.output import INTERRUPTED

            code = INTERRUPTED
        ctx.exit(code or 0)


class CompletionError(GraderError):
    """The script for tab completion cannot be installed."""


def _plugin_command(name: str) -> click.Command | None:
    """Import the command of a plugin. If that fails, return a command that reports the error."""
    from grader.extensions import COMMANDS, ExtensionError, find_extension

    extension = find_extension(COMMANDS, name)
    if extension is None:
        return None
    try:
        return extension.load(click.Command)
    except ExtensionError as error:
        return _broken_command(name, error)


def _broken_command(name: str, error: GraderError) -> click.Command:
    """Return a command that takes any arguments and raises `error`."""

    def fail() -> NoReturn:
        raise error

    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(
        name, callback=fail, short_help="Cannot be loaded.", context_settings=settings, add_help_option=False
    )


def _shell(named: str) -> str:
    """Return the shell given to an option, or else the shell in $SHELL."""
    return named or Path(os.environ.get("SHELL", "")).name


def _completion_script(shell: str) -> str:
    from click.shell_completion import get_completion_class

    writer = get_completion_class(shell)
    if writer is None:
        raise click.UsageError(f"There is no script for the shell {shell!r}; name one of {', '.join(_SHELLS)}.")
    return writer(app, {}, "grader", "_GRADER_COMPLETE").source()


def _show_completion(context: click.Context, _parameter: click.Parameter, named: str | None) -> None:
    if named is not None and not context.resilient_parsing:
        click.echo(_completion_script(_shell(named)))
        context.exit()


def _install_completion(context: click.Context, _parameter: click.Parameter, named: str | None) -> None:
    if named is None or context.resilient_parsing:
        return
    shell = _shell(named)
    text = _completion_script(shell)
    if shell not in _SHELLS:
        raise click.UsageError(f"Put the output of `grader --show-completion {shell}` where {shell} starts from.")
    place, *startup = _SHELLS[shell]
    script = Path.home() / place
    try:
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text, encoding="utf-8")
        if startup:
            _add_line(Path.home() / startup[0], startup[1])
    except OSError as error:
        raise CompletionError(f"{error.filename} cannot be written: {error.strerror}") from None
    click.echo(f"written: {script}")
    click.echo(f"The tab key completes in every {shell} that is started from now on.")
    context.exit()


def _add_line(file: Path, line: str) -> None:
    """Add a line to a file that does not contain it yet."""
    before = file.read_bytes().decode("utf-8", "surrogateescape") if file.exists() else ""
    if line not in before.splitlines():
        with file.open("a", encoding="utf-8") as startup:
            startup.write("\n" * bool(before and not before.endswith("\n")) + f"{line}\n")


def _completion_option(name: str, callback: Callable[..., None], about: str) -> Callable[[_Command], _Command]:
    """Return an option that acts immediately and takes an optional shell as its value."""
    return click.option(
        name,
        is_flag=False,
        flag_value="",
        metavar="[SHELL]",
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=about,
    )


@click.group(
    cls=LazyCommands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100},
)
@click.option("--verbose", "-v", is_flag=True, help="Report on standard error what is being run, with timings.")
@click.option("--quiet", "-q", is_flag=True, help="Print only the report and errors, without progress or notes.")
@click.version_option(__version__, message="grader %(version)s")
@_completion_option(
    "--install-completion", _install_completion, "Let the tab key complete in this shell, or in bash, zsh or fish."
)
@_completion_option("--show-completion", _show_completion, "Print the script that does this.")
@click.pass_context
def app(context: click.Context, *, verbose: bool, quiet: bool) -> None:
    """Grade programs that talk in a terminal, and check your own before you hand it in."""
    from grader.cli.output import Messages, QuietMessages, VerboseMessages
    from grader.files.working_folder import check_working_folder

    check_working_folder()
    if verbose and quiet:
        raise click.UsageError("--verbose and --quiet exclude each other.")
    context.obj = VerboseMessages() if verbose else QuietMessages() if quiet else Messages()


def _harmless(message: str) -> str:
    """Return the message without terminal control characters, because it may quote file names that students chose."""
    from grader.text.escape import escape_controls

    return "\n".join(map(escape_controls, message.split("\n")))


class OutputError(GraderError):
    """Standard output cannot be written."""


class _StandardOutput(TextIOWrapper):
    """Standard output that raises its errors as OutputError."""

    def write(self, text: str) -> int:
        """Write the text. Raises OutputError."""
        with _output_errors():
            return super().write(text)

    def flush(self) -> None:
        """Flush the stream. Raises OutputError."""
        with _output_errors():
            super().flush()


@contextmanager
def _output_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # Buffered text would fail again when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            sys.exit(_PIPE_CLOSED)
        raise OutputError(f"Standard output cannot be written: {error.strerror}") from None


class _StandardError(TextIOWrapper):
    """Standard error. Text that cannot be written is dropped, because nothing depends on it."""

    def write(self, text: str) -> int:
        """Write as much as possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush as much as possible."""
        with suppress(OSError):
            super().flush()


def _prepare_streams() -> None:
    """Make the standard streams accept any text and report errors in plain words.

    A closed stream is replaced by the null device, so that no other file takes its place.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name, number, kind in (("stdout", 1, _StandardOutput), ("stderr", 2, _StandardError)):
        stream = getattr(sys, name) or os.fdopen(number, "w", encoding="utf-8", closefd=False)
        if type(stream) is TextIOWrapper:
            encoding, is_by_line = stream.encoding, stream.line_buffering
            setattr(sys, name, kind(stream.detach(), encoding, "backslashreplace", line_buffering=is_by_line))


def main() -> None:
    """Run the command line; a GraderError becomes a message and exit code 2."""
    _prepare_streams()
    # Hide Python's warnings about students' code.
    warnings.simplefilter("ignore", SyntaxWarning)
    try:
        with ended_by_signals():
            code = app(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except GraderError as error:
        go_on_ending(error)
        print(_harmless(str(error)), file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        go_on_ending(error)
        import traceback

        traceback.print_exc()
        print("This is a fault in grader, not in the graded program; please report it.", file=sys.stderr)
        sys.exit(2)
