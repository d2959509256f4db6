"""Arguments and options shared by several commands, and their tab completion."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from grader.api.request import (
    GradeOptions,
    GradeRequest,
    assignment_names,
    autograder_names,
    download_names,
    export_names,
    language_names,
    output_names,
    program_names,
    step_help,
    step_names,
)
from grader.model.program import SandboxKind

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

ExitCode: TypeAlias = int | None
"""The return value of a command; None means 0."""

_Command = TypeVar("_Command", bound=Callable[..., object])

_OptionCallback: TypeAlias = Callable[[click.Context, click.Parameter, str | None], None]

Completion: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]

PATH = click.Path(path_type=Path)
"""A file or folder, which need not exist, with tab completion."""

_NAMES: Mapping[str, Callable[[], list[str]]] = {
    "{downloads}": download_names,
    "{exports}": export_names,
    "{autograders}": autograder_names,
    "{outputs}": output_names,
    "{languages}": language_names,
}
_HEADINGS: Mapping[str, Sequence[str]] = {
    "Which class": ("--assignment", "--course", "--download-format", "--roster"),
    "Files about the class": ("--extensions", "--marks", "--overrides"),
    "How programs run": ("--jobs", "--sandbox", "--store", "--cluster", "--no-cache"),
}
_MANY_OPTIONS = 14
_OPTION_NAMES = frozenset(field.name for field in fields(GradeOptions))


class WholeNumber(click.IntRange):
    """A whole number in a range, which messages call a whole number, not an integer."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range, which messages call a number, not a float."""

    name = "number"


def _completion_of(names: Callable[[], list[str]]) -> Completion:
    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


assignments = _completion_of(assignment_names)
programs = _completion_of(program_names)
exports = _completion_of(export_names)
autograders = _completion_of(autograder_names)


class StepOption(click.Option):
    """An option that selects a plugin's step; its name is added to an argument of the command."""

    def __init__(self, declarations: Sequence[str], *, group: str, name: str, argument: str) -> None:
        super().__init__(declarations, flag_value=name, expose_value=False, callback=self._choose)
        self._group = group
        self._argument = argument

    def about(self) -> str:
        """Return the plugin's help text."""
        return step_help(self._group, str(self.flag_value))

    def _choose(self, context: click.Context, _parameter: click.Parameter, name: str | None) -> None:
        if name is not None:
            context.params[self._argument] = (*context.params.get(self._argument, ()), name)


def _step_options(group: str, argument: str, command: _Command) -> _Command:
    for name in reversed(step_names(group)):
        click.option(f"--{name}", cls=StepOption, group=group, name=name, argument=argument)(command)
    return command


def submission_steps(command: _Command) -> _Command:
    """Add an option to the command for each plugin step that runs on graded submissions."""
    from grader.extensions import SUBMISSION_STEPS

    return _step_options(SUBMISSION_STEPS, "steps", command)


def class_steps(command: _Command) -> _Command:
    """Add an option to the command for each plugin step that runs on a graded class."""
    from grader.extensions import CLASS_STEPS

    return _step_options(CLASS_STEPS, "class_steps", command)


