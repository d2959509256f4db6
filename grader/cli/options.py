"""The arguments and options that several commands have, and the former names of options."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.complete import assignments, downloads, files, outputs
from grader.model.limits import SandboxKind

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
