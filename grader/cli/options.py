"""The arguments and options that several commands have, their completion, and the former names of options."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

from grader.api.request import (
    assignment_names,
    autograder_names,
    comparison_names,
    download_names,
    export_names,
    output_names,
    program_names,
)
from grader.model.program import SandboxKind

Completion = Callable[[str], list[str]]


def _completion_of(names: Callable[[], list[str]]) -> Completion:
    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


assignments = _completion_of(assignment_names)
programs = _completion_of(program_names)
downloads = _completion_of(download_names)
exports = _completion_of(export_names)
autograders = _completion_of(autograder_names)
comparisons = _completion_of(comparison_names)
outputs = _completion_of(output_names)


def files(_incomplete: str) -> list[str]:
    """No names: all shells then offer files, and know best how to quote them."""
    return []


_NAMES: Mapping[str, Callable[[], list[str]]] = {
    "{downloads}": download_names,
    "{exports}": export_names,
    "{autograders}": autograder_names,
    "{comparisons}": comparison_names,
    "{outputs}": output_names,
}


class CommandWithNames(TyperCommand):
    """A command whose help texts may hold `{downloads}`, `{exports}` and so on for the names themselves."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Put the names into the help texts, then write the help."""
        for parameter in self.params:
            if isinstance(parameter, TyperArgument | TyperOption):
                parameter.help = _with_names(parameter.help or "")
        super().format_help(ctx, formatter)


def _with_names(text: str) -> str:
    for placeholder, names in _NAMES.items():
        if placeholder in text:
            text = text.replace(placeholder, ", ".join(names()))
    return text


_FORMER_NAMES = {
    "common": "max-programs",
    "fresh": "no-cache",
    "intake": "download-format",
    "least": "min-percent",
}


def current_name(option: str) -> str:
    """The name of an option that may be given by its former one."""
    return _FORMER_NAMES.get(option, option)


Program = Annotated[
    Path, typer.Argument(metavar="FILE|FOLDER", help="Your program, or the folder it is in.", autocompletion=files)
]


Show = Annotated[int, typer.Option(min=0, help="Failing tests to show in detail.")]


Submissions = Annotated[
    Path, typer.Argument(metavar="FOLDER|ARCHIVE", help="Submissions, in any shape.", autocompletion=files)
]


Course = Annotated[
    Path | None,
    typer.Option(help="Course folder (has test_specs/); default: found from here upward.", autocompletion=files),
]


AssignmentId = Annotated[
    str | None, typer.Option(help="Assignment; default: found from the file names.", autocompletion=assignments)
]


DownloadFormat = Annotated[
    str | None,
    typer.Option(
        help="Format of the submissions: {downloads}; default: found by itself.",
        autocompletion=downloads,
    ),
]


RosterFile = Annotated[
    Path | None,
    typer.Option(help="Who is in the class; default: roster.csv or .yaml beside them.", autocompletion=files),
]


Extensions = Annotated[
    Path | None,
    typer.Option(help="Default: extensions.yaml or .csv beside the submissions.", autocompletion=files),
]


Marks = Annotated[
    Path | None, typer.Option(help="Marks by hand; default: marks.yaml or .csv beside them.", autocompletion=files)
]


Overrides = Annotated[
    Path | None,
    typer.Option(
        help="What a person decided; default: overrides.yaml or .csv beside the submissions.", autocompletion=files
    ),
]


Output = Annotated[
    str,
    typer.Option("--format", help="How results are printed: {outputs}.", autocompletion=outputs),
]


Jobs = Annotated[int | None, typer.Option(min=1, help="Sessions at a time; default: one per core.")]


Sandbox = Annotated[SandboxKind, typer.Option(help="none: run the programs with limits only.")]


StoreFile = Annotated[
    Path | None, typer.Option(help="Default: .grader/store.sqlite3 in the course folder.", autocompletion=files)
]


Reports = Annotated[Path | None, typer.Option(help="Default: reports/ in the course folder.", autocompletion=files)]