class CommandWithNames(click.Command):
    """A command whose help texts may contain placeholders for names, such as `{downloads}` and `{exports}`."""

    def get_help(self, ctx: click.Context) -> str:
        """Insert the names into the help texts, then write the help."""
        self._insert_names()
        return super().get_help(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write long lists of options under headings, beginning with the command's own options."""
        options = [item for item in self.get_params(ctx) if isinstance(item, click.Option)]
        if len(options) < _MANY_OPTIONS:
            super().format_options(ctx, formatter)
            return
        heading_of = {name: heading for heading, names in _HEADINGS.items() for name in names}
        for heading in ("Options", *_HEADINGS):
            of_heading = (item for item in options if heading_of.get(item.opts[0], "Options") == heading)
            rows = [record for item in of_heading if (record := item.get_help_record(ctx))]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Insert the names into the help texts, which some shells show next to the options, and return completions."""
        self._insert_names()
        return super().shell_complete(ctx, incomplete)

    def _insert_names(self) -> None:
        for parameter in self.params:
            if isinstance(parameter, StepOption):
                parameter.help = parameter.about()
            for placeholder, names in _NAMES.items():
                if parameter.help and placeholder in parameter.help:
                    parameter.help = parameter.help.replace(placeholder, ", ".join(names()))


submissions = click.argument("folder", type=PATH, metavar="FOLDER|ARCHIVE", help="The submissions of a class.")

program = click.argument("path", type=PATH, metavar="FILE|FOLDER", help="Your program, or its folder.")

course = click.option(
    "--course", type=PATH, metavar="FOLDER", help="Course folder (with test_specs/); default: here or a folder above."
)

assignment = click.option(
    "--assignment", metavar="ID", shell_complete=assignments, help="The assignment; default: based on the file names."
)

test_names = click.option(
    "--test",
    "names",
    metavar="NAME",
    multiple=True,
    help="Run only this test; * stands for any characters. Repeatable.",
)
show = click.option(
    "--show", type=WholeNumber(min=0), metavar="N", default=3, help="Causes of failure to show in detail."
)


def _set_language(context: click.Context, language: str) -> None:
    from grader.text.language import speaking

    context.with_resource(speaking(language))


def _set_screen_language(context: click.Context, _parameter: click.Parameter, named: str | None) -> None:
    """Set the language, or fall back to English if the terminal cannot display it."""
    from grader.text.language import ENGLISH, LANGUAGES, language_of

    language = named or language_of(os.environ)
    try:
        LANGUAGES.get(language, "").encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        language = ENGLISH
    _set_language(context, language)


def _set_file_language(context: click.Context, _parameter: click.Parameter, named: str | None) -> None:
    from grader.text.language import language_of

    _set_language(context, named or language_of(os.environ))


def _language_option(callback: _OptionCallback, about: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--language",
        metavar="NAME",
        callback=callback,
        expose_value=False,
        shell_complete=_completion_of(language_names),
        help=f"{about}: {{languages}}; default: that of the environment.",
    )


screen_language = _language_option(_set_screen_language, "The language of the report")

file_language = _language_option(_set_file_language, "The language of feedback for students")

output_format = click.option(
    "--format",
    "output",
    metavar="NAME",
    default="text",
    shell_complete=_completion_of(output_names),
    help="The output format: {outputs}.",
)

jobs = click.option(
    "--jobs", type=WholeNumber(min=1), metavar="N", help="Sessions to run at once; default: enough for all cores."
)

hide_names = click.option("--hide-names", is_flag=True, help="Leave out students' full names, for anonymous marking.")

reports = click.option("--reports", type=PATH, metavar="FOLDER", help="Default: reports/ in the course folder.")


sandbox = click.option(
    "--sandbox",
    type=click.Choice([str(kind) for kind in SandboxKind]),
    default=str(SandboxKind.BWRAP),
    callback=lambda _context, _parameter, value: SandboxKind(value),
    help="none: programs run with limits, but without a sandbox.",
)

download_format = click.option(
    "--download-format",
    metavar="NAME",
    shell_complete=_completion_of(download_names),
    help="Format of the submissions: {downloads}; default: detected.",
)


def _file_option(name: str, about: str) -> Callable[[_Command], _Command]:
    return click.option(name, type=PATH, metavar="FILE", help=about)


roster = _file_option("--roster", "The students; default: roster.csv or .yaml beside the submissions.")

# A Path would drop a slash from a URL.
_store = click.option(
    "--store",
    type=click.Path(),
    metavar="FILE|ADDRESS",
    help="Default: .grader/store.sqlite3 in the course folder. On a server: postgresql://USER@HOST/DATABASE.",
)


def class_request(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """Add the options for grading a class to the command, and call it with a single GradeRequest.

    The command has an argument `folder`. Any other options that are fields of GradeOptions are included.
    """

    @assignment
    @course
    @download_format
    @roster
    @jobs
    @sandbox
    @_store
    @wraps(command)
    def with_request(*, folder: Path, assignment: str | None, course: Path | None, **given: Any) -> ExitCode:
        chosen = {name: given.pop(name) for name in _OPTION_NAMES & given.keys()}
        options = GradeOptions(**chosen)
        request = GradeRequest(folder=folder, assignment=assignment, course=course, options=options)
        return command(request=request, **given)

    return with_request


def instructor_files(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """Add options for the instructor's files about a class to a command with a `class_request`."""
    overrides = "Decisions made by people; default: overrides.yaml or .csv beside the submissions."
    command = _file_option("--overrides", overrides)(command)
    command = _file_option("--marks", "Manual marks; default: marks.yaml or .csv beside the submissions.")(command)
    return _file_option("--extensions", "Default: extensions.yaml or .csv beside the submissions.")(command)
